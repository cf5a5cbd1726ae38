import { DAY_MS, lagosDay } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { listRailDays, listRailDurations, type RailDayRow, type RailDurationRow, STEPS_A_DOUBLING } from './queries.ts';

const DAYS = 7;
const BUSINESS_DAYS = 7;
/** Within so many days there are seven from Monday to Friday, today not among them. */
const DAYS_BACK = 11;

/** What a rail ended in a period. Minor units. */
export interface RailSums {
  succeeded: number;
  succeededMinor: bigint;
  failed: number;
  failedMinor: bigint;
  /** Returned in the period, whenever they were paid. */
  reversed: number;
  reversedMinor: bigint;
}

interface RailPeriod extends RailSums {
  /** From the first send to the end, in milliseconds, within five percent; null where nothing ended. */
  p50Ms: number | null;
  p95Ms: number | null;
}

export interface RailFigures {
  mode: Mode;
  rail: string;
  today: RailPeriod;
  /** Today and the six days before. */
  week: RailPeriod;
  /** Oldest first, seven of them, the last being today. */
  days: (RailSums & { day: string })[];
  /** What succeeded on an average of the last seven days from Monday to Friday, today not among them. Minor units. */
  averageMinor: bigint;
}

/** What each rail ended lately, of rails that ended something in the last eleven days, by mode and name. */
export async function readRailFigures(queries: Queries, now: Date): Promise<RailFigures[]> {
  const dayBefore = (days: number) => lagosDay(new Date(now.getTime() - days * DAY_MS));
  const week = Array.from({ length: DAYS }, (_, at) => dayBefore(DAYS - 1 - at));
  const [rows, durations] = await Promise.all([
    queries.query(listRailDays, [dayBefore(DAYS_BACK)]),
    queries.query(listRailDurations, [week[0], dayBefore(0)]),
  ]);
  const business = Array.from({ length: DAYS_BACK }, (_, at) => dayBefore(at + 1))
    .filter(isBusinessDay)
    .slice(0, BUSINESS_DAYS);
  const keys = [...new Set(rows.map(({ mode, rail }) => `${mode}/${rail}`))].sort();
  return keys.map((key) => {
    const mine = rows.filter(({ mode, rail }) => `${mode}/${rail}` === key);
    const steps = durations.filter(({ mode, rail }) => `${mode}/${rail}` === key);
    const of = (days: readonly string[]) => sumsOf(mine.filter(({ day }) => days.includes(day)));
    const { mode, rail } = mine[0] as RailDayRow;
    return {
      mode,
      rail,
      today: { ...of(week.slice(-1)), ...percentilesOf(steps.filter(({ is_today }) => is_today)) },
      week: { ...of(week), ...percentilesOf(steps) },
      days: week.map((day) => ({ day, ...of([day]) })),
      averageMinor: of(business).succeededMinor / BigInt(BUSINESS_DAYS),
    };
  });
}

/** Monday to Friday. Holidays are not known here. */
function isBusinessDay(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday >= 1 && weekday <= 5;
}

function sumsOf(rows: readonly RailDayRow[]): RailSums {
  const of = (outcome: RailDayRow['outcome']) => {
    const some = rows.filter((row) => row.outcome === outcome);
    return {
      payouts: Number(some.reduce((sum, row) => sum + row.payouts, 0n)),
      minor: some.reduce((sum, row) => sum + row.amount_minor, 0n),
    };
  };
  const [succeeded, failed, reversed] = [of('SUCCESS'), of('FAILED'), of('REVERSED')];
  return {
    succeeded: succeeded.payouts,
    succeededMinor: succeeded.minor,
    failed: failed.payouts,
    failedMinor: failed.minor,
    reversed: reversed.payouts,
    reversedMinor: reversed.minor,
  };
}

/** The middle of the step that a duration falls into. */
const millisecondsOf = (step: number): number => Math.round(2 ** ((step + 0.5) / STEPS_A_DOUBLING));

function percentilesOf(rows: readonly RailDurationRow[]): Pick<RailPeriod, 'p50Ms' | 'p95Ms'> {
  const counts = new Map<number, number>();
  for (const { duration_step, payouts } of rows) {
    counts.set(duration_step, (counts.get(duration_step) ?? 0) + Number(payouts));
  }
  const steps = [...counts].sort(([a], [b]) => a - b);
  const total = steps.reduce((sum, [, payouts]) => sum + payouts, 0);
  const at = (part: number): number | null => {
    let passed = 0;
    for (const [step, payouts] of steps) {
      passed += payouts;
      if (passed >= total * part) return millisecondsOf(step);
    }
    return null;
  };
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
