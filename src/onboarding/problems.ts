import { createProblems, kindOf, type Problem } from '../platform/problem.ts';

const missing = (field: string, words: string) => kindOf(field, () => `${words} is missing.`);

type Account = { bankName: string; accountNumber: string };

/** What may be missing or wrong in a business profile and its documents, or was noticed about it. */
const ONBOARDING_PROBLEMS = {
  BUSINESS_NAME_MISSING: missing('businessName', 'The name of the business'),
  BUSINESS_TYPE_MISSING: missing('businessType', 'The kind of business'),
  BUSINESS_CATEGORY_MISSING: missing('businessCategory', 'The line of business'),
  EMAIL_MISSING: missing('email', 'The e-mail address'),
  PHONE_NUMBER_MISSING: missing('phoneNumber', 'The phone number'),
  REGISTRATION_NUMBER_MISSING: missing('registrationNumber', 'The registration number'),
  ADDRESS_MISSING: missing('address', 'The street address'),
  CITY_MISSING: missing('city', 'The city'),
  STATE_MISSING: missing('state', 'The state'),
  COUNTRY_MISSING: missing('country', 'The country'),
  DIRECTOR_FIRST_NAME_MISSING: missing('directorFirstName', 'The first name of a director'),
  DIRECTOR_LAST_NAME_MISSING: missing('directorLastName', 'The last name of a director'),
  DIRECTOR_DATE_OF_BIRTH_MISSING: missing('directorDateOfBirth', 'The date of birth of a director'),
  BVN_MISSING: missing('bvn', 'The bank verification number of a director'),
  CAC_CERTIFICATE_MISSING: missing('CAC_CERTIFICATE', 'The CAC certificate'),
  DIRECTOR_ID_MISSING: missing('DIRECTOR_ID', 'The identity document of a director'),
  PROOF_OF_ADDRESS_MISSING: missing('PROOF_OF_ADDRESS', 'A proof of address'),
  SETTLEMENT_BANK_MISSING: missing('bankCode', 'The bank'),
  SETTLEMENT_ACCOUNT_NUMBER_MISSING: missing('accountNumber', 'The account number'),
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
