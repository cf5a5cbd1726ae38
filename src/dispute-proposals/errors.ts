import { AppError } from '../platform/errors.ts';

export const disputeProposalNotFound = () =>
  new AppError(
    'not_found',
    'DISPUTE_PROPOSAL_NOT_FOUND',
    'This merchant has no proposal about a dispute with this id in this mode.',
  );

export const disputeProposalDecided = (actual: string | undefined) =>
  new AppError(
    'conflict',
    'DISPUTE_PROPOSAL_DECIDED',
    `This proposal is no longer open: it is ${actual ?? 'decided'}.`,
  );

export const disputeProposalAltered = () =>
  new AppError(
    'conflict',
    'DISPUTE_PROPOSAL_ALTERED',
    'This proposal is not what was shown to you, or not what was proposed. Nothing has moved. Look at it again.',
  );

export const disputeProposalYours = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You proposed this yourself: another person has to confirm it. You may take it back.',
  );

export const disputeAlreadyProposed = () =>
  new AppError(
    'conflict',
    'DISPUTE_ALREADY_PROPOSED',
    'Something about the dispute with this number waits for a second person already.',
  );

export const disputeAlreadyOpen = () =>
  new AppError(
    'conflict',
    'DISPUTE_ALREADY_OPEN',
    'A dispute with this number of this provider account is in the books already.',
  );

export const disputeAskedOfProvider = () =>
  new AppError(
    'refused',
    'DISPUTE_ASKED_OF_PROVIDER',
    'This provider is asked about its disputes: what it confirms opens and ends them, and nobody enters it by hand.',
  );
