import { AppError, type FieldError, unavailable } from '../platform/errors.ts';

export const onboardingWaiting = () =>
  new AppError(
    'conflict',
    'ONBOARDING_WAITING',
    'Your details are with the reviewers. They can be changed again when the review is over.',
  );

export const onboardingClosed = () =>
  new AppError('conflict', 'ONBOARDING_CLOSED', 'Your account is suspended, so its details cannot be changed.');

export const onboardingUnchanged = () =>
  new AppError('conflict', 'ONBOARDING_UNCHANGED', 'Nothing was changed since your details were accepted.');

export const onboardingIncomplete = (errors: readonly FieldError[]) =>
  new AppError(
    'refused',
    'ONBOARDING_INCOMPLETE',
    `Some details are still missing: ${errors.map(({ message }) => message).join(', ')}.`,
    { errors },
  );

export const documentNotFound = () =>
  new AppError('not_found', 'DOCUMENT_NOT_FOUND', 'There is no document with this id.');

export const documentLinkInvalid = () =>
  new AppError(
    'forbidden',
    'DOCUMENT_LINK_INVALID',
    'This link to a document was altered. Follow cacDocuments of GET /merchant/info as they are.',
  );

export const documentLinkExpired = () =>
  new AppError(
    'forbidden',
    'DOCUMENT_LINK_EXPIRED',
    'This link to a document has expired. Read GET /merchant/info again for a new one.',
  );

export const documentMissing = () =>
  new AppError('invalid', 'DOCUMENT_MISSING', 'Send one file as the form field "file".', {
    errors: [{ field: 'file', message: 'is required' }],
  });

export const documentsTooManyAtOnce = () =>
  new AppError('invalid', 'DOCUMENT_ONE_AT_A_TIME', 'Send one file at a time.', {
    errors: [{ field: 'file', message: 'must be one file' }],
  });

export const documentBroken = () =>
  new AppError('invalid', 'DOCUMENT_UPLOAD_BROKEN', 'The upload ended too early or is no form. Please send it again.');

export const documentTypeRefused = () => {
  const message = 'must be a PDF, PNG or JPEG; what is in this file is none of them, whatever its name says';
  return new AppError('refused', 'DOCUMENT_TYPE_REFUSED', `The file ${message}.`, {
    errors: [{ field: 'file', message }],
  });
};

export const documentTooLarge = (maxBytes: number) => {
  const message = `must be at most ${maxBytes / 1024 / 1024} MB`;
  return new AppError('refused', 'DOCUMENT_TOO_LARGE', `The file ${message}.`, {
    errors: [{ field: 'file', message }],
  });
};

export const documentsTooMany = (most: number) =>
  new AppError('refused', 'DOCUMENTS_TOO_MANY', `There are ${most} documents already. Remove one that is not needed.`, {
    errors: [{ field: 'file', message: `must be one of at most ${most}` }],
  });

export const documentAccepted = () =>
  new AppError(
    'conflict',
    'DOCUMENT_ACCEPTED',
    'This document was part of an accepted review, so it stays. Add a newer one beside it.',
  );

export const bankUnknown = (code: string) => {
  const message = `There is no bank with the code ${code}. Choose one from the list.`;
  return new AppError('refused', 'BANK_NOT_FOUND', message, { errors: [{ field: 'bankCode', message }] });
};

export const onboardingSubmittedAnew = () =>
  new AppError(
    'conflict',
    'ONBOARDING_SUBMITTED_ANEW',
    'What waits is not what you looked at: a colleague decided, or it was submitted anew. Look at it again.',
  );

/** A refusal that names no field, shown next to the one at fault. */
export function atField(error: AppError, field: string): AppError {
  return new AppError(error.kind, error.code, error.message, { errors: [{ field, message: error.message }] });
}

/** Saving again changes nothing that was saved, so whoever does not know may simply repeat it. */
export const savingUnknown = (cause: unknown) =>
  unavailable('It is not known whether this was saved. Please try again.', cause);
