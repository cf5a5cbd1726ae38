import type { Database } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type DayTotalsRow,
  listDailyTotals,
  listMerchantDailyTotals,
  listWalletsToTotal,
  sumUncounted,
  type TotalsRow,
} from './daily-total-queries.ts';

/** What moved on one day in Lagos, in minor units, without holds and their releases. */
export interface DayTotals {
  /** `2026-11-20` */
  day: string;
  creditsMinor: bigint;
  debitsMinor: bigint;
  /** Part of the credits, and of the debits: from and to other wallets of the same merchant. */
  ownCreditsMinor: bigint;
  ownDebitsMinor: bigint;
  /** Part of the debits: fees, VAT and stamp duty. */
  chargesMinor: bigint;
  /** Part of the credits: charges that came back with a payout. */
  returnedChargesMinor: bigint;
}

export interface DailyTotals {
  /** What is booked now, read at the same moment as the days. */
  bookedMinor: bigint;
  /** The days on which anything moved, oldest first, up to the last one. */
  days: DayTotals[];
}

/**
 * What moved in a wallet, or in all wallets of a tenant, on each day from `from` until now: the days that a worker has
 * added up, and all that came after them, read at one moment. However far behind the worker is, every transfer is
 * counted once.
 * @param walletId null: all wallets of the tenant
 * @param from a day in Lagos
 */
export function readDailyTotals(
  database: Database,
  { merchantId, mode }: Tenant,
  { walletId, from }: { walletId: string | null; from: string },
): Promise<DailyTotals> {
  return database.reading.snapshot(async (queries) => {
    const [wallets, counted] = await Promise.all([
      queries.query(listWalletsToTotal, [merchantId, mode, walletId]),
      walletId === null
        ? queries.query(listMerchantDailyTotals, [merchantId, mode, from])
        : queries.query(listDailyTotals, [merchantId, mode, walletId, from]),
    ]);
    const uncounted = wallets.filter(({ is_counted }) => !is_counted);
    const after =
      uncounted.length === 0 ? [] : await queries.query(sumUncounted, uncountedOf({ merchantId, mode }, uncounted));
    return {
      bookedMinor: wallets.reduce((sum, { booked_minor }) => sum + booked_minor, 0n),
      days: together(
        counted,
        after.filter(({ day }) => day >= from),
      ),
    };
  });
}

const uncountedOf = (
  { merchantId, mode }: Tenant,
  wallets: readonly { wallet_id: string; after_sequence: bigint; day: string | null }[],
): unknown[] => [
  merchantId,
  mode,
  arrayOf(
    'uuid',
    wallets.map(({ wallet_id }) => wallet_id),
  ),
  arrayOf(
    'bigint',
    wallets.map(({ after_sequence }) => after_sequence),
  ),
  arrayOf(
    'date',
    wallets.map(({ day }) => day),
  ),
];

function together(counted: readonly DayTotalsRow[], after: readonly DayTotalsRow[]): DayTotals[] {
  const days = new Map<string, DayTotals>(counted.map((row) => [row.day, totalsOf(row.day, row)]));
  for (const row of after) {
    const existing = days.get(row.day);
    const added = totalsOf(row.day, row);
    days.set(row.day, existing === undefined ? added : sumOf(existing, added));
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

const totalsOf = (day: string, row: TotalsRow): DayTotals => ({
  day,
  creditsMinor: row.credits_minor,
  debitsMinor: row.debits_minor,
  ownCreditsMinor: row.own_credits_minor,
  ownDebitsMinor: row.own_debits_minor,
  chargesMinor: row.charges_minor,
  returnedChargesMinor: row.returned_charges_minor,
});

const sumOf = (one: DayTotals, other: DayTotals): DayTotals => ({
  day: one.day,
  creditsMinor: one.creditsMinor + other.creditsMinor,
  debitsMinor: one.debitsMinor + other.debitsMinor,
  ownCreditsMinor: one.ownCreditsMinor + other.ownCreditsMinor,
  ownDebitsMinor: one.ownDebitsMinor + other.ownDebitsMinor,
  chargesMinor: one.chargesMinor + other.chargesMinor,
  returnedChargesMinor: one.returnedChargesMinor + other.returnedChargesMinor,
});
