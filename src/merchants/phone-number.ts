import { Type } from 'typebox';

/** A phone number as people write it: with spaces, with or without the country's prefix. */
export const TypedPhoneNumber = () =>
  Type.String({
    pattern: '^\\+?\\d([ -]?\\d){6,14}$',
    maxLength: 30,
    examples: ['2348012345678'],
    'x-hint': 'must be a phone number of 7 to 15 digits, such as 0803 123 4567 or 2348031234567',
  });

/** A Nigerian number as people write it, `0803 123 4567`, has one meaning: `2348031234567`. */
export function internationalNumber(given: string): string {
  const digits = given.replaceAll(/[ +-]/g, '');
  return /^0[789]\d{9}$/.test(digits) ? `234${digits.slice(1)}` : digits;
}
