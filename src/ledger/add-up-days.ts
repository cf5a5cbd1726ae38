import { type Clock, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { arrayOf, rowsFor } from '../platform/db/statement.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import {
  insertTotalsCursor,
  listMerchantsToAddUp,
  listUncountedWallets,
  lockTotalsCursor,
  sumDays,
  type UncountedWallet,
  updateTotalsCursor,
  upsertDailyTotals,
  upsertMerchantDailyTotals,
} from './daily-total-queries.ts';
import { DISORDER_MINUTES } from './statement-queries.ts';
import { insertStatementTotals, STATEMENT_STEP, sumStatementTotals } from './statement-total-queries.ts';

export interface AddUpDeps {
  database: Database;
  clock: Clock;
  jobs: JobMonitor;
}

/** Merchants that one run handles; the others are due at the next run. */
const MERCHANTS_A_RUN = 5_000;
/**
 * Transactions for one merchant in one run, so that a merchant with a long history does not keep the others waiting.
 */
const STEPS_A_MERCHANT = 100;
const WALLETS_A_STEP = 200;
/** Transfers that one transaction reads: some tenths of a second. */
const ENTRIES_A_STEP = 50_000;
/** Of each wallet, however many there are: so it gets on by one total within its statement. */
const LEAST_A_WALLET = STATEMENT_STEP;
const DAY_MS = 24 * 60 * 60_000;
/** After this time no transfer that was requested before midnight can still be booked. */
const SETTLED_AFTER_MS = DISORDER_MINUTES * 60_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Adds up by day what was booked since the last run, for every merchant whose books in this mode have new events, and
 * the totals within a statement with them. It takes no lock that a movement waits for: transfers never change, and it
 * writes only rows of its own. A day is closed once no transfer that belongs to it can still be booked. A merchant
 * whose days cannot be written is left alone for a time that grows with each failure, and delays no other.
 * @param leastEvents a merchant with fewer new events is left for a later run: its transfers are added up when they are
 *   read, which costs less than a transaction here.
 * @returns how many days of wallets were written
 */
export async function addUpDays(deps: AddUpDeps, mode: Mode, leastEvents = 1): Promise<number> {
  const failures = deps.jobs.failuresOf('ledger.totals');
  const leftOut = merchantsBackingOff(failures, mode);
  const due = await deps.database.query(listMerchantsToAddUp, [mode, MERCHANTS_A_RUN, leastEvents, leftOut]);
  return takeTurns<Tenant>(
    due.map(({ merchant_id: merchantId }) => ({ merchantId, mode })),
    {
      failures,
      slots: ONE_AT_A_TIME,
      tenantOf: (tenant) => tenant,
      keyOf: tenantKey,
      take: (tenant) => addUpTenant(deps, tenant),
      aboutOf: (tenant) => ({ message: 'the days of a merchant could not be added up', ...tenant }),
    },
  );
}

async function addUpTenant(deps: AddUpDeps, tenant: Tenant): Promise<number> {
  let after = FIRST;
  let written = 0;
  let upTo: bigint | undefined;
  let isWaiting = false;
  for (let at = 0; at < STEPS_A_MERCHANT; at += 1) {
    const step = await deps.database.transaction((tx) => addUpStep(tx, deps.clock.now(), tenant, after));
    if (step === 'BUSY') return written;
    upTo ??= step.eventSequence;
    written += step.written;
    isWaiting ||= step.isWaiting;
    if (step.next === undefined) {
      if (!isWaiting) await deps.database.query(updateTotalsCursor, [tenant.merchantId, tenant.mode, upTo]);
      return written;
    }
    after = step.next;
  }
  return written;
}

interface Step {
  written: number;
  /** The last event in the books when the step began. */
  eventSequence: bigint;
  /** Some transfers cannot be added up until yesterday is closed. */
  isWaiting: boolean;
  /** The wallet to continue after; undefined at the end. */
  next: string | undefined;
}

async function addUpStep(tx: Tx, now: Date, tenant: Tenant, after: string): Promise<Step | 'BUSY'> {
  const { merchantId, mode } = tenant;
  await tx.query(insertTotalsCursor, [merchantId, mode]);
  const [locked] = await tx.query(lockTotalsCursor, [merchantId, mode]);
  if (locked === undefined) return 'BUSY';
  const wallets = await tx.query(listUncountedWallets, [merchantId, mode, after, WALLETS_A_STEP]);
  const wanted = wallets.map((wallet) => ({ wallet, day: dayOf(wallet, now) }));
  const first = await sumUp(tx, tenant, wanted);
  // A transfer requested just after midnight may belong to the day before, or not. Where it does not, it belongs to its
  // own day.
  const others = wanted
    .filter(({ wallet, day }) => !first.some(({ walletId }) => walletId === wallet.wallet_id) && isSettled(day, now))
    .map(({ wallet, day }) => ({ wallet, day: dayAfter(day) }));
  const found = [...first, ...(others.length === 0 ? [] : await sumUp(tx, tenant, others))];
  await Promise.all([
    tx.run(
      ...rowsFor(
        upsertDailyTotals,
        found.map(({ row }) => row),
      ),
    ),
    tx.run(
      ...rowsFor(
        upsertMerchantDailyTotals,
        found.map(({ row: { wallet_id, through_sequence, ...row } }) => row),
      ),
    ),
    addUpStatements(tx, tenant, wallets),
  ]);
  const last = wallets.at(-1)?.wallet_id;
  return {
    written: found.length,
    eventSequence: locked.event_sequence,
    isWaiting: found.length < wallets.length,
    next: found.some(({ isOver }) => !isOver(now)) ? after : wallets.length < WALLETS_A_STEP ? undefined : last,
  };
}

/**
 * Adds up the statements of these wallets. What would be too much for one transaction is left for the wallets' next
 * turn.
 */
async function addUpStatements(
  tx: Tx,
  { merchantId, mode }: Tenant,
  wallets: readonly UncountedWallet[],
): Promise<void> {
  if (wallets.length === 0) return;
  const ids = arrayOf(
    'uuid',
    wallets.map(({ wallet_id }) => wallet_id),
  );
  const totals = sharesOf(wallets).map((share) => share / BigInt(STATEMENT_STEP) + 1n);
  const rows = await tx.query(sumStatementTotals, [merchantId, mode, ids, arrayOf('bigint', totals)]);
  await tx.run(...rowsFor(insertStatementTotals, rows));
}

/**
 * How many transfers of each wallet one step reads at most: what few have is read at once, and what they leave goes to those with
 * more. In the order of the wallets.
 */
function sharesOf(wallets: readonly UncountedWallet[]): bigint[] {
  const shares: bigint[] = [];
  let left = ENTRIES_A_STEP;
  let still = wallets.length;
  const byWaiting = [...wallets.entries()].sort(([, a], [, b]) => (a.waiting < b.waiting ? -1 : 1));
  for (const [at, { waiting }] of byWaiting) {
    const most = Math.max(LEAST_A_WALLET, Math.floor(left / still));
    // More than waited a moment ago, so that what is booked meanwhile is read as well and asks for no further step.
    shares[at] = BigInt(most);
    left -= Math.min(Number(waiting), most);
    still -= 1;
  }
  return shares;
}

interface Wanted {
  wallet: UncountedWallet;
  day: string;
}

async function sumUp(tx: Tx, { merchantId, mode }: Tenant, wanted: readonly Wanted[]) {
  if (wanted.length === 0) return [];
  const days = new Map(wanted.map(({ wallet, day }) => [wallet.wallet_id, day]));
  const found = await tx.query(sumDays, [
    merchantId,
    mode,
    arrayOf('uuid', [...days.keys()]),
    arrayOf(
      'bigint',
      wanted.map(({ wallet }) => wallet.after_sequence),
    ),
    arrayOf('timestamptz', Array.from(days.values(), endOf)),
    arrayOf('bigint', sharesOf(wanted.map(({ wallet }) => wallet))),
  ]);
  return found.map(({ is_whole, ...totals }) => {
    const day = days.get(totals.wallet_id) as string;
    return {
      walletId: totals.wallet_id,
      row: { merchant_id: merchantId, mode, day, ...totals },
      /** Nothing more of this wallet can be counted now, except what is booked later. */
      isOver: (now: Date) => is_whole && now < endOf(day),
    };
  });
}

/** The day to which a wallet's next transfers belong, as far as they do. */
function dayOf({ day, next_at }: UncountedWallet, now: Date): string {
  const earliest = lagosDay(new Date(next_at.getTime() - SETTLED_AFTER_MS));
  if (day === null) return earliest;
  return earliest > day && isSettled(day, now) ? earliest : day;
}

const endOf = (day: string): Date => new Date(startOfLagosDay(day).getTime() + DAY_MS);
const dayAfter = (day: string): string => lagosDay(endOf(day));
const isSettled = (day: string, now: Date): boolean => now.getTime() >= endOf(day).getTime() + SETTLED_AFTER_MS;
