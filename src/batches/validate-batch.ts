import type { PayoutDeps } from '../payouts/index.ts';
import { success } from '../platform/answer.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import type { ProblemData } from '../platform/problem.ts';
import { BATCH_LEASE_MS, type BatchLease, changeBatch, moveDue, touched, verdictOf } from './batch-change.ts';
import { type CheckContext, type Checked, checkItem, openCheck } from './check-item.ts';
import { checkRepeats, readOthers } from './check-repeats.ts';
import { updateActionsVersion } from './group-queries.ts';
import { type ItemVerdict, listItemsToValidate, updateBatchLook, updateItemsValidated } from './item-queries.ts';
import { itemProblem, problemsText } from './problems.ts';
import { type BatchRecord, findBatch, type ItemRow, waitingItems } from './queries.ts';
import { continueAction } from './resolve-group.ts';

/** Name enquiries of one batch at once. The rail has a limit of its own, and single payouts wait in it too. */
const CONCURRENCY = 32;
/**
 * No further question begins in a piece after this time, so that a piece ends long before its lease, even with the
 * slowest answers that a rail may give.
 */
const PIECE_MS = 5_000;

interface PieceVerdicts {
  /** For all items up to `upTo` except those for which the rail did not answer. */
  verdicts: ItemVerdict[];
  /** Position of the last item of the piece. */
  upTo: number;
  silent: number;
  /** The rail is not asked at all, so further questions are pointless. */
  railDown: boolean;
}

/**
 * Asks about items in the order of their positions, many at a time.
 * @param abandon the problem of an item for which the rail does not answer; undefined leaves the item for a later pass.
 */
async function checkItems(
  deps: PayoutDeps,
  context: CheckContext,
  items: readonly ItemRow[],
  abandon: ProblemData | undefined,
): Promise<PieceVerdicts> {
  const validated_at = deps.clock.now();
  const begunAt = validated_at.getTime();
  const piece: PieceVerdicts = { verdicts: [], upTo: 0, silent: 0, railDown: false };
  let next = 0;
  let down = 0;
  const keep = (item: ItemRow, checked: Checked) => {
    const { merchant_id, mode, id, batch_id, position } = item;
    const verdict = (check: Checked['check']) =>
      piece.verdicts.push({ merchant_id, mode, id, batch_id, position, ...check, validated_at });
    if (!checked.silent) verdict(checked.check);
    else if (abandon !== undefined) verdict({ ...checked.check, item_errors: problemsText([abandon]) });
    else {
      piece.silent += 1;
      if (checked.down) down += 1;
    }
  };
  const work = async () => {
    while (next < items.length && deps.clock.now().getTime() - begunAt < PIECE_MS) {
      const item = items[next] as ItemRow;
      next += 1;
      keep(item, await checkItem(deps, context, item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, work));
  piece.upTo = items[next - 1]?.position ?? 0;
  piece.railDown = down > 0 && down === next;
  return piece;
}

/** Items in one piece: validated, written and counted together. */
const PIECE_ITEMS = 500;
/** How long a worker stays with one batch before other due batches get their turn. */
const SLICE_MS = 5_000;
/** When items for which the rail did not answer are asked about again. */
const RETRY_AFTER_MS = 30_000;
/**
 * A rail that does not answer for longer holds up a clerk who could pay the rest: then the missing answer is a problem
 * of the item.
 */
const ABANDON_MINUTES = 10;
const ABANDON_AFTER_MS = ABANDON_MINUTES * 60_000;
/**
 * Attempts to set the state of a batch while its items are being corrected one after the other, and the pause after
 * them.
 */
const MAX_ATTEMPTS = 5;
const WHILE_CORRECTED_MS = 1_000;

/**
 * Carries out the rest of a group action, validates every item that is not validated yet, and sets the state of the
 * batch: `READY` or `NEEDS_FIX`. A worker that was killed is succeeded by another, which continues where it stopped:
 * each piece is written, counted and noted together. Called with the leased batch; returns early, with the batch
 * released, when its time slice is over.
 * @param keepGoing false when this worker is to stop: another one continues.
 */
export async function validateBatch(deps: PayoutDeps, lease: BatchLease, keepGoing: () => boolean): Promise<void> {
  if (!(await continueAction(deps, lease, keepGoing))) return;
  const context = await openCheck(deps, lease.batch);
  const sliceEndsAt = deps.clock.now().getTime() + SLICE_MS;
  for (;;) {
    const { batch } = lease;
    const key = [batch.merchant_id, batch.mode, batch.id];
    const items = await deps.database.query(listItemsToValidate, [...key, batch.looked_up_to, PIECE_ITEMS]);
    if (items.length === 0) break;
    const abandon = hasBeenSilentTooLong(deps, batch)
      ? itemProblem('NAME_ENQUIRY_TIMED_OUT', { minutes: ABANDON_MINUTES })
      : undefined;
    const piece = await checkItems(deps, context, items, abandon);
    const over = !keepGoing() || deps.clock.now().getTime() >= sliceEndsAt;
    const pauseMs = piece.railDown ? RETRY_AFTER_MS : over ? 0 : BATCH_LEASE_MS;
    const silentSince = abandon === undefined ? sinceWhen(deps, batch, piece) : batch.silent_since;
    if (!(await keepVerdicts(deps, lease, piece, { pauseMs, silentSince }))) return;
    if (pauseMs !== BATCH_LEASE_MS) {
      if (pauseMs === 0) deps.wake();
      return;
    }
  }
  await endPass(deps, lease);
}

function hasBeenSilentTooLong(deps: PayoutDeps, { silent_since }: BatchRecord): boolean {
  return silent_since !== null && deps.clock.now().getTime() - silent_since.getTime() >= ABANDON_AFTER_MS;
}

/** A piece in which every question was answered ends the rail's silence. */
function sinceWhen(deps: PayoutDeps, batch: BatchRecord, piece: PieceVerdicts): Date | null {
  return piece.silent === 0 ? null : (batch.silent_since ?? deps.clock.now());
}

/**
 * Writes what was found together with the progress, if this worker still has the lease of the batch. The batch's row is
 * written first, as everywhere: a correction of an item at the same moment waits, and finds the item validated.
 */
async function keepVerdicts(
  deps: PayoutDeps,
  lease: BatchLease,
  piece: PieceVerdicts,
  { pauseMs, silentSince }: { pauseMs: number; silentSince: Date | null },
): Promise<boolean> {
  const { batch } = lease;
  const after: BatchRecord = {
    ...batch,
    due_at: new Date(deps.clock.now().getTime() + pauseMs),
    // Items that were not asked about because the rail is down are asked about again from here.
    looked_up_to: piece.railDown ? batch.looked_up_to : piece.upTo,
    silent_since: silentSince,
  };
  const kept = await deps.database.transaction(async (tx) => {
    const key = [batch.merchant_id, batch.mode, batch.id];
    const values = [...key, batch.due_at, after.due_at, after.looked_up_to, after.silent_since];
    const moved = await tx.query(updateBatchLook, values);
    if (moved.length === 1) void tx.run(updateItemsValidated, piece.verdicts);
    return moved.length === 1;
  });
  if (kept) lease.batch = after;
  return kept;
}

/** All items were asked about once. Those for which the rail did not answer are asked about again, from the first. */
async function endPass(deps: PayoutDeps, lease: BatchLease): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    // Version and counters are of one moment: a later change takes the version, and then this does not commit.
    const [batch] = await deps.database.query(findBatch, [lease.batch.merchant_id, lease.batch.mode, lease.batch.id]);
    if (batch === undefined || batch.status !== 'VALIDATING' || batch.action_id !== null) return;
    if (waitingItems(batch) > 0) return askAgain(deps, lease);
    await reportRepeats(deps, batch);
    const at = deps.clock.now();
    const verdict = verdictOf({ total: batch.item_count, invalid: batch.invalid_items });
    const event = verdict.to === 'READY' ? 'batch.ready' : 'batch.needs_fix';
    const { movement } = changeBatch(batch, { at, ...verdict, fields: touched(at), event });
    try {
      const { merchant_id, mode, id: batch_id, version: batch_version } = batch;
      // A group action before it can still be undone: nobody has changed an item since.
      const undoable = write(updateActionsVersion, { merchant_id, mode, batch_id, batch_version });
      await deps.ledger.commit({
        ...movement,
        writes: [...movement.writes, undoable],
        answer: success('Success'),
      });
      return;
    } catch (error) {
      // An item was corrected at this moment: the batch has to be counted again.
      if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
    }
  }
  await moveDue(deps, lease.batch, new Date(deps.clock.now().getTime() + WHILE_CORRECTED_MS));
}

/** Notifies those who wait for the end of the check. It may be more when it is read. */
async function reportRepeats(deps: PayoutDeps, batch: BatchRecord): Promise<void> {
  const { others } = await readOthers(deps, batch);
  try {
    await checkRepeats(deps, batch, others);
  } catch (error) {
    // An item was corrected at this moment, so the verdict does not commit either.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
  }
}

async function askAgain(deps: PayoutDeps, lease: BatchLease): Promise<void> {
  const { batch } = lease;
  const now = deps.clock.now();
  const dueAt = new Date(now.getTime() + RETRY_AFTER_MS);
  const key = [batch.merchant_id, batch.mode, batch.id];
  await deps.database.query(updateBatchLook, [...key, batch.due_at, dueAt, 0, batch.silent_since ?? now]);
}
