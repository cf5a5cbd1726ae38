import { success } from '../../platform/answer.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { changeBatch, tenantOfBatch, touched, verdictOf } from './batch-change.ts';
import { isOpen } from './batch-state.ts';
import { checkItem, type ItemFacts } from './check-item.ts';
import { type NewItem, nairaToMinor } from './create-batch.ts';
import { batchClosed, itemNotFound } from './errors.ts';
import {
  type BatchRow,
  deleteItems,
  findBatchOfItem,
  findItem,
  type ItemCounts,
  type ItemRow,
  updateItemsMended,
} from './queries.ts';
import { countItemsOf, readItems } from './read-batches.ts';
import type { createTurns } from './turns.ts';

/** Tries of one change against others of the same batch from other processes. */
const MAX_TRIES = 5;
/** What the interface answers a mended item with. */
const FIRST_PAGE = { page: 1, size: 50 };

export interface MendDeps extends PayoutDeps {
  inTurn: ReturnType<typeof createTurns>;
}

/** What is left out stays as it is. */
export type ItemChanges = { [K in keyof NewItem]?: NewItem[K] | undefined };

/**
 * Changes an item, asks the bank again, and answers with the first page of the batch's records. Setting the same values
 * twice is the same as once, so a repeated request needs no memory of the first.
 * @throws AppError `BATCH_ITEM_NOT_FOUND`; 409 once the batch is dispatched, cancelled or expired.
 */
export async function mendItem(deps: MendDeps, tenant: Tenant, itemId: string, changes: ItemChanges) {
  const batch = await changeItem(deps, tenant, itemId, async (found, item, counts) => {
    const facts = changedFacts(item, changes);
    const context = { tenant: tenantOfBatch(found), scenario: found.scenario };
    const { mayRetry: _, ...check } = await checkItem(deps, context, facts);
    const mended = { ...item, ...facts, ...check, validated_at: deps.clock.now().toISOString() };
    const invalid = counts.invalid - invalidity(item) + invalidity(mended);
    return { write: write(updateItemsMended, mended), counts: { ...counts, invalid }, event: 'batch.item_mended' };
  });
  return success('Bulk payout item has been updated', await readItems(deps.database, batch, undefined, FIRST_PAGE));
}

/**
 * Takes an item out of its batch. Answers as `mendItem`.
 * @throws AppError as `mendItem`.
 */
export async function dropItem(deps: MendDeps, tenant: Tenant, itemId: string) {
  const batch = await changeItem(deps, tenant, itemId, async (_batch, item, counts) => {
    const { merchant_id, mode, id } = item;
    const left = { ...counts, total: counts.total - 1, invalid: counts.invalid - invalidity(item) };
    return { write: write(deleteItems, { merchant_id, mode, id }), counts: left, event: 'batch.item_dropped' };
  });
  return success('Bulk payout item has been removed', await readItems(deps.database, batch, undefined, FIRST_PAGE));
}

interface ItemChange {
  write: Write;
  /** The batch's counts after it. */
  counts: ItemCounts;
  event: string;
}

type MakeChange = (batch: BatchRow, item: ItemRow, counts: ItemCounts) => Promise<ItemChange>;

/** Against a dispatch at the same moment, whichever takes the batch's next version first wins. */
async function changeItem(deps: MendDeps, tenant: Tenant, itemId: string, make: MakeChange): Promise<BatchRow> {
  const { batch } = await readItemAndBatch(deps, tenant, itemId);
  return deps.inTurn(batch.id, async () => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await tryChange(deps, tenant, itemId, make);
      } catch (error) {
        const collided = error instanceof AppError && error.code === 'BATCH_CHANGED';
        if (!collided || tries >= MAX_TRIES) throw error;
      }
    }
  });
}

async function tryChange(deps: MendDeps, tenant: Tenant, itemId: string, make: MakeChange): Promise<BatchRow> {
  // The batch with its version is read before anything that is decided on: what changes after that takes the version.
  const { batch, item } = await readItemAndBatch(deps, tenant, itemId);
  const change = await make(batch, item, await countItemsOf(deps.database, batch));
  const at = deps.clock.now();
  const stillValidating = batch.status === 'VALIDATING';
  const { movement, after } = changeBatch(batch, {
    at,
    ...(stillValidating ? {} : verdictOf(change.counts)),
    fields: {
      item_count: change.counts.total,
      ...(stillValidating ? { expires_at: touched(at).expires_at } : touched(at)),
    },
    event: change.event,
  });
  await deps.ledger.commit({ ...movement, writes: [...movement.writes, change.write], answer: success('Success') });
  return after;
}

async function readItemAndBatch(deps: MendDeps, { merchantId, mode }: Tenant, itemId: string) {
  const [batch] = await deps.database.query(findBatchOfItem, [merchantId, mode, itemId]);
  if (batch === undefined) throw itemNotFound();
  if (!isOpen(batch.status)) throw batchClosed(batch.status);
  const [item] = await deps.database.query(findItem, [merchantId, mode, itemId]);
  if (item === undefined) throw itemNotFound();
  return { batch, item };
}

function changedFacts(item: ItemRow, changes: ItemChanges): ItemFacts {
  return {
    amount_minor: changes.amount === undefined ? item.amount_minor : nairaToMinor(changes.amount),
    bank_code: changes.bankCode?.trim() ?? item.bank_code,
    account_number: changes.accountNumber?.trim() ?? item.account_number,
    narration: changes.narration?.trim() ?? item.narration,
    phone_number: changes.phoneNumber?.trim() ?? item.phone_number,
  };
}

const invalidity = (item: Pick<ItemRow, 'is_valid' | 'validated_at'>) =>
  item.validated_at !== null && !item.is_valid ? 1 : 0;
