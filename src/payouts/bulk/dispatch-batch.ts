import { type FeeRule, quotePayout } from '../../fees/index.ts';
import type { CommitResult, IdempotencyKey, TransferDraft } from '../../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../../money/index.ts';
import { type Write, write } from '../../platform/db/statement.ts';
import { AppError } from '../../platform/errors.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { insertTransactions } from '../../transactions/index.ts';
import type { TenantAccounts } from '../../wallets/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { makeHolds } from '../holds.ts';
import { newPayout } from '../payout-record.ts';
import { insertPayouts, type PayoutRecord } from '../queries.ts';
import { requireRail } from '../rails.ts';
import { changeBatch, tenantOfBatch } from './batch-change.ts';
import { batchClosed, batchEmpty, batchHasInvalidItems, batchStillValidating } from './errors.ts';
import type { MendDeps } from './mend-item.ts';
import { type BatchRow, type ItemRow, listValidItems } from './queries.ts';
import { countItemsOf, requireBatch } from './read-batches.ts';

/** A batch whose payouts have all ended is concluded at once; should that be lost, a worker looks after this long. */
export const RECHECK_MS = 60_000;

export interface DispatchBatchInput {
  tenant: Tenant;
  batchReference: string;
  /** Pay the valid items and leave the others. */
  skipInvalid: boolean;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Turns every valid item into a payout and holds the money for all of them, in one movement: all or nothing. It pays
 * exactly the items that it read; a batch that was changed meanwhile is not dispatched. The caller has checked the PIN.
 * @throws AppError `BATCH_NOT_FOUND`; 409 `BATCH_VALIDATING`, `BATCH_ALREADY_DISPATCHED`, `BATCH_ALREADY_CANCELLED`,
 *   `BATCH_EXPIRED`, `BATCH_CHANGED`; 422 `BATCH_HAS_INVALID_ITEMS`, `BATCH_EMPTY`, `INSUFFICIENT_FUNDS`.
 */
export async function dispatchBatch(deps: MendDeps, input: DispatchBatchInput): Promise<CommitResult> {
  const { id } = await requireBatch(deps.database, input.tenant, input.batchReference);
  const result = await deps.inTurn(id, () => dispatchInTurn(deps, input));
  deps.wake();
  return result;
}

async function dispatchInTurn(deps: PayoutDeps, input: DispatchBatchInput): Promise<CommitResult> {
  // The batch with its version first, its items after: a change in between takes the version.
  const batch = await requireBatch(deps.database, input.tenant, input.batchReference);
  await checkDispatch(deps, batch, input.skipInvalid);
  const items = await deps.database.query(listValidItems, [batch.merchant_id, batch.mode, batch.id]);
  if (items.length === 0) throw batchEmpty();
  const now = deps.clock.now();
  const payouts = await preparePayouts(deps, batch, items, now);
  const { movement } = changeBatch(batch, {
    at: now,
    to: 'DISPATCHING',
    fields: {
      open_items: items.length,
      dispatched_at: now.toISOString(),
      due_at: new Date(now.getTime() + RECHECK_MS).toISOString(),
    },
    event: 'batch.dispatched',
  });
  try {
    return await deps.ledger.commit({
      ...movement,
      idempotency: input.idempotency,
      transfers: payouts.transfers,
      writes: [...movement.writes, ...payouts.writes],
      answer: { message: 'Bulk payout has been dispatched' },
    });
  } catch (error) {
    throw await clearer(deps, input, error);
  }
}

async function checkDispatch(deps: PayoutDeps, batch: BatchRow, skipInvalid: boolean): Promise<void> {
  if (batch.status === 'VALIDATING') throw batchStillValidating();
  if (batch.status !== 'READY' && batch.status !== 'NEEDS_FIX') throw batchClosed(batch.status);
  const { invalid } = await countItemsOf(deps.database, batch);
  if (invalid > 0 && !skipInvalid) throw batchHasInvalidItems(invalid);
}

/** Another process dispatched it first: that says more than that it changed. */
async function clearer(deps: PayoutDeps, input: DispatchBatchInput, error: unknown): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'BATCH_CHANGED') return error;
  const { status } = await requireBatch(deps.database, input.tenant, input.batchReference);
  return status === 'READY' || status === 'NEEDS_FIX' ? error : batchClosed(status);
}

async function preparePayouts(
  deps: PayoutDeps,
  batch: BatchRow,
  items: readonly ItemRow[],
  now: Date,
): Promise<{ transfers: TransferDraft[]; writes: Write[] }> {
  const tenant = tenantOfBatch(batch);
  const [accounts, rules] = await Promise.all([deps.wallets.requireTenantAccounts(tenant), deps.fees.listRules()]);
  const { name: rail } = await requireRail(deps.rails, tenant);
  const transfers: TransferDraft[] = [];
  const writes: Write[] = [];
  for (const item of items) {
    const bank = await deps.banks.findBank(item.bank_code);
    const bankCode = bank?.code ?? item.bank_code;
    const made = payoutOf({ batch, item, bankCode, accounts, rules, rail, now });
    transfers.push(...made.transfers);
    writes.push(write(insertTransactions, made.payout), write(insertPayouts, made.payout));
  }
  return { transfers, writes };
}

interface PayoutParts {
  batch: BatchRow;
  item: ItemRow;
  bankCode: string;
  accounts: TenantAccounts;
  rules: readonly FeeRule[];
  rail: string;
  now: Date;
}

function payoutOf(parts: PayoutParts): { payout: PayoutRecord; transfers: TransferDraft[] } {
  const { batch, item, accounts, now } = parts;
  if (item.account_name === null || item.bank_name === null) throw new Error(`item ${item.id} is not valid`);
  const { purpose, scenario } = batch;
  const quote = quotePayout(parts.rules, {
    amountMinor: item.amount_minor,
    currency: DEFAULT_CURRENCY,
    purpose,
    at: now,
  });
  const payout = newPayout({
    tenant: tenantOfBatch(batch),
    id: item.id,
    accounts,
    quote,
    beneficiary: {
      bankCode: parts.bankCode,
      bankName: item.bank_name,
      accountNumber: item.account_number,
      accountName: item.account_name,
    },
    narration: item.narration,
    phoneNumber: item.phone_number,
    purpose,
    batchId: batch.id,
    clientReference: null,
    metadata: null,
    rail: parts.rail,
    scenario,
    at: now.toISOString(),
  });
  const { holds, transfers } = makeHolds(accounts, item.id, quote);
  return { payout: { ...payout, ...holds }, transfers };
}
