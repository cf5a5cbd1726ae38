import { AppError } from '../platform/errors.ts';
import type { DisputeStatus } from './queries.ts';

export const disputeNotFound = () =>
  new AppError('not_found', 'DISPUTE_NOT_FOUND', 'There is no dispute with this id.');

/** Another process opened the same dispute at this moment. Never returned to a client. */
export const disputeTaken = () => new AppError('conflict', 'DISPUTE_TAKEN', 'This dispute is in the books already.');

/** A movement depends on a dispute that has changed: it is decided again. */
export const disputeChanged = () =>
  new AppError('conflict', 'DISPUTE_CHANGED', 'The dispute has changed meanwhile. Please try again.', {
    retryable: true,
  });

export const disputeEnded = (status: DisputeStatus | 'EVIDENCE_SENT') =>
  new AppError(
    'conflict',
    'DISPUTE_NOT_OPEN',
    status === 'EVIDENCE_SENT'
      ? 'The provider has your evidence already, and the payer’s bank decides.'
      : `This dispute has ended: it is ${status.toLowerCase()}.`,
  );

export const disputeNotContradicted = () =>
  new AppError(
    'conflict',
    'DISPUTE_NOT_CONTRADICTED',
    'Its provider does not contradict how this dispute ended: there is nothing to look into.',
  );

export const disputeTooLate = () =>
  new AppError('conflict', 'DISPUTE_TOO_LATE', 'The time to answer is over: the provider decides without an answer.');

export const disputeAnswered = () =>
  new AppError('conflict', 'DISPUTE_ANSWERED', 'An answer to this dispute is on its way to the provider.');

export const disputeNotAnswerable = () =>
  new AppError(
    'refused',
    'DISPUTE_ANSWERED_ELSEWHERE',
    'This provider takes no answers from here. Send your evidence to the operator, who answers for you.',
  );

export const evidenceMissing = (what: string) =>
  new AppError('invalid', 'DISPUTE_EVIDENCE_MISSING', `The provider needs ${what} with the evidence.`);

export const evidenceTooMany = (most: number) =>
  new AppError(
    'refused',
    'DISPUTE_FILES_TOO_MANY',
    most === 0 ? 'This provider takes no files: say it in words.' : `At most ${most} files may be sent.`,
  );

export const evidenceFileTooLarge = (maxBytes: number) =>
  new AppError('refused', 'DISPUTE_FILE_TOO_LARGE', `A file may have at most ${maxBytes / 1024 / 1024} MB.`);

export const evidenceTypeRefused = () =>
  new AppError('refused', 'DISPUTE_FILE_TYPE_REFUSED', 'A file must be a PDF, a PNG or a JPEG.');

export const evidenceBroken = () =>
  new AppError('invalid', 'DISPUTE_UPLOAD_BROKEN', 'The form ended too early or is none. Please send it again.');

export const reportedNotFound = () =>
  new AppError('not_found', 'REPORTED_DISPUTE_NOT_FOUND', 'No dispute that waits for the operator has this number.');
