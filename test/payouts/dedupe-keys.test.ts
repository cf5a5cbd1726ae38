import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findItemRepeat,
  findRepeatsSince,
  listItemRepeats,
  listRowsBefore,
  listRowsRepeated,
} from '../../src/batches/repeat-queries.ts';
import { findTakenKeys } from '../../src/payouts/dedupe-key-queries.ts';
import { sweepDedupeKeys } from '../../src/payouts/index.ts';
import { createPayoutFixture, type PayoutFixture, payment } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const DAY_MS = 24 * 60 * 60_000;

describe('dedupe keys', () => {
  it('are kept while they may count, and removed after a month', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.call('POST', '/payout/single', payment());
    const far = new Date(fixture.clock.now().getTime() + 60 * DAY_MS).toISOString();
    await merchant.call('POST', '/payout/single/schedule', payment({ scheduledFor: far }));
    await fixture.worker.runOnce();
    const left = async () => {
      const sql = 'select scope from dedupe_keys where merchant_id = $1';
      return (await fixture.database.pool.query(sql, [merchant.merchantId])).rowCount;
    };
    expect(await left()).toBe(3);
    fixture.clock.advance(30 * DAY_MS);
    await sweepDedupeKeys(fixture.deps);
    expect(await left()).toBe(3);
    fixture.clock.advance(2 * DAY_MS);
    await sweepDedupeKeys(fixture.deps);
    // The schedule’s own, whose time is still to come.
    expect(await left()).toBe(1);
  });

  it('are found by their own index, also by plans that were made while the tables were empty', async () => {
    const client = await fixture.database.pool.connect();
    const plan = async (text: string) => {
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    await client.query('begin');
    for (const table of ['dedupe_keys', 'batch_items', 'batches', 'batch_chunks']) {
      await client.query(`delete from ${table}`);
    }
    const taken = await plan(findTakenKeys.text);
    expect(taken).toMatch(/dedupe_keys_taken on dedupe_keys k[^>]*value = rows\.value/);
    expect(taken).toContain('using batches_holding_keys on batches b');
    expect(taken).toMatch(/batch_items_by_account on batch_items i[^>]*account_number = split_part/);
    const items = await plan(listItemRepeats.text);
    expect(items).toMatch(/dedupe_keys_taken on dedupe_keys k[^>]*value = concat_ws/);
    // What repeats a row before it is looked up no further.
    expect(items).toMatch(/One-Time Filter: .*\$5 > 0/);
    expect(items).toMatch(/batch_items_batch on batch_items[^>]*"position" >= /);
    expect(await plan(findItemRepeat.text)).toMatch(
      /batch_items_by_account on batch_items e[^>]*account_number = .*position/,
    );
    expect(await plan(listRowsBefore.text)).toContain('using batch_items_batch on batch_items i');
    expect(await plan(listRowsRepeated.text)).toMatch(/batch_items_by_account on batch_items p[^>]*account_number = /);
    const since = await plan(findRepeatsSince.text);
    expect(since).toMatch(/dedupe_keys_since on dedupe_keys k[^>]*sequence > rows\.since/);
    await client.query('rollback');
    client.release();
  });
});
