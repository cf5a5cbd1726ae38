import { expect } from 'vitest';
import type { Maker } from '../../src/approvals/index.ts';
import { uploadKey } from '../../src/batch-files/uploads.ts';
import { type BatchDeps, createBatchDeps } from '../../src/batches/deps.ts';
import { dispatchBatch } from '../../src/batches/dispatch-batch.ts';
import { dueBatches } from '../../src/batches/due-batches.ts';
import { dueChunks } from '../../src/batches/expand-chunks.ts';
import { insertGivenItems } from '../../src/batches/item-queries.ts';
import { itemProblem, problemsText } from '../../src/batches/problems.ts';
import { insertBatches } from '../../src/batches/queries.ts';
import { batchView } from '../../src/batches/views.ts';
import type { PayoutDeps } from '../../src/payouts/index.ts';
import type { SingleInput } from '../../src/payouts/single-payout.ts';
import { write } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import type { ProblemData } from '../../src/platform/problem.ts';
import { items, type Merchant, type PayoutFixture, PIN } from './payout-fixture.ts';

/** Amounts of every fee band, below and above stamp duty. */
const AMOUNTS = [1_000, 4_999, 5_000, 5_001, 9_999, 10_000, 25_000, 50_000, 50_001, 75_000];

export const mixedItems = (count: number, from = 0) =>
  items(count).map((item, at) => ({
    ...item,
    amount: AMOUNTS[(from + at) % AMOUNTS.length] as number,
    accountNumber: String(2_000_000_000 + from + at),
  }));

interface Row {
  amount: number;
  bankCode: string;
  accountNumber: string;
  narration: string;
  givenName?: string | null;
  warnings?: string[];
  /** What was seen in the file, beside those. */
  problems?: ProblemData[];
  /** The text of an amount that is none. */
  givenAmount?: string;
}

/** A batch as an upload leaves it: any number of rows, and nobody has looked at them. */
export async function uploadBatch(fixture: PayoutFixture, merchant: Merchant, rows: readonly Row[]): Promise<string> {
  const { merchantId: merchant_id, mode } = merchant.tenant;
  const id = newId();
  const at = fixture.clock.now();
  const scope = { merchant_id, mode, created_at: at };
  const batch = { status: 'VALIDATING', purpose: 'GENERAL', source: 'JSON', version: 1, open_items: 0 } as const;
  const nothing = { reason: null, scenario: null, dispatched_at: null, file_name: null };
  const expires_at = new Date(at.getTime() + 7 * 86_400_000);
  const row = { ...scope, id, ...batch, ...nothing, item_count: rows.length, due_at: at, expires_at, updated_at: at };
  const item = (row: Row, position: number) => ({
    ...scope,
    phone_number: null,
    given_amount: row.givenAmount ?? null,
    id: newId(),
    batch_id: id,
    position,
    amount_minor: BigInt(row.amount) * 100n,
    bank_code: row.bankCode,
    account_number: row.accountNumber,
    narration: row.narration,
    given_name: row.givenName ?? null,
    item_warnings: problemsText([
      ...(row.problems ?? []),
      ...(row.warnings ?? []).map((text) => itemProblem('OTHER', { text })),
    ]),
  });
  await fixture.database.run(
    insertGivenItems,
    rows.map((given, index) => item(given, index + 1)),
  );
  await fixture.deps.ledger.commit({
    tenant: merchant.tenant,
    id,
    occurredAt: at.toISOString(),
    uniqueKeys: [uploadKey(id)],
    writes: [write(insertBatches, row)],
    events: [{ id: newId(), type: 'batch.created', subjectId: id, data: JSON.stringify(batchView(row)) }],
    answer: { message: 'Bulk payout is being validated' },
  });
  return `MNB${id.replaceAll('-', '')}`;
}

/** Looks at what is due of batches, and no more: no chunk is expanded, nothing is sent. */
export async function lookAtBatches(deps: PayoutDeps): Promise<void> {
  const batches = dueBatches(deps);
  for (let taken = -1; taken !== batches.taken(); ) {
    taken = batches.taken();
    await batches.look();
    await batches.settle();
  }
}

/** A batch of which every item has been looked at. */
export async function validatedBatch(
  fixture: PayoutFixture,
  merchant: Merchant,
  rows: readonly Row[],
): Promise<string> {
  const reference = await uploadBatch(fixture, merchant, rows);
  await lookAtBatches(fixture.deps);
  return reference;
}

/** Opens one chunk of each merchant that has one due, as a worker would; returns how many were begun. */
export async function openOnce(deps: PayoutDeps): Promise<number> {
  const chunks = dueChunks(deps);
  await chunks.look();
  await chunks.settle();
  return chunks.taken();
}

export const summaryOf = async (merchant: Merchant, reference: string) =>
  (await merchant.call('GET', `/payout/bulk/${reference}`)).body.data;

export const recordsOf = async (merchant: Merchant, reference: string, query = '') =>
  (await merchant.call('GET', `/payout/bulk/${reference}/item${query}`)).body.data.records;

export const dispatchOf = (merchant: Merchant, batchReference: string, fields: Record<string, unknown> = {}) =>
  merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference, ...fields });

/** A key of the operator's terminal. */
export const noPerson = ({ merchantId }: Merchant): Maker => ({
  ...{ merchantId, personId: null, name: null },
  ...{ via: 'API', keyId: null, ip: null },
});

/** A payment of naira that is not meant twice, as a command. */
export const singleOf = (
  merchant: Merchant,
  { amount, ...row }: Pick<Row, 'amount' | 'bankCode' | 'accountNumber' | 'narration'>,
  fields: Partial<SingleInput> = {},
): SingleInput => ({
  ...{ maker: noPerson(merchant), tenant: merchant.tenant, amountMinor: minor(amount), ...row },
  ...{ phoneNumber: undefined, reference: undefined, purpose: undefined, metadata: null, scenario: null },
  ...{ allowDuplicate: false, idempotency: undefined, ...fields },
});

/** What one process shares between its commands. */
export const processOf = (deps: PayoutDeps): BatchDeps => createBatchDeps(deps);

export const dispatchBy = (deps: BatchDeps, merchant: Merchant, batchReference: string, fields = {}) =>
  dispatchBatch(deps, {
    tenant: merchant.tenant,
    batchReference,
    skipInvalid: false,
    maker: noPerson(merchant),
    idempotency: undefined,
    ...fields,
  });

export async function heldMinor(merchant: Merchant): Promise<bigint> {
  const { bookedMinor, availableMinor } = await merchant.balance();
  return bookedMinor - availableMinor;
}

export const minor = (naira: number) => BigInt(Math.round(naira * 100));

/** What a batch counts as it goes is what counting would find, and its totals are those of its chunks and payouts. */
export async function expectCountersToBeTrue(fixture: PayoutFixture): Promise<void> {
  const { rows } = await fixture.database.pool.query(WRONG_COUNTERS);
  expect(rows).toEqual([]);
}

const WRONG_COUNTERS = `
  with counted as (
    select b.merchant_id, b.mode, b.id,
           count(i.id)::int as item_count,
           count(*) filter (where i.validated_at is not null and i.is_valid)::int as valid_items,
           count(*) filter (where i.validated_at is not null and not i.is_valid)::int as invalid_items,
           count(*) filter (where i.validated_at is not null and (i.item_warnings is not null or i.repeats is not null))::int as warned_items,
           count(*) filter (where i.validated_at is not null and i.match_score < 80)::int as low_match_items,
           coalesce(sum(i.amount_minor) filter (where i.is_valid), 0)::bigint as valid_minor,
           coalesce(sum(i.amount_minor) filter (where t.status = 'SUCCESS'), 0)::bigint as succeeded_minor,
           count(*) filter (where t.status = 'SUCCESS')::int as succeeded_items,
           count(*) filter (where t.status = 'FAILED')::int as failed_items,
           count(*) filter (where t.status = 'REVERSED')::int as reversed_items,
           count(*) filter (where b.dispatched_at is not null and i.is_valid
                              and coalesce(t.status, 'QUEUED') in ('QUEUED', 'PROCESSING'))::int as open_items
      from batches b
      left join batch_items i on i.merchant_id = b.merchant_id and i.mode = b.mode and i.batch_id = b.id
      left join transactions t on t.merchant_id = i.merchant_id and t.mode = i.mode and t.id = i.id
     group by 1, 2, 3
  ), chunked as (
    select merchant_id, mode, batch_id, sum(amount_minor) as amount, sum(fee_minor) as fee, sum(vat_minor) as vat,
           sum(stamp_duty_minor) as duty, sum(item_count) as items
      from batch_chunks group by 1, 2, 3
  )
  select b.id, to_jsonb(b) as batch, to_jsonb(c) as counted, to_jsonb(k) as chunks
    from batches b
    join counted c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.id = b.id
    left join chunked k on k.merchant_id = b.merchant_id and k.mode = b.mode and k.batch_id = b.id
   where (b.item_count, b.valid_items, b.invalid_items, b.warned_items, b.low_match_items, b.succeeded_items,
          b.failed_items, b.reversed_items, b.open_items, b.valid_minor, b.succeeded_minor)
      <> (c.item_count, c.valid_items, c.invalid_items, c.warned_items, c.low_match_items, c.succeeded_items,
          c.failed_items, c.reversed_items, c.open_items, c.valid_minor, c.succeeded_minor)
      or (b.dispatched_at is not null
          and (b.amount_minor, b.fee_minor, b.vat_minor, b.stamp_duty_minor, b.valid_items)
           is distinct from (k.amount, k.fee, k.vat, k.duty, k.items))`;
