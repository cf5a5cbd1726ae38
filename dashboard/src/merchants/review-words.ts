import { formatDay } from '../format/time.ts';
import { BUSINESS_TYPES, STEP_FIELDS, type Step } from '../onboarding/step-fields.ts';

const ACCOUNT_LABELS: Record<string, string> = {
  bankCode: 'Bank code',
  bankName: 'Bank',
  accountNumber: 'Account number',
  accountName: 'Name on the account',
  verifiedIn: 'Whose word the name is',
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
    label: LABELS[field] ?? field,
    value: shownAs(field, value),
    before: before[field] === undefined ? undefined : shownAs(field, before[field]),
  }));
}

function shownAs(field: string, value: string): string {
  if (value === '') return '';
  if (field === 'businessType') return BUSINESS_TYPES.find((type) => type.value === value)?.label ?? value;
  if (field === 'directorDateOfBirth') return formatDay(`${value}T12:00:00Z`);
  if (field === 'verifiedIn') return value === 'LIVE' ? "The bank's" : "The sandbox's: no bank was asked";
  return value;
}
