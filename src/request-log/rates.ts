import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type CountedGroup, type CountRow, sumCounts, sumCountsByTime } from './count-queries.ts';
import { sumGaps } from './queries.ts';

const MINUTE_MS = 60_000;
/** Minutes: requests are counted by each of them. */
const SLOTS = [5, 60] as const;

/** Milliseconds. A duration is known to the step that it was within, which is what a person reads off a chart. */
const STEPS: readonly number[] = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000],
  ...[7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000, 2_147_483_647],
];

export const stepOf = (durationMs: number): number => STEPS.find((step) => durationMs <= step) ?? 2_147_483_647;

export function slotOf(at: Date, minutes: number): Date {
  const length = minutes * MINUTE_MS;
  return new Date(Math.floor(at.getTime() / length) * length);
}

export interface RequestCounts {
  add(request: Omit<CountRow, 'requests' | 'minutes' | 'slot'> & { at: Date }): void;
  /** What was added since the last time. */
  take(): CountRow[];
}

/** What is counted: one row for all requests of a slot that are alike. */
export function createRequestCounts(): RequestCounts {
  let counts = new Map<string, CountRow>();
  return {
    add({ at, ...request }) {
      const { merchant_id, mode, method, route, status, code, within_ms } = request;
      for (const minutes of SLOTS) {
        const slot = slotOf(at, minutes);
        const key = `${merchant_id} ${mode} ${minutes} ${slot.getTime()} ${method} ${route} ${status} ${code} ${within_ms}`;
        const known = counts.get(key);
        if (known === undefined) counts.set(key, { ...request, minutes, slot, requests: 1 });
        else known.requests += 1;
      }
    },
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
  };
}

export const PERIODS = ['1h', '24h', '7d'] as const;
export type RatePeriod = (typeof PERIODS)[number];

/** How a period is drawn. */
const BARS: Readonly<Record<RatePeriod, { bars: number; barMs: number; minutes: (typeof SLOTS)[number] }>> = {
  '1h': { bars: 12, barMs: 5 * MINUTE_MS, minutes: 5 },
  '24h': { bars: 24, barMs: 60 * MINUTE_MS, minutes: 60 },
  '7d': { bars: 28, barMs: 6 * 60 * MINUTE_MS, minutes: 60 },
};

/** Operations that are listed; there are hardly more that one merchant uses. */
const MAX_OPERATIONS = 50;

/**
 * How often requests went wrong, and how long they took, by operation: of what the log lists. Rows of slots are added
 * up, so the cost is that of the period and not of the requests in it.
 */
export async function readRates(queries: Queries, { merchantId, mode }: Tenant, period: RatePeriod, now: Date) {
  const { bars, barMs, minutes } = BARS[period];
  const first = (Math.floor(now.getTime() / barMs) - bars + 1) * barMs;
  const since = new Date(first);
  const [groups, counted, [gaps]] = await Promise.all([
    queries.query(sumCounts, [merchantId, mode, minutes, since]),
    queries.query(sumCountsByTime, [merchantId, mode, minutes, since, barMs / 1000]),
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
