import type { Data } from '../api/types.ts';

/** The 36 states and the capital. */
const NIGERIAN_STATES: readonly string[] = [
  'Abia',
  'Adamawa',
  'Akwa Ibom',
  'Anambra',
  'Bauchi',
  'Bayelsa',
  'Benue',
  'Borno',
  'Cross River',
  'Delta',
  'Ebonyi',
  'Edo',
  'Ekiti',
  'Enugu',
  'Federal Capital Territory',
  'Gombe',
  'Imo',
  'Jigawa',
  'Kaduna',
  'Kano',
  'Katsina',
  'Kebbi',
  'Kogi',
  'Kwara',
  'Lagos',
  'Nasarawa',
  'Niger',
  'Ogun',
  'Ondo',
  'Osun',
  'Oyo',
  'Plateau',
  'Rivers',
  'Sokoto',
  'Taraba',
  'Yobe',
  'Zamfara',
];

export type Onboarding = Data<'get', '/onboarding'>;
export type Step = Onboarding['steps'][number];
export type FieldStepKey = 'BASIC_DETAILS' | 'BUSINESS_DETAILS' | 'DIRECTOR_DETAILS';

export interface StepField {
  name: string;
  label: string;
  hint?: string;
  optional?: true;
  options?: readonly { value: string; label: string }[];
  type?: 'email' | 'tel' | 'date';
  inputMode?: 'numeric';
  autoComplete?: string;
  maxLength?: number;
  /** Digits alone: what stands between them where they were copied from is left out. */
  digits?: true;
  /** What it may be; anything else may be typed. */
  suggestions?: readonly string[];
  /** Half the width, beside the next one. */
  half?: true;
  /** Shown with its ends only: the field stays empty, and what is typed replaces it. */
  secret?: true;
  placeholder?: string;
}

/** How a business can be registered, in its own words. */
export const BUSINESS_TYPES = [
  { value: 'REGISTERED', label: 'Registered with CAC: company or business name' },
  { value: 'NON_PROFIT', label: 'Non-profit: incorporated trustees' },
  { value: 'GOVERNMENT', label: 'Government body' },
  { value: 'UNREGISTERED', label: 'Not registered yet' },
];

/** The fields of the steps that are forms of plain fields, as the service names them. */
export const STEP_FIELDS: Record<FieldStepKey, readonly StepField[]> = {
  BASIC_DETAILS: [
    {
      name: 'businessName',
      label: 'Name of the business',
      hint: 'As it is registered.',
      maxLength: 120,
      autoComplete: 'organization',
    },
    { name: 'businessType', label: 'Kind of business', options: BUSINESS_TYPES },
    {
      name: 'businessCategory',
      label: 'Line of business',
      hint: 'What you sell or do.',
      maxLength: 80,
      placeholder: 'Food and drink',
    },
    {
      name: 'email',
      label: 'E-mail of the business',
      hint: 'For letters to the business, not for signing in.',
      type: 'email',
      half: true,
      autoComplete: 'email',
    },
    {
      name: 'phoneNumber',
      label: 'Phone number',
      hint: '0803 123 4567 or +234 803 123 4567.',
      type: 'tel',
      half: true,
      autoComplete: 'tel',
    },
  ],
  BUSINESS_DETAILS: [
    {
      name: 'registrationNumber',
      label: 'Registration number',
      hint: 'On your CAC certificate: RC, BN or IT and digits.',
      half: true,
      placeholder: 'RC1234567',
    },
    {
      name: 'country',
      label: 'Country',
      hint: 'Where it is registered.',
      half: true,
      maxLength: 80,
      autoComplete: 'country-name',
    },
    {
      name: 'address',
      label: 'Street address',
      maxLength: 200,
      autoComplete: 'street-address',
      placeholder: '12 Marina Road',
    },
    { name: 'city', label: 'City', half: true, maxLength: 80, autoComplete: 'address-level2' },
    {
      name: 'state',
      label: 'State',
      half: true,
      maxLength: 80,
      suggestions: NIGERIAN_STATES,
      autoComplete: 'address-level1',
    },
    {
      name: 'postalCode',
      label: 'Postal code',
      half: true,
      optional: true,
      maxLength: 20,
      autoComplete: 'postal-code',
    },
  ],
  DIRECTOR_DETAILS: [
    { name: 'directorFirstName', label: 'First name', half: true, maxLength: 80, autoComplete: 'off' },
    { name: 'directorLastName', label: 'Last name', half: true, maxLength: 80, autoComplete: 'off' },
    {
      name: 'directorDateOfBirth',
      label: 'Date of birth',
      hint: 'As on the identity document.',
      half: true,
      type: 'date',
      autoComplete: 'off',
    },
    {
      name: 'bvn',
      label: 'Bank verification number (BVN)',
      hint: '11 digits: dial *565*0# to see it. Kept encrypted.',
      half: true,
      secret: true,
      digits: true,
      inputMode: 'numeric',
      autoComplete: 'off',
    },
  ],
};

/** What keeps a step from being complete. */
export const missingOf = ({ problems }: Step): Step['problems'] =>
  problems.filter(({ severity }) => severity === 'ERROR');

/** The same for people. */
export const missingWords = (step: Step): string =>
  missingOf(step)
    .map(({ message }) => message)
    .join(' ');

/** With CAC: only then is there a number and a certificate. */
export function isRegistered({ steps }: Onboarding): boolean {
  const type = steps.find(({ key }) => key === 'BASIC_DETAILS')?.values['businessType'];
  return type !== 'GOVERNMENT' && type !== 'UNREGISTERED';
}

/** Where each step is saved. */
export const STEP_PATHS = {
  BASIC_DETAILS: '/onboarding/basic-details',
  BUSINESS_DETAILS: '/onboarding/business-details',
  DIRECTOR_DETAILS: '/onboarding/director-details',
} as const;

/** What is asked and why, at the head of each step. */
export const STEP_PURPOSES: Record<Step['key'], string> = {
  BASIC_DETAILS: 'Who you are, as your customers and the bank know you.',
  BUSINESS_DETAILS: 'Where the business is registered and where it is.',
  DIRECTOR_DETAILS: 'One of the people who direct the business. The law asks us to know them.',
  BUSINESS_DOCUMENTS:
    'PDF, PNG or JPEG, at most 5 MB each. They are kept encrypted, and only the reviewers and your owners and administrators open them.',
  SETTLEMENT_ACCOUNT: "The business's own bank account, where settlements go.",
};

/** `business-details` in the address is `BUSINESS_DETAILS`. */
export const slugOf = (key: Step['key']): string => key.toLowerCase().replaceAll('_', '-');
