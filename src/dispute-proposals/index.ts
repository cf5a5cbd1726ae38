export { confirmDisputeProposal, rejectDisputeProposal } from './decide-proposal.ts';
export { isEnteredByHand, proposeDispute, proposeDisputeEnd } from './propose-dispute.ts';
export {
  DISPUTE_ENDS,
  DISPUTE_PROPOSAL_FINGERPRINT,
  type DisputeProposalRead,
  disputeProposalStates,
} from './queries.ts';
export { countDisputeProposalsFor, type DisputeCase, readDisputeCase, readWaitingProposals } from './read-proposals.ts';
