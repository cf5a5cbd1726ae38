import type { Mode, Tenant } from '../platform/tenant.ts';

/**
 * When a payment in is available in its wallet. `ON_CONFIRMATION`: at once, and the operator advances it.
 * `ON_SETTLEMENT`: once the provider has settled it.
 */
export const AVAILABILITIES = ['ON_CONFIRMATION', 'ON_SETTLEMENT'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** One dated row of `availability_rules`. */
export interface AvailabilityRule {
  id: string;
  /** Null: all merchants. */
  merchantId: string | null;
  mode: Mode;
  availability: Availability;
  effectiveFrom: Date;
  /** Who decided it, and why. */
  source: string;
}

/** By the rule in force: the merchant's own before the one for all, the one that began last before the earlier. */
export function availabilityAt(rules: readonly AvailabilityRule[], tenant: Tenant, at: Date): Availability {
  let found: AvailabilityRule | undefined;
  for (const rule of rules) {
    if (rule.mode !== tenant.mode || (rule.merchantId !== null && rule.merchantId !== tenant.merchantId)) continue;
    if (rule.effectiveFrom <= at && (found === undefined || isCloser(rule, found))) found = rule;
  }
  return found?.availability ?? 'ON_CONFIRMATION';
}

function isCloser(rule: AvailabilityRule, than: AvailabilityRule): boolean {
  if ((rule.merchantId === null) !== (than.merchantId === null)) return rule.merchantId !== null;
  const laterMs = rule.effectiveFrom.getTime() - than.effectiveFrom.getTime();
  return laterMs === 0 ? rule.id > than.id : laterMs > 0;
}
