import type { Data, RecordOf } from '../api/types.ts';
import type { StatusTone } from '../components/status-words.ts';

export type OperatorRefund = RecordOf<'/operator/refund'>;
export type RefundCase = Data<'get', '/operator/refund/{refundId}'>;
export type RefundProposal = NonNullable<OperatorRefund['proposal']>;
export type RefundOutcome = RefundProposal['outcome'];

/** What may have become of a refund, and what follows for the money once two people say so. */
export const REFUND_OUTCOMES: Record<RefundOutcome, { word: string; follows: string }> = {
  SUCCEEDED: { word: 'It was sent', follows: 'The held amount leaves the merchant’s wallet for good.' },
  FAILED: {
    word: 'It was not sent',
    follows: 'The held amount is the merchant’s again, and as much of the payment may be refunded anew.',
  },
};

/** Why a refund is before the operator. */
export const REFUND_REASONS: Record<NonNullable<OperatorRefund['operatorReason']>, string> = {
  UNKNOWN_TOO_LONG: 'The provider gave no outcome for too long',
  RAIL_CONTRADICTS: 'The provider changed its answer',
  RAIL_ANSWER_MISMATCH: 'The provider answered about another refund',
};

export const SAID_ABOUT: Record<RefundCase['said'][number]['kind'], string> = {
  SEND: 'Sent to the provider',
  QUERY: 'The provider was asked',
  DETAILS: 'The payer’s account was given',
  CHECK: 'Compared with what the provider says',
  OPERATOR: 'Two people decided',
};

export const SAID_WORDS: Record<string, { word: string; tone: StatusTone }> = {
  succeeded: { word: 'sent', tone: 'good' },
  failed: { word: 'not sent', tone: 'bad' },
  needs_details: { word: 'it wants the payer’s account', tone: 'warn' },
  pending: { word: 'under way', tone: 'info' },
  not_found: { word: 'not known there', tone: 'warn' },
  unknown: { word: 'does not say', tone: 'warn' },
};

/** Open to a decision: its provider was asked for it and has not said what became of it, or contradicts its end. */
export const isUndecided = ({ way, status, firstSentAt, operatorReason }: OperatorRefund): boolean =>
  way === 'PROVIDER' &&
  firstSentAt !== null &&
  (status === 'PROCESSING' || status === 'NEEDS_DETAILS' || operatorReason !== null);

/** Which outcomes may be said of it: of an end that the provider contradicts, only that end. */
export function possibleOutcomes({ status }: OperatorRefund): RefundOutcome[] {
  if (status === 'SUCCESS') return ['SUCCEEDED'];
  if (status === 'FAILED' || status === 'CANCELLED') return ['FAILED'];
  return ['SUCCEEDED', 'FAILED'];
}
