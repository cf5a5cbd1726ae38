import { type AuditRow, SUPPORT_ROLE } from './queries.ts';

/** What a merchant reads in its own log of an operation of the operator's, as its route or command says. */
export interface Disclosure {
  /** It reads nothing of it, nor that it was: a freeze, or what is held under one. */
  confidential?: true;
  /** Fields that it reads beside those of every operation, such as a reason that is written for it. */
  shows?: readonly string[];
}

/** By action, as the entries have it: `POST /operator/limit`, `admin set-limits`. */
export type Disclosures = ReadonlyMap<string, Disclosure>;

/** Actions whose entries of the operator's staff and terminal no reader of a merchant is shown, old ones among them. */
export function confidentialActions(disclosures: Disclosures): string[] {
  return [...disclosures].flatMap(([action, { confidential }]) => (confidential === true ? [action] : []));
}

/**
 * What of an entry of the operator's a merchant reads whatever the action: ids, figures, and words out of a list. Not what
 * staff write to each other, how they know something, or who of them signs in. A new field has to be thought of before it
 * is shown.
 */
const SHOWN_FIELDS: ReadonlySet<string> = new Set([
  ...['merchantId', 'mode', 'changeId', 'documentId', 'supportViewId', 'expiresAt', 'railId'],
  ...['key', 'enabled', 'tier', 'first', 'second', 'rail', 'rails'],
  ...['perPayout', 'perDay', 'duplicateWindowSeconds', 'effectiveFrom', 'effectiveTo', 'availability'],
  ...['rateBasisPoints', 'minimum', 'windowSeconds', 'coolingOffSeconds'],
  ...['payoutId', 'refundId', 'outcome', 'proposalId', 'manualCreditId', 'transactionId', 'walletId', 'amount'],
  ...['bankCode', 'accountNumber', 'payerName', 'paymentId', 'action', 'disputeId', 'providerDisputeId'],
  ...['virtualAccountId', 'result'],
  // Options of the terminal.
  ...['merchant', 'service', 'scope', 'ip', 'days', 'live', 'public', 'per-payout', 'per-day', 'duplicate-window'],
  ...['from', 'until', 'as-all', 'overlap-hours', 'default', 'nobody-left'],
  ...['channel', 'percent', 'settle', 'window', 'cooling-off', 'refund', 'dispute', 'number'],
  ...['payout', 'proposal', 'credit', 'payment', 'account', 'bank', 'import', 'line'],
]);

/**
 * The subject of an entry in the operator's log as the merchant reads it. Of a support view the merchant reads what was
 * looked at and why, and everything but the notes.
 */
export function disclosedSubject(
  { actor_role, action }: Pick<AuditRow, 'actor_role' | 'action'>,
  subject: Record<string, unknown>,
  disclosures: Disclosures,
): Record<string, unknown> {
  const more = disclosures.get(action)?.shows ?? [];
  const isShown =
    actor_role === SUPPORT_ROLE
      ? (field: string) => field !== 'note'
      : (field: string) => SHOWN_FIELDS.has(field) || more.includes(field);
  return Object.fromEntries(Object.entries(subject).filter(([field]) => isShown(field)));
}
