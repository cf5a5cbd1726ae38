import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  insertMerchantTier,
  insertTierLimit,
  listTierChanges,
  listTierLimits,
  type Tier,
  type TierChangeRow,
  type TierLimitRow,
} from './tier-queries.ts';

/** The row of a tier and mode that is in force: of several the one that began last. */
export function tierRowAt(
  limits: readonly TierLimitRow[],
  { tier, mode }: { tier: Tier; mode: Mode },
  at: Date,
): TierLimitRow | undefined {
  return limits.findLast((row) => row.tier === tier && row.mode === mode && row.effectiveFrom <= at);
}

export type NewTierLimit = Omit<TierLimitRow, 'id' | 'effectiveFrom'> & { effectiveFrom: Date | undefined };

/**
 * Adds a dated row. What was held or refused before is not affected. Every process uses it within a minute.
 * @throws AppError 400 `VALIDATION_FAILED` for a moment in the past.
 */
export async function setTierLimit(
  { database, clock }: { database: Database; clock: Clock },
  given: NewTierLimit,
): Promise<TierLimitRow> {
  const now = clock.now();
  const row: TierLimitRow = { ...given, id: newId(), effectiveFrom: given.effectiveFrom ?? now };
  if (row.effectiveFrom < now) throw invalidField('effectiveFrom', 'must not be in the past');
  const { id, tier, mode, singleInMinor, dailyInMinor, balanceMinor, singleOutMinor, dailyOutMinor } = row;
  const limits = [singleInMinor, dailyInMinor, balanceMinor, singleOutMinor, dailyOutMinor];
  await database.query(insertTierLimit, [id, tier, mode, ...limits, row.effectiveFrom, row.source, now]);
  return row;
}

export const listTierRows = (queries: Queries): Promise<TierLimitRow[]> => queries.query(listTierLimits);

/** The tiers that a merchant has had, the last first. */
export const readTierChanges = (queries: Queries, merchantId: string): Promise<TierChangeRow[]> =>
  queries.query(listTierChanges, [merchantId]);

/** Sets the tier of a merchant, by the operator's staff; null: the limits of no tier. The history of tiers stays. */
export async function setMerchantTier(
  { database, clock }: { database: Database; clock: Clock },
  { tenant, tier, reason, by }: { tenant: Tenant; tier: Tier | null; reason: string; by: string },
): Promise<void> {
  const row = [tenant.merchantId, tenant.mode, newId(), tier, reason, by, clock.now()];
  await database.query(insertMerchantTier, row);
}
