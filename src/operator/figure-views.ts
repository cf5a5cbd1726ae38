import { readOldestBehind, readReceivableSums } from '../ledger/index.ts';
import { readRegister } from '../merchants/index.ts';
import { toNumber, toNumberIfExact } from '../money/index.ts';
import {
  findOldestUnknown,
  type RailFigures,
  type RailSums,
  readDirectoryLag,
  readRailFigures,
} from '../payout-directory/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { planReport } from '../platform/db/planning.ts';
import type { NamedRail } from '../rail-accounts/index.ts';
import { type FloatCheckRow, readFloatStatus } from '../reconciliation/index.ts';
import type { OperatorDeps } from './deps.ts';
import { readNamesOf } from './lookups.ts';
import {
  findOldestApprovals,
  findOldestDueBatches,
  findOldestDueCredits,
  findOldestDueMail,
  findOldestDuePayouts,
  listRailAccountNames,
  listWaitingEndpoints,
  type WaitingRow,
} from './queries.ts';

export const QUEUES = ['PAYOUTS', 'BATCHES', 'DELIVERIES', 'MAILS', 'APPROVALS', 'REPORTED_CREDITS'] as const;
const MODES = ['LIVE', 'SANDBOX'] as const;
const MOST_MERCHANTS = 10;
/** Totals may be a few seconds behind. An average of days without the last minutes would be wrong. */
const LATE_MS = 5 * 60_000;

export interface QueueAge extends WaitingRow {
  queue: (typeof QUEUES)[number];
}

export interface FloatCover {
  rails: string[];
  mode: FloatCheckRow['mode'];
  /** The last comparison. Null where nobody has ever asked these rails for their balance. */
  reading: { amountMinor: bigint; at: Date } | null;
  /** In minor units. Null where the totals are not whole. */
  averageMinor: bigint | null;
}

/** The figures of the operator's overview, all of one moment. Minor units. */
export async function readFigures(deps: OperatorDeps) {
  const now = deps.clock.now();
  const named = await deps.rails.listNamed();
  return deps.database.reading.snapshot(async (queries) => {
    // Books of every merchant are compared with what was read of them.
    await queries.query(planReport);
    const [rails, behindSince, oldestUnknown, floats, queues, receivables, accounts, review] = await Promise.all([
      readRailFigures(queries, now),
      readDirectoryLag(queries),
      findOldestUnknown(queries),
      readFloatStatus(queries),
      readQueues(queries, now),
      readReceivableSums(queries, MOST_MERCHANTS),
      queries.query(listRailAccountNames),
      readRegister(queries, { submitted: true }, { page: 1, size: MOST_MERCHANTS }),
    ]);
    const names = await readNamesOf(queries, [
      ...receivables.merchants,
      ...(oldestUnknown === undefined ? [] : [oldestUnknown]),
    ]);
    const isWhole = behindSince === null || now.getTime() - behindSince.getTime() < LATE_MS;
    const covers = coversOf(named, floats, isWhole ? rails : undefined);
    const providers = new Map(accounts.map(({ id, name }) => [id, name]));
    return { now, rails, behindSince, oldestUnknown, covers, queues, receivables, review, names, providers };
  });
}

async function readQueues(queries: Queries, now: Date): Promise<QueueAge[]> {
  const [payouts, batches, endpoints, mails, approvals, credits] = await Promise.all([
    queries.query(findOldestDuePayouts, [now]),
    queries.query(findOldestDueBatches, [now]),
    queries.query(listWaitingEndpoints, [now]),
    queries.query(findOldestDueMail, [now]),
    queries.query(findOldestApprovals, [now]),
    queries.query(findOldestDueCredits, [now]),
  ]);
  const unsent = await readOldestBehind(queries, endpoints);
  const deliveries = [...unsent, ...endpoints.map(({ mode, retry_at }) => ({ mode, since: retry_at }))];
  const of = (queue: QueueAge['queue'], rows: readonly WaitingRow[]): QueueAge[] =>
    MODES.map((mode) => ({ queue, mode, since: oldestOf(rows.filter((row) => row.mode === mode)) }));
  return [
    ...of('PAYOUTS', payouts),
    ...of('BATCHES', batches),
    ...of('DELIVERIES', deliveries),
    { queue: 'MAILS', mode: null, since: oldestOf(mails) },
    ...of('APPROVALS', approvals),
    ...of('REPORTED_CREDITS', credits),
  ];
}

function oldestOf(rows: readonly WaitingRow[]): Date | null {
  const times = rows.flatMap(({ since }) => (since === null ? [] : [since.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** How many days each float lasts: the rails' own balance at the last comparison, by what they paid on an average day. */
function coversOf(
  named: readonly NamedRail[],
  floats: readonly FloatCheckRow[],
  rails: readonly RailFigures[] | undefined,
): FloatCover[] {
  const compared = floats
    .filter(({ merchant_id }) => merchant_id === null)
    .map((row) => ({
      rails: row.rails.split(', '),
      mode: row.mode,
      reading: { amountMinor: row.rail_minor, at: row.checked_at },
    }));
  const others = named
    .filter(
      ({ name, mode, active }) => active && !compared.some((one) => one.mode === mode && one.rails.includes(name)),
    )
    .map(({ name, mode }) => ({ rails: [name], mode, reading: null }));
  return [...compared, ...others].map((one) => {
    const averageMinor =
      rails
        ?.filter(({ mode, rail }) => mode === one.mode && one.rails.includes(rail))
        .reduce((sum, rail) => sum + rail.averageMinor, 0n) ?? null;
    return { ...one, averageMinor };
  });
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function sumsView(sums: RailSums) {
  const ended = sums.succeeded + sums.failed;
  return {
    succeeded: sums.succeeded,
    succeededAmount: toNumberIfExact(sums.succeededMinor),
    failed: sums.failed,
    failedAmount: toNumberIfExact(sums.failedMinor),
    reversed: sums.reversed,
    reversedAmount: toNumberIfExact(sums.reversedMinor),
    successRate: ended === 0 ? null : sums.succeeded / ended,
  };
}

const periodView = ({ p50Ms, p95Ms, ...sums }: RailFigures['today']) => ({ ...sumsView(sums), p50Ms, p95Ms });

/** For how many days a balance lasts, to a tenth; null where either is unknown, or nothing was paid. */
function daysOf(balanceMinor: bigint | null, averageMinor: bigint | null): number | null {
  if (balanceMinor === null || averageMinor === null || averageMinor <= 0n) return null;
  return Number((balanceMinor * 10n) / averageMinor) / 10;
}

/** The figures as the API shows them, in naira. */
export function figuresView(figures: Awaited<ReturnType<typeof readFigures>>) {
  const { now, rails, behindSince, oldestUnknown, covers, queues, receivables, review, names, providers } = figures;
  const nameOf = (id: string) => names.get(id) ?? null;
  return {
    at: now.toISOString(),
    behindSince: iso(behindSince),
    rails: rails.map(({ rail, mode, today, week, days }) => ({
      rail,
      mode,
      today: periodView(today),
      week: periodView(week),
      days: days.map(({ day, ...sums }) => ({ day, ...sumsView(sums) })),
    })),
    oldestUnknown:
      oldestUnknown === undefined
        ? null
        : {
            payoutId: oldestUnknown.id,
            merchantId: oldestUnknown.merchant_id,
            businessName: nameOf(oldestUnknown.merchant_id),
            mode: oldestUnknown.mode,
            rail: oldestUnknown.rail,
            amount: toNumber(oldestUnknown.amount_minor),
            firstSentAt: oldestUnknown.first_sent_at.toISOString(),
          },
    floatCover: covers.map(({ rails: of, mode, reading, averageMinor }) => ({
      rails: of,
      mode,
      balance: reading === null ? null : toNumber(reading.amountMinor),
      balanceAt: iso(reading?.at ?? null),
      averageDay: averageMinor === null ? null : toNumberIfExact(averageMinor),
      days: daysOf(reading?.amountMinor ?? null, averageMinor),
    })),
    queues: queues.map(({ queue, mode, since }) => ({ queue, mode, oldestAt: iso(since) })),
    receivables: {
      providers: receivables.providers.map(({ mode, provider_account_id, merchants, owed_minor }) => ({
        rail: provider_account_id === null ? 'sandbox' : (providers.get(provider_account_id) ?? provider_account_id),
        mode,
        merchants,
        owed: toNumberIfExact(owed_minor),
      })),
      merchants: receivables.merchants.map(({ merchant_id, mode, owed_minor }) => ({
        merchantId: merchant_id,
        businessName: nameOf(merchant_id),
        mode,
        owed: toNumberIfExact(owed_minor),
      })),
    },
    review: {
      total: review.wrapper.totalRecords ?? 0,
      longest: review.rows.flatMap(({ id, business_name, submitted_at }) =>
        submitted_at === null
          ? []
          : [{ merchantId: id, businessName: business_name, submittedAt: submitted_at.toISOString() }],
      ),
    },
  };
}
