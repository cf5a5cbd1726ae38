import { success } from '../../platform/answer.ts';
import { AppError } from '../../platform/errors.ts';
import type { PayoutDeps } from '../deps.ts';
import { LEASE_MS } from '../pipeline/claim-payouts.ts';
import { changeBatch, tenantOfBatch, touched, verdictOf } from './batch-change.ts';
import { checkItem } from './check-item.ts';
import {
  type BatchRow,
  findBatch,
  type ItemRow,
  type ItemVerdict,
  listItemsToValidate,
  updateBatchDue,
  updateItemsValidated,
} from './queries.ts';
import { countItemsOf } from './read-batches.ts';

/** Name enquiries of one batch under way at once: a batch must not take the rail from single payouts. */
const CONCURRENCY = 8;
/** Items looked at between two renewals of the lease; at the slowest answer a rail may give, they fit into it. */
const CHUNK_ITEMS = 64;
/** Until items that the rail was silent about are asked for again. */
const RETRY_AFTER_MS = 30_000;

/**
 * Looks at every item that nobody has looked at, and says what the batch is then: `READY` or `NEEDS_FIX`. Killed and
 * begun again, it goes on where it stopped. Called with the batch as leased.
 *
 * @param keepGoing false when this worker is to stop: another one goes on.
 */
export async function validateBatch(deps: PayoutDeps, leased: BatchRow, keepGoing: () => boolean): Promise<void> {
  let batch = leased;
  let after = 0;
  let silent = 0;
  for (;;) {
    const items = await deps.database.query(listItemsToValidate, [
      batch.merchant_id,
      batch.mode,
      batch.id,
      after,
      CHUNK_ITEMS,
    ]);
    const last = items.at(-1);
    if (last === undefined) break;
    const verdicts = await checkItems(deps, batch, items);
    silent += items.length - verdicts.length;
    await deps.database.run(updateItemsValidated, verdicts);
    after = last.position;
    const leaseMs = keepGoing() ? LEASE_MS : 0;
    const renewed = await moveDue(deps, batch, new Date(deps.clock.now().getTime() + leaseMs));
    if (renewed === undefined || leaseMs === 0) return;
    batch = renewed;
  }
  if (silent > 0) await moveDue(deps, batch, new Date(deps.clock.now().getTime() + RETRY_AFTER_MS));
  else await finish(deps, batch);
}

/** Verdicts on items, without those about which the rail was silent. */
async function checkItems(deps: PayoutDeps, batch: BatchRow, items: readonly ItemRow[]): Promise<ItemVerdict[]> {
  const verdicts: ItemVerdict[] = [];
  const waiting = [...items];
  const context = { tenant: tenantOfBatch(batch), scenario: batch.scenario };
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const { mayRetry, ...check } = await checkItem(deps, context, item);
      const { merchant_id, mode, id } = item;
      if (!mayRetry) verdicts.push({ merchant_id, mode, id, ...check, validated_at: deps.clock.now().toISOString() });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return verdicts;
}

/** Undefined when another worker has taken the batch over, or it has changed. */
export async function moveDue(deps: PayoutDeps, batch: BatchRow, to: Date): Promise<BatchRow | undefined> {
  const key = [batch.merchant_id, batch.mode, batch.id];
  const moved = await deps.database.query(updateBatchDue, [...key, batch.due_at, to]);
  return moved.length === 1 ? { ...batch, due_at: to } : undefined;
}

async function finish(deps: PayoutDeps, leased: BatchRow): Promise<void> {
  // Version first, counts second: a change in between takes the version, and then this does not commit.
  const [batch] = await deps.database.query(findBatch, [leased.merchant_id, leased.mode, leased.id]);
  if (batch === undefined || batch.status !== 'VALIDATING') return;
  const counts = await countItemsOf(deps.database, batch);
  if (counts.waiting > 0) return;
  const at = deps.clock.now();
  const verdict = verdictOf(counts);
  const event = verdict.to === 'READY' ? 'batch.ready' : 'batch.needs_fix';
  const { movement } = changeBatch(batch, { at, ...verdict, fields: touched(at), event });
  try {
    await deps.ledger.commit({ ...movement, answer: success('Success') });
  } catch (error) {
    // An item was mended at this moment. The lease ends soon enough; looking again costs one count.
    if (!(error instanceof AppError && error.code === 'BATCH_CHANGED')) throw error;
    await finish(deps, leased);
  }
}
