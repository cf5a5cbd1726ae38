export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** People here live in Lagos time; programs and the interface speak UTC. */
const ZONE = 'Africa/Lagos';
/** Lagos has kept one offset since 1919. */
const OFFSET = '+01:00';

const inLagos = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, ...options });
const DAY = inLagos({ day: 'numeric', month: 'short', year: 'numeric' });
const TIME = inLagos({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const SECONDS = inLagos({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const ISO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE });

type Instant = string | Date;
const at = (instant: Instant) => (typeof instant === 'string' ? new Date(instant) : instant);

/** `21 Nov 2026, 14:05` in Lagos. */
export function formatMoment(instant: Instant): string {
  return `${DAY.format(at(instant))}, ${TIME.format(at(instant))}`;
}

/** With seconds, for evidence. */
export function formatExactMoment(instant: Instant): string {
  return `${DAY.format(at(instant))}, ${SECONDS.format(at(instant))}`;
}

export function formatDay(instant: Instant): string {
  return DAY.format(at(instant));
}

export function formatTime(instant: Instant): string {
  return TIME.format(at(instant));
}

/** `2026-11-21 13:05:09 UTC`: what the interface says. */
export function formatUtc(instant: Instant): string {
  return `${at(instant).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The day in Lagos as a date field has it: `2026-11-21`. */
export function lagosDay(instant: Instant): string {
  return ISO_DAY.format(at(instant));
}

/** The first instant of a day in Lagos, as the interface takes it. */
export function startOfLagosDay(day: string): string {
  return `${day}T00:00:00${OFFSET}`;
}

/** What a `datetime-local` field holds, read as Lagos time: `2026-11-21T14:05:00+01:00`. */
export function lagosInstant(local: string): string {
  return `${local.length === 16 ? `${local}:00` : local}${OFFSET}`;
}

/** An instant as a `datetime-local` field holds it, in Lagos time. */
export function lagosLocal(instant: Instant): string {
  return `${lagosDay(instant)}T${formatTime(instant)}`;
}

const STEPS: readonly [limitSeconds: number, perUnit: number, unit: string][] = [
  [90, 1, 'second'],
  [90 * 60, 60, 'minute'],
  [36 * 3600, 3600, 'hour'],
  [Number.POSITIVE_INFINITY, 86_400, 'day'],
];

/** `in 5 minutes`, `3 days ago`, `just now`. */
export function formatDistance(instant: Instant, now: Date): string {
  const seconds = Math.round((at(instant).getTime() - now.getTime()) / 1000);
  const size = Math.abs(seconds);
  if (size < 10) return 'just now';
  const [, perUnit, unit] = STEPS.find(([limit]) => size < limit) ?? [0, 86_400, 'day'];
  const count = Math.round(size / perUnit);
  const span = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds < 0 ? `${span} ago` : `in ${span}`;
}
