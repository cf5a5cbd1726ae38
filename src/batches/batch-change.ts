import { type Movement, numberedWrite } from '../ledger/index.ts';
import { BATCHES, type PayoutDeps } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { tenantOf } from '../platform/tenant.ts';
import { type BatchStatus, batchStates } from './batch-state.ts';
import { batchChanged } from './errors.ts';
import { type BatchRecord, updateBatchDue, updateBatches, updateBatchesDue } from './queries.ts';
import { updateBatchesHolding } from './repeat-queries.ts';
import { batchView } from './views.ts';

/** A batch that is not touched for so long expires: its prices, names and purpose are out of date. */
export const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export interface BatchChange {
  at: Date;
  /** The state afterwards; unchanged where it is left out. */
  to?: BatchStatus;
  reason?: string | null;
  /** Other columns that change. */
  fields?: Partial<Pick<BatchRecord, 'item_count' | 'due_at' | 'expires_at' | 'dispatched_at'>>;
  /**
   * What its valid items add up to afterwards, in kobo; left out where that is unchanged, or where the items' own
   * writes count it.
   */
  validMinor?: bigint;
  event: string;
}

export type BatchMovement = Required<
  Pick<
    Movement,
    'tenant' | 'id' | 'occurredAt' | 'changes' | 'uniqueKeys' | 'transitions' | 'writes' | 'numbered' | 'events'
  >
>;

/**
 * Every change of a batch takes the version after the one that was read. Two changes that read the same version need
 * the same unique key, so whichever commits first wins and the other has to read again: a dispatch pays exactly what it
 * read.
 */
export function changeBatch(batch: BatchRecord, change: BatchChange): { after: BatchRecord; movement: BatchMovement } {
  const to = change.to ?? batch.status;
  const after: BatchRecord = {
    ...batch,
    ...change.fields,
    status: to,
    reason: to === batch.status ? batch.reason : (change.reason ?? null),
    version: batch.version + 1,
    valid_minor: change.validMinor ?? batch.valid_minor,
    updated_at: change.at,
  };
  const transition = {
    machine: batchStates,
    id: batch.id,
    from: [batch.status],
    to,
    reason: after.reason,
    refusal: batchChanged,
  };
  const movement: BatchMovement = {
    tenant: tenantOf(batch),
    id: batch.id,
    occurredAt: change.at.toISOString(),
    uniqueKeys: [{ scope: 'BATCH_VERSION', value: `${batch.id}/${batch.version}`, refusal: batchChanged }],
    transitions: to === batch.status ? [] : [transition],
    ...holding(batch, to),
    writes: [
      write(updateBatches, after),
      ...(change.fields?.due_at === undefined ? [] : [write(updateBatchesDue, after)]),
    ],
    events: [{ id: newId(), type: change.event, subjectId: batch.id, data: JSON.stringify(batchView(after)) }],
  };
  return { after, movement };
}

/**
 * From the dispatch on, or while the batch waits for approval, its items count as duplicates for others, though they
 * have no dedupe keys.
 */
function holding({ merchant_id, mode, id, status }: BatchRecord, to: BatchStatus) {
  const holds_keys = to === 'PENDING_APPROVAL' || to === 'DISPATCHING';
  if (to === status || (!holds_keys && status !== 'PENDING_APPROVAL')) return { changes: [], numbered: [] };
  return { changes: [BATCHES], numbered: [numberedWrite(updateBatchesHolding, { merchant_id, mode, id, holds_keys })] };
}

/** The state of a batch whose items were all validated. */
export function verdictOf(counts: { total: number; invalid: number }): { to: BatchStatus; reason: string | null } {
  if (counts.total === 0) return { to: 'NEEDS_FIX', reason: 'BATCH_EMPTY' };
  return counts.invalid === 0 ? { to: 'READY', reason: null } : { to: 'NEEDS_FIX', reason: 'ITEMS_INVALID' };
}

/** Somebody touched the batch: it stays open, and a worker looks again only when it expires. */
export function touched(at: Date): { due_at: Date; expires_at: Date } {
  const expiresAt = new Date(at.getTime() + EXPIRES_AFTER_MS);
  return { due_at: expiresAt, expires_at: expiresAt };
}

/**
 * How long a worker has a batch before another may lease it. The worker renews the lease as it goes, so only a dead
 * worker's lease runs out.
 */
export const BATCH_LEASE_MS = 120_000;

/** A leased batch, as its worker wrote it last: its `due_at` is the lease. */
export interface BatchLease {
  batch: BatchRecord;
}

/** Undefined when another worker has leased the batch, or it has changed. */
export async function moveDue(deps: PayoutDeps, batch: BatchRecord, to: Date): Promise<BatchRecord | undefined> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const moved = await deps.database.query(updateBatchDue, [...key, batch.due_at, to]);
  return moved.length === 1 ? { ...batch, due_at: to } : undefined;
}
