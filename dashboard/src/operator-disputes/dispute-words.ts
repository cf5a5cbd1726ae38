import type { Data, RecordOf } from '../api/types.ts';
import { SOURCES } from '../outcomes/outcome-words.ts';

export type OperatorDispute = RecordOf<'/operator/dispute'>;
export type ReportedDispute = RecordOf<'/operator/dispute/reported'>;
export type DisputeProposal = RecordOf<'/operator/dispute/proposal'>;
export type DisputeCase = Data<'get', '/operator/merchant/{merchantId}/dispute/{disputeId}'>;

/** Why somebody has to look at a dispute. */
const LOOK_WORDS: Record<string, string> = {
  ABOVE_PAYMENT: 'More is wanted back than was paid',
  TAKEN_BACK_BEFORE: 'A part went back before',
  STATE_NOT_LISTED: 'The provider says what is not understood',
  WON_AFTER_END: 'The provider says it was won after all',
  LOST_AFTER_END: 'The provider says it was lost after all',
  REOPENED: 'The provider says it runs again',
};

/** Its provider says another end than it said before, or that it runs again, and what is to be done about that. */
const CONTRADICTED: Record<string, string> = {
  WON_AFTER_END: 'Find out what the provider means. What it returned you credit as a manual credit.',
  LOST_AFTER_END: 'Find out what the provider means. Where it is lost, two of you say so here, and it is taken.',
  REOPENED: 'The merchant cannot answer it here any more: answer it at the provider, in time.',
};

export const isContradicted = ({ operatorReason }: Pick<OperatorDispute, 'operatorReason'>): boolean =>
  operatorReason !== null && Object.hasOwn(CONTRADICTED, operatorReason);

export const whatToDo = ({ operatorReason }: Pick<OperatorDispute, 'operatorReason'>): string =>
  CONTRADICTED[operatorReason ?? ''] ?? 'Find out what the provider means.';

export const lookWord = (reason: string | null): string | null =>
  reason === null ? null : (LOOK_WORDS[reason] ?? reason);

export const ACTION_WORDS: Record<DisputeProposal['action'], { word: string; follows: string }> = {
  OPEN: {
    word: 'There is a dispute',
    follows: 'What the wallet has of the amount is held at once, and the merchant gets a mail.',
  },
  WON: { word: 'It was won', follows: 'What is held is available to the merchant again.' },
  LOST: {
    word: 'It was lost',
    follows:
      'What is held, or what the wallet has, is taken for good. What it does not have the merchant owes. This cannot be undone.',
  },
};

export const KNOWN_BY = SOURCES;

export const CATEGORIES: Record<DisputeProposal['category'], string> = {
  CHARGEBACK: 'Chargeback',
  FRAUD: 'Fraud: paid by somebody else',
  GENERAL: 'Another reason',
};
