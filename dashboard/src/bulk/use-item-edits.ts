import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { useMode } from '../api/mode.ts';
import { type Item, type ItemField, readCell } from './item-fields.ts';

/** What was typed into a cell and is not yet what the list shows. */
export interface Draft {
  text: string;
  state: 'SAVING' | 'SAVED' | 'REFUSED';
  /** Why it was not taken. */
  problem?: string;
}

/** By item, then by field. */
export type Drafts = { readonly [itemId: string]: { readonly [field in ItemField]?: Draft } | undefined };

export interface ItemEdits {
  drafts: Drafts;
  /** Saves one cell. What is refused stays as it was typed, with the reason. */
  save(item: Item, field: ItemField, text: string): void;
  /** Forgets what was typed. */
  undo(item: Item, field: ItemField): void;
  /** While a cell is being typed into the rows hold still: nothing slides away below the hands. */
  hold(editing: boolean): void;
  /** Resolves once everything that was typed has been answered. */
  settled(): Promise<void>;
}

/** Saves cells one by one, in the order in which they were left. */
export function useItemEdits(onRefused: (error: ApiError) => void): ItemEdits {
  const mode = useMode();
  const queries = useQueryClient();
  const [drafts, setDrafts] = useState<Drafts>({});
  const queue = useRef<Promise<void>>(Promise.resolve());
  const held = useRef(false);
  const waiting = useRef(false);
  const refused = useRef(onRefused);
  refused.current = onRefused;

  const set = useCallback((itemId: string, field: ItemField, draft: Draft | undefined) => {
    setDrafts((before) => ({ ...before, [itemId]: { ...before[itemId], [field]: draft } }));
  }, []);
  const refresh = useCallback(async () => {
    if (held.current) {
      waiting.current = true;
      return;
    }
    waiting.current = false;
    await queries.invalidateQueries({ predicate: ({ queryKey }) => isOfBatches(queryKey, mode) });
    setDrafts(withoutSaved);
  }, [queries, mode]);

  const send = useCallback(
    async (item: Item, field: ItemField, text: string, value: string | number) => {
      try {
        const body = { bulkPayoutItemId: item.id, [field]: value };
        await call('patch', '/payout/bulk/item', { body }, { mode, key: crypto.randomUUID() });
        set(item.id, field, { text, state: 'SAVED' });
        void queries.invalidateQueries({ queryKey: [mode, '/payout/bulk/{batchReference}'] });
        void refresh();
      } catch (error) {
        set(item.id, field, { text, state: 'REFUSED', problem: complaintOf(error) });
        if (error instanceof ApiError && error.status === 409) refused.current(error);
      }
    },
    [mode, queries, refresh, set],
  );

  return useMemo(
    () => ({
      drafts,
      save(item, field, text) {
        const read = readCell(field, text);
        if ('problem' in read) return set(item.id, field, { text, state: 'REFUSED', problem: read.problem });
        set(item.id, field, { text, state: 'SAVING' });
        queue.current = queue.current.then(() => send(item, field, text, read.value));
      },
      undo: (item, field) => set(item.id, field, undefined),
      hold(editing) {
        held.current = editing;
        if (!editing && waiting.current) void refresh();
      },
      settled: () => queue.current,
    }),
    [drafts, refresh, send, set],
  );
}

function isOfBatches(key: readonly unknown[], mode: string): boolean {
  return key[0] === mode && String(key[1]).startsWith('/payout/bulk');
}

/** What was saved stands in the list now. */
function withoutSaved(drafts: Drafts): Drafts {
  const kept: Record<string, Drafts[string]> = {};
  for (const [itemId, cells] of Object.entries(drafts)) {
    const open = Object.entries(cells ?? {}).filter(([, draft]) => draft !== undefined && draft.state !== 'SAVED');
    if (open.length > 0) kept[itemId] = Object.fromEntries(open);
  }
  return kept;
}

function complaintOf(error: unknown): string {
  if (error instanceof ApiError && error.errors.length > 0) {
    return error.errors.map(({ message }) => `${message.charAt(0).toUpperCase()}${message.slice(1)}`).join(' ');
  }
  return messageOf(error);
}
