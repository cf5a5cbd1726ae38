import type { Data, Input } from '../api/types.ts';
import { formatCount, formatMany } from '../format/money.ts';

type Groups = Data<'get', '/payout/bulk/{batchReference}/problem'>;
export type Group = Groups['groups'][number];
export type GroupAction = Group['actions'][number];

type Body = Exclude<Input<'post', '/payout/bulk/{batchReference}/problem/resolve'>['body'], FormData>;
export type GroupChange = NonNullable<Body['change']>;

const some = (count: number, one: string, many: string): string => `${formatCount(count)} ${count === 1 ? one : many}`;
const verb = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** What is wrong with a group, in a line. */
export function titleOf({ code, cause, count, message, suggestion }: Group): string {
  switch (code) {
    case 'NAME_DIFFERS':
      return `${some(count, 'name differs', 'names differ')} from the name at the bank`;
    case 'BANK_NOT_FOUND':
    case 'BANK_NAME_NOT_FOUND':
    case 'BANK_NAME_AMBIGUOUS': {
      const said = `${formatMany(count, 'row')} ${verb(count, 'says', 'say')} “${cause ?? ''}”`;
      const bankName = suggestion?.bankName ?? null;
      if (bankName !== null) return `${said}: did you mean ${bankName}?`;
      return code === 'BANK_NAME_AMBIGUOUS'
        ? `${said}, which could be more than one bank`
        : `${said}: there is no bank of this name or code`;
    }
    case 'BANK_MISSING':
      return `${formatMany(count, 'row')} without a bank`;
    case 'AMOUNT_TOO_PRECISE':
      return `${some(count, 'amount has', 'amounts have')} more than two decimals`;
    case 'AMOUNT_UNREADABLE':
    case 'AMOUNT_HAS_KOBO': {
      const marks = (cause ?? '').replaceAll('#', ' ').trim();
      // A cause of figures alone says nothing.
      if (cause === '#') return `${some(count, 'amount', 'amounts')} that cannot be read`;
      return marks === '' || !(cause ?? '').includes('#')
        ? `${some(count, 'amount', 'amounts')} that cannot be read: “${cause ?? ''}”`
        : `${some(count, 'amount', 'amounts')} with “${marks}”`;
    }
    case 'AMOUNT_MISSING':
      return `${formatMany(count, 'row')} without an amount`;
    case 'ACCOUNT_NUMBER_NOT_TEN_DIGITS':
      if (cause === '0') return `${formatMany(count, 'row')} without an account number`;
      return `${some(count, 'account number', 'account numbers')} with ${cause === '1' ? '1 character' : `${cause ?? '?'} characters`}, not 10 digits`;
    case 'ACCOUNT_NOT_FOUND':
      return `${some(count, 'account does', 'accounts do')} not exist at the bank`;
    case 'ACCOUNT_OWNER_UNKNOWN':
    case 'NAME_ENQUIRY_TIMED_OUT':
      return `${some(count, 'account', 'accounts')} of which the bank did not say who owns ${verb(count, 'it', 'them')}`;
    case 'NARRATION_MISSING':
      return `${formatMany(count, 'row')} without a narration`;
    case 'NARRATION_TOO_LONG':
      return `${some(count, 'narration', 'narrations')} longer than 100 characters`;
    case 'PHONE_NUMBER_INVALID':
      return `${some(count, 'phone number', 'phone numbers')} that cannot be right`;
    case 'REPEATS_ROW':
      return `${formatMany(count, 'row')} ${verb(count, 'repeats', 'repeat')} a row above`;
    case 'REPEATS_BATCH':
    case 'REPEATS_WAITING_BATCH':
      return `${formatMany(count, 'row')} ${verb(count, 'repeats', 'repeat')} another bulk payout`;
    case 'REPEATS_PAYOUT':
    case 'REPEATS_SCHEDULE':
    case 'REPEATS_WAITING_PAYOUT':
      return `${formatMany(count, 'row')} ${verb(count, 'repeats', 'repeat')} a single payout`;
    case 'ACCOUNT_NUMBER_ZERO_ADDED':
      return `${some(count, 'account number', 'account numbers')} got the leading zero back`;
    case 'ACCOUNT_NUMBER_CORRECTED':
      return `${some(count, 'account number', 'account numbers')} read without spaces or marks`;
    case 'AMOUNT_CORRECTED':
      return `${some(count, 'amount', 'amounts')} written as “${(cause ?? '').replaceAll('#', '1,000')}”`;
    case 'BANK_NAME_CORRECTED':
      return `“${cause ?? ''}” read as the bank it is part of, in ${formatMany(count, 'row')}`;
    // The sentences of these two are about one row, by its number.
    case 'ROW_TOO_LONG':
      return `${formatMany(count, 'row')} with more cells than the header: a separator may stand inside of a value, such as the comma in 1,500`;
    case 'AMOUNT_MAY_BE_CUT':
      return `${formatMany(count, 'row')} whose amount may have been cut at a comma`;
    case 'CELL_SHOWS_ERROR':
      if (count > 1) return `${formatMany(count, 'row')} in which the file shows an error, such as #REF!`;
      break;
    case 'CELL_NOT_CALCULATED':
      if (count > 1) return `${formatMany(count, 'row')} with a formula whose result is not stored in the file`;
      break;
    case 'CELL_STRUCK_OUT':
      if (count > 1) return `${formatMany(count, 'row')} in which a cell is struck out`;
      break;
  }
  return `${formatMany(count, 'row')}: ${message}`;
}
