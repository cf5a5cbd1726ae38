import type { Data } from '../api/types.ts';

export type ReserveRule = Data<'get', '/operator/reserve/rule'>['records'][number];

/** `10 % for 90 days`. */
export function reserveText({ rateBasisPoints, days }: Pick<ReserveRule, 'rateBasisPoints' | 'days'>): string {
  if (rateBasisPoints === 0) return 'Nothing';
  return `${rateBasisPoints / 100} % for ${days === 1 ? 'one day' : `${days} days`}`;
}

/** Where a dated rule stands: in force until one of the same merchant, mode and channel begins. */
export function stateOfRule(
  rule: ReserveRule,
  rules: readonly ReserveRule[],
  now: number,
): 'AHEAD' | 'IN_FORCE' | 'REPLACED' {
  const begins = Date.parse(rule.effectiveFrom);
  if (begins > now) return 'AHEAD';
  const isReplaced = rules.some(
    (other) =>
      other.ruleId !== rule.ruleId &&
      other.merchantId === rule.merchantId &&
      other.mode === rule.mode &&
      other.channel === rule.channel &&
      Date.parse(other.effectiveFrom) <= now &&
      Date.parse(other.effectiveFrom) > begins,
  );
  return isReplaced ? 'REPLACED' : 'IN_FORCE';
}

/** A whole number of days from 1 to 730; undefined for anything else. */
export function daysOf(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= 730 ? days : undefined;
}
