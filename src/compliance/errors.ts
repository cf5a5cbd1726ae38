import { AppError } from '../platform/errors.ts';

export const freezeNotFound = () => new AppError('not_found', 'FREEZE_NOT_FOUND', 'There is no freeze with this id.');

export const freezeOver = () =>
  new AppError('conflict', 'FREEZE_OVER', 'This freeze is over: it was lifted, or its time has passed.');

export const caseNotFound = () =>
  new AppError('not_found', 'COMPLIANCE_CASE_NOT_FOUND', 'There is no case with this id.');

export const caseNotReleasable = (why: string) =>
  new AppError('conflict', 'COMPLIANCE_CASE_NOT_RELEASABLE', `This case cannot be released here: ${why}`);

export const complianceProposalNotFound = () =>
  new AppError('not_found', 'COMPLIANCE_PROPOSAL_NOT_FOUND', 'There is no proposal with this id.');

export const complianceAlreadyProposed = () =>
  new AppError(
    'conflict',
    'COMPLIANCE_ALREADY_PROPOSED',
    'Another proposal about this waits for a second person. Confirm or reject that one first.',
  );

export const complianceProposalDecided = (actual: string | undefined) =>
  new AppError(
    'conflict',
    'COMPLIANCE_PROPOSAL_DECIDED',
    `This proposal is no longer open: it is ${actual ?? 'gone'}.`,
  );

export const complianceProposalAltered = () =>
  new AppError(
    'conflict',
    'COMPLIANCE_PROPOSAL_ALTERED',
    'This proposal is not what was shown to you, or not what was proposed. Nothing has changed. Look at it again.',
  );

export const complianceProposalYours = () =>
  new AppError('forbidden', 'SECOND_PERSON_NEEDED', 'You proposed this yourself: another person has to confirm it.');

export const complianceProposalNotYours = () =>
  new AppError('forbidden', 'NOT_THE_MAKER', 'Only the person who proposed this may take it back; others reject it.');

export const thresholdNotSet = () =>
  new AppError(
    'not_found',
    'REPORT_THRESHOLD_NOT_FOUND',
    'No threshold is set, so no transaction is large. Set one first, with the rule that says so.',
  );
