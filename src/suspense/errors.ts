import { AppError } from '../platform/errors.ts';

export const openCreditNotFound = () =>
  new AppError(
    'not_found',
    'OPEN_CREDIT_NOT_FOUND',
    'There is no reported credit with this key at this provider account.',
  );

export const suspenseProposalNotFound = () =>
  new AppError('not_found', 'SUSPENSE_PROPOSAL_NOT_FOUND', 'There is no proposal with this id.');

export const paymentNotInSuspense = (status: string | undefined) =>
  new AppError(
    'conflict',
    'PAYMENT_NOT_IN_SUSPENSE',
    `The payment is ${status ?? 'gone'}: it no longer waits for a decision.`,
  );

export const actionNotPossible = (action: string, status: string) =>
  new AppError(
    'conflict',
    'SUSPENSE_ACTION_NOT_POSSIBLE',
    `The credit is ${status}, so ${action} is not possible. A confirmed credit without an owner may be attributed or ` +
      'returned; one that nobody confirmed, or that was contradicted, may be dismissed.',
  );

/** Money that went back cannot be given to anybody. */
export const paymentWentBack = () =>
  new AppError(
    'conflict',
    'SUSPENSE_ACTION_NOT_POSSIBLE',
    'The provider says that this payment went back to its payer. It may be returned, and nothing else.',
  );

export const suspenseAlreadyProposed = () =>
  new AppError(
    'conflict',
    'SUSPENSE_ALREADY_PROPOSED',
    'Another proposal about this money waits for a second person. Confirm or reject that one first.',
  );

export const suspenseProposalDecided = (actual: string | undefined) =>
  new AppError('conflict', 'SUSPENSE_PROPOSAL_DECIDED', `This proposal is no longer open: it is ${actual ?? 'gone'}.`);

export const suspenseProposalStale = () =>
  new AppError(
    'conflict',
    'SUSPENSE_PROPOSAL_STALE',
    'What is known about this money changed after the proposal was made, so it is void. Look again and propose anew.',
  );

export const suspenseProposalAltered = () =>
  new AppError(
    'conflict',
    'SUSPENSE_PROPOSAL_ALTERED',
    'This proposal is not what was shown to you, or not what was proposed. Nothing has moved. Look at it again.',
  );

export const creditHasOwner = () =>
  new AppError(
    'conflict',
    'CREDIT_HAS_OWNER',
    'This transfer already leads to a payment, or went back to its payer. Nothing has moved.',
  );

export const merchantStillSuspended = () =>
  new AppError(
    'conflict',
    'MERCHANT_STILL_SUSPENDED',
    'The merchant is suspended, so no wallet of it is credited. Reinstate it first, or return the money.',
  );

export const paymentFrozen = () =>
  new AppError(
    'conflict',
    'PAYMENT_FROZEN',
    'A freeze that is in force holds this payment. Nothing has moved. Two people lift the freeze first.',
  );

export const creditNotConfirmed = () =>
  new AppError(
    'conflict',
    'CREDIT_NOT_CONFIRMED',
    'The provider does not confirm this credit at this moment. Nothing has moved. Please try again later.',
  );

export const proposalYours = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You made this proposal yourself: another person has to decide it. You may withdraw it.',
  );

export const proposalNotYours = () =>
  new AppError('forbidden', 'NOT_THE_MAKER', 'Only the person who made a proposal withdraws it. You may reject it.');
