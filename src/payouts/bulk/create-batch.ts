import type { PayoutPurpose } from '../../fees/index.ts';
import type { CommitResult, IdempotencyKey } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { PayoutDeps } from '../deps.ts';
import { requireRail } from '../rails.ts';
import { EXPIRES_AFTER_MS } from './batch-change.ts';
import { type BatchRow, type ItemRow, insertBatches, insertItems } from './queries.ts';
import { batchView } from './views.ts';

export interface NewItem {
  /** Whole naira; right or wrong. */
  amount: number;
  bankCode: string;
  accountNumber: string;
  narration: string;
  phoneNumber?: string | undefined;
}

export interface CreateBatchInput {
  tenant: Tenant;
  items: readonly NewItem[];
  purpose: PayoutPurpose;
  scenario: string | null;
  idempotency: IdempotencyKey | undefined;
}

/** Keeps every row as it was given, right or wrong, and leaves it to the worker to look at them. Moves no money. */
export async function createBatch(deps: PayoutDeps, input: CreateBatchInput): Promise<CommitResult> {
  await requireRail(deps.rails, input.tenant);
  const now = deps.clock.now();
  const at = now.toISOString();
  const batch: BatchRow = {
    merchant_id: input.tenant.merchantId,
    mode: input.tenant.mode,
    id: newId(),
    status: 'VALIDATING',
    reason: null,
    purpose: input.purpose,
    scenario: input.scenario,
    version: 1,
    item_count: input.items.length,
    open_items: 0,
    due_at: at,
    expires_at: new Date(now.getTime() + EXPIRES_AFTER_MS).toISOString(),
    dispatched_at: null,
    source: 'JSON',
    file_name: null,
    created_at: at,
    updated_at: at,
  };
  const result = await deps.ledger.commit({
    tenant: input.tenant,
    id: batch.id,
    occurredAt: at,
    idempotency: input.idempotency,
    writes: [
      write(insertBatches, batch),
      ...input.items.map((item, index) => write(insertItems, itemRow(batch, item, index + 1))),
    ],
    events: [{ id: newId(), type: 'batch.created', subjectId: batch.id, data: JSON.stringify(batchView(batch)) }],
    answer: { message: 'Bulk payout is being validated' },
  });
  deps.wake();
  return result;
}

function itemRow(batch: BatchRow, item: NewItem, position: number): ItemRow {
  return {
    merchant_id: batch.merchant_id,
    mode: batch.mode,
    id: newId(),
    batch_id: batch.id,
    position,
    amount_minor: nairaToMinor(item.amount),
    bank_code: item.bankCode.trim(),
    account_number: item.accountNumber.trim(),
    narration: item.narration.trim(),
    phone_number: item.phoneNumber?.trim() ?? null,
    given_name: null,
    account_name: null,
    bank_name: null,
    match_score: null,
    is_valid: false,
    reason: null,
    warnings: null,
    validated_at: null,
    created_at: batch.created_at,
  };
}

/** Zero and less are for the clerk to see and mend, so they are kept; the schema has made sure that it is whole. */
export function nairaToMinor(naira: number): bigint {
  return BigInt(naira) * 100n;
}
