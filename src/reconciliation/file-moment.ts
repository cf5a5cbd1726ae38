import { LAGOS_OFFSET } from '../platform/clock.ts';

/** A time as a file gives it. A date without a time is the whole day in Lagos; `at` is the beginning of the day. */
export interface FileMoment {
  at: Date;
  wholeDay: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(am|pm)?)?`;
const ZONE = String.raw`\s*(z|utc|gmt|wat|[+-]\d{2}:?\d{2})?(?:\s*\(.*\))?`;
/** 2026-11-20 */
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${CLOCK}${ZONE}$`, 'i');
/** 20/11/2026 or 20/11/26, as this market writes it: the day comes first. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})${CLOCK}${ZONE}$`, 'i');
/** 20 Nov 2026, 20-NOV-26 */
const DAY_NAMED = new RegExp(String.raw`^(\d{1,2})[- ]([a-z]{3})[a-z]*[-, ]+(\d{4}|\d{2})${CLOCK}${ZONE}$`, 'i');
/** Nov 20, 2026 */
const MONTH_NAMED = new RegExp(
  String.raw`^([a-z]{3})[a-z]*[ -](\d{1,2})(?:st|nd|rd|th)?[-, ]+(\d{4})${CLOCK}${ZONE}$`,
  'i',
);

/**
 * Without a zone it is Lagos time. Null for what is no date, also a 31st of February, a 13th month or the year 0026.
 */
export function readMoment(text: string): FileMoment | null {
  const trimmed = text.trim().replace(/^'/, '');
  const yearFirst = YEAR_FIRST.exec(trimmed);
  if (yearFirst !== null) return moment(yearFirst, [1, 2, 3]);
  const dayFirst = DAY_FIRST.exec(trimmed) ?? DAY_NAMED.exec(trimmed);
  if (dayFirst !== null) return moment(dayFirst, [3, 2, 1]);
  const monthNamed = MONTH_NAMED.exec(trimmed);
  return monthNamed === null ? null : moment(monthNamed, [3, 1, 2]);
}

function moment(found: RegExpExecArray, [yearAt, monthAt, dayAt]: [number, number, number]): FileMoment | null {
  const [, , , , hour, minute, second = '0', fraction = '0', half, zone] = found;
  const monthText = (found[monthAt] as string).toLowerCase();
  const month = /^\d/.test(monthText) ? Number(monthText) : MONTHS.indexOf(monthText.slice(0, 3)) + 1;
  const yearText = found[yearAt] as string;
  const year = Number(yearText.length === 2 ? `20${yearText}` : yearText);
  const day = Number(found[dayAt]);
  const hours = hoursOf(Number(hour ?? 0), half?.toLowerCase());
  const milliseconds = Number(`0.${fraction}`) * 1_000;
  const utc = Date.UTC(year, month - 1, day, hours, Number(minute ?? 0), Number(second), Math.floor(milliseconds));
  const read = new Date(utc);
  // JavaScript takes a year below 100 for one of the last century.
  const asWritten =
    read.getUTCFullYear() === year &&
    read.getUTCDate() === day &&
    read.getUTCMonth() === month - 1 &&
    read.getUTCHours() === hours;
  if (!asWritten || Number(minute ?? 0) > 59 || Number(second) > 59) return null;
  return { at: new Date(utc - offsetMs(zone)), wholeDay: hour === undefined };
}

function hoursOf(hours: number, half: string | undefined): number {
  if (half === undefined) return hours;
  return (hours % 12) + (half === 'pm' ? 12 : 0);
}

function offsetMs(zone: string | undefined): number {
  const named = zone?.toLowerCase();
  if (named === 'z' || named === 'utc' || named === 'gmt') return 0;
  const text = named === undefined || named === 'wat' ? LAGOS_OFFSET : named;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
}
