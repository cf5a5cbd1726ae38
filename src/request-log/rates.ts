import { MINUTE_MS } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CountedGroup, sumCounts, sumCountsByTime } from './count-queries.ts';
import { HOURS_KNOWN_AFTER_MS, slotOf } from './counts.ts';
import { sumGaps } from './queries.ts';

export const PERIODS = ['1h', '24h', '7d'] as const;
export type RatePeriod = (typeof PERIODS)[number];

/** How a period is drawn. */
const BARS: Readonly<Record<RatePeriod, { bars: number; barMs: number; hasHours: boolean }>> = {
  '1h': { bars: 12, barMs: 5 * MINUTE_MS, hasHours: false },
  '24h': { bars: 24, barMs: 60 * MINUTE_MS, hasHours: true },
  '7d': { bars: 28, barMs: 6 * 60 * MINUTE_MS, hasHours: true },
};

/** Operations that are listed; there are hardly more that one merchant uses. */
const MAX_OPERATIONS = 50;

/**
 * How often requests went wrong, and how long they took, by operation: of what the log lists. Rows of slots are added
 * up, so the cost is that of the period and not of the requests in it.
 */
export async function readRates(queries: Queries, { merchantId, mode }: Tenant, period: RatePeriod, now: Date) {
  const { bars, barMs, hasHours } = BARS[period];
  const first = (Math.floor(now.getTime() / barMs) - bars + 1) * barMs;
  const since = new Date(first);
  const recent = hasHours ? slotOf(new Date(now.getTime() - HOURS_KNOWN_AFTER_MS), 60) : since;
  const slots = slotsOf({ since, recent, end: new Date(now.getTime() + barMs) });
  const [groups, counted, [gaps]] = await Promise.all([
    queries.query(sumCounts, [merchantId, mode, ...slots]),
    queries.query(sumCountsByTime, [merchantId, mode, ...slots, barMs / 1000]),
    queries.query(sumGaps, [merchantId, mode, since, null]),
  ]);
  const byTime = new Map(counted.map((bar) => [bar.begins * 1000, bar]));
  return {
    period,
    since: since.toISOString(),
    ...figuresOf(groups),
    leftOut: gaps?.left_out ?? 0,
    bars: Array.from({ length: bars }, (_, at) => {
      const begins = first + at * barMs;
      const { requests = 0, refused = 0, failed = 0 } = byTime.get(begins) ?? {};
      return { from: new Date(begins).toISOString(), requests, refused, failed };
    }),
    operations: operationsOf(groups),
  };
}

/** Which slots are added up: those of hours before `recent`, and from there on those of five minutes, which are written sooner. */
function slotsOf({ since, recent, end }: Record<'since' | 'recent' | 'end', Date>) {
  return [arrayOf('integer', [60, 5]), arrayOf('timestamptz', [since, recent]), arrayOf('timestamptz', [recent, end])];
}

function operationsOf(groups: readonly CountedGroup[]) {
  const byOperation = Map.groupBy(groups, ({ method, route }) => `${method} ${route}`);
  return [...byOperation.values()]
    .map((own) => {
      const { method, route: path } = own[0] as CountedGroup;
      return { method, path, ...figuresOf(own), answers: answersOf(own) };
    })
    .sort((one, other) => other.requests - one.requests)
    .slice(0, MAX_OPERATIONS);
}

function answersOf(groups: readonly CountedGroup[]) {
  const all = sum(groups);
  const byAnswer = Map.groupBy(groups, ({ status, code }) => `${status} ${code}`);
  return [...byAnswer.values()]
    .map((own) => {
      const { status, code } = own[0] as CountedGroup;
      const requests = sum(own);
      return { status, code: code === '' ? null : code, requests, share: shareOf(requests, all) };
    })
    .sort((one, other) => other.requests - one.requests);
}

function figuresOf(groups: readonly CountedGroup[]) {
  const requests = sum(groups);
  const refused = sum(groups.filter(({ status }) => status >= 400 && status < 500));
  const failed = sum(groups.filter(({ status }) => status >= 500));
  return {
    requests,
    refused,
    failed,
    refusedShare: shareOf(refused, requests),
    failedShare: shareOf(failed, requests),
    p50Ms: percentile(groups, 0.5),
    p95Ms: percentile(groups, 0.95),
  };
}

const sum = (groups: readonly CountedGroup[]): number => groups.reduce((all, { requests }) => all + requests, 0);

/** From 0 to 1, to four places. */
const shareOf = (part: number, all: number): number => (all === 0 ? 0 : Math.round((part / all) * 10_000) / 10_000);

/** The step that so many of the requests were within, in milliseconds; null of none. */
function percentile(groups: readonly CountedGroup[], share: number): number | null {
  const wanted = Math.ceil(sum(groups) * share);
  if (wanted === 0) return null;
  let met = 0;
  for (const { within_ms, requests } of groups.toSorted((one, other) => one.within_ms - other.within_ms)) {
    met += requests;
    if (met >= wanted) return within_ms;
  }
  return null;
}
