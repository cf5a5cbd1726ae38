import { nowMs } from '../api/clock.ts';
import type { Data, Input, Mode } from '../api/types.ts';
import { formatDigits, parseMoney } from '../format/money.ts';

export type Terms = Data<'get', '/operator/settlement-terms'>['records'][number];

/** The fields of the dialog. */
export interface TermsValues {
  merchantId: string;
  mode: Mode;
  settle: 'ON' | 'OFF';
  minimum: string;
  hours: string;
  reason: string;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** To two decimals: terms may be set to the second. */
export const hoursText = (seconds: number): string => String(Number((seconds / HOUR_SECONDS).toFixed(2)));

/** Of one merchant, or of all: the row that began last. */
export function inForce(terms: readonly Terms[], mode: Mode, merchantId: string | null): Terms | undefined {
  const now = nowMs();
  const begun = terms.filter((row) => row.mode === mode && Date.parse(row.effectiveFrom) <= now);
  return begun.findLast((row) => row.merchantId === merchantId) ?? begun.findLast((row) => row.merchantId === null);
}

/** What is in force now, so that only what shall change is typed. */
export function valuesOf(terms: readonly Terms[], mode: Mode, merchantId: string) {
  const now = inForce(terms, mode, merchantId === '' ? null : merchantId);
  return {
    settle: now?.enabled === false ? ('OFF' as const) : ('ON' as const),
    minimum: formatDigits(now?.minimum ?? 1_000),
    hours: hoursText(now?.coolingOffSeconds ?? DAY_SECONDS),
  };
}

/** The request that the fields stand for. A cooling-off that nobody changed is left out, and stays as it is to the second. */
export function termsOf(
  values: TermsValues,
  terms: readonly Terms[],
): Input<'post', '/operator/settlement-terms'>['body'] {
  const { mode, settle, minimum, hours, reason } = values;
  const merchantId = values.merchantId.trim();
  const isAsBefore = hours === valuesOf(terms, mode, merchantId).hours;
  return {
    merchantId: merchantId === '' ? null : merchantId,
    mode,
    enabled: settle === 'ON',
    minimum: parseMoney(minimum) ?? 0,
    ...(isAsBefore ? {} : { coolingOffSeconds: Math.round(Number(hours) * HOUR_SECONDS) }),
    reason,
  };
}
