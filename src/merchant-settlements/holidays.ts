import { type Clock, lagosDay } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Holidays } from './calendar.ts';
import { holidayNotFound, holidayTaken } from './errors.ts';
import { type HolidayRow, insertHoliday, listHolidays, updateHolidayRemoved } from './schedule-queries.ts';

/** Bank holidays from the week before a given time on. Expected ones count until they are moved. */
export async function readHolidays({ database }: { database: Queries }, at: Date): Promise<Holidays> {
  const since = new Date(at.getTime() - 30 * 24 * 60 * 60 * 1000);
  const rows = await database.query(listHolidays, [lagosDay(since), false]);
  return new Set(rows.map(({ day }) => day));
}

/** The holidays of a year and later, with removed ones: for the operator. */
export const listHolidaysSince = (queries: Queries, day: string): Promise<HolidayRow[]> =>
  queries.query(listHolidays, [day, true]);

/** A day of the calendar: `2026-02-30` is none. */
function requireDay(day: string): void {
  const moment = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== day) {
    throw invalidField('day', 'must be a day such as 2026-12-25');
  }
}

/**
 * Adds a day on which banks are closed.
 * @param given.setBy the person who adds it
 * @throws AppError 400 `VALIDATION_FAILED`; 409 `BANK_HOLIDAY_TAKEN`
 */
export async function addHoliday(
  { database, clock }: { database: Database; clock: Clock },
  given: Pick<HolidayRow, 'day' | 'name' | 'certainty' | 'source'> & { setBy: string },
): Promise<HolidayRow> {
  requireDay(given.day);
  const { day, name, certainty, source, setBy } = given;
  const values = [newId(), day, name, certainty, source, setBy, clock.now()];
  const [row] = await database.query(insertHoliday, values);
  if (row === undefined) throw holidayTaken();
  return row;
}

/**
 * Removes a holiday: from now on it does not count; it stays on record.
 * @throws AppError 404 `BANK_HOLIDAY_NOT_FOUND`
 */
export async function removeHoliday(
  { database, clock }: { database: Database; clock: Clock },
  { id, removedBy }: { id: string; removedBy: string },
): Promise<HolidayRow> {
  const [row] = await database.query(updateHolidayRemoved, [id, removedBy, clock.now()]);
  if (row === undefined) throw holidayNotFound();
  return row;
}
