import { type DayTotals, readDailyTotals } from '../ledger/index.ts';
import { type Clock, DAY_MS, lagosDay, startOfLagosDay } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { dayInLagos } from '../platform/http/period.ts';
import type { Tenant } from '../platform/tenant.ts';
import { requireWallet, type WalletDirectory } from './directory.ts';

/** A summary has a line for each day, so its period is bounded. */
export const MAX_SUMMARY_DAYS = 366;
const DEFAULT_DAYS = 30;
/** No wallet is older, and the days before a period have to be valid days too. */
const FIRST_DAY = '2000-01-01';

export interface SummaryDeps {
  database: Database;
  wallets: WalletDirectory;
  clock: Clock;
}

/** Both ends are days in Lagos, both included. */
export interface SummarySearch {
  from?: string;
  to?: string;
  /** All wallets together where none is named. */
  walletId?: string;
}

/** Minor units. */
export interface Moved {
  inMinor: bigint;
  /** Charges included. */
  outMinor: bigint;
  /** Fees, VAT and stamp duty: part of what went out. */
  feesMinor: bigint;
  /** Charges that came back with a payout: part of what came in. */
  returnedFeesMinor: bigint;
  /** Booked at the end, or now. */
  closingMinor: bigint;
}

export interface SummaryDay extends Moved {
  day: string;
}

export interface SummaryPeriod extends Moved {
  from: string;
  to: string;
  openingMinor: bigint;
  /** Every day of the period, oldest first. */
  days: SummaryDay[];
}

export interface Summary {
  walletId: string | null;
  period: SummaryPeriod;
  /** As many days, just before. */
  previous: SummaryPeriod;
}

/**
 * What came in, went out and was charged on each day, and the balance at its end, and the same of as many days before.
 * It is of one wallet, or of all wallets of the tenant; then transfers between them count neither as in nor as out.
 * Today counts until now.
 * @throws AppError `WALLET_NOT_FOUND`; 400 `VALIDATION_FAILED` for what is no day or too long a period
 */
export async function readSummary(deps: SummaryDeps, tenant: Tenant, search: SummarySearch): Promise<Summary> {
  const { from, to } = periodOf(search, deps.clock.now());
  if (search.walletId !== undefined) await requireWallet(deps.wallets, tenant, search.walletId);
  const walletId = search.walletId ?? null;
  const length = daysBetween(from, to).length;
  const before = { from: moved(from, -length), to: moved(from, -1) };
  const { bookedMinor, days } = await readDailyTotals(deps.database, tenant, { walletId, from: before.from });
  const balances = createBalances(bookedMinor, days);
  const totals = new Map(days.map((day) => [day.day, walletId === null ? asOne(day) : flowsOf(day)]));
  return {
    walletId,
    period: summarize({ from, to }, totals, balances),
    previous: summarize(before, totals, balances),
  };
}

function periodOf(search: SummarySearch, now: Date): { from: string; to: string } {
  const today = lagosDay(now);
  const end = search.to === undefined ? today : dayInLagos('to', search.to);
  const to = end > today ? today : end;
  const from = search.from === undefined ? moved(to, 1 - DEFAULT_DAYS) : dayInLagos('from', search.from);
  if (from < FIRST_DAY)
    throw invalidField(search.from === undefined ? 'to' : 'from', `must not be before ${FIRST_DAY}`);
  if (from > to) throw invalidField('from', from > today ? 'must not be after today' : 'must not be after to');
  if (startOfLagosDay(to).getTime() - startOfLagosDay(from).getTime() >= MAX_SUMMARY_DAYS * DAY_MS)
    throw invalidField('from', `must be at most ${MAX_SUMMARY_DAYS} days before the end of the period`);
  return { from, to };
}

const moved = (day: string, days: number): string => lagosDay(new Date(startOfLagosDay(day).getTime() + days * DAY_MS));

/** Both included. They are counted and not compared, so that it ends for any days. */
function daysBetween(from: string, to: string): string[] {
  const length = (startOfLagosDay(to).getTime() - startOfLagosDay(from).getTime()) / DAY_MS + 1;
  return Array.from({ length }, (_, at) => moved(from, at));
}

type Flows = Omit<Moved, 'closingMinor'>;
const NOTHING: Flows = { inMinor: 0n, outMinor: 0n, feesMinor: 0n, returnedFeesMinor: 0n };

const flowsOf = ({ creditsMinor, debitsMinor, chargesMinor, returnedChargesMinor }: DayTotals): Flows => ({
  inMinor: creditsMinor,
  outMinor: debitsMinor,
  feesMinor: chargesMinor,
  returnedFeesMinor: returnedChargesMinor,
});

/**
 * For all wallets: a transfer from one to another is neither in nor out. Around midnight the two sides of such a
 * transfer may be on two days: then it is out on the one and in on the other, so that balances and flows add up on
 * both.
 */
function asOne(day: DayTotals): Flows {
  const underWay = day.ownCreditsMinor - day.ownDebitsMinor;
  return {
    ...flowsOf(day),
    inMinor: day.creditsMinor - day.ownCreditsMinor + (underWay > 0n ? underWay : 0n),
    outMinor: day.debitsMinor - day.ownDebitsMinor + (underWay < 0n ? -underWay : 0n),
  };
}

/** The booked balance at the end of a day: the present one, less what moved after that day. @param days oldest first */
function createBalances(bookedMinor: bigint, days: readonly DayTotals[]): (day: string) => bigint {
  const atEnd = new Map<string, bigint>();
  let closing = bookedMinor;
  for (const { day, creditsMinor, debitsMinor } of days.toReversed()) {
    atEnd.set(day, closing);
    closing += debitsMinor - creditsMinor;
  }
  const beforeAll = closing;
  return (day) => {
    const last = days.findLast((one) => one.day <= day);
    return last === undefined ? beforeAll : (atEnd.get(last.day) as bigint);
  };
}

function summarize(
  { from, to }: { from: string; to: string },
  totals: ReadonlyMap<string, Flows>,
  balanceAt: (day: string) => bigint,
): SummaryPeriod {
  const days = daysBetween(from, to).map((day) => ({
    day,
    ...(totals.get(day) ?? NOTHING),
    closingMinor: balanceAt(day),
  }));
  const sum = (of: (flows: Flows) => bigint) => days.reduce((total, day) => total + of(day), 0n);
  return {
    from,
    to,
    openingMinor: balanceAt(moved(from, -1)),
    closingMinor: balanceAt(to),
    inMinor: sum(({ inMinor }) => inMinor),
    outMinor: sum(({ outMinor }) => outMinor),
    feesMinor: sum(({ feesMinor }) => feesMinor),
    returnedFeesMinor: sum(({ returnedFeesMinor }) => returnedFeesMinor),
    days,
  };
}
