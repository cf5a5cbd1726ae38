import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPayoutFixture,
  executed,
  items,
  type Merchant,
  type PayoutFixture,
  PIN,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const DAY_MS = 24 * 60 * 60 * 1000;

async function create(merchant: Merchant, rows: unknown[], validate = true): Promise<string> {
  const reply = await merchant.call('POST', '/payout/bulk', { items: rows });
  expect(reply.body).toMatchObject({ status: true, data: { status: 'VALIDATING', itemCount: rows.length } });
  if (validate) await fixture.worker.runOnce();
  return reply.body.data.batchReference;
}

const summary = async (merchant: Merchant, reference: string) =>
  (await merchant.call('GET', `/payout/bulk/${reference}`)).body.data;

const records = async (merchant: Merchant, reference: string, query = '') =>
  (await merchant.call('GET', `/payout/bulk/${reference}/item${query}`)).body.data.records;

const dispatch = (merchant: Merchant, batchReference: string, fields: Record<string, unknown> = {}, headers = {}) =>
  merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference, ...fields }, headers);

/** Every way in which a row can be wrong, with what the clerk is shown. */
const WRONG: [fields: Record<string, unknown>, reason: RegExp][] = [
  [{ amount: 0 }, /amount must be greater than zero/],
  [{ amount: -5 }, /amount must be greater than zero/],
  [{ amount: 300_000_000 }, /must not be more than ₦10,000,000.00/],
  [{ bankCode: '998' }, /no bank with the code "998"/],
  [{ bankCode: '030' }, /Heritage Bank does not take payouts/],
  [{ accountNumber: '123' }, /must be 10 digits/],
  [{ accountNumber: '0009999904' }, /has no account with the number 0009999904/],
  [{ accountNumber: '0005999906' }, /did not say who owns the account/],
  [{ narration: '' }, /narration is missing/],
  [{ phoneNumber: 'none' }, /phone number/],
];

describe('a bulk payout', () => {
  it('takes out of a cell what nobody sees, also where it is pasted into a row, and says so', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, [{ ...items(1)[0], narration: 'Ma\u200brch' }]);
    const [item] = await records(merchant, reference);
    expect(item).toMatchObject({ narration: 'March', warnings: [expect.stringMatching(/taken out of the narration/)] });
    const change = { bulkPayoutItemId: item.id, narration: '\u202elirpA', accountName: 'Ade\u0301 Obi' };
    expect((await merchant.call('PATCH', '/payout/bulk/item', change)).status).toBe(200);
    const [corrected] = await records(merchant, reference);
    expect(corrected).toMatchObject({ narration: 'lirpA', isValid: true });
    expect(corrected.warnings).toContain('Invisible characters were taken out of the narration.');
  });

  it('keeps wrong rows and says what is wrong with each', async () => {
    const merchant = await fixture.addMerchant();
    const rows = [...items(2), ...WRONG.map(([fields]) => ({ ...items(1)[0], ...fields }))];
    const reference = await create(merchant, rows);
    const found = await records(merchant, reference);
    expect(found.map((one: { isValid: boolean }) => one.isValid)).toEqual([true, true, ...WRONG.map(() => false)]);
    for (const [at, [, reason]] of WRONG.entries()) expect(found[at + 2].reason).toMatch(reason);
    expect(found[0]).toMatchObject({ position: 1, reason: null, bankName: 'Guaranty Trust Bank', amount: 1_000 });
    expect(found[0].accountName).not.toBe('');
    expect(await summary(merchant, reference)).toMatchObject({
      status: 'NEEDS_FIX',
      counts: { total: 12, valid: 2, invalid: 10, waiting: 0 },
      totals: { amount: 2_001, fee: 20, vat: 1.5, stampDuty: 0, charges: 21.5, total: 2_022.5 },
    });
    expect(await records(merchant, reference, '?isValid=true')).toHaveLength(2);
    expect(await records(merchant, reference, '?isValid=false&size=3&page=4')).toHaveLength(1);
  });

  it('is refused whole where its JSON is broken', async () => {
    const merchant = await fixture.addMerchant();
    const good = items(1)[0];
    const broken = [
      [],
      [{ ...good, amount: '5' }],
      [{ ...good, amount: 1.555 }],
      [{ ...good, extra: 1 }],
      [{ amount: 5 }],
    ];
    for (const rows of broken) {
      expect((await merchant.call('POST', '/payout/bulk', { items: rows })).status).toBe(400);
    }
  });

  it('is corrected row by row until it is ready, and answers each time with the first page of records', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, [...items(60), { ...items(1)[0], amount: 0, accountNumber: '1' }]);
    const [bad] = await records(merchant, reference, '?isValid=false');
    const half = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: bad.id, amount: 500 });
    expect(half.body).toMatchObject({
      status: true,
      data: { page: 1, size: 50, totalRecords: 61, totalPages: 2 },
    });
    expect(half.body.data.records).toHaveLength(50);
    expect((await summary(merchant, reference)).status).toBe('NEEDS_FIX');
    const change = {
      bulkPayoutItemId: bad.id,
      amount: 500,
      bankCode: '044',
      accountNumber: '0010246780',
      narration: 'Corrected',
      phoneNumber: '2348012345678',
    };
    const headers = { 'idempotency-key': 'correct-1' };
    const done = await merchant.call('PATCH', '/payout/bulk/item', change, headers);
    expect(done.status).toBe(200);
    expect((await merchant.call('PATCH', '/payout/bulk/item', change, headers)).body).toEqual(done.body);
    expect(await summary(merchant, reference)).toMatchObject({ status: 'READY', counts: { invalid: 0 } });
    const [corrected] = await records(merchant, reference, '?page=61&size=1');
    expect(corrected).toMatchObject({
      id: bad.id,
      isValid: true,
      reason: null,
      bankName: 'Access Bank',
      narration: 'Corrected',
    });
    const worse = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: bad.id, accountNumber: '1' });
    expect(worse.status).toBe(200);
    expect((await summary(merchant, reference)).status).toBe('NEEDS_FIX');
    const dropped = await merchant.call('DELETE', `/payout/bulk/item/${bad.id}`);
    expect(dropped.body.data.totalRecords).toBe(60);
    expect(await summary(merchant, reference)).toMatchObject({ status: 'READY', itemCount: 60 });
  });

  it('takes 30 changes of its items at once', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, items(30, { amount: 0 }));
    const found = await records(merchant, reference);
    const replies = await Promise.all(
      found.map(({ id }: { id: string }) =>
        merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: id, amount: 5 }),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200));
    expect(await summary(merchant, reference)).toMatchObject({ status: 'READY', counts: { valid: 30 } });
  });

  it('is corrected only where its fields hold what was seen, or already what they are to hold', async () => {
    const merchant = await fixture.addMerchant();
    const long = 'x'.repeat(300);
    const reference = await create(merchant, [{ ...items(1)[0], narration: "''5" }]);
    const [item] = await records(merchant, reference);
    const change = (fields: object) =>
      merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: item.id, ...fields });
    const seen = {
      amount: item.amount,
      narration: item.narration,
      phoneNumber: item.phoneNumber ?? '',
      accountName: '',
    };
    expect((await change({ amount: 700.5, narration: 'Mine', seen })).status).toBe(200);
    const late = await change({ amount: 900, seen });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'BATCH_ITEM_CHANGED',
      errors: [
        { field: 'amount', message: 'was changed meanwhile, to 700.50' },
        { field: 'narration', message: 'was changed meanwhile, to Mine' },
      ],
    });
    expect((await records(merchant, reference))[0]).toMatchObject({ amount: 700.5, narration: 'Mine' });
    // The answer to a change was lost, and it is asked for once more.
    expect((await change({ amount: 700.5, seen: { amount: item.amount } })).status).toBe(200);
    // What is as long as a cell of a file may have to be corrected.
    expect((await change({ phoneNumber: '', seen: { phoneNumber: long } })).body.code).not.toBe('VALIDATION_FAILED');
  });

  it('is not dispatched with invalid items, and says how many; with skipInvalid the valid ones are paid', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, [...items(3), ...items(2, { amount: 0 })]);
    const refused = await dispatch(merchant, reference);
    expect([refused.status, refused.body.code]).toEqual([422, 'BATCH_HAS_INVALID_ITEMS']);
    expect(refused.body.message).toMatch(/^2 items are invalid/);
    const done = await dispatch(merchant, reference, { skipInvalid: true });
    expect(done.body).toMatchObject({ status: true, message: 'Bulk payout has been dispatched' });
    await untilQuiet(fixture);
    expect(await summary(merchant, reference)).toMatchObject({
      status: 'COMPLETED',
      conclusive: true,
      payouts: { open: 0, succeeded: 3, failed: 0 },
    });
    expect(await executed(fixture, merchant.tenant)).toHaveLength(3);
    const [first] = await records(merchant, reference);
    expect(first).toMatchObject({ transactionId: first.id, payoutStatus: 'SUCCESS' });
    const again = await dispatch(merchant, reference);
    expect([again.status, again.body.code]).toEqual([409, 'BATCH_ALREADY_DISPATCHED']);
    const late = await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: first.id, amount: 1 });
    expect([late.status, late.body.code]).toEqual([409, 'BATCH_ALREADY_DISPATCHED']);
  });

  it('ends as partially completed when a payout fails, with the money of that one released', async () => {
    const merchant = await fixture.addMerchant(10_000);
    const reference = await create(merchant, [
      ...items(2, { amount: 1_000 }),
      ...items(1, { accountNumber: '0009999911' }),
    ]);
    await dispatch(merchant, reference);
    await untilQuiet(fixture);
    expect(await summary(merchant, reference)).toMatchObject({
      status: 'PARTIALLY_COMPLETED',
      reason: 'PAYOUTS_FAILED',
      payouts: { succeeded: 2, failed: 1 },
    });
    // 10,000 less twice 1,000 and 10.75.
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 797_850n, availableMinor: 797_850n });
  });

  it('holds the money of all its items or of none', async () => {
    const merchant = await fixture.addMerchant(5_000);
    const reference = await create(merchant, items(5));
    const refused = await dispatch(merchant, reference);
    expect([refused.status, refused.body.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect(await merchant.balance()).toMatchObject({ availableMinor: 500_000n });
    expect((await summary(merchant, reference)).status).toBe('READY');
  });

  it('is not dispatched while it is being validated, nor once it is empty', async () => {
    const merchant = await fixture.addMerchant();
    const early = await dispatch(merchant, await create(merchant, items(1), false));
    expect([early.status, early.body.code]).toEqual([409, 'BATCH_VALIDATING']);
    await fixture.worker.runOnce();
    const reference = await create(merchant, items(1));
    const [only] = await records(merchant, reference);
    await merchant.call('DELETE', `/payout/bulk/item/${only.id}`);
    expect((await dispatch(merchant, reference)).body.code).toBe('BATCH_EMPTY');
  });

  it('can be called off until it is dispatched', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, items(2));
    const cancelled = await merchant.call('POST', '/payout/bulk/cancel', { batchReference: reference });
    expect(cancelled.body).toMatchObject({ status: true, data: { status: 'CANCELLED', conclusive: true } });
    expect((await merchant.call('POST', '/payout/bulk/cancel', { batchReference: reference })).status).toBe(409);
    const refused = await dispatch(merchant, reference);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_ALREADY_CANCELLED']);
  });

  it('expires after seven days untouched, and lives on when touched', async () => {
    const merchant = await fixture.addMerchant();
    const [idle, touched] = [await create(merchant, items(1)), await create(merchant, items(1))];
    fixture.clock.advance(6 * DAY_MS);
    const [item] = await records(merchant, touched);
    await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: item.id, amount: 7 });
    fixture.clock.advance(2 * DAY_MS);
    await fixture.worker.runOnce();
    expect((await summary(merchant, idle)).status).toBe('EXPIRED');
    expect((await summary(merchant, touched)).status).toBe('READY');
    expect((await dispatch(merchant, idle)).body.code).toBe('BATCH_EXPIRED');
  });

  it('says in a list how many of its rows its amount sums', async () => {
    const merchant = await fixture.addMerchant();
    const [first, second, third] = items(3);
    await create(merchant, [first, { ...second, accountNumber: '123' }, third] as never);
    const [listed] = (await merchant.call('GET', '/payout/bulk')).body.data.records;
    expect([listed.itemCount, listed.validItemCount]).toEqual([3, 2]);
    expect(listed.amount).toBe(Number(first?.amount) + Number(third?.amount));
  });

  it('is nobody else’s business', async () => {
    const [merchant, stranger] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const reference = await create(merchant, items(1));
    const [item] = await records(merchant, reference);
    expect((await stranger.call('GET', `/payout/bulk/${reference}`)).status).toBe(404);
    expect((await stranger.call('GET', `/payout/bulk/${reference}/item`)).status).toBe(404);
    expect((await stranger.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: item.id, amount: 1 })).status).toBe(
      404,
    );
    expect((await stranger.call('DELETE', `/payout/bulk/item/${item.id}`)).status).toBe(404);
    expect((await dispatch(stranger, reference)).status).toBe(404);
    expect((await stranger.call('GET', '/payout/bulk')).body.data.totalRecords).toBe(0);
  });

  it('repeats the answer of its dispatch for the same key', async () => {
    const merchant = await fixture.addMerchant();
    const reference = await create(merchant, items(1));
    const headers = { 'idempotency-key': 'go' };
    const first = await dispatch(merchant, reference, {}, headers);
    const again = await dispatch(merchant, reference, {}, headers);
    expect(first.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});
