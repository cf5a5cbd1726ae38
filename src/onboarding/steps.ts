import { LOW_MATCH_BELOW, matchScore } from '../banks/index.ts';
import type { MerchantDetails, MerchantRow } from '../merchants/index.ts';
import type { Problem, ProblemData } from '../platform/problem.ts';
import { type OnboardingProblemCode, onboardingProblem, onboardingProblems, type StepProblem } from './errors.ts';

/** What the review asks for and the profile has no place for. All texts, as people gave them. */
export interface ReviewDetails {
  directorFirstName: string;
  directorLastName: string;
  settlementBankCode: string;
  settlementBankName: string;
  settlementAccountNumber: string;
  /** As the bank has it; empty where it could not be asked. */
  settlementAccountName: string;
  /** The mode whose bank said so: `SANDBOX`, `LIVE`, or empty where nobody did. */
  settlementVerifiedIn: string;
}

/** New values: in force at once before the first review, and after the next one from then on. */
export interface Changes {
  merchant: MerchantDetails;
  details: Partial<ReviewDetails>;
}

/** What has been given so far. */
export interface Given {
  merchant: Pick<MerchantRow, keyof MerchantDetails>;
  details: Partial<ReviewDetails>;
  documentKinds: ReadonlySet<DocumentKind>;
}

export const DOCUMENT_KINDS = [
  'CAC_CERTIFICATE',
  'CAC_STATUS_REPORT',
  'MEMORANDUM',
  'DIRECTOR_ID',
  'PROOF_OF_ADDRESS',
  'OTHER',
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export function isDocumentKind(text: string): text is DocumentKind {
  return (DOCUMENT_KINDS as readonly string[]).includes(text);
}

/** Those that the Merchant object lists as `cacDocuments`. */
export const REGISTRATION_DOCUMENTS: ReadonlySet<DocumentKind> = new Set([
  'CAC_CERTIFICATE',
  'CAC_STATUS_REPORT',
  'MEMORANDUM',
]);

export const BUSINESS_TYPES = ['REGISTERED', 'NON_PROFIT', 'GOVERNMENT', 'UNREGISTERED'] as const;

/** Those take no parameters. */
type MissingCode = Extract<OnboardingProblemCode, `${string}_MISSING`>;

interface Part {
  /** The field of a body, or the kind of a document. */
  readonly name: string;
  /** What an answer shows: of a BVN only its ends. */
  readonly shown: (given: Given) => string;
  /** What is wrong while it is not given; left out of what need not be. */
  readonly missing?: MissingCode;
  /** Left out: always. */
  readonly needed?: (given: Given) => boolean;
}

export interface Step {
  readonly key: 'BASIC_DETAILS' | 'BUSINESS_DETAILS' | 'DIRECTOR_DETAILS' | 'BUSINESS_DOCUMENTS' | 'SETTLEMENT_ACCOUNT';
  readonly title: string;
  readonly parts: readonly Part[];
}

/** With CAC: a government body is founded by a law, and somebody who begins is not there yet. */
const isRegistered = ({ merchant }: Given) => !['GOVERNMENT', 'UNREGISTERED'].includes(merchant.business_type ?? '');

const profile = (
  column: keyof Given['merchant'],
  name: string,
  missing?: MissingCode,
  needed?: Part['needed'],
): Part => ({
  name,
  shown: ({ merchant }) => merchant[column] ?? '',
  ...(missing && { missing }),
  ...(needed && { needed }),
});

const detail = (key: keyof ReviewDetails, name: string, missing?: MissingCode): Part => ({
  name,
  shown: ({ details }) => details[key] ?? '',
  ...(missing && { missing }),
});

const paper = (kind: DocumentKind, missing?: MissingCode, needed?: Part['needed']): Part => ({
  name: kind,
  shown: ({ documentKinds }) => (documentKinds.has(kind) ? kind : ''),
  ...(missing && { missing }),
  ...(needed && { needed }),
});

/** What the review asks for, step by step. A step is complete when every part that it needs has been given. */
export const STEPS: readonly Step[] = [
  {
    key: 'BASIC_DETAILS',
    title: 'The business',
    parts: [
      profile('business_name', 'businessName', 'BUSINESS_NAME_MISSING'),
      profile('business_type', 'businessType', 'BUSINESS_TYPE_MISSING'),
      profile('business_category', 'businessCategory', 'BUSINESS_CATEGORY_MISSING'),
      profile('email', 'email', 'EMAIL_MISSING'),
      profile('phone_number', 'phoneNumber', 'PHONE_NUMBER_MISSING'),
    ],
  },
  {
    key: 'BUSINESS_DETAILS',
    title: 'Registration and address',
    parts: [
      profile('registration_number', 'registrationNumber', 'REGISTRATION_NUMBER_MISSING', isRegistered),
      profile('address', 'address', 'ADDRESS_MISSING'),
      profile('city', 'city', 'CITY_MISSING'),
      profile('state', 'state', 'STATE_MISSING'),
      profile('country', 'country', 'COUNTRY_MISSING'),
      profile('postal_code', 'postalCode'),
    ],
  },
  {
    key: 'DIRECTOR_DETAILS',
    title: 'A director',
    parts: [
      detail('directorFirstName', 'directorFirstName', 'DIRECTOR_FIRST_NAME_MISSING'),
      detail('directorLastName', 'directorLastName', 'DIRECTOR_LAST_NAME_MISSING'),
      profile('director_date_of_birth', 'directorDateOfBirth', 'DIRECTOR_DATE_OF_BIRTH_MISSING'),
      profile('bvn_masked', 'bvn', 'BVN_MISSING'),
    ],
  },
  {
    key: 'BUSINESS_DOCUMENTS',
    title: 'Documents',
    parts: [
      paper('CAC_CERTIFICATE', 'CAC_CERTIFICATE_MISSING', isRegistered),
      paper('DIRECTOR_ID', 'DIRECTOR_ID_MISSING'),
      paper('PROOF_OF_ADDRESS', 'PROOF_OF_ADDRESS_MISSING'),
      paper('CAC_STATUS_REPORT'),
      paper('MEMORANDUM'),
      paper('OTHER'),
    ],
  },
  {
    key: 'SETTLEMENT_ACCOUNT',
    title: 'Settlement account',
    parts: [
      detail('settlementBankCode', 'bankCode', 'SETTLEMENT_BANK_MISSING'),
      detail('settlementAccountNumber', 'accountNumber', 'SETTLEMENT_ACCOUNT_NUMBER_MISSING'),
      detail('settlementBankName', 'bankName'),
      detail('settlementAccountName', 'accountName'),
      detail('settlementVerifiedIn', 'verifiedIn'),
    ],
  },
];

export interface StepState {
  key: Step['key'];
  title: string;
  done: boolean;
  /** By field; a document's kind stands for itself once there is one. */
  values: Record<string, string>;
  /** Of the fields that an accepted merchant wants changed: what is in force until then. */
  before: Record<string, string>;
  problems: StepProblem[];
}

/**
 * How far each step is. @param accepted steps that the operator accepted, by whatever proof it had.
 * @param inForce what counts until changes are accepted.
 */
export function stepsOf(given: Given, accepted: ReadonlySet<string>, inForce: Given = given): StepState[] {
  return STEPS.map(({ key, title, parts }) => {
    const missing = parts.flatMap((part) => missingOf(part, given));
    const values = Object.fromEntries(parts.map((part) => [part.name, part.shown(given)]));
    const changed = parts.filter(({ shown }) => shown(inForce) !== shown(given));
    const before = Object.fromEntries(changed.map((part) => [part.name, part.shown(inForce)]));
    const done = missing.length === 0 || accepted.has(key);
    const warnings = key === 'SETTLEMENT_ACCOUNT' ? [...ownerWarnings(given), ...nameWarnings(given)] : [];
    const problems = [
      ...(done ? [] : missing).map(onboardingProblems.shown).map(graded('ERROR')),
      ...warnings.map(onboardingProblems.shown).map(graded('WARNING')),
    ];
    return { key, title, done, values, before, problems };
  });
}

const graded =
  (severity: StepProblem['severity']) =>
  (problem: Problem): StepProblem => ({ ...problem, severity });

function missingOf({ missing, needed, shown }: Part, given: Given): ProblemData[] {
  if (missing === undefined || shown(given) !== '' || needed?.(given) === false) return [];
  return [onboardingProblem(missing, {})];
}

/** What the reviewers have to find out where no bank has said whose account it is. */
function ownerWarnings({ details }: Given): ProblemData[] {
  const { settlementBankName: bankName = '', settlementAccountNumber: accountNumber = '' } = details;
  const { settlementAccountName: accountName = '', settlementVerifiedIn: verifiedIn = '' } = details;
  if (bankName === '' || accountNumber === '' || verifiedIn === 'LIVE') return [];
  if (accountName === '') return [onboardingProblem('SETTLEMENT_OWNER_NOT_CONFIRMED', { bankName, accountNumber })];
  return [onboardingProblem('SETTLEMENT_OWNER_OF_SANDBOX', { bankName, accountNumber, accountName })];
}

/** An account in a stranger's name is for the reviewers: neither the business nor its director is called like it. */
function nameWarnings({ merchant, details }: Given): ProblemData[] {
  const { settlementAccountName: accountName = '', directorFirstName = '', directorLastName = '' } = details;
  const businessName = merchant.business_name;
  const directorName = `${directorFirstName} ${directorLastName}`.trim();
  const known = [businessName, directorName].filter((name) => name !== '');
  if (accountName === '' || known.length === 0) return [];
  if (known.some((name) => matchScore(name, accountName) >= LOW_MATCH_BELOW)) return [];
  return [onboardingProblem('SETTLEMENT_OWNER_UNLIKE', { accountName, businessName, directorName })];
}
