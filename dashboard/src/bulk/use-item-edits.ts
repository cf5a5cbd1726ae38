import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError, asSentence, messageOf } from '../api/errors.ts';
import { useMode } from '../api/session.ts';
import { type CellValues, type Item, type ItemField, readCell, textOf } from './item-fields.ts';

/** What was typed into a cell and is not yet what the list shows. */
export interface Draft {
  text: string;
  state: 'SAVING' | 'SAVED' | 'REFUSED';
  /** Why it was not taken. */
  problem?: string;
}

/** By item, then by field. */
export type Drafts = { readonly [itemId: string]: { readonly [field in ItemField]?: Draft } | undefined };

/** What a cell is to hold. */
export interface CellChange {
  item: Item;
  field: ItemField;
  text: string;
  /** What it held when somebody looked; left out, what the list shows. Where it holds something else by now, it is not saved. */
  seen?: string;
}

export interface ItemEdits {
  drafts: Drafts;
  /** Saves cells, as one step. What is refused stays as it was typed, with the reason. */
  save(changes: readonly CellChange[]): void;
  /** Puts back what the cells of the last step held before it, and says how many they are. */
  takeBack(): number;
  /** Forgets what was typed. */
  undo(item: Item, field: ItemField): void;
  /** Forgets a row that is gone. */
  forget(itemId: string): void;
  /** While a cell is being typed into the rows hold still: nothing slides away below the hands. */
  hold(editing: boolean): void;
  /** Resolves once everything that was typed has been answered; to how many cells were not taken. */
  settled(): Promise<number>;
}

/** Cells of one row, which are saved in one request. */
interface RowChange {
  item: Item;
  cells: readonly CellChange[];
  values: CellValues;
  seen: CellValues;
}

/** Saves rows one by one, in the order in which their cells were left. */
export function useItemEdits(onRefused: (error: ApiError) => void): ItemEdits {
  const mode = useMode();
  const { drafts, latest, put, clear } = useDrafts();
  const refresh = useRowsRefresh(clear);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const ahead = useRef(0);
  const steps = useRef<CellChange[][]>([]);
  const refused = useRef(onRefused);
  refused.current = onRefused;

  const send = useCallback(
    async ({ item, cells, values, seen }: RowChange) => {
      try {
        const body = { bulkPayoutItemId: item.id, ...values, seen };
        await call('patch', '/payout/bulk/item', { body }, { mode, key: crypto.randomUUID() });
        put(cells.map((cell) => ({ ...cell, state: 'SAVED' })));
      } catch (error) {
        put(cells.map((cell) => ({ ...cell, state: 'REFUSED', problem: saidOf(error, cell.field) })));
        if (error instanceof ApiError && error.status === 409) refused.current(error);
      } finally {
        ahead.current -= 1;
        // A pasted column is many requests: the rows are read anew after the last of them.
        if (ahead.current === 0) refresh.now();
      }
    },
    [mode, put, refresh],
  );
  const sendAll = useCallback(
    (changes: readonly CellChange[]) => {
      for (const row of byRow(changes)) {
        ahead.current += 1;
        queue.current = queue.current.then(() => send(row));
      }
    },
    [send],
  );

  return useMemo(() => {
    function save(changes: readonly CellChange[], isStep: boolean): void {
      const before = latest.current;
      const read = changes.map((change) => ({ ...change, read: readCell(change.field, change.text) }));
      const good = read
        .filter((change) => 'values' in change.read)
        .map((change) => ({ ...change, seen: change.seen ?? heldBefore(change, before) }));
      // Taken back, it is to hold what it held, and only where it still holds what was saved.
      const back = good.map(({ item, field, text, seen }) => ({ item, field, text: seen, seen: text }));
      if (isStep && back.length > 0) steps.current.push(back);
      put(
        read.map((change) =>
          'problem' in change.read
            ? { ...change, state: 'REFUSED', problem: change.read.problem }
            : { ...change, state: 'SAVING' },
        ),
      );
      sendAll(good);
    }
    return {
      drafts,
      save: (changes) => save(changes, true),
      takeBack() {
        const step = steps.current.pop() ?? [];
        save(step, false);
        return step.length;
      },
      undo: (item, field) => put([{ item, field, text: undefined }]),
      forget(itemId) {
        clear((id) => id === itemId);
        steps.current = steps.current.map((step) => step.filter(({ item }) => item.id !== itemId));
      },
      hold: refresh.hold,
      async settled() {
        await queue.current;
        return refusedCellsOf(latest.current);
      },
    };
  }, [drafts, latest, put, clear, sendAll, refresh]);
}

/** Whether something that was typed is still on its way. */
export const isSaving = (drafts: Drafts): boolean => cellsOf(drafts).some(({ state }) => state === 'SAVING');

/** How many cells show what was typed and not taken. */
export const refusedCellsOf = (drafts: Drafts): number =>
  cellsOf(drafts).filter(({ state }) => state === 'REFUSED').length;

/** A cell with what is now known of what was typed into it; without a text it is forgotten. */
type Outcome = Omit<CellChange, 'text'> & { text: string | undefined; state?: Draft['state']; problem?: string };

/** What was typed, for drawing, and the latest of it for what happens between two drawings. */
function useDrafts() {
  const [drafts, setDrafts] = useState<Drafts>({});
  const latest = useRef(drafts);
  const change = useCallback((next: Drafts) => {
    latest.current = next;
    setDrafts(next);
  }, []);
  const put = useCallback(
    (outcomes: readonly Outcome[]) => {
      const next: Record<string, Drafts[string]> = { ...latest.current };
      for (const { item, field, text, state = 'SAVED', problem } of outcomes) {
        const draft = text === undefined ? undefined : { text, state, ...(problem === undefined ? {} : { problem }) };
        next[item.id] = { ...next[item.id], [field]: draft };
      }
      change(next);
    },
    [change],
  );
  /** Forgets rows; without a word which, what was saved of all of them. */
  const clear = useCallback(
    (isGone?: (itemId: string) => boolean) => {
      const kept: Record<string, Drafts[string]> = {};
      for (const [itemId, cells] of Object.entries(latest.current)) {
        if (isGone?.(itemId) === true) continue;
        const open = Object.entries(cells ?? {}).filter(
          ([, draft]) => draft !== undefined && (isGone !== undefined || draft.state !== 'SAVED'),
        );
        if (open.length > 0) kept[itemId] = Object.fromEntries(open);
      }
      change(kept);
    },
    [change],
  );
  return { drafts, latest, put, clear };
}

/** Reads batch and rows anew, but not while a cell is being typed into. */
function useRowsRefresh(clear: () => void) {
  const mode = useMode();
  const queries = useQueryClient();
  const held = useRef(false);
  const waiting = useRef(false);
  return useMemo(() => {
    async function refreshRows(): Promise<void> {
      waiting.current = held.current;
      if (held.current) return;
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isOfBatches(queryKey, mode) });
      clear();
    }
    return {
      now() {
        void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk/{batchReference}'] });
        void refreshRows();
      },
      hold(editing: boolean) {
        held.current = editing;
        if (!editing && waiting.current) void refreshRows();
      },
    };
  }, [clear, mode, queries]);
}

function isOfBatches(key: readonly unknown[], mode: string): boolean {
  return key[0] === mode && String(key[1]).startsWith('/payout/bulk');
}

const cellsOf = (drafts: Drafts): Draft[] =>
  Object.values(drafts).flatMap((cells) => Object.values(cells ?? {}).filter((draft) => draft !== undefined));

/** What the cell held before it was changed: what was saved last, also where the list does not show it yet. */
function heldBefore({ item, field }: CellChange, drafts: Drafts): string {
  const draft = drafts[item.id]?.[field];
  const saved = draft === undefined || draft.state === 'REFUSED' ? undefined : draft.text;
  return saved ?? textOf(item, field);
}

/** What the list shows is sent as it stands there, and what was typed as it was sent before. */
function seenOf({ item, field, seen }: CellChange): CellValues {
  if (seen === undefined) return {};
  if (seen === textOf(item, field)) return { [field]: field === 'amount' ? item.amount : seen };
  const read = readCell(field, seen);
  return 'values' in read ? read.values : {};
}

function byRow(changes: readonly CellChange[]): RowChange[] {
  const rows = new Map<string, RowChange>();
  for (const cell of changes) {
    const { item, field, text } = cell;
    const read = readCell(field, text);
    if ('problem' in read) continue;
    const row = rows.get(item.id) ?? { item, cells: [], values: {}, seen: {} };
    const values = { ...row.values, ...read.values };
    rows.set(item.id, { item, cells: [...row.cells, cell], values, seen: { ...row.seen, ...seenOf(cell) } });
  }
  return [...rows.values()];
}

/** What is said of this field; where only others of its row are complained about, that. */
function saidOf(error: unknown, field: ItemField): string {
  if (error instanceof ApiError && error.code === 'BATCH_ITEM_CHANGED') return changedMeanwhile(error, field);
  if (!(error instanceof ApiError) || error.errors.length === 0) return messageOf(error);
  const own = error.errors.filter((problem) => problem.field === field);
  const said = own.length > 0 ? own : error.errors;
  return said.map(({ message }) => asSentence(message)).join(' ');
}

function changedMeanwhile({ errors }: ApiError, field: ItemField): string {
  const own = errors.find((problem) => problem.field === field);
  if (own === undefined) return 'Not saved, because somebody else changed another cell of this row. Save it once more.';
  return `Somebody else ${own.message.replace('was changed', 'changed it')}. Save yours once more, or undo it to keep theirs.`;
}
