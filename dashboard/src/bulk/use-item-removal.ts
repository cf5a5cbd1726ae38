import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { ApiError, messageOf } from '../api/errors.ts';
import { useMode } from '../api/session.ts';
import { toast } from '../components/toast.tsx';
import type { Item } from './item-fields.ts';

/** How long a removed row can be taken back: the service cannot bring one back. */
const UNDO_MS = 6_000;

export interface ItemRemoval {
  /** Ids of rows that are about to go. */
  leaving: ReadonlySet<string>;
  remove(item: Item): void;
  undo(itemId: string): void;
  /** Removes at once what is about to go: before a dispatch, and when the page is left. */
  finish(): Promise<void>;
}

/** Removes rows a moment later than asked, so that a slip of the hand can be undone. */
export function useItemRemoval(onGone: (itemId: string) => void): ItemRemoval {
  const mode = useMode();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());

  const gone = useRef(onGone);
  gone.current = onGone;

  const forget = useCallback((itemId: string) => {
    clearTimeout(timers.current.get(itemId));
    timers.current.delete(itemId);
    setLeaving((before) => new Set([...before].filter((id) => id !== itemId)));
  }, []);
  const send = useCallback(
    async (itemId: string) => {
      clearTimeout(timers.current.get(itemId));
      timers.current.delete(itemId);
      try {
        await call('delete', '/payout/bulk/item/{id}', { path: { id: itemId } }, { mode, key: crypto.randomUUID() });
        gone.current(itemId);
      } catch (error) {
        const gone = error instanceof ApiError && error.code === 'BATCH_ITEM_NOT_FOUND';
        if (!gone) toast({ tone: 'bad', text: complaintOf(error) });
      }
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === mode });
      forget(itemId);
    },
    [forget, mode, queries],
  );
  const finish = useCallback(async () => {
    for (const itemId of timers.current.keys()) await send(itemId);
  }, [send]);
  useEffect(() => () => void finish(), [finish]);

  return useMemo(
    () => ({
      leaving,
      remove(item) {
        setLeaving((before) => new Set(before).add(item.id));
        timers.current.set(
          item.id,
          setTimeout(() => void send(item.id), UNDO_MS),
        );
        toast({
          tone: 'info',
          text: `Row ${item.position} is being removed.`,
          action: { label: 'Undo', onClick: () => forget(item.id) },
        });
      },
      undo: forget,
      finish,
    }),
    [finish, forget, leaving, send],
  );
}

function complaintOf(error: unknown): string {
  return error instanceof ApiError && error.status === 0
    ? 'The connection was lost: the row may have been removed, or not. Once the list is read again it shows which.'
    : `The row was not removed. ${messageOf(error)}`;
}
