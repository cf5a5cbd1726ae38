export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** As long as a day in Lagos is: it has no summer time. */
export const DAY_MS = 86_400_000;

/** The source of time of the service, which tests can move. The database's own clock decides nothing. */
export interface Clock {
  now(): Date;
  /** Milliseconds since some moment, monotonic: for how long something has been known. */
  elapsedMs(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };

let lastMs = Number.NaN;
let lastText = '';

/**
 * As `toISOString`, which is slow, with the last result kept: a movement writes one time four times, and others of its
 * group the same.
 */
export function isoOf(moment: Date): string {
  const ms = moment.getTime();
  if (ms !== lastMs) {
    lastText = moment.toISOString();
    lastMs = ms;
  }
  return lastText;
}

/** West Africa Time: UTC+1 all year. */
export const LAGOS_OFFSET = '+01:00';
const OFFSET_MS = 60 * 60 * 1000;

/** A time as people in Lagos read it, ISO 8601 with the offset: `2026-11-20T10:30:00.000+01:00`. */
export function lagosTime(moment: Date): string {
  return new Date(moment.getTime() + OFFSET_MS).toISOString().replace('Z', LAGOS_OFFSET);
}

/** The day in Lagos of a time, `2026-11-20`. */
export function lagosDay(moment: Date): string {
  return lagosTime(moment).slice(0, '2026-11-20'.length);
}

/** The beginning of a day in Lagos, `2026-11-20`. */
export function startOfLagosDay(day: string): Date {
  return new Date(`${day}T00:00:00${LAGOS_OFFSET}`);
}

const LAGOS = { timeStyle: 'short', timeZone: 'Africa/Lagos' } as const;
const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', ...LAGOS });
const sentence = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', ...LAGOS });

/** Whether a text is an existing day, such as `2026-11-20`. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const start = startOfLagosDay(text);
  return !Number.isNaN(start.getTime()) && lagosDay(start) === text;
}

/**
 * Whether a time is in the years 1 to 9999 in Lagos: others are written in another form, and the database does not have
 * all of them.
 */
export function isInYears(moment: Date): boolean {
  return /^(?!0000)\d{4}-/.test(lagosTime(moment));
}

/** A time as people in Lagos say it: `20 Nov 2026, 10:30`. */
export function lagosClock(moment: Date): string {
  return clock.format(moment);
}

/** The same within a sentence: `20 November 2026 at 10:30, Lagos time`. */
export function lagosTimeText(moment: Date): string {
  return `${sentence.format(moment)}, Lagos time`;
}
