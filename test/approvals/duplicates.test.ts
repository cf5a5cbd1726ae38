import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_PIN } from '../support/app.ts';
import {
  approve,
  type Business,
  business,
  type Call,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  sends,
  statusOf,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const unasked = { allowDuplicate: undefined };
const rowOf = (amount: number, accountNumber = '0123456785') => ({
  ...{ amount, bankCode: '058', accountNumber },
  narration: 'Rent',
});
const pay = (by: Call, fields: object = {}) => by('POST', '/payout/single', payment({ ...unasked, ...fields }));
const later = (minutes: number) => t.clock.advance(minutes * 60_000);

async function readyList(shop: Business, items: object[]): Promise<string> {
  const made = await shop.byKey('POST', '/payout/bulk', { items });
  await t.app.worker.runOnce();
  return made.body.data.batchReference;
}
const dispatch = (by: Call, batchReference: string, fields = {}) =>
  by('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, ...fields });

async function waitingList(shop: Business, items: object[], fields = {}) {
  const reference = await readyList(shop, items);
  const reply = await dispatch(shop.maker.call, reference, fields);
  expect(reply.body, reply.text).toMatchObject({ status: true, data: { status: 'PENDING_APPROVAL' } });
  const { approvalId } = reply.body.data as { approvalId: string };
  const approval = (await shop.maker.call('GET', `/approval/${approvalId}`)).body.data;
  return { reference, approvalId, digest: approval.digest as string, shown: approval.shown };
}

describe('a payment that waits for approval', () => {
  it('is what the same payment meets, however long it waits, and what was meant twice is paid twice', async () => {
    const shop = await business(t);
    const first = await waitingPayout(shop.maker.call, unasked);
    later(20);
    const refused = await pay(shop.maker.call);
    expect(codeOf(refused)).toBe('409 PAYOUT_DUPLICATE');
    const params = { amountMinor: '100000', transactionId: first.transactionId };
    expect(refused.body).toMatchObject({ problems: [{ code: 'DUPLICATE_OF_WAITING_PAYOUT', params }] });
    const list = await readyList(shop, [rowOf(1_000), rowOf(2_000)]);
    expect(codeOf(await dispatch(shop.maker.call, list))).toBe('409 BATCH_DUPLICATE');
    const meant = await waitingPayout(shop.maker.call, { allowDuplicate: true });
    expect(codeOf(await approve(shop.ann, first))).toBe('DONE');
    expect(codeOf(await approve(shop.ann, meant))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(2);
    // It counts from the moment at which it was released.
    expect(codeOf(await pay(shop.maker.call))).toBe('409 PAYOUT_DUPLICATE');
    later(3);
    expect(codeOf(await pay(shop.maker.call))).toBe('DONE');
  });

  it('is what a schedule for just after the next midnight meets, and one for later does not', async () => {
    const day = 24 * 60 * 60_000;
    // 30 seconds before midnight in Lagos.
    t.clock.advance((2 * day - ((t.clock.now().getTime() + 60 * 60_000) % day) - 30_000) % day);
    const shop = await business(t);
    await waitingPayout(shop.maker.call, unasked);
    const schedule = (minutes: number) => {
      const scheduledFor = new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();
      return shop.maker.call('POST', '/payout/single/schedule', payment({ ...unasked, scheduledFor }));
    };
    expect(codeOf(await schedule(1))).toBe('409 PAYOUT_DUPLICATE');
    expect(codeOf(await schedule(10))).toBe('DONE');
  });

  it('is free again once it was rejected', async () => {
    const shop = await business(t);
    const first = await waitingPayout(shop.maker.call, unasked);
    expect(codeOf(await pay(shop.maker.call))).toBe('409 PAYOUT_DUPLICATE');
    await reject(shop.ann, first);
    expect(codeOf(await pay(shop.maker.call))).toBe('DONE');
  });

  it('is not released beside the same payment that nobody knew of, and can be a little later', async () => {
    const shop = await business(t, [{ fromAmount: 1_000, approvals: 1 }]);
    const waiting = await waitingPayout(shop.maker.call, unasked);
    const free = await pay(shop.maker.call, { amount: 999 });
    expect(codeOf(free)).toBe('DONE');
    // As a release that knew of no keys would have left it.
    const { transactionId } = free.body.data;
    const value = '058:0123456785:100000:NGN';
    const { pool } = t.database;
    await pool.query(`update dedupe_keys set value = $2 where subject_id = $1`, [transactionId, value]);
    expect(codeOf(await approve(shop.ann, waiting))).toBe('409 PAYOUT_DUPLICATE');
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('PENDING_APPROVAL');
    later(3);
    expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
    await pool.query(`update dedupe_keys set value = replace($2, '100000', '99900') where subject_id = $1`, [
      transactionId,
      value,
    ]);
  });
});

describe('a list that waits for approval', () => {
  it('is what a payment and another list meet, until it is approved, and after', async () => {
    const shop = await business(t);
    const list = await waitingList(shop, [rowOf(1_000), rowOf(2_000)]);
    const met = async () => {
      const single = await pay(shop.maker.call);
      const other = await dispatch(shop.maker.call, await readyList(shop, [rowOf(2_000)]));
      return [codeOf(single), codeOf(other)];
    };
    expect(await met()).toEqual(['409 PAYOUT_DUPLICATE', '409 BATCH_DUPLICATE']);
    expect(((await pay(shop.maker.call)).body as { message: string }).message).toContain(
      `row 1 of bulk payout ${list.reference}, which waits for approval`,
    );
    expect(codeOf(await approve(shop.ann, list))).toBe('DONE');
    expect(await met()).toEqual(['409 PAYOUT_DUPLICATE', '409 BATCH_DUPLICATE']);
    await t.app.worker.runOnce();
    expect(await met()).toEqual(['409 PAYOUT_DUPLICATE', '409 BATCH_DUPLICATE']);
  });

  it.each(['rejected', 'corrected', 'cancelled'])('is free again once it was %s', async (how) => {
    const shop = await business(t);
    const list = await waitingList(shop, [rowOf(1_000)]);
    expect(codeOf(await pay(shop.maker.call))).toBe('409 PAYOUT_DUPLICATE');
    if (how === 'rejected') await reject(shop.ann, list);
    if (how === 'cancelled') await shop.byKey('POST', '/payout/bulk/cancel', { batchReference: list.reference });
    if (how === 'corrected') {
      const { records } = (await shop.byKey('GET', `/payout/bulk/${list.reference}/item`)).body.data;
      await shop.byKey('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, amount: 3_000 });
    }
    expect(codeOf(await pay(shop.maker.call))).toBe('DONE');
  });

  it('shows approvers how many rows are meant twice, and is not dispatched with more', async () => {
    const shop = await business(t, [{ fromAmount: 5_000, approvals: 1 }]);
    expect(codeOf(await pay(shop.maker.call, { amount: 1_000 }))).toBe('DONE');
    const items = [rowOf(1_000), rowOf(2_000), rowOf(3_000)];
    const list = await waitingList(shop, items, { allowDuplicate: true });
    expect(list.shown).toContainEqual(
      expect.objectContaining({ field: 'duplicates', value: '1 of them, ₦1,000.00 in all, meant twice' }),
    );
    // Nobody pays the same by accident while it waits; somebody who means it may.
    expect(codeOf(await pay(shop.maker.call, { amount: 2_000 }))).toBe('409 PAYOUT_DUPLICATE');
    expect(codeOf(await pay(shop.maker.call, { amount: 2_000, allowDuplicate: true }))).toBe('DONE');
    const refused = await approve(shop.ann, list);
    expect(codeOf(refused)).toBe('409 BATCH_DUPLICATE');
    expect((refused.body as { message: string }).message).toMatch(
      /^More items than you were shown repeat .*: 2, ₦3,000.00/,
    );
    expect((await shop.byKey('GET', `/payout/bulk/${list.reference}`)).body.data.status).toBe('PENDING_APPROVAL');
    later(3);
    expect(codeOf(await approve(shop.ann, list))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(5);
  });
});
