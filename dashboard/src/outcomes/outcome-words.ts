import type { Data, RecordOf } from '../api/types.ts';
import type { StatusTone } from '../components/status-words.ts';

export type OpenOutcome = RecordOf<'/operator/outcome'>;
export type Proposal = NonNullable<OpenOutcome['proposal']>;
export type Outcome = Proposal['outcome'];
/** What both people look at of a payout before they say what became of it. */
export type Undecided = Pick<
  OpenOutcome,
  | 'payoutId'
  | 'merchantId'
  | 'mode'
  | 'businessName'
  | 'amount'
  | 'currency'
  | 'rail'
  | 'railReference'
  | 'firstSentAt'
  | 'lastCode'
  | 'lastSessionId'
>;
export type OutcomeEvidence = Data<'get', '/operator/outcome/{payoutId}/evidence'>;
type Said = OutcomeEvidence['said'][number];
export type Source = Proposal['source'];

/** What may have become of a payout, and what follows for the money once two people say so. */
export const OUTCOMES: Record<Outcome, { word: string; follows: string }> = {
  SUCCEEDED: { word: 'It was paid', follows: 'The held amount and its charges leave the merchant’s wallet for good.' },
  FAILED: { word: 'It was not paid', follows: 'The held amount and its charges go back to the merchant.' },
  REVERSED: {
    word: 'It was paid and came back',
    follows: 'The payout counts as paid and the amount is returned to the merchant.',
  },
};

export const SOURCES: Record<Source, string> = {
  BANK_LETTER: 'A letter or mail of the bank',
  RAIL_DASHBOARD: "The provider's own dashboard",
  SETTLEMENT_FILE: 'A settlement file',
  RAIL_SUPPORT: "The provider's support",
  OTHER: 'Something else, named in the note',
};

/** What two people decided by, in words: it is kept as `BANK_LETTER: what they saw`. */
export const decidedBy = (message: string): string =>
  message.replace(
    /^(?:The operator decided by )?([A-Z_]+)(?=: )/,
    (all, source: string) => SOURCES[source as Source] ?? all,
  );

/** Why a payout is before the operator. */
export const REASONS: Record<NonNullable<OpenOutcome['operatorReason']>, string> = {
  UNKNOWN_TOO_LONG: 'The rail gave no outcome for too long',
  RAIL_CONTRADICTS: 'The rail changed its answer',
  RAIL_ANSWER_MISMATCH: 'The rail answered about another transfer',
  APPROVAL_SUBJECT_ALTERED: 'Its record is not what was approved',
  UNDER_REVIEW: 'It is held for review before it is sent',
};

/** Whose word it is, in the evidence. */
export const SAID_BY: Record<Said['kind'], string> = {
  SEND: 'Sent to the rail',
  QUERY: 'The rail was asked',
  PROVIDER_WEBHOOK: 'The rail sent a webhook',
  SETTLEMENT: "The rail's settlement file",
  OPERATOR: 'Two people decided',
};

export const SAID_OUTCOMES: Record<NonNullable<Said['outcome']>, { word: string; tone: StatusTone }> = {
  succeeded: { word: 'paid', tone: 'good' },
  failed: { word: 'not paid', tone: 'bad' },
  unknown: { word: 'does not say', tone: 'warn' },
  not_found: { word: 'not known there', tone: 'warn' },
  reversed: { word: 'came back', tone: 'warn' },
};

/** What became of a proposal. */
export const PROPOSAL_ENDS: Record<OutcomeEvidence['proposals'][number]['status'], { word: string; tone: StatusTone }> =
  {
    PENDING: { word: 'Waits for another person', tone: 'info' },
    CONFIRMED: { word: 'Confirmed', tone: 'good' },
    REJECTED: { word: 'Rejected', tone: 'bad' },
    STALE: { word: 'Superseded by new information', tone: 'quiet' },
  };
