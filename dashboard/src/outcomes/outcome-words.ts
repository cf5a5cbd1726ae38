import type { RecordOf } from '../api/types.ts';

export type OpenOutcome = RecordOf<'/operator/outcome'>;
export type Proposal = NonNullable<OpenOutcome['proposal']>;
export type Outcome = Proposal['outcome'];
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

/** Why a payout is before the operator. */
export const REASONS: Record<NonNullable<OpenOutcome['operatorReason']>, string> = {
  UNKNOWN_TOO_LONG: 'The rail has not said for too long',
  RAIL_CONTRADICTS: 'The rail says something else than before',
};
