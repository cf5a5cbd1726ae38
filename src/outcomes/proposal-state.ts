import { stateMachine } from '../ledger/index.ts';

export type ProposalStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'STALE';

/** A proposal is decided once. `STALE`: more became known about the payout, or something else ended it. */
export const proposalStates = stateMachine<ProposalStatus>('outcome_proposal', 'outcome_proposals', {
  PENDING: ['CONFIRMED', 'REJECTED', 'STALE'],
  CONFIRMED: [],
  REJECTED: [],
  STALE: [],
});
