import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useRead } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { formatCount } from '../format/money.ts';

export type Batch = Data<'get', '/payout/bulk/{batchReference}'>;

export const rows = (count: number): string => `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}`;

/** What an amount sums, where that is not every row of the list. */
export const summedRows = (valid: number, isSent: boolean): string =>
  isSent ? `of the ${rows(valid)} dispatched` : `of the ${rows(valid)} that can be paid`;

/** States in which it can be paid. */
export const isPayable = ({ status }: Pick<Batch, 'status'>): boolean =>
  status === 'VALIDATING' || status === 'NEEDS_FIX' || status === 'READY';

/** States in which rows can still be edited, and the whole cancelled. An approval that it waits for ends with that. */
export const isOpen = (batch: Pick<Batch, 'status'>): boolean =>
  isPayable(batch) || batch.status === 'PENDING_APPROVAL';

/** States in which it has been paid, whole or in part: then the same people can be paid again. */
export const isPaid = ({ status }: Pick<Batch, 'status'>): boolean =>
  status === 'COMPLETED' || status === 'PARTIALLY_COMPLETED';

/** States in which nothing happens by itself any more, unless a person does something. */
const isMoving = ({ status }: Pick<Batch, 'status'>): boolean => status === 'VALIDATING' || status === 'DISPATCHING';

/** About how long something still takes, in words. */
export function timeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  if (seconds < 5) return 'a few seconds left';
  if (seconds < 90) return `about ${seconds} seconds left`;
  return `about ${Math.round(seconds / 60)} minutes left`;
}

const were = (count: number): string => `${rows(count)} ${count === 1 ? 'was' : 'were'}`;

/** What the page says above the rows about where the batch stands, to somebody who may do something about it or not. */
export function sentenceFor(batch: Batch, mayWrite: boolean): string {
  const { counts, payouts } = batch;
  switch (batch.status) {
    case 'VALIDATING':
      return `Each row is checked and each bank is asked for the name on the account.${mayWrite ? ' You can edit rows meanwhile.' : ''}`;
    case 'NEEDS_FIX':
      return `${rows(counts.invalid)} cannot be paid yet.${mayWrite ? ' Edit the red cells below, or pay the others without them.' : ''}`;
    case 'READY':
      return counts.valid === 1 ? '1 row can be paid.' : `All ${rows(counts.valid)} can be paid.`;
    case 'PENDING_APPROVAL':
      return `${mayWrite ? 'Another person' : 'Somebody'} has to approve it before it is paid. Nothing is held until then.${mayWrite ? ' Correcting a row ends the approval; you send it again afterwards.' : ''}`;
    case 'DISPATCHING':
      return payingSentence(payouts);
    case 'COMPLETED':
      return payouts.succeeded === 1 ? '1 row was paid.' : `All ${rows(payouts.succeeded)} were paid.`;
    case 'PARTIALLY_COMPLETED':
      return `${were(payouts.succeeded)} paid; ${were(payouts.failed + payouts.reversed)} not. What was not paid is back in the wallet.`;
    case 'CANCELLED':
      return 'It was cancelled. Nothing was paid.';
    case 'EXPIRED':
      return 'Nobody touched it for 7 days. Upload the file again: names and prices may have changed.';
    default:
      return '';
  }
}

/** While it is being paid: how much is still held, and what keeps it from its end. */
function payingSentence({ open, unknown, succeeded, failed, reversed }: Batch['payouts']): string {
  if (open > 0 && open === unknown) {
    return open === 1
      ? '1 payout has no outcome yet; the bank is asked about it. Its money stays held.'
      : `${formatCount(open)} payouts have no outcome yet; the banks are asked about them. Their money stays held.`;
  }
  if (open === 0) return 'Every payout has its outcome; the list is about to be concluded.';
  const ended = succeeded + failed + reversed;
  const held = ended === 0 ? 'The money of all rows to be paid is held' : `The money of ${rows(open)} is still held`;
  return `${held}, and the banks are paid one after the other.`;
}

/** While something moves, and while somebody else may be correcting or deciding about it. */
const MOVING_MS = 1_000;

const WAITING_MS = 4_000;

/** What is read of a batch besides itself, and follows it. */
const PARTS = ['item', 'problem', 'difference', 'difference/item'].map(
  (part) => `/payout/bulk/{batchReference}/${part}`,
);

/** One batch, read again and again while it moves; its rows follow it. */
export function useBatch(batchReference: string) {
  const mode = useMode();
  const queries = useQueryClient();
  const batch = useRead(
    '/payout/bulk/{batchReference}',
    { path: { batchReference } },
    { refetchInterval: ({ state }) => everyMs(state.data) },
  );
  const refreshParts = useCallback(() => {
    for (const part of PARTS) void queries.invalidateQueries({ queryKey: [mode, part] });
  }, [queries, mode]);
  const { version, progress, duplicates } = batch.data ?? {};
  const revision = version === undefined ? undefined : `${version}/${progress?.done}/${duplicates?.count}`;
  useEffect(() => {
    if (revision !== undefined) refreshParts();
  }, [revision, refreshParts]);
  return batch;
}

function everyMs(batch: Batch | undefined): number | false {
  if (batch === undefined || batch.conclusive) return false;
  if (isMoving(batch)) return MOVING_MS;
  return WAITING_MS;
}
