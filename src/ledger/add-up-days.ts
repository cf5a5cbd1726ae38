import { type Clock, DAY_MS, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { arrayOf, rowsFor } from '../platform/db/statement.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import { merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey } from '../platform/tenant.ts';
import { type ActiveBooksOptions, askedBooks, followActiveBooks } from './active-books.ts';
import { addUpLackingStatements, addUpStatements, sharesOf } from './add-up-statements.ts';
import {
  insertTotalsCursor,
  listActiveToAddUp,
  listMerchantsToAddUp,
  listUncountedWallets,
  lockTotalsCursor,
  type NewTotals,
  sumDays,
  type UncountedWallet,
  updateTotalsCursor,
  upsertDailyTotals,
  upsertMerchantDailyTotals,
} from './daily-total-queries.ts';
import { DISORDER_MINUTES } from './statement-queries.ts';

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
/** After this time no transfer that was requested before midnight can still be booked. */
const SETTLED_AFTER_MS = DISORDER_MINUTES * 60_000;

/**
 * Adds up by day what was booked since the last run, for every merchant whose books in this mode have new events, and
 * the totals within a statement with them. It takes no lock that a movement waits for: transfers never change, and it
 * writes only rows of its own. A day is closed once no transfer that belongs to it can still be booked. A merchant
 * whose days cannot be written is left alone for a time that grows with each failure, and delays no other.
 * @returns how many days of wallets were written
 */
export async function addUpDays(deps: AddUpDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const leftOut = merchantsBackingOff(failuresOf(deps), mode);
  const due = await deps.database.query(listMerchantsToAddUp, [mode, MERCHANTS_A_RUN, leftOut]);
  return addUpAll(deps, mode, due, stopped);
}

/**
 * The same as a job for merchants with many new events, which looks only at those that went on. It remembers from one run to
 * the next whom to look at.
 * @param leastEvents a merchant with fewer new events is left for `addUpDays`: its transfers are added up when they are read,
 *   which costs less than a transaction here
 */
export function busyDaysAdder(
  deps: AddUpDeps,
  mode: Mode,
  leastEvents: number,
  options?: ActiveBooksOptions,
): (stopped?: AbortSignal) => Promise<number> {
  const books = followActiveBooks(deps, mode, options);
  return async (stopped) => {
    const leftOut = new Set(merchantsBackingOff(failuresOf(deps), mode));
    const asked = [...(await books.look())].filter((merchantId) => !leftOut.has(merchantId));
    if (asked.length === 0) return 0;
    const due = await deps.database.query(listActiveToAddUp, [...askedBooks(asked, mode), leastEvents]);
    books.answered(asked, due);
    return addUpAll(deps, mode, due, stopped);
  };
}

const failuresOf = ({ jobs }: AddUpDeps) => jobs.failuresOf('ledger.totals');

function addUpAll(
  deps: AddUpDeps,
  mode: Mode,
  due: readonly { merchant_id: string }[],
  stopped: AbortSignal | undefined,
): Promise<number> {
  return takeTurns<Tenant>(
    due.map(({ merchant_id: merchantId }) => ({ merchantId, mode })),
    {
      failures: failuresOf(deps),
      stopped,
      slots: ONE_AT_A_TIME,
      tenantOf: (tenant) => tenant,
      keyOf: tenantKey,
      take: async (tenant) => (await addUpTenant(deps, tenant, stopped)).written,
      aboutOf: (tenant) => ({ message: 'the days of a merchant could not be added up', ...tenant }),
    },
  );
}

/** One turn of a merchant. It is over where nothing is left, or another process has these books. */
export async function addUpTenant(
  deps: Pick<AddUpDeps, 'database' | 'clock'>,
  tenant: Tenant,
  stopped?: AbortSignal,
): Promise<{ written: number; isOver: boolean }> {
  let after = NIL_ID;
  let written = 0;
  let upTo: bigint | undefined;
  let isWaiting = false;
  for (let at = 0; at < STEPS_A_MERCHANT && stopped?.aborted !== true; at += 1) {
    const step = await deps.database.transaction((tx) => addUpStep(tx, deps.clock.now(), tenant, after));
    if (step === 'BUSY') return { written, isOver: true };
    upTo ??= step.eventSequence;
    written += step.written;
    isWaiting ||= step.isWaiting;
    if (step.next === undefined) {
      if (!isWaiting) await deps.database.query(updateTotalsCursor, [tenant.merchantId, tenant.mode, upTo]);
      if (!step.hasStatementTotals) await addUpLackingStatements(deps.database, tenant);
      return { written, isOver: true };
    }
    after = step.next;
  }
  return { written, isOver: false };
}

interface Step {
  written: number;
  /** The last event in the books when the step began. */
  eventSequence: bigint;
  hasStatementTotals: boolean;
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
    addUpStatements(tx, tenant, withCounted(wallets, found)),
  ]);
  const last = wallets.at(-1)?.wallet_id;
  return {
    written: found.length,
    eventSequence: locked.event_sequence,
    hasStatementTotals: locked.has_statement_totals,
    isWaiting: found.length < wallets.length,
    next: found.some(({ isOver }) => !isOver(now)) ? after : wallets.length < WALLETS_A_STEP ? undefined : last,
  };
}

/** A wallet gets on in its statement as far as in its days, however few of its transfers its share was. */
function withCounted(wallets: readonly UncountedWallet[], found: readonly FoundDay[]) {
  const throughs = new Map(found.map(({ walletId, row }) => [walletId, row.through_sequence]));
  return wallets.map(({ wallet_id, waiting, after_sequence }) => ({
    wallet_id,
    waiting,
    least: (throughs.get(wallet_id) ?? after_sequence) - after_sequence,
  }));
}

interface Wanted {
  wallet: UncountedWallet;
  day: string;
}

interface FoundDay {
  walletId: string;
  row: NewTotals & { wallet_id: string; through_sequence: bigint };
  /** Nothing more of this wallet can be counted now, except what is booked later. */
  isOver(now: Date): boolean;
}

async function sumUp(tx: Tx, { merchantId, mode }: Tenant, wanted: readonly Wanted[]): Promise<FoundDay[]> {
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
