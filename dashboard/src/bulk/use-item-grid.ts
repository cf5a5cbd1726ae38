import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../api/pages.ts';
import { asksAgain, ITEM_FIELDS, type Item, type ItemField, textOf } from './item-fields.ts';
import { cellId, type GridActions } from './item-row.tsx';
import { nextEditable, type Place, placeAfter } from './use-grid-keys.ts';
import type { ItemEdits } from './use-item-edits.ts';
import type { ItemRemoval } from './use-item-removal.ts';

/** The row number stands before the fields, the state and the removal behind them. */
const FIRST_FIELD = 1;
const LAST_FIELD = ITEM_FIELDS.length;
export const COLUMNS = ITEM_FIELDS.length + 3;

export const fieldAt = ({ column }: Place): ItemField | undefined => ITEM_FIELDS[column - FIRST_FIELD]?.field;

export interface ItemGridProps {
  caption: string;
  pages: Pages<Item>;
  total: number;
  edits: ItemEdits;
  removal: ItemRemoval;
  /** Whether rows may be mended and removed now. */
  editable: boolean;
}

/** The cell that one is in. Going somewhere scrolls there and takes the focus along. */
export function useActiveCell(total: number, isEditing: boolean, scrollTo: (row: number) => void) {
  const [active, setActive] = useState<Place>({ row: 0, column: FIRST_FIELD });
  const wantsFocus = useRef(false);
  useEffect(() => {
    if (active.row >= total && total > 0) setActive((before) => ({ ...before, row: total - 1 }));
  }, [active.row, total]);
  // After each drawing: the cell may have been out of sight when one went there.
  useEffect(() => {
    if (!wantsFocus.current || isEditing) return;
    const cell = document.getElementById(cellId(active));
    cell?.focus({ preventScroll: true });
    if (cell !== null) wantsFocus.current = false;
  });
  const goTo = useCallback(
    (place: Place, focus = true) => {
      wantsFocus.current = focus;
      setActive(place);
      scrollTo(place.row);
    },
    [scrollTo],
  );
  return { active, goTo };
}

export type Editing = { itemId: string; field: ItemField } | undefined;

interface GridState extends ItemGridProps {
  goTo: (place: Place, focus?: boolean) => void;
  setEditing: (editing: Editing) => void;
}

/** What can be done to cells and rows, for the mouse and for the keys inside a cell. */
export function useGridActions({ pages, total, edits, removal, editable, goTo, setEditing }: GridState) {
  const { rowAt } = pages;
  const { leaving, remove, undo: keep } = removal;
  const edit = useCallback(
    (place: Place) => {
      const item = rowAt(place.row);
      const field = fieldAt(place);
      if (!editable || item === undefined || field === undefined || leaving.has(item.id)) return goTo(place);
      goTo(place, false);
      setEditing({ itemId: item.id, field });
    },
    [editable, goTo, leaving, rowAt, setEditing],
  );
  const actions = useMemo<GridActions>(
    () => ({
      choose: (place, mend) => (mend ? edit(place) : goTo(place)),
      save(item, field, text, place, step) {
        setEditing(undefined);
        const before = edits.drafts[item.id]?.[field]?.text ?? textOf(item, field);
        if (text !== before || asksAgain(item, field)) edits.save(item, field, text);
        const next = step === undefined ? undefined : nextEditable(place, step, total, [FIRST_FIELD, LAST_FIELD]);
        if (next === undefined) goTo(place);
        else edit(next);
      },
      leave(item, field, text) {
        setEditing(undefined);
        const before = edits.drafts[item.id]?.[field]?.text ?? textOf(item, field);
        if (text !== before) edits.save(item, field, text);
      },
      undo(item, field, place) {
        edits.undo(item, field);
        setEditing(undefined);
        goTo(place);
      },
      remove,
      keep,
    }),
    [edit, edits, goTo, keep, remove, setEditing, total],
  );
  return { edit, actions };
}

/** The keys of the grid while no cell is open. */
export function pressGrid(
  event: KeyboardEvent,
  grid: { active: Place; total: number; screen: number; goTo: (place: Place) => void; edit: (place: Place) => void },
): void {
  const place = placeAfter(event, grid.active, { rows: grid.total, columns: COLUMNS, screen: grid.screen });
  if (place !== undefined) {
    event.preventDefault();
    grid.goTo(place);
  } else if ((event.key === 'Enter' || event.key === 'F2') && fieldAt(grid.active) !== undefined) {
    event.preventDefault();
    grid.edit(grid.active);
  }
}
