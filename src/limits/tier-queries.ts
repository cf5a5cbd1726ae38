import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** How far a merchant is verified, lowest first. */
export const TIERS = ['TIER_1', 'TIER_2', 'TIER_3'] as const;
export type Tier = (typeof TIERS)[number];

/** One dated row of `tier_limits`; null is no limit. Amounts in minor units. */
export interface TierLimitRow {
  id: string;
  tier: Tier;
  mode: Mode;
  singleInMinor: bigint | null;
  dailyInMinor: bigint | null;
  balanceMinor: bigint | null;
  singleOutMinor: bigint | null;
  dailyOutMinor: bigint | null;
  effectiveFrom: Date;
  source: string;
}

/** All rows, past and future: the time of a payment decides which counts. */
export const listTierLimits = statement<TierLimitRow>(
  'list-tier-limits',
  `select id, tier, mode, single_in_minor as "singleInMinor", daily_in_minor as "dailyInMinor",
          balance_minor as "balanceMinor", single_out_minor as "singleOutMinor", daily_out_minor as "dailyOutMinor",
          effective_from as "effectiveFrom", source
     from tier_limits
    order by mode, tier, effective_from, id`,
);

/** $1 id, $2 tier, $3 mode, $4 to $8 the limits, $9 from, $10 source, $11 now. */
export const insertTierLimit = statement(
  'insert-tier-limit',
  `insert into tier_limits (id, tier, mode, single_in_minor, daily_in_minor, balance_minor, single_out_minor,
                            daily_out_minor, effective_from, source, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
);

/** The last one of merchant $1 in mode $2; null: none. */
export const findMerchantTier = statement<{ tier: Tier | null }>(
  'find-merchant-tier',
  'select tier from merchant_tiers where merchant_id = $1 and mode = $2 order by id desc limit 1',
);

export interface TierChangeRow {
  id: string;
  mode: Mode;
  tier: Tier | null;
  reason: string;
  set_by: string;
  set_at: Date;
}

/** Of one merchant, the last first. */
export const listTierChanges = statement<TierChangeRow>(
  'list-tier-changes',
  `select id, mode, tier, reason, set_by, set_at from merchant_tiers
    where merchant_id = $1 and mode in ('LIVE', 'SANDBOX')
    order by id desc limit 100`,
);

/** $1 merchant, $2 mode, $3 id, $4 tier, $5 reason, $6 who, $7 when. */
export const insertMerchantTier = statement(
  'insert-merchant-tier',
  `insert into merchant_tiers (merchant_id, mode, id, tier, reason, set_by, set_at) values ($1, $2, $3, $4, $5, $6, $7)`,
);
