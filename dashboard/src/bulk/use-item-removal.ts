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
  /**
   * Removes at once what is about to go, and waits for what is on its way: before a dispatch, and when the page is left.
   * False where a row that was to go may still be there.
   */
  finish(): Promise<boolean>;
}

/** Removes rows a moment later than asked, so that a slip of the hand can be undone. */
export function useItemRemoval(onGone: (itemId: string) => void): ItemRemoval {
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const requests = useRequests(onGone);

  const forget = useCallback((itemId: string) => {
    clearTimeout(timers.current.get(itemId));
    timers.current.delete(itemId);
    setLeaving((before) => new Set([...before].filter((id) => id !== itemId)));
  }, []);
  const send = useCallback(
    async (itemId: string) => {
      clearTimeout(timers.current.get(itemId));
      timers.current.delete(itemId);
      const isGone = await requests.send(itemId);
      forget(itemId);
      return isGone;
    },
    [forget, requests],
  );
  const finish = useCallback(async () => {
    const sent = [...timers.current.keys()].map(send);
    const answers = await Promise.all([...requests.underWay(), ...sent]);
    return !answers.includes(false);
  }, [requests, send]);
  useEffect(() => () => void finish(), [finish]);

  return useMemo(() => {
    function undo(itemId: string): void {
      if (requests.isUnderWay(itemId)) toast({ tone: 'info', text: 'It is too late: the row is being removed.' });
      else forget(itemId);
    }
    return {
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
          action: { label: 'Undo', onClick: () => undo(item.id) },
        });
      },
      undo,
      finish,
    };
  }, [finish, forget, leaving, requests, send]);
}

/** The requests that remove rows, each with whether its row is gone. One that has no answer yet is waited for by who pays. */
function useRequests(onGone: (itemId: string) => void) {
  const mode = useMode();
  const queries = useQueryClient();
  const underWay = useRef(new Map<string, Promise<boolean>>());
  const gone = useRef(onGone);
  gone.current = onGone;

  return useMemo(() => {
    async function remove(itemId: string): Promise<boolean> {
      let isGone = true;
      try {
        await call('delete', '/payout/bulk/item/{id}', { path: { id: itemId } }, { mode, key: crypto.randomUUID() });
        gone.current(itemId);
      } catch (error) {
        isGone = error instanceof ApiError && error.code === 'BATCH_ITEM_NOT_FOUND';
        if (!isGone) toast({ tone: 'bad', text: complaintOf(error) });
      }
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === mode });
      underWay.current.delete(itemId);
      return isGone;
    }
    return {
      isUnderWay: (itemId: string) => underWay.current.has(itemId),
      underWay: () => underWay.current.values(),
      send(itemId: string) {
        const answer = underWay.current.get(itemId) ?? remove(itemId);
        underWay.current.set(itemId, answer);
        return answer;
      },
    };
  }, [mode, queries]);
}

function complaintOf(error: unknown): string {
  return error instanceof ApiError && error.status === 0
    ? 'The connection was lost: the row may have been removed, or not. Once the list is read again it shows which.'
    : `The row was not removed. ${messageOf(error)}`;
}
