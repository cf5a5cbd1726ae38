import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Pages } from '../api/pages.ts';
import { asksAgain, ITEM_FIELDS, type Item, type ItemField, textOf } from './item-fields.ts';
import { cellId, type GridActions } from './item-row.tsx';
import { nextRed } from './next-red.ts';
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
  /** Whether rows may be corrected and removed now. */
  editable: boolean;
  /** How many rows of the whole list cannot be paid. */
  invalid: number;
  /** Whether every row here is one to correct. */
  onlyInvalid: boolean;
  /** Whether the first red cell takes the focus at once: somebody was on the way to it. */
  beginsAtRed: boolean;
  /** Shows the rows to correct alone, where the next of them is too far away to have been read. */
  onShowInvalid: () => void;
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
  /** The focus may come to a cell by other ways than keys and clicks: a screen reader has its own. */
  const follow = useCallback((event: FocusEvent) => {
    const [, row, column] = /^item-(\d+)-(\d+)$/.exec(event.target.id)?.map(Number) ?? [];
    if (row === undefined || column === undefined) return;
    setActive((before) => (before.row === row && before.column === column ? before : { row, column }));
  }, []);
  return { active, goTo, follow };
}

/** The open cell. */
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
      choose: (place, correct) => (correct ? edit(place) : goTo(place)),
      save(item, field, text, place, step) {
        setEditing(undefined);
        const draft = edits.drafts[item.id]?.[field];
        // What was not taken is sent once more: the service may be reachable again.
        const isAgain = draft?.state === 'REFUSED' || asksAgain(item, field);
        if (isAgain || text !== (draft?.text ?? textOf(item, field))) edits.save([{ item, field, text }]);
        const next = step === undefined ? undefined : nextEditable(place, step, total, [FIRST_FIELD, LAST_FIELD]);
        if (next === undefined) goTo(place);
        // It is not opened: what is typed next would write over a cell that nobody chose.
        else goTo(next);
      },
      leave(item, field, text) {
        setEditing(undefined);
        const before = edits.drafts[item.id]?.[field]?.text ?? textOf(item, field);
        if (text !== before) edits.save([{ item, field, text }]);
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

/** Of what stands below the grid: why the cell is red, and the way to the next one. */
export const NOTE_ID = 'row-note';

/** Goes to the next cell that is red, with what is said of it in sight, and brings the rows to correct into sight where it is too far away. */
export function useNextRed(grid: ItemGridProps, active: Place, goTo: (place: Place) => void) {
  const { pages, total, edits, onlyInvalid, beginsAtRed, onShowInvalid } = grid;
  const goToNext = (from: Place) => {
    const next = nextRed({ from, total, rowAt: pages.rowAt, drafts: edits.drafts });
    if (next === undefined) return;
    if ('place' in next) {
      goTo(next.place);
      document.getElementById(NOTE_ID)?.scrollIntoView({ block: 'nearest' });
    } else if (onlyInvalid) goTo({ row: next.unreadRow, column: FIRST_FIELD });
    else onShowInvalid();
  };
  const atStart = useRef(beginsAtRed ? goToNext : undefined);
  useEffect(() => {
    atStart.current?.({ row: 0, column: 0 });
    atStart.current = undefined;
  }, []);
  return () => goToNext(active);
}

export interface GridKeys {
  active: Place;
  total: number;
  screen: number;
  editable: boolean;
  goTo: (place: Place) => void;
  edit: (place: Place) => void;
  nextRed: () => void;
  takeBack: () => void;
  /** Says how a cell is opened, to somebody who types into one that is not. */
  sayHow: () => void;
}

/** The keys of the grid while no cell is open. */
export function pressGrid(event: KeyboardEvent, grid: GridKeys): void {
  const place = placeAfter(event, grid.active, { rows: grid.total, columns: COLUMNS, screen: grid.screen });
  const act = place === undefined ? actOf(event, grid) : () => grid.goTo(place);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

/**
 * What a key does that does not move. Only Enter and F2 open a cell: what is typed or deleted before that changes nothing,
 * because money follows from every cell. `/` is the search's.
 */
function actOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, grid: GridKeys): (() => void) | undefined {
  const { active, editable, edit } = grid;
  if (!editable) return undefined;
  if (key === 'F8') return grid.nextRed;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'z') return grid.takeBack;
  if (ctrlKey || metaKey || altKey || fieldAt(active) === undefined) return undefined;
  if (key === 'Enter' || key === 'F2') return () => edit(active);
  const writes = key === 'Delete' || key === 'Backspace' || /^[^\s/]$/u.test(key);
  return writes ? grid.sayHow : undefined;
}
