import { AppError } from '../platform/errors.ts';

export const payoutNotFound = () =>
  new AppError('not_found', 'PAYOUT_NOT_FOUND', 'This merchant has no payout with this id in this mode.');

export const proposalNotFound = () =>
  new AppError('not_found', 'OUTCOME_PROPOSAL_NOT_FOUND', 'This merchant has no proposal with this id in this mode.');

export const payoutNotUndecided = (status: string, outcome: string) =>
  new AppError(
    'conflict',
    'PAYOUT_NOT_UNDECIDED',
    `The payout is ${status}: it cannot be decided to have ${outcome}. A payout that was sent and has no outcome may be ` +
      'decided either way, and one that is SUCCESS may be REVERSED.',
  );

export const outcomeAlreadyProposed = () =>
  new AppError(
    'conflict',
    'OUTCOME_ALREADY_PROPOSED',
    'Another outcome is proposed already and waits for a second person. Confirm or reject that one first.',
  );

export const proposalDecided = (actual: string | undefined) =>
  new AppError('conflict', 'OUTCOME_PROPOSAL_DECIDED', `This proposal is no longer open: it is ${actual ?? 'gone'}.`);

export const proposalStale = () =>
  new AppError(
    'conflict',
    'OUTCOME_PROPOSAL_STALE',
    'More became known after the proposal was made, so it is void. Look again and propose anew.',
  );

export const proposalAltered = () =>
  new AppError(
    'conflict',
    'OUTCOME_PROPOSAL_ALTERED',
    'This proposal is not what was shown to you, or not what was proposed. Nothing has moved. Look at it again.',
  );

export const secondPersonNeeded = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You made this proposal yourself: another person has to confirm it.',
  );

export const payoutInHand = () =>
  new AppError(
    'conflict',
    'PAYOUT_IN_HAND',
    'The rail is being asked about this payout at this moment. Please try again in a minute.',
    { retryAfterSeconds: 60 },
  );
