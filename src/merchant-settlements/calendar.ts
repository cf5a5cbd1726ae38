import { DAY_MS, LAGOS_OFFSET, lagosDay, startOfLagosDay } from '../platform/clock.ts';

/** Days, `2026-12-25`, on which banks are closed besides weekends. */
export type Holidays = ReadonlySet<string>;

/** Longer than banks were ever closed for: a table with more days than that in a row is wrong. */
const MAX_DAYS = 60;

/** Whether banks in Nigeria work on this day. */
export function isWorkingDay(day: string, holidays: Holidays): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(day);
}

/** A working day, and the time of the run on it in Lagos. */
export interface Run {
  day: string;
  at: Date;
}

/**
 * The first working day whose time of day is later than the given time. What was booked before that day is settled
 * then: the payments of a day on the next working day.
 * @param timeOfDay `08:00`, in Lagos
 */
export function nextRun(after: Date, timeOfDay: string, holidays: Holidays): Run {
  let start = startOfLagosDay(lagosDay(after));
  for (let days = 0; days <= MAX_DAYS; days += 1) {
    const day = lagosDay(start);
    const at = new Date(`${day}T${timeOfDay}:00${LAGOS_OFFSET}`);
    if (at > after && isWorkingDay(day, holidays)) return { day, at };
    start = new Date(start.getTime() + DAY_MS);
  }
  throw new Error(`no working day within ${MAX_DAYS} days of ${after.toISOString()}`);
}

/** The last run that is not later than the given time; undefined where there is none after `since`. */
export function lastRun(now: Date, since: Date, timeOfDay: string, holidays: Holidays): Run | undefined {
  let found: Run | undefined;
  for (let run = nextRun(since, timeOfDay, holidays); run.at <= now; run = nextRun(run.at, timeOfDay, holidays)) {
    found = run;
  }
  return found;
}
