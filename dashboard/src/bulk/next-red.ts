import { ITEM_FIELDS, type Item, problemsOf } from './item-fields.ts';
import type { Place } from './use-grid-keys.ts';
import type { Drafts } from './use-item-edits.ts';

/** The row number stands before the fields, the state behind them. */
const FIRST_FIELD = 1;
const STATE = ITEM_FIELDS.length + 1;

export interface RedSearch {
  from: Place;
  total: number;
  /** Undefined where a row is not read yet. */
  rowAt: (row: number) => Item | undefined;
  drafts: Drafts;
}

/** Where to go: to a red cell, or to a row that has to be read first. */
export type Red = { place: Place } | { unreadRow: number };

/** The next cell that somebody has to correct, row after row, and from the top again; undefined where there is none. */
export function nextRed(search: RedSearch): Red | undefined {
  const { from, total, rowAt, drafts } = search;
  for (let row = from.row; row < total; row += 1) {
    const item = rowAt(row);
    if (item === undefined) return { unreadRow: row };
    const after = row === from.row ? from.column : 0;
    const column = redColumns(item, drafts).find((at) => at > after);
    if (column !== undefined) return { place: { row, column } };
  }
  return from.row === 0 && from.column === 0 ? undefined : nextRed({ ...search, from: { row: 0, column: 0 } });
}

function redColumns(item: Item, drafts: Drafts): number[] {
  const problems = problemsOf(item);
  const typed = drafts[item.id];
  const fields = ITEM_FIELDS.flatMap(({ field }, at) => {
    const draft = typed?.[field];
    const isRed = draft === undefined ? problems[field] !== undefined : draft.state === 'REFUSED';
    return isRed ? [at + FIRST_FIELD] : [];
  });
  return problems.row === undefined ? fields : [...fields, STATE];
}
