import { statement } from '../platform/db/statement.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { PaymentChannel } from '../rails/index.ts';

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
  /** Null: however it was paid. */
  channel: PaymentChannel | null;
  availability: Availability;
  effectiveFrom: Date;
  /** Who decided it, and why. */
  source: string;
}

/** A dated rule of a merchant or of all, for one channel or for all: what is common to rules about payments in. */
export type TermsRule = Pick<AvailabilityRule, 'id' | 'merchantId' | 'mode' | 'channel' | 'effectiveFrom'>;

/** A payment that a rule is looked for. */
export interface PaymentTerms {
  tenant: Tenant;
  /** Null: the provider does not say. */
  channel: PaymentChannel | null;
  at: Date;
}

/**
 * The rule in force: the merchant's own before one for all merchants, of these the one of the channel before one for all
 * channels, and of several the one that began last.
 */
export function ruleInForce<Rule extends TermsRule>(
  rules: readonly Rule[],
  { tenant, channel, at }: PaymentTerms,
): Rule | undefined {
  let found: Rule | undefined;
  for (const rule of rules) {
    if (rule.mode !== tenant.mode || (rule.merchantId !== null && rule.merchantId !== tenant.merchantId)) continue;
    if (rule.channel !== null && rule.channel !== channel) continue;
    if (rule.effectiveFrom <= at && (found === undefined || isCloser(rule, found))) found = rule;
  }
  return found;
}

function isCloser(rule: TermsRule, than: TermsRule): boolean {
  if ((rule.merchantId === null) !== (than.merchantId === null)) return rule.merchantId !== null;
  if ((rule.channel === null) !== (than.channel === null)) return rule.channel !== null;
  const laterMs = rule.effectiveFrom.getTime() - than.effectiveFrom.getTime();
  return laterMs === 0 ? rule.id > than.id : laterMs > 0;
}

/** By the rule in force; without one, at once. */
export function availabilityAt(rules: readonly AvailabilityRule[], payment: PaymentTerms): Availability {
  return ruleInForce(rules, payment)?.availability ?? 'ON_CONFIRMATION';
}

/** SHA-256, hex, over a rule `r` as it was made. A channel is part of it where there is one. */
export const availabilityDigest = (r: string): string =>
  `encode(sha256(convert_to(json_build_array(${r}.id, ${r}.merchant_id, ${r}.mode, ${r}.availability,
     extract(epoch from ${r}.effective_from), ${r}.source, extract(epoch from ${r}.created_at))::text
       || coalesce('/' || ${r}.channel, ''), 'UTF8')), 'hex')`;

/** All of them, past and future: which is in force is the payment's instant to say. */
export const listAvailabilityRules = statement<AvailabilityRule>(
  'list-availability-rules',
  `select id, merchant_id as "merchantId", mode, channel, availability, effective_from as "effectiveFrom", source
     from availability_rules
    order by mode, merchant_id nulls first, effective_from, id`,
);

/** $1 id, $2 merchant, $3 mode, $4 availability, $5 from, $6 who and why, $7 now, $8 channel. */
export const insertAvailabilityRule = statement(
  'insert-availability-rule',
  `insert into availability_rules (id, merchant_id, mode, availability, effective_from, source, created_at, channel, digest)
   select rule.*, ${availabilityDigest('rule')}
     from (values ($1::uuid, $2::uuid, $3::text, $4::text, $5::timestamptz, $6::text, $7::timestamptz,
                   $8::text))
          as rule (id, merchant_id, mode, availability, effective_from, source, created_at, channel)`,
);
