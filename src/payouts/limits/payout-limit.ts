import type { Mode, Tenant } from '../../platform/tenant.ts';

/** What a merchant may pay out, in minor units; null is no limit. */
export interface PayoutLimit {
  perPayoutMinor: bigint | null;
  /** Amounts without charges, a day in Lagos. */
  perDayMinor: bigint | null;
  /** How long the same amount to the same account counts as a slip; zero is never. */
  duplicateWindowMs: number;
}

/** One dated row of `payout_limits`. */
export interface PayoutLimitRow {
  id: string;
  merchantId: string | null;
  mode: Mode;
  perPayoutMinor: bigint | null;
  perDayMinor: bigint | null;
  duplicateWindowSeconds: number;
  effectiveFrom: Date;
  effectiveTo: Date | null;
  source: string;
}

const NO_LIMIT: PayoutLimit = { perPayoutMinor: null, perDayMinor: null, duplicateWindowMs: 0 };

/** The limits of one tenant at one moment. */
export function limitAt(rows: readonly PayoutLimitRow[], tenant: Tenant, at: Date): PayoutLimit {
  const row = rowAt(rows, tenant, at);
  if (row === undefined) return NO_LIMIT;
  const { perPayoutMinor, perDayMinor, duplicateWindowSeconds } = row;
  return { perPayoutMinor, perDayMinor, duplicateWindowMs: duplicateWindowSeconds * 1000 };
}

/**
 * The row in force: the merchant's own before the one for all, the one that began last before the earlier. A null
 * merchant is all of them.
 */
export function rowAt(
  rows: readonly PayoutLimitRow[],
  { merchantId, mode }: { merchantId: string | null; mode: Mode },
  at: Date,
): PayoutLimitRow | undefined {
  let found: PayoutLimitRow | undefined;
  for (const row of rows) {
    if (row.mode !== mode || (row.merchantId !== null && row.merchantId !== merchantId)) continue;
    if (row.effectiveFrom > at || (row.effectiveTo !== null && row.effectiveTo <= at)) continue;
    if (found === undefined || isCloser(row, found)) found = row;
  }
  return found;
}

function isCloser(row: PayoutLimitRow, than: PayoutLimitRow): boolean {
  if ((row.merchantId === null) !== (than.merchantId === null)) return row.merchantId !== null;
  const laterMs = row.effectiveFrom.getTime() - than.effectiveFrom.getTime();
  return laterMs === 0 ? row.id > than.id : laterMs > 0;
}
