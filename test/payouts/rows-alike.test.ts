import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkRepeats, readOthers, repeatOfItem } from '../../src/batches/check-repeats.ts';
import { type BatchRecord, findBatch } from '../../src/batches/queries.ts';
import { findRepeatsSince } from '../../src/batches/repeat-queries.ts';
import { findTakenKeys, type KeyQuestion } from '../../src/payouts/dedupe-key-queries.ts';
import { dedupeItems, type PayoutDeps } from '../../src/payouts/index.ts';
import type { Queries } from '../../src/platform/db/database.ts';
import { columnArrays, rowsFor } from '../../src/platform/db/statement.ts';
import { AppError } from '../../src/platform/errors.ts';
import { touchedBy } from '../support/touched.ts';
import { lookAtBatches, recordsOf, summaryOf, uploadBatch } from './batch-fixture.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const ROW = { amount: 5_000, bankCode: '058', accountNumber: '0123456785', narration: 'Salary' };
const idOf = (reference: string) => reference.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The service, which counts rows that its statements answer with. */
function counting(): { deps: PayoutDeps; rows: () => number } {
  let rows = 0;
  const { database } = fixture.deps;
  const query: Queries['query'] = async (asked, values) => {
    const found = await database.query(asked, values);
    rows += found.length;
    return found;
  };
  return { deps: { ...fixture.deps, database: { ...database, query } }, rows: () => rows };
}

/** A list that was looked at: rows of one payment, first those whose bank nobody knows, then those that can be paid. */
async function listOf(merchant: Merchant, unknown: number, valid: number): Promise<BatchRecord> {
  const id = idOf(await uploadBatch(fixture, merchant, [ROW]));
  const { merchantId, mode } = merchant.tenant;
  await fixture.database.pool.query(
    `insert into batch_items (merchant_id, mode, id, batch_id, position, amount_minor, bank_code, account_number, narration,
            account_name, bank_name, is_valid, validated_at, created_at, item_errors)
     select i.merchant_id, i.mode, gen_random_uuid(), i.batch_id, at, amount_minor,
            case when at <= $2 then '999' else bank_code end, account_number, narration, 'Ada Obi', 'GTBank', at > $2, now(),
            created_at, case when at <= $2 then '[]' end
       from batch_items i cross join generate_series(2, $3::int) as at where i.batch_id = $1`,
    [id, unknown, unknown + valid],
  );
  await fixture.database.pool.query(
    `update batch_items set validated_at = now(), bank_code = '999', item_errors = '[]' where batch_id = $1 and position = 1`,
    [id],
  );
  await fixture.database.pool.query(
    `update batches set status = 'NEEDS_FIX', due_at = null, item_count = $2, valid_items = $3, invalid_items = $4 where id = $1`,
    [id, unknown + valid, valid, unknown],
  );
  await fixture.database.pool.query('analyze batch_items');
  const [batch] = await fixture.database.query(findBatch, [merchantId, mode, id]);
  return batch as BatchRecord;
}

const checkCounted = async (batch: BatchRecord) => {
  const { others } = await readOthers(fixture.deps, batch);
  return touchedBy(fixture.database, ({ query }) =>
    checkRepeats({ ...fixture.deps, database: { ...fixture.database, query } }, batch, others),
  );
};

describe('rows of one payment', () => {
  it('that stand a thousand times in each of two lists are found once each, and both lists are ready', async () => {
    const merchant = await fixture.addMerchant();
    const rows = Array.from({ length: 1_200 }, () => ROW);
    const first = await uploadBatch(fixture, merchant, rows);
    await lookAtBatches(fixture.deps);
    const second = await uploadBatch(fixture, merchant, rows);
    const { deps, rows: read } = counting();
    await lookAtBatches(deps);
    // Each item when it is validated, and once for what it repeats.
    expect(read()).toBeLessThan(2 * rows.length + 200);
    expect(await summaryOf(merchant, first)).toMatchObject({ status: 'READY', duplicates: { count: 1_199 } });
    expect(await summaryOf(merchant, second)).toMatchObject({ status: 'READY', duplicates: { count: 1_200 } });
    const repeatsOf = async (reference: string) =>
      (await recordsOf(merchant, reference, '?page=12&size=100')).map((one: { repeats: object }) => one.repeats);
    expect(await repeatsOf(first)).toEqual(Array(100).fill(expect.objectContaining({ kind: 'ROW', row: 1 })));
    expect(await repeatsOf(second)).toEqual(
      Array(100).fill(expect.objectContaining({ kind: 'WAITING_BATCH', batchReference: first, row: 1 })),
    );
  });

  it('are compared in a few looks at each, however many of them cannot be paid', async () => {
    const merchant = await fixture.addMerchant();
    const batch = await listOf(merchant, 5_000, 5_000);
    const { found, pages } = await checkCounted(batch);
    expect(found.items).toBe(4_999);
    expect(pages).toBeLessThan(10_000);
    const smaller = await listOf(merchant, 0, 3_000);
    const other = await checkCounted(smaller);
    expect(other.found.items).toBe(2_999);
    expect(other.pages).toBeLessThan(10_000);
    await takeKeys(merchant, 3_000);
    const { merchant_id, mode, id } = batch;
    const since = columnArrays(findRepeatsSince, [{ merchant_id, mode, batch_id: id, since: 0n }]);
    const asked = await touchedBy(fixture.database, ({ query }) => query(findRepeatsSince, since));
    expect(asked.found).toEqual([]);
    expect(asked.pages).toBeLessThan(11_000);
    await fixture.database.pool.query('delete from dedupe_keys where merchant_id = $1', [merchant_id]);
  });

  it('are passed over chunk by chunk where they were opened, by anyone who pays the same and anyone who writes the same', async () => {
    const merchant = await fixture.addMerchant();
    const { merchantId, mode } = merchant.tenant;
    const list = await listOf(merchant, 0, 20_000);
    await openedUpTo(list, 19_500);
    const question: KeyQuestion = {
      ...{
        merchant_id: merchantId,
        mode,
        scope: 'PAID',
        value: '058:0123456785:500000:NGN',
        party_id: list.merchant_id,
      },
      ...{ from_at: fixture.clock.now(), until_at: fixture.clock.now(), batch_from_at: fixture.clock.now() },
      ...{ asks_batches: true, unknown_since: null },
    };
    const ask = (one: KeyQuestion) =>
      touchedBy(fixture.database, ({ query }) => query(findTakenKeys, columnArrays(...rowsFor(findTakenKeys, [one]))));
    const taken = await ask(question);
    expect(taken.found).toEqual([expect.objectContaining({ batch_id: list.id, position: 19_501 })]);
    expect(taken.pages).toBeLessThan(400);
    const free = await ask({ ...question, value: '058:0123456785:500001:NGN' });
    expect(free.found).toEqual([]);
    expect(free.pages).toBeLessThan(30);

    const other = await listOf(merchant, 0, 1);
    const item = { id: other.id, position: 1, amount_minor: 500_000n, account_number: '0123456785', bank_code: '058' };
    const repeat = await touchedBy(fixture.database, ({ query }) =>
      repeatOfItem({ ...fixture.deps, database: { ...fixture.database, query } }, other, {
        ...item,
        directory_bank_code: null,
      }),
    );
    expect(repeat.found).toContain('"row":19501');
    expect(repeat.pages).toBeLessThan(500);
    await openedUpTo(list, 20_000);
    expect((await ask(question)).found).toEqual([]);
  });

  it('are one question when they become payouts together, and all are named where it is taken', () => {
    const item = (id: string, amount_minor: bigint) => ({
      ...{ merchant_id: 'm', mode: 'SANDBOX' as const, id, batch_id: 'b', amount_minor, currency: 'NGN' as const },
      ...{ beneficiary_bank_code: '058', beneficiary_account_number: '0123456785', allow_duplicate: false },
    });
    const items = [item('1', 5n), item('2', 7n), item('3', 5n), item('4', 5n)];
    let named: readonly number[] = [];
    const refuse = (places: readonly number[]) => {
      named = places;
      return new AppError('conflict', 'PAYOUT_DUPLICATE', 'Taken.');
    };
    const windows = { windowMs: 120_000, listsMs: 120_000 };
    const { checks } = dedupeItems(items, fixture.clock.now(), windows, { since: 0n, refuse });
    expect(checks?.[0]?.rows.map((row) => row['value'])).toEqual(['058:0123456785:5:NGN', '058:0123456785:7:NGN']);
    checks?.[0]?.refusal([{ place: 1 }]);
    expect(named).toEqual([1, 3, 4]);
  });
});

/** A dispatched list whose chunks up to a position were opened. */
async function openedUpTo({ merchant_id, mode, id }: BatchRecord, position: number): Promise<void> {
  await fixture.database.pool.query('delete from batch_chunks where batch_id = $1', [id]);
  await fixture.database.pool.query(
    `insert into batch_chunks (merchant_id, mode, batch_id, chunk, id, first_position, last_position, item_count,
            amount_minor, fee_minor, vat_minor, stamp_duty_minor, amount_hold_id, due_at)
     select $1, $2, $3, at, gen_random_uuid(), at * 500 - 499, at * 500, 500, 1, 0, 0, 0, gen_random_uuid(),
            case when at * 500 > $4::int then now() end
       from generate_series(1, 40) as at`,
    [merchant_id, mode, id, position],
  );
  await fixture.database.pool.query(`update batches set status = 'DISPATCHING', holds_keys = true where id = $1`, [id]);
  await fixture.database.pool.query('analyze batch_chunks');
}

/** Payments of the same amount to the same number at another bank. */
async function takeKeys({ tenant: { merchantId, mode } }: Merchant, count: number): Promise<void> {
  await fixture.database.pool.query(
    `insert into dedupe_keys (merchant_id, mode, subject_id, scope, value, from_at, until_at, window_seconds, is_meant, sequence)
     select $1, $2, gen_random_uuid(), 'PAID', '044:0123456785:500000:NGN', now(), now(), 120, true, at + 100
       from generate_series(1, $3::int) as at`,
    [merchantId, mode, count],
  );
}
