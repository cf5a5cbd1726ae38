import { signOf } from '../format/money.ts';

const ROUGH_UNITS: readonly (readonly [string, number])[] = [
  ['bn', 1e9],
  ['m', 1e6],
  ['k', 1e3],
];

/** Short enough for an axis: `₦1.2m`, `₦950k`, `₦20`. Not for amounts that somebody acts on. */
export function formatRough(amount: number, currency = 'NGN'): string {
  const sign = amount < 0 ? '−' : '';
  const size = Math.abs(amount);
  // By what is shown: 999,950 is `1m`, not `1000k`.
  const [unit, divisor] = ROUGH_UNITS.find(([, one]) => Number((size / (one / 1e3)).toFixed(1)) >= 1e3) ?? ['', 1];
  return `${sign}${signOf(currency)}${Number((size / divisor).toFixed(1))}${unit}`;
}
