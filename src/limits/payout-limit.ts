import type { Mode, Tenant } from '../platform/tenant.ts';
import type { TierLimitRow } from './tier-queries.ts';

/** What a merchant may pay out, in minor units; null is no limit. */
export interface PayoutLimit {
  perPayoutMinor: bigint | null;
  /** Amounts without charges, a day in Lagos. */
  perDayMinor: bigint | null;
  /** How long the same amount to the same account counts as a mistake; zero is never. */
  duplicateWindowMs: number;
}

/** Who set a limit. A merchant may limit itself more strictly than the operator does; the stricter one counts. */
export type LimitOwner = 'OPERATOR' | 'MERCHANT';

/** One dated row of `payout_limits`. */
export interface PayoutLimitRow {
  id: string;
  owner: LimitOwner;
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

/** The part of a tier about money that goes out. */
type TierOut = Pick<TierLimitRow, 'singleOutMinor' | 'dailyOutMinor'>;

/** The limits of one tenant at a given time: of the operator's, its tier's and its own, each the lower. */
export function limitAt(
  rows: readonly PayoutLimitRow[],
  tier: TierOut | undefined,
  tenant: Tenant,
  at: Date,
): PayoutLimit {
  const { own, operator } = limitsAt(rows, tenant, at);
  const single = lower(operator.perPayoutMinor, tier?.singleOutMinor ?? null);
  const day = lower(operator.perDayMinor, tier?.dailyOutMinor ?? null);
  return {
    perPayoutMinor: lower(single, own.perPayoutMinor),
    perDayMinor: lower(day, own.perDayMinor),
    duplicateWindowMs: operator.duplicateWindowMs,
  };
}

/** The same, each by itself. */
export function limitsAt(
  rows: readonly PayoutLimitRow[],
  tenant: Tenant,
  at: Date,
): Record<'own' | 'operator', PayoutLimit> {
  return {
    own: limitOf(rowAt(rows, { ...tenant, owner: 'MERCHANT' }, at)),
    operator: limitOf(rowAt(rows, tenant, at)),
  };
}

function limitOf(row: PayoutLimitRow | undefined): PayoutLimit {
  if (row === undefined) return NO_LIMIT;
  const { perPayoutMinor, perDayMinor, duplicateWindowSeconds } = row;
  return { perPayoutMinor, perDayMinor, duplicateWindowMs: duplicateWindowSeconds * 1000 };
}

/** Null is no limit. */
function lower(one: bigint | null, other: bigint | null): bigint | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

/**
 * The row in force, the operator's unless given: one for the merchant alone comes before the one for all, and the one
 * that began last before earlier ones. A null merchant is all of them. A merchant's own limits begin when they are set
 * and end with the next ones, whatever the clock here says.
 */
export function rowAt(
  rows: readonly PayoutLimitRow[],
  { merchantId, mode, owner = 'OPERATOR' }: { merchantId: string | null; mode: Mode; owner?: LimitOwner },
  at: Date,
): PayoutLimitRow | undefined {
  let found: PayoutLimitRow | undefined;
  for (const row of rows) {
    if (row.owner !== owner || row.mode !== mode || (row.merchantId !== null && row.merchantId !== merchantId))
      continue;
    if ((owner === 'OPERATOR' && row.effectiveFrom > at) || (row.effectiveTo !== null && row.effectiveTo <= at))
      continue;
    if (found === undefined || isCloser(row, found)) found = row;
  }
  return found;
}

function isCloser(row: PayoutLimitRow, than: PayoutLimitRow): boolean {
  if ((row.merchantId === null) !== (than.merchantId === null)) return row.merchantId !== null;
  const laterMs = row.effectiveFrom.getTime() - than.effectiveFrom.getTime();
  return laterMs === 0 ? row.id > than.id : laterMs > 0;
}
