import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useRead } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import { type Batch, isMoving } from './batch-words.ts';

/** While something moves, and while somebody else may be correcting or deciding about it. */
const MOVING_MS = 1_000;
const WAITING_MS = 4_000;
const ITEMS = '/payout/bulk/{batchReference}/item';

/** One batch, read again and again while it moves; its rows follow it. */
export function useBatch(batchReference: string) {
  const mode = useMode();
  const queries = useQueryClient();
  const batch = useRead(
    '/payout/bulk/{batchReference}',
    { path: { batchReference } },
    { refetchInterval: ({ state }) => everyMs(state.data) },
  );
  const refreshItems = useCallback(() => void queries.invalidateQueries({ queryKey: [mode, ITEMS] }), [queries, mode]);
  const { version, progress, duplicates } = batch.data ?? {};
  const mark = version === undefined ? undefined : `${version}/${progress?.done}/${duplicates?.count}`;
  useEffect(() => {
    if (mark !== undefined) refreshItems();
  }, [mark, refreshItems]);
  return batch;
}

function everyMs(batch: Batch | undefined): number | false {
  if (batch === undefined || batch.conclusive) return false;
  if (isMoving(batch)) return MOVING_MS;
  return WAITING_MS;
}
