import { readSystemTotals } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { LAGOS_OFFSET } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { firstIdOf, newId } from '../platform/ids.ts';
import { removeInPieces } from '../platform/jobs/pieces.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ReconciliationDeps } from './deps.ts';
import { deleteOldFloatChecks } from './desk-queries.ts';
import { merchantNeeded, railUnknown } from './errors.ts';
import { type FloatCheckRow, findLastFloatCheck, insertFloatChecks } from './queries.ts';

/** A time as a file gives it. A bare date stands for its whole day in Lagos; `at` is the day's first moment. */
export interface FileMoment {
  at: Date;
  wholeDay: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(am|pm)?)?`;
const ZONE = String.raw`\s*(z|utc|gmt|wat|[+-]\d{2}:?\d{2})?(?:\s*\(.*\))?`;
/** 2026-11-20 */
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${CLOCK}${ZONE}$`, 'i');
/** 20/11/2026, as this market writes it: the day comes first. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})${CLOCK}${ZONE}$`, 'i');
/** 20 Nov 2026, 20-NOV-2026 */
const DAY_NAMED = new RegExp(String.raw`^(\d{1,2})[- ]([a-z]{3})[a-z]*[-, ]+(\d{4})${CLOCK}${ZONE}$`, 'i');
/** Nov 20, 2026 */
const MONTH_NAMED = new RegExp(
  String.raw`^([a-z]{3})[a-z]*[ -](\d{1,2})(?:st|nd|rd|th)?[-, ]+(\d{4})${CLOCK}${ZONE}$`,
  'i',
);

/** Without a zone it is Lagos time. Null for what is no date, also a 31st of February, a 13th month or the year 0026. */
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
  const year = Number(found[yearAt]);
  const day = Number(found[dayAt]);
  const hours = hoursOf(Number(hour ?? 0), half?.toLowerCase());
  const milliseconds = Number(`0.${fraction}`) * 1_000;
  const utc = Date.UTC(year, month - 1, day, hours, Number(minute ?? 0), Number(second), Math.floor(milliseconds));
  const read = new Date(utc);
  // Of a year below 100 JavaScript makes one of the last century.
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

/** Whose balance a rail is asked for that keeps one for all. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

interface FloatCheck {
  check: FloatCheckRow;
  /** The comparison of the same rails before this one. */
  before: FloatCheckRow | undefined;
}

/**
 * Compares what the rails say they hold for us with what our books say: what was put there, less what was paid. Our
 * books keep one float for a mode, so where several rails pay in it, all of them are named together.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `SETTLEMENT_MERCHANT_NEEDED`; 503 when a rail does not say.
 */
export async function reconcileFloat(
  deps: ReconciliationDeps,
  input: { rails: readonly string[]; mode: Mode; merchantId: string | null; checkedBy: string },
): Promise<FloatCheck> {
  const { mode, merchantId, checkedBy } = input;
  const names = [...new Set(input.rails)].sort();
  let railMinor = 0n;
  for (const name of names) {
    const rail = await deps.rails.findRail(mode, name);
    if (rail === undefined) throw railUnknown(name);
    if (rail.isolatesTenants === true && merchantId === null) throw merchantNeeded(name);
    railMinor += (await rail.balance({ merchantId: merchantId ?? NOBODY, mode })).availableMinor;
  }
  const totals = await readSystemTotals(deps.database, { mode, currency: DEFAULT_CURRENCY, merchantId });
  const [before] = await deps.database.query(findLastFloatCheck, [mode, names.join(', '), merchantId]);
  const check: FloatCheckRow = {
    id: newId(),
    rails: names.join(', '),
    mode,
    merchant_id: merchantId,
    currency: DEFAULT_CURRENCY,
    rail_minor: railMinor,
    float_minor: totals.floatMinor,
    unsettled_minor: totals.clearingMinor,
    held_minor: totals.heldMinor,
    receivable_minor: totals.receivableMinor,
    difference_minor: railMinor - (totals.floatMinor - totals.clearingMinor),
    checked_by: checkedBy,
    checked_at: deps.clock.now(),
  };
  await deps.database.run(insertFloatChecks, [write(insertFloatChecks, check).row]);
  return { check, before };
}

/** Removes comparisons from before a moment, but for the last one of the same rails. @returns how many. */
export function forgetFloatChecks({ database }: { database: Database }, before: Date): Promise<number> {
  const first = firstIdOf(before);
  return removeInPieces(async (atMost) => {
    const [deleted] = await database.query(deleteOldFloatChecks, [first, atMost]);
    return deleted?.gone ?? 0;
  });
}
