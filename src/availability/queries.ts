import { statement } from '../platform/db/statement.ts';
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

/** SHA-256, hex, over a rule `r` as it was made. */
export const availabilityDigest = (r: string): string =>
  `encode(sha256(convert_to(json_build_array(${r}.id, ${r}.merchant_id, ${r}.mode, ${r}.availability,
     extract(epoch from ${r}.effective_from), ${r}.source, extract(epoch from ${r}.created_at))::text, 'UTF8')), 'hex')`;

/** All of them, past and future: which is in force is the payment's instant to say. */
export const listAvailabilityRules = statement<AvailabilityRule>(
  'list-availability-rules',
  `select id, merchant_id as "merchantId", mode, availability, effective_from as "effectiveFrom", source
     from availability_rules
    order by mode, merchant_id nulls first, effective_from, id`,
);

/** $1 id, $2 merchant, $3 mode, $4 availability, $5 from, $6 who and why, $7 now. */
export const insertAvailabilityRule = statement(
  'insert-availability-rule',
  `insert into availability_rules (id, merchant_id, mode, availability, effective_from, source, created_at, digest)
   select rule.*, ${availabilityDigest('rule')}
     from (values ($1::uuid, $2::uuid, $3::text, $4::text, $5::timestamptz, $6::text, $7::timestamptz))
          as rule (id, merchant_id, mode, availability, effective_from, source, created_at)`,
);
