export { confirmOutcome, noteContradiction } from './confirm-outcome.ts';
export {
  proposalAltered,
  proposalDecided,
  proposalNotFound,
  secondPersonNeeded,
} from './errors.ts';
export { findRailPayouts, listPaidByRail } from './find-rail-payouts.ts';
export { keepProposal, overtaken, rejectProposalOf } from './keep-proposal.ts';
export { type OutcomeEvidence, type ProposalOf, proposalFingerprint, proposalQueries } from './proposal-queries.ts';
export { OUTCOME_SOURCES, proposeOutcome, rejectProposal } from './propose-outcome.ts';
export {
  listProposals,
  type OutcomesShown,
  PROPOSAL_FINGERPRINT,
  PROPOSED_OUTCOMES,
  type ProposalRow,
  proposalStates,
  type RailPayoutRow,
  type SaidRow,
} from './queries.ts';
export {
  countOutcomesToDecide,
  type OutcomeEvidenceRead,
  type OutcomeQueueEntry,
  readOutcomeEvidence,
  readOutcomeQueue,
} from './read-outcomes.ts';
