import { nowDate } from '../api/clock.ts';
import type { Data } from '../api/types.ts';
import { spansAt } from '../wallet/period-filter.tsx';
import { FIELDS_OF, type Filters, noFilters, type ViewList } from './filter-fields.ts';

export type SavedView = Data<'get', '/saved-view'>['views'][number];
type KeptFilter = SavedView['filter'];

/** What is kept of a search. A period that has a name is kept by it: "This month" is another one next month. */
export function keptOf(list: ViewList, search: Filters): KeptFilter {
  const span = spansAt(nowDate()).find(({ period }) => period.from === search.from && period.to === search.to);
  const fields = FIELDS_OF[list].filter((field) => span === undefined || (field !== 'from' && field !== 'to'));
  const kept = fields.flatMap((field) => (search[field] === undefined ? [] : [[field, search[field]]]));
  return { ...Object.fromEntries(kept), ...(span !== undefined && { period: span.value }) };
}

/** The search that a view stands for today. */
export function searchOf(list: ViewList, { period, ...kept }: KeptFilter): Filters {
  const span = spansAt(nowDate()).find(({ value }) => value === period);
  const known = Object.fromEntries(FIELDS_OF[list].map((field) => [field, kept[field as keyof typeof kept]]));
  return { ...noFilters(list), ...known, ...span?.period };
}

/** Whether a list shows just what a view stands for. */
export function isShown(list: ViewList, view: SavedView, search: Filters, columns: readonly string[]): boolean {
  const wanted = searchOf(list, view.filter);
  const isFiltered = FIELDS_OF[list].every((field) => wanted[field] === search[field]);
  return isFiltered && view.columns.join() === columns.join();
}
