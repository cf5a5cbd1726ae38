/** `812 B`, `14 kB`, `4.8 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * A phone number as people write it, as the API takes it: digits with the country's prefix. `0803 123 4567` is
 * `2348031234567`; what is no number stays as it is, for the service to refuse.
 */
export function internationalNumber(typed: string): string {
  if (!/^[\d\s().+-]+$/.test(typed)) return typed;
  const digits = typed.replaceAll(/\D/g, '').replace(/^00/, '');
  return digits.replace(/^(?:0|2340)(?=[789][01]\d{8}$)/, '234');
}

/** What a rail said that its answer is about. */
interface Reported {
  amount: string | null;
  currency: string | null;
  accountNumber: string | null;
  bankCode: string | null;
  reference: string | null;
}

/** `1000.00 NGN to 0123456785, bank 058, under 01a1…`: what is not given is left out; null where nothing is. */
export function reportedText(reported: Reported | null): string | null {
  if (reported === null) return null;
  const { amount, currency, accountNumber, bankCode, reference } = reported;
  const parts = [
    [amount, currency].filter((part) => part !== null).join(' '),
    accountNumber === null ? '' : `to ${accountNumber}`,
    bankCode === null ? '' : `bank ${bankCode}`,
    reference === null ? '' : `under ${reference}`,
  ];
  return parts.filter((part) => part !== '').join(', ') || null;
}

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Chrome on Linux`: what a browser says of itself, in words. A hint only, because it can say anything. */
export function deviceOf(userAgent: string): string {
  const [, browser] = BROWSERS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  const [, system] = SYSTEMS.find(([pattern]) => pattern.test(userAgent)) ?? [];
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
