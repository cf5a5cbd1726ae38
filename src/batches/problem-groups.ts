export type ActionKind = 'ACCEPT' | 'CHANGE' | 'CHECK_AGAIN' | 'LEAVE_OUT' | 'UNDO';

/** What was seen in the file and says why a cell is an error later: it names the group in place of the error. */
export const EXPLAINING = [
  'AMOUNT_MISSING',
  'AMOUNT_UNREADABLE',
  'AMOUNT_TOO_PRECISE',
  'AMOUNT_HAS_KOBO',
  'ACCOUNT_NUMBER_CUT_SHORT',
  'BANK_MISSING',
  'BANK_NAME_NOT_FOUND',
  'BANK_NAME_AMBIGUOUS',
] as const;

/** Read in the only way there is: worth a note, and no more. */
const HARMLESS: ReadonlySet<string> = new Set([
  'AMOUNT_CORRECTED',
  'ACCOUNT_NUMBER_ZERO_ADDED',
  'ACCOUNT_NUMBER_CORRECTED',
  'PHONE_NUMBER_ZERO_ADDED',
  'BANK_NAME_CORRECTED',
  'BANK_CODE_ZERO_ADDED',
  'INVISIBLE_CHARACTERS_REMOVED',
]);

/** The bank was silent: the same item may be right. */
const SILENT: ReadonlySet<string> = new Set(['ACCOUNT_OWNER_UNKNOWN', 'NAME_ENQUIRY_TIMED_OUT']);

export const isHarmless = (code: string): boolean => HARMLESS.has(code);

/** Fields that all items of a group may be given one value of. */
const SHARED_FIELDS: ReadonlySet<string | null> = new Set(['bankCode', 'narration', 'phoneNumber']);

export type GroupActionKind = Exclude<ActionKind, 'UNDO'>;

/** What can be done to all items of a group. */
export function actionsFor(group: {
  code: string;
  field: string | null;
  severity: string;
  readsAmounts: boolean;
}): GroupActionKind[] {
  const { code, field, severity, readsAmounts } = group;
  if (severity === 'WARNING') return isHarmless(code) ? ['ACCEPT'] : ['ACCEPT', 'LEAVE_OUT'];
  const changes = SHARED_FIELDS.has(field) || readsAmounts;
  return [...(SILENT.has(code) ? ['CHECK_AGAIN' as const] : []), ...(changes ? ['CHANGE' as const] : []), 'LEAVE_OUT'];
}
