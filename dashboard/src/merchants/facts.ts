import { formatDay } from '../format/time.ts';
import { DOCUMENTS } from '../onboarding/document-words.ts';
import { BUSINESS_TYPES, STEP_FIELDS, type Step } from '../onboarding/step-fields.ts';

const ACCOUNT_LABELS: Record<string, string> = {
  bankCode: 'Bank code',
  bankName: 'Bank',
  accountNumber: 'Account number',
  accountName: 'Name on the account',
  verifiedIn: 'Source of the name',
};

/** What the fields of the profile are called, as the merchant reads them. */
const LABELS: Record<string, string> = {
  ...Object.fromEntries(
    Object.values(STEP_FIELDS)
      .flat()
      .map(({ name, label }) => [name, label]),
  ),
  ...ACCOUNT_LABELS,
};

export const labelOf = (field: string): string => LABELS[field] ?? field;

/** A document by what it is; `OTHER` and what is unknown by its name. */
export const titleOfKind = (kind: string, fileName: string): string =>
  DOCUMENTS.find((one) => one.kind === kind)?.title ?? fileName;

export interface ReviewItem {
  field: string;
  label: string;
  /** Empty: not given. */
  value: string;
  /** What is in force, where an accepted merchant wants it changed; undefined where it stays. */
  before: string | undefined;
}

/** A step as a reviewer reads it. */
export function itemsOf({ values, before }: Step): ReviewItem[] {
  return Object.entries(values).map(([field, value]) => ({
    field,
    label: labelOf(field),
    value: shownAs(field, value),
    before: before[field] === undefined ? undefined : shownAs(field, before[field]),
  }));
}

function shownAs(field: string, value: string): string {
  if (value === '') return '';
  if (field === 'businessType') return BUSINESS_TYPES.find((type) => type.value === value)?.label ?? value;
  if (field === 'directorDateOfBirth') return formatDay(`${value}T12:00:00Z`);
  if (field === 'verifiedIn') return value === 'LIVE' ? "The bank's" : 'The sandbox: no bank was asked';
  return value;
}

/** Which of the facts a document proves, in the order in which one compares them. */
const PROVES: Record<string, readonly string[]> = {
  CAC_CERTIFICATE: ['businessName', 'registrationNumber', 'businessType'],
  CAC_STATUS_REPORT: [
    'businessName',
    'registrationNumber',
    'directorFirstName',
    'directorLastName',
    'address',
    'city',
    'state',
  ],
  MEMORANDUM: ['businessName', 'businessType', 'businessCategory', 'directorFirstName', 'directorLastName'],
  DIRECTOR_ID: ['directorFirstName', 'directorLastName', 'directorDateOfBirth', 'bvn'],
  PROOF_OF_ADDRESS: ['businessName', 'address', 'city', 'state', 'country', 'postalCode'],
};

/** Away from their step, whose these are has to be said. */
const LABELS_ALONE: Record<string, string> = {
  directorFirstName: "Director's first name",
  directorLastName: "Director's last name",
  directorDateOfBirth: "Director's date of birth",
  bvn: "Director's BVN",
};

/** The facts to hold beside a document; none where nobody can say what it proves. */
export function provedBy(kind: string, steps: readonly Step[]): ReviewItem[] {
  const items = steps.flatMap(itemsOf);
  return (PROVES[kind] ?? []).flatMap((field) => {
    const item = items.find((one) => one.field === field);
    return item === undefined ? [] : [{ ...item, label: LABELS_ALONE[field] ?? item.label }];
  });
}
