/**
 * A phone number as people write it, as the API takes it: digits with the country's prefix. `0803 123 4567` is
 * `2348031234567`; what is no number stays as it is, for the service to refuse.
 */
export function internationalNumber(typed: string): string {
  if (!/^[\d\s().+-]+$/.test(typed)) return typed;
  const digits = typed.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.replace(/^(?:0|2340)(?=[789][01]\d{8}$)/, '234');
}
