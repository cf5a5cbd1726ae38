import type { Queries } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Mode, Tenant } from '../../platform/tenant.ts';
import { type PayoutLimitRow, rowAt } from './payout-limit.ts';
import { deletePayoutLimitsAhead, insertPayoutLimits, listPayoutLimits, updatePayoutLimitsEnded } from './queries.ts';
import type { LimitDeps } from './read-limits.ts';

/** After a month the same payout is no slip but the next month's. */
const MAX_WINDOW_SECONDS = 30 * 24 * 60 * 60;

export interface NewLimits {
  /** Null: all merchants. */
  merchantId: string | null;
  mode: Mode;
  /** Kobo; null is no limit. What is undefined stays as it would be at that moment, here and below. */
  perPayoutMinor: bigint | null | undefined;
  /** Kobo of a day in Lagos; null is no limit. */
  perDayMinor: bigint | null | undefined;
  /** Zero is no guard against duplicates. */
  duplicateWindowSeconds: number | undefined;
  /** Undefined: now. */
  effectiveFrom: Date | undefined;
  /** Null: until further notice. */
  effectiveTo: Date | null;
  /** Who says so, and why. */
  source: string;
}

/**
 * Adds a dated row. Limits of the past stay as they were, so that a refusal can be explained later.
 * @throws AppError `VALIDATION_FAILED` for a moment in the past, an end before the beginning, a window over a month.
 */
export async function setLimits({ database, clock }: LimitDeps, input: NewLimits): Promise<PayoutLimitRow> {
  const now = clock.now();
  const { merchantId, mode, perPayoutMinor, perDayMinor, effectiveFrom = now, effectiveTo, source } = input;
  if (effectiveFrom < now) throw invalidField('from', 'must not be in the past.');
  if (effectiveTo !== null && effectiveTo <= effectiveFrom) throw invalidField('until', 'must be after from.');
  const before = rowAt(await database.query(listPayoutLimits), { merchantId, mode }, effectiveFrom);
  const duplicateWindowSeconds = input.duplicateWindowSeconds ?? before?.duplicateWindowSeconds ?? 0;
  if (duplicateWindowSeconds > MAX_WINDOW_SECONDS) {
    throw invalidField('duplicate-window', `must be at most ${MAX_WINDOW_SECONDS} seconds, which is a month.`);
  }
  const row: PayoutLimitRow = {
    id: newId(),
    owner: 'OPERATOR',
    merchantId,
    mode,
    perPayoutMinor: perPayoutMinor === undefined ? (before?.perPayoutMinor ?? null) : perPayoutMinor,
    perDayMinor: perDayMinor === undefined ? (before?.perDayMinor ?? null) : perDayMinor,
    duplicateWindowSeconds,
    effectiveFrom,
    effectiveTo,
    source,
  };
  await insert(database, row);
  return row;
}

async function insert(queries: Queries, row: PayoutLimitRow): Promise<void> {
  await queries.run(insertPayoutLimits, [
    {
      id: row.id,
      owner: row.owner,
      merchant_id: row.merchantId,
      mode: row.mode,
      per_payout_minor: row.perPayoutMinor,
      per_day_minor: row.perDayMinor,
      duplicate_window_seconds: row.duplicateWindowSeconds,
      effective_from: row.effectiveFrom.toISOString(),
      effective_to: row.effectiveTo?.toISOString() ?? null,
      source: row.source,
    },
  ]);
}

/** From now on a merchant goes by the limits for all. False where it had none of its own. */
export async function endOwnLimits({ database, clock }: LimitDeps, { merchantId, mode }: Tenant): Promise<boolean> {
  const key = [merchantId, mode, clock.now()];
  return database.transaction(async (tx) => {
    const [ended, dropped] = await Promise.all([
      tx.query(updatePayoutLimitsEnded, key),
      tx.query(deletePayoutLimitsAhead, key),
    ]);
    return ended.length + dropped.length > 0;
  });
}
