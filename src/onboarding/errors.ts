import { AppError, type FieldError } from '../platform/errors.ts';
import { createProblems, kindOf, type Problem, type ProblemData } from '../platform/problem.ts';

const missingField = (field: string, words: string) => kindOf(field, () => `${words} is missing.`);

type Account = { bankName: string; accountNumber: string };

/** What may be missing or wrong in a business profile and its documents, or was noticed about it. */
const ONBOARDING_PROBLEMS = {
  BUSINESS_NAME_MISSING: missingField('businessName', 'The name of the business'),
  BUSINESS_TYPE_MISSING: missingField('businessType', 'The kind of business'),
  BUSINESS_CATEGORY_MISSING: missingField('businessCategory', 'The line of business'),
  EMAIL_MISSING: missingField('email', 'The e-mail address'),
  PHONE_NUMBER_MISSING: missingField('phoneNumber', 'The phone number'),
  REGISTRATION_NUMBER_MISSING: missingField('registrationNumber', 'The registration number'),
  ADDRESS_MISSING: missingField('address', 'The street address'),
  CITY_MISSING: missingField('city', 'The city'),
  STATE_MISSING: missingField('state', 'The state'),
  COUNTRY_MISSING: missingField('country', 'The country'),
  DIRECTOR_FIRST_NAME_MISSING: missingField('directorFirstName', 'The first name of a director'),
  DIRECTOR_LAST_NAME_MISSING: missingField('directorLastName', 'The last name of a director'),
  DIRECTOR_DATE_OF_BIRTH_MISSING: missingField('directorDateOfBirth', 'The date of birth of a director'),
  BVN_MISSING: missingField('bvn', 'The bank verification number of a director'),
  CAC_CERTIFICATE_MISSING: missingField('CAC_CERTIFICATE', 'The CAC certificate'),
  DIRECTOR_ID_MISSING: missingField('DIRECTOR_ID', 'The identity document of a director'),
  PROOF_OF_ADDRESS_MISSING: missingField('PROOF_OF_ADDRESS', 'A proof of address'),
  SETTLEMENT_BANK_MISSING: missingField('bankCode', 'The bank'),
  SETTLEMENT_ACCOUNT_NUMBER_MISSING: missingField('accountNumber', 'The account number'),
  SETTLEMENT_OWNER_NOT_CONFIRMED: kindOf<Account>(
    'accountNumber',
    ({ bankName, accountNumber }) =>
      `No bank could be asked whose account ${accountNumber} at ${bankName} is, so the reviewers check it.`,
  ),
  SETTLEMENT_OWNER_OF_SANDBOX: kindOf<Account & { accountName: string }>(
    'accountNumber',
    ({ bankName, accountNumber, accountName }) =>
      `The sandbox made up the name ${accountName} for ${accountNumber} at ${bankName}, so the reviewers check whose it is.`,
  ),
  SETTLEMENT_OWNER_UNLIKE: kindOf<{ accountName: string; businessName: string; directorName: string }>(
    'accountNumber',
    ({ accountName, businessName, directorName }) =>
      `The account is in the name ${accountName}, which is neither that of the business (${businessName}) nor that of the director (${directorName}).`,
  ),
  DOCUMENT_MISSING: kindOf('file', () => 'Send one file as the form field "file".'),
  DOCUMENT_ONE_AT_A_TIME: kindOf('file', () => 'Send one file at a time.'),
  DOCUMENT_TYPE_REFUSED: kindOf(
    'file',
    () => 'The file must be a PDF, PNG or JPEG; what is in this file is none of them, whatever its name says.',
  ),
  DOCUMENT_TOO_LARGE: kindOf<{ maximumBytes: number }>(
    'file',
    ({ maximumBytes }) => `The file must be at most ${maximumBytes / 1024 / 1024} MB.`,
  ),
  DOCUMENTS_TOO_MANY: kindOf<{ maximum: number }>(
    'file',
    ({ maximum }) => `There are ${maximum} documents already. Remove one that is not needed.`,
  ),
};

export type OnboardingProblemCode = keyof typeof ONBOARDING_PROBLEMS;

export const onboardingProblems = createProblems(ONBOARDING_PROBLEMS);
export const onboardingProblem = onboardingProblems.problem;

/** Something about a step: an error keeps it from being complete. */
export interface StepProblem extends Problem {
  severity: 'ERROR' | 'WARNING';
}

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

/** @param problems of all steps; what is only to be looked at keeps nobody from submitting. */
export function onboardingIncomplete(problems: readonly StepProblem[]): AppError {
  const missing = problems.filter(({ severity }) => severity === 'ERROR');
  return new AppError(
    'refused',
    'ONBOARDING_INCOMPLETE',
    `Some details are still missing. ${missing.map(({ message }) => message).join(' ')}`,
    {
      errors: missing.map(({ field, message }) => ({ field: field ?? 'body', message })),
      problems: missing.map(({ code, field, params, message }) => ({ code, field, params, message })),
    },
  );
}

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

/** What the refusal of a document says of it; it has the code of the problem. */
function saidOf(wrong: ProblemData): [message: string, options: { errors: FieldError[]; problems: Problem[] }] {
  const problem = onboardingProblems.shown(wrong);
  const { message, field } = problem;
  return [message, { errors: [{ field: field ?? 'file', message }], problems: [problem] }];
}

export const documentMissing = () =>
  new AppError('invalid', 'DOCUMENT_MISSING', ...saidOf(onboardingProblem('DOCUMENT_MISSING', {})));

export const documentsTooManyAtOnce = () =>
  new AppError('invalid', 'DOCUMENT_ONE_AT_A_TIME', ...saidOf(onboardingProblem('DOCUMENT_ONE_AT_A_TIME', {})));

export const documentBroken = () =>
  new AppError('invalid', 'DOCUMENT_UPLOAD_BROKEN', 'The upload ended too early or is no form. Please send it again.');

export const documentTypeRefused = () =>
  new AppError('refused', 'DOCUMENT_TYPE_REFUSED', ...saidOf(onboardingProblem('DOCUMENT_TYPE_REFUSED', {})));

export const documentTooLarge = (maximumBytes: number) =>
  new AppError('refused', 'DOCUMENT_TOO_LARGE', ...saidOf(onboardingProblem('DOCUMENT_TOO_LARGE', { maximumBytes })));

export const documentsTooMany = (maximum: number) =>
  new AppError('refused', 'DOCUMENTS_TOO_MANY', ...saidOf(onboardingProblem('DOCUMENTS_TOO_MANY', { maximum })));

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

/** Saving again changes nothing that was saved, so a client that does not know the outcome may repeat it. */
export const secondPersonNeeded = () =>
  new AppError(
    'forbidden',
    'SECOND_PERSON_NEEDED',
    'You have confirmed these changes. They name another settlement account, so another of the operator\u2019s people has to accept them.',
  );
