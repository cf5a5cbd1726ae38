import { Type } from 'typebox';
import { invalidField } from '../platform/errors.ts';

/** A phone number as people write it: with spaces, dots, brackets, with or without the country's prefix. */
export const TypedPhoneNumber = () =>
  Type.String({
    pattern: '^ *[+(]{0,2}\\d([ ().-]*\\d){6,14} *$',
    maxLength: 30,
    examples: ['2348012345678'],
    'x-hint': 'must be a phone number of 7 to 15 digits, such as 0803 123 4567 or +234 803 123 4567',
  });

/** A Nigerian mobile number after the country's prefix or the leading zero: it has ten digits and begins with these. */
const MOBILE = /^(?:0|2340?)([789][01]\d*)$/;
const MOBILE_DIGITS = 10;

/**
 * A Nigerian mobile number has one meaning however it is written: `0803 123 4567` is `2348031234567`.
 * @throws AppError 400 for one with a digit too few or too many.
 */
export function internationalNumber(given: string): string {
  const digits = given.replaceAll(/\D/g, '').replace(/^00/, '');
  const mobile = MOBILE.exec(digits)?.[1];
  if (mobile === undefined) return digits;
  if (mobile.length !== MOBILE_DIGITS) {
    throw invalidField('phoneNumber', 'must have as many digits as 0803 123 4567 or +234 803 123 4567');
  }
  return `234${mobile}`;
}
