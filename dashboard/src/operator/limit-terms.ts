import type { Data, Input, Mode } from '../api/types.ts';
import { complainAboutMoney, formatDigits, parseMoney } from '../format/money.ts';
import { lagosInstant } from '../format/time.ts';

export type LimitRow = Data<'get', '/operator/limit'>['records'][number];

/** What somebody types to set a limit. */
export interface LimitValues {
  /** Empty: all merchants. */
  merchantId: string;
  mode: Mode;
  /** Empty: no limit. */
  perPayout: string;
  perDay: string;
  /** For so many minutes the same payout counts as a slip. */
  window: string;
  effectiveFrom: string;
  effectiveTo: string;
  reason: string;
}

type Terms = Pick<LimitValues, 'perPayout' | 'perDay' | 'window'>;

const SECONDS = 60;
const MOST_MINUTES = 43_200;

/** What is in force now, so that only what shall change is typed. A merchant's own goes before that of all. */
export function termsInForce(rows: readonly LimitRow[], merchantId: string, mode: Mode): Terms {
  const now = rows.filter((row) => row.mode === mode && row.state === 'IN_FORCE' && !isReplaced(row, rows));
  const row = now.find((one) => one.merchantId === merchantId) ?? now.find((one) => one.merchantId === null);
  return {
    perPayout: amountText(row?.perPayout ?? null),
    perDay: amountText(row?.perDay ?? null),
    window: String((row?.duplicateWindowSeconds ?? 0) / SECONDS),
  };
}

/** Its time is now, and one that was set later for the same merchant and mode counts in its place. */
export function isReplaced(row: LimitRow, rows: readonly LimitRow[]): boolean {
  return rows.some(
    (other) =>
      other.state === 'IN_FORCE' &&
      row.state === 'IN_FORCE' &&
      other.merchantId === row.merchantId &&
      other.mode === row.mode &&
      other.effectiveFrom > row.effectiveFrom,
  );
}

const amountText = (amount: number | null) => (amount === null ? '' : formatDigits(amount));
const amountOf = (text: string) => (text.trim() === '' ? null : (parseMoney(text) ?? null));

/** The request that the fields stand for. */
export function limitOf(values: LimitValues): Input<'post', '/operator/limit'>['body'] {
  const { merchantId, mode, perPayout, perDay, window, effectiveFrom, effectiveTo, reason } = values;
  return {
    merchantId: merchantId.trim() === '' ? null : merchantId.trim(),
    mode,
    perPayout: amountOf(perPayout),
    perDay: amountOf(perDay),
    duplicateWindowSeconds: Math.round(Number(window) * SECONDS),
    ...(effectiveFrom === '' ? {} : { effectiveFrom: lagosInstant(effectiveFrom) }),
    ...(effectiveTo === '' ? {} : { effectiveTo: lagosInstant(effectiveTo) }),
    reason,
  };
}

/** No limit, or an amount. */
export const complainAboutLimit = (text: string) => (text.trim() === '' ? undefined : complainAboutMoney(text));

export function complainAboutWindow(text: string): string | undefined {
  const minutes = Number(text);
  const isFine = text.trim() !== '' && minutes >= 0 && minutes <= MOST_MINUTES;
  return isFine ? undefined : 'Enter minutes, from 0 to 43200 (30 days).';
}

/** `900` seconds as `15 min`. */
export function windowText(seconds: number): string {
  if (seconds === 0) return 'At once';
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % SECONDS === 0 ? `${seconds / SECONDS} min` : `${seconds} s`;
}
