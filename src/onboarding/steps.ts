import type { MerchantDetails, MerchantRow } from '../merchants/index.ts';

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

interface Part {
  /** The field of a body, or the kind of a document. */
  readonly name: string;
  /** For a sentence: "the e-mail address". */
  readonly words: string;
  /** What an answer shows: of a BVN only its ends. */
  readonly shown: (given: Given) => string;
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
const never = () => false;

const profile = (column: keyof Given['merchant'], name: string, words: string, needed?: Part['needed']): Part => ({
  name,
  words,
  shown: ({ merchant }) => merchant[column] ?? '',
  ...(needed && { needed }),
});

const detail = (key: keyof ReviewDetails, name: string, words: string, needed?: Part['needed']): Part => ({
  name,
  words,
  shown: ({ details }) => details[key] ?? '',
  ...(needed && { needed }),
});

const paper = (kind: DocumentKind, words: string, needed?: Part['needed']): Part => ({
  name: kind,
  words,
  shown: ({ documentKinds }) => (documentKinds.has(kind) ? kind : ''),
  ...(needed && { needed }),
});

/** What the review asks for, step by step. A step is complete when every part that it needs has been given. */
export const STEPS: readonly Step[] = [
  {
    key: 'BASIC_DETAILS',
    title: 'The business',
    parts: [
      profile('business_name', 'businessName', 'the name of the business'),
      profile('business_type', 'businessType', 'the kind of business'),
      profile('business_category', 'businessCategory', 'the line of business'),
      profile('email', 'email', 'the e-mail address'),
      profile('phone_number', 'phoneNumber', 'the phone number'),
    ],
  },
  {
    key: 'BUSINESS_DETAILS',
    title: 'Registration and address',
    parts: [
      profile('registration_number', 'registrationNumber', 'the registration number', isRegistered),
      profile('address', 'address', 'the street address'),
      profile('city', 'city', 'the city'),
      profile('state', 'state', 'the state'),
      profile('country', 'country', 'the country'),
      profile('postal_code', 'postalCode', 'the postal code', never),
    ],
  },
  {
    key: 'DIRECTOR_DETAILS',
    title: 'A director',
    parts: [
      detail('directorFirstName', 'directorFirstName', "the director's first name"),
      detail('directorLastName', 'directorLastName', "the director's last name"),
      profile('director_date_of_birth', 'directorDateOfBirth', "the director's date of birth"),
      profile('bvn_masked', 'bvn', "the director's bank verification number"),
    ],
  },
  {
    key: 'BUSINESS_DOCUMENTS',
    title: 'Documents',
    parts: [
      paper('CAC_CERTIFICATE', 'the CAC certificate', isRegistered),
      paper('DIRECTOR_ID', "the director's identity document"),
      paper('PROOF_OF_ADDRESS', 'a proof of address'),
      paper('CAC_STATUS_REPORT', 'the CAC status report', never),
      paper('MEMORANDUM', 'the memorandum', never),
      paper('OTHER', 'other documents', never),
    ],
  },
  {
    key: 'SETTLEMENT_ACCOUNT',
    title: 'Settlement account',
    parts: [
      detail('settlementBankCode', 'bankCode', 'the bank'),
      detail('settlementAccountNumber', 'accountNumber', 'the account number'),
      detail('settlementBankName', 'bankName', 'the name of the bank', never),
      detail('settlementAccountName', 'accountName', 'the name on the account', never),
      detail('settlementVerifiedIn', 'verifiedIn', 'the bank’s answer', never),
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
  missing: Part[];
}

/**
 * How far each step is. @param accepted steps that the operator accepted, by whatever proof it had.
 * @param inForce what counts until changes are accepted.
 */
export function stepsOf(given: Given, accepted: ReadonlySet<string>, inForce: Given = given): StepState[] {
  return STEPS.map(({ key, title, parts }) => {
    const missing = parts.filter(({ shown, needed }) => shown(given) === '' && needed?.(given) !== false);
    const values = Object.fromEntries(parts.map((part) => [part.name, part.shown(given)]));
    const changed = parts.filter(({ shown }) => shown(inForce) !== shown(given));
    const before = Object.fromEntries(changed.map((part) => [part.name, part.shown(inForce)]));
    const done = missing.length === 0 || accepted.has(key);
    return { key, title, done, values, before, missing: done ? [] : missing };
  });
}
