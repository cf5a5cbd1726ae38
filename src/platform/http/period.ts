import { Type } from 'typebox';
import { DAY_MS, isInYears, LAGOS_OFFSET, lagosDay, lagosTime } from '../clock.ts';
import { invalidField } from '../errors.ts';

/** The time from `from` on and before `to`. */
export interface Period {
  from: Date;
  to: Date;
}

const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
/** A `+` that was not escaped in the address arrives as a space. */
const TIME = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d{2}:\d{2})`;
const END = `^${DAY}(?:${TIME})?$`;
const IS_NO_END = 'must be a day (2026-11-20) or a date and time with offset (2026-11-20T09:30:00+01:00)';

const end = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      description,
      examples: [example],
      maxLength: 40,
      pattern: END,
      'x-hint': IS_NO_END,
    }),
  );

/** A day in Lagos in a query string, for `dayInLagos`. */
export const Day = (description: string, example: string) =>
  Type.String({
    description,
    examples: [example],
    pattern: `^${DAY}$`,
    'x-hint': 'must be a day (2026-11-20)',
  });

/** A period in a query string, for `parsePeriod`. */
export const PeriodQuery = {
  from: end('A day in Lagos or a date and time with offset.', '2026-11-01'),
  to: end('As from; a day is included whole, a time is not included.', '2026-11-30'),
};

/**
 * Each end is a day in Lagos, `2026-11-20`, or a time with an offset; a day given as `to` is included whole. An end
 * that is left out stays undefined.
 * @throws AppError `VALIDATION_FAILED` for anything else, and for an empty period.
 */
export function parsePeriod(query: { from?: string; to?: string }): Partial<Period> {
  const from = query.from === undefined ? undefined : parseEnd('from', query.from, 0);
  const to = query.to === undefined ? undefined : parseEnd('to', query.to, DAY_MS);
  if (from !== undefined && to !== undefined && to <= from) throw invalidField('to', 'must be after from');
  return { ...(from && { from }), ...(to && { to }) };
}

/** @throws AppError `VALIDATION_FAILED` for a day that no calendar has, such as 31 February. */
export function dayInLagos(field: string, text: string): string {
  return lagosDay(parseEnd(field, text, 0));
}

function parseEnd(field: string, text: string, dayLengthMs: number): Date {
  const isDay = !text.includes('T');
  const moment = new Date(isDay ? `${text}T00:00:00${LAGOS_OFFSET}` : text.replace(' ', '+'));
  // The pattern also accepts 31 February, an offset of 99 hours, and years other than 1 to 9999.
  const isThere = new RegExp(END).test(text) && !Number.isNaN(moment.getTime()) && isInYears(moment);
  if (!isThere || (isDay && !lagosTime(moment).startsWith(text))) throw invalidField(field, IS_NO_END);
  return new Date(moment.getTime() + (isDay ? dayLengthMs : 0));
}
