import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import type { PayoutDeps } from '../payouts/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { BATCH_LEASE_MS, type BatchLease, moveDue } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import type { BatchDeps } from './deps.ts';
import {
  batchActionRunning,
  batchChanged,
  batchClosed,
  batchStillValidating,
  groupActionRefused,
  groupNotFound,
  nothingToUndo,
} from './errors.ts';
import { commitPiece, type GroupChange } from './group-action.ts';
import { type ActionRow, countProblemGroup, findAction, findLastAction } from './group-queries.ts';
import { actionsFor, type GroupActionKind } from './problems.ts';
import { type BatchRecord, findBatch } from './queries.ts';
import { requireBatch } from './read-batches.ts';

/** Attempts at one undo against the verdict about the same batch, and at one piece of a worker. */
const MAX_ATTEMPTS = 5;

interface OfBatch {
  tenant: Tenant;
  batchReference: string;
  idempotency: IdempotencyKey | undefined;
}

export interface ResolveGroupInput extends OfBatch {
  code: string;
  cause: string | null;
  action: GroupActionKind;
  change: GroupChange;
  /** The version of the batch in which the group was seen: later changes are not overwritten unseen. */
  version: number;
}

/**
 * Does one thing to all items of a batch that have one problem: accepts the warning, sets a field, asks the bank again
 * or removes them. The first 500 are changed in the movement that answers; a worker continues with the others, 500 in a
 * movement, while the batch is `VALIDATING`. Rules and effects are those of editing a single item.
 * @throws AppError `BATCH_NOT_FOUND`, `BATCH_GROUP_NOT_FOUND`; 409 `BATCH_VALIDATING`, `BATCH_ACTION_RUNNING`,
 *   `BATCH_CHANGED` and once it is dispatched, cancelled or expired; 422 `BATCH_GROUP_ACTION_REFUSED`
 */
export async function resolveGroup(deps: BatchDeps, input: ResolveGroupInput): Promise<CommitResult> {
  return inTurnOnce(deps, input, async () => {
    const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
    requireOpen(batch);
    if (batch.status === 'VALIDATING') throw batchStillValidating();
    if (batch.version !== input.version) throw batchChanged();
    const items = await requireGroup(deps, batch, input);
    const { code, cause, change } = input;
    const action = {
      ...newAction(deps, batch),
      kind: input.action,
      code,
      cause,
      change: JSON.stringify(change),
      items,
    };
    const { result } = await commitPiece(deps, batch, action, { begins: true, idempotency: input.idempotency });
    return result;
  });
}

/**
 * Restores the items to what they were before the last group action, if the batch has not been changed otherwise since.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_NOTHING_TO_UNDO`, `BATCH_ACTION_RUNNING`, `BATCH_CHANGED`, and once the
 *   batch is dispatched, cancelled or expired
 */
export async function undoGroupAction(deps: BatchDeps, input: OfBatch): Promise<CommitResult> {
  return inTurnOnce(deps, input, async () => {
    for (let attempts = 1; ; attempts += 1) {
      const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
      requireOpen(batch);
      const last = await lastUndoable(deps.database, batch);
      if (last === undefined) {
        // The verdict about the batch may have given both another version after the batch was read.
        const { version } = await requireBatch(deps.database, input.tenant, input.batchReference);
        if (version === batch.version || attempts >= MAX_ATTEMPTS) throw nothingToUndo();
        continue;
      }
      const action = { ...newAction(deps, batch), kind: 'UNDO' as const, undoes: last.id, items: last.items };
      try {
        return (await commitPiece(deps, batch, action, { begins: true, idempotency: input.idempotency })).result;
      } catch (error) {
        const collided = error instanceof AppError && error.code === 'BATCH_CHANGED' && error.kept !== true;
        if (!collided || attempts >= MAX_ATTEMPTS) throw error;
      }
    }
  });
}

/** The action that an undo would undo; undefined for none. */
export async function lastUndoable(queries: Queries, batch: BatchRecord): Promise<ActionRow | undefined> {
  if (!isOpen(batch.status) || batch.action_id !== null) return undefined;
  const [last] = await queries.query(findLastAction, [batch.merchant_id, batch.mode, batch.id]);
  const isUndoable = last !== undefined && last.kind !== 'UNDO' && last.batch_version === batch.version;
  return isUndoable ? last : undefined;
}

/**
 * Carries out the rest of a group action, under the lease of a worker.
 * @returns false when this worker no longer has the batch, or is to stop.
 */
export async function continueAction(deps: PayoutDeps, lease: BatchLease, keepGoing: () => boolean): Promise<boolean> {
  for (let attempts = 1; lease.batch.action_id !== null; ) {
    const { merchant_id, mode, id } = lease.batch;
    const [batch] = await deps.database.query(findBatch, [merchant_id, mode, id]);
    if (batch === undefined || batch.status !== 'VALIDATING') return false;
    if (batch.action_id === null) return true;
    const [action] = await deps.database.query(findAction, [merchant_id, mode, id, batch.action_id]);
    if (action === undefined) throw new Error(`no action ${batch.action_id} of batch ${id}`);
    try {
      const leaseUntil = new Date(deps.clock.now().getTime() + BATCH_LEASE_MS);
      ({ batch: lease.batch } = await commitPiece(deps, batch, action, { begins: false, leaseUntil }));
      attempts = 1;
    } catch (error) {
      const collided = error instanceof AppError && error.code === 'BATCH_CHANGED';
      if (!collided || attempts >= MAX_ATTEMPTS) throw error;
      attempts += 1;
    }
    if (!keepGoing()) {
      await moveDue(deps, lease.batch, deps.clock.now());
      return false;
    }
  }
  return true;
}

async function inTurnOnce(deps: BatchDeps, input: OfBatch, work: () => Promise<CommitResult>): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  const result = await deps.inTurn(id, work);
  deps.wake();
  return result;
}

function requireOpen(batch: BatchRecord): void {
  if (!isOpen(batch.status)) throw batchClosed(batch.status);
  if (batch.action_id !== null) throw batchActionRunning();
}

/** @returns how many items the group has */
async function requireGroup(deps: BatchDeps, batch: BatchRecord, input: ResolveGroupInput): Promise<number> {
  const { code, cause, action, change } = input;
  const key = [batch.merchant_id, batch.mode, batch.id];
  const [group] = await deps.database.query(countProblemGroup, [...key, code, cause]);
  if (group === undefined || group.items === 0 || group.severity === null) throw groupNotFound();
  const { field, severity, items } = group;
  const allowed = actionsFor({ code, field, severity, readsAmounts: field === 'amount' });
  if (!allowed.includes(action)) {
    throw groupActionRefused(`Items with ${code} can be given: ${allowed.join(', ')}; not ${action}.`);
  }
  if (action === 'CHANGE') await requireChange(deps, field, change);
  else if (Object.keys(change).length > 0) throw groupActionRefused(`Only CHANGE takes a change; not ${action}.`);
  return items;
}

async function requireChange(deps: BatchDeps, field: string | null, change: GroupChange): Promise<void> {
  const wanted = field === 'amount' ? 'amountAsRead' : (field ?? '');
  const given = Object.keys(change);
  if (given.length !== 1 || given[0] !== wanted) {
    throw groupActionRefused(`The change of this group is: ${wanted}, and nothing else.`);
  }
  if (change.bankCode === undefined) return;
  const bank = await deps.banks.findBank(change.bankCode);
  if (bank === undefined || !bank.active) throw groupActionRefused('No bank that takes payouts has this code.');
}

function newAction({ clock }: BatchDeps, { merchant_id, mode, id: batch_id, version }: BatchRecord): ActionRow {
  const nothing = { code: null, cause: null, change: null, undoes: null, undone_at: null, done_at: null };
  const begun = { items: 0, done_items: 0, applied_to: 0, batch_version: version + 1, created_at: clock.now() };
  return { merchant_id, mode, batch_id, id: newId(), kind: 'ACCEPT', ...nothing, ...begun };
}
