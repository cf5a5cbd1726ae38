import { shortened } from './provider-answers.ts';
import {
  NO_REFUND_REPORTED,
  type RefundAnswer,
  type RefundOrder,
  type RefundOutcome,
  type ReportedRefund,
} from './refunds.ts';
import type { WalletReading } from './wallet-answers.ts';

/** An answer about a refund, by what an adapter's table says of it. */
export function refundAnswer(
  [outcome, { reason, message }]: readonly [RefundOutcome, WalletReading],
  code: string | null,
  at: Date,
  {
    providerRefundId = null,
    reported = NO_REFUND_REPORTED,
  }: { providerRefundId?: string | null; reported?: ReportedRefund } = {},
): RefundAnswer {
  return { outcome, code, reason, message: shortened(message), providerRefundId, at, reported };
}

/** A status that stands in no table ends nothing. */
export const unlistedStatus = (provider: string, status: string): readonly [RefundOutcome, WalletReading] => [
  'unknown',
  { reason: 'RAIL_CODE_UNKNOWN', message: `${provider} answered with an unknown status (${status})` },
];

/**
 * A refusal counts only together with a query that finds nothing: it can be the answer to a second send, whose first one took
 * what was left of the payment.
 */
export async function confirmedRefusal(
  refusal: RefundAnswer,
  query: () => Promise<RefundAnswer>,
): Promise<RefundAnswer> {
  // The send has left, however the query ends: nobody may say that it did not.
  const found = await query().catch(() => undefined);
  if (found?.outcome === 'not_found') return refusal;
  if (found !== undefined && found.outcome !== 'unknown') return found;
  const message = `Refused, and no query confirms it: ${refusal.message}`;
  return { ...refusal, outcome: 'unknown', reason: 'RAIL_REFUSAL_UNCONFIRMED', message: shortened(message) };
}

/** What is written into a refund of a provider that takes no reference of ours, so that it is found again. */
export const markedNote = ({ reference, note }: Pick<RefundOrder, 'reference' | 'note'>): string =>
  `${reference} ${note}`;

/** Our reference in such a note; null where it has none. */
export const referenceInNote = (note: string): string | null => /^[0-9a-f]{32}(?= |$)/.exec(note)?.[0] ?? null;

export const PENDING_REFUND: WalletReading = { reason: 'RAIL_PENDING', message: 'The provider is making the refund' };
export const MADE_REFUND: WalletReading = { reason: null, message: 'The refund was made' };
export const REFUSED_REFUND: WalletReading = {
  reason: 'RAIL_REFUSED',
  message: 'The provider did not make the refund',
};
export const NEEDS_ACCOUNT: WalletReading = {
  reason: 'REFUND_DETAILS_NEEDED',
  message: 'The provider wants the payer’s account',
};
export const NO_SUCH_REFUND: WalletReading = {
  reason: 'RAIL_RECORD_NOT_FOUND',
  message: 'The provider has no such refund',
};
/** One that somebody made past this service, perhaps: nobody may say that ours is not there. */
export const UNMARKED_REFUND: WalletReading = {
  reason: 'REFUND_UNMARKED',
  message: 'The provider has a refund of this payment over this amount that does not carry our reference',
};
