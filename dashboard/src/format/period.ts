import { lagosDay } from './time.ts';

/** The ends of a period, each a day in Lagos that is included or a moment; what is left out is open. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

const DAY_OR_MOMENT = /^\d{4}-\d\d-\d\d(T.+)?$/;

/** Whether the interface takes it as an end of a period: no calendar has 31 February. */
export function isEnd(text: string): boolean {
  const [day, moment] = [text.slice(0, 10), Date.parse(text)];
  return DAY_OR_MOMENT.test(text) && !Number.isNaN(moment) && new Date(Date.parse(day)).toISOString().startsWith(day);
}

/** A moment, as of a chart, stands in a field of days as its day. */
export const dayOf = (end: string | undefined): string | undefined =>
  end?.includes('T') === true ? lagosDay(end) : end;

/** Whether no moment is in a period: what only can be refused is not asked for. */
export function endsBeforeItBegins({ from, to }: Period): boolean {
  const [first, last] = [dayOf(from), dayOf(to)];
  return first !== undefined && last !== undefined && last < first;
}
