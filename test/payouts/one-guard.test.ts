import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paySingle } from '../../src/payouts/single-payout.ts';
import { HEADER, upload, workbookOf } from '../support/files.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  dispatchBy,
  dispatchOf,
  expectCountersToBeTrue,
  lookAtBatches,
  mixedItems,
  openOnce,
  processOf,
  singleOf,
  summaryOf,
  uploadBatch,
  validatedBatch,
} from './batch-fixture.ts';
import {
  createPayoutFixture,
  executed,
  type Merchant,
  type PayoutFixture,
  PIN,
  payment,
  untilQuiet,
} from './payout-fixture.ts';

let fixture: PayoutFixture;
let other: Awaited<ReturnType<PayoutFixture['otherProcess']>>;
beforeAll(async () => {
  fixture = await createPayoutFixture();
  other = await fixture.otherProcess();
});
afterEach(() => expectCountersToBeTrue(fixture));
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await other.close();
  await fixture.close();
});

const MANY = 100_000_000;
const RENT = { amount: 77, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
const inMs = (milliseconds: number) => new Date(fixture.clock.now().getTime() + milliseconds).toISOString();
/** Without a word on duplicates. */
const unasked = (fields: object = {}) => payment({ ...RENT, allowDuplicate: undefined, ...fields });

/** Every way in, as a client that says nothing of duplicates takes it. */
const WAYS: Record<string, (merchant: Merchant) => Promise<{ status: number; body: { code?: string } }>> = {
  single: (merchant) => merchant.call('POST', '/payout/single', unasked()),
  schedule: (merchant) => merchant.call('POST', '/payout/single/schedule', unasked({ scheduledFor: inMs(30_000) })),
  bulk: async (merchant) => dispatchOf(merchant, await validatedBatch(fixture, merchant, [RENT])),
};

const sendFile = (merchant: Merchant, name: string, content: string | Buffer) =>
  upload(fixture.server, merchant.secretKey, { name, content });

const orders = (names: readonly string[]): string[][] =>
  names.length < 2
    ? [[...names]]
    : names.flatMap((name) => orders(names.filter((one) => one !== name)).map((rest) => [name, ...rest]));

describe('the same ₦77 to the same account within seconds', () => {
  it.each(orders(Object.keys(WAYS)))('by %s, then %s, then %s is paid once', async (...names) => {
    const merchant = await fixture.addMerchant();
    const replies = [];
    for (const name of names) replies.push(await WAYS[name]!(merchant));
    expect(replies.map(({ status }) => status)).toEqual([200, 409, 409]);
    fixture.clock.advance(31_000);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it.each([
    ['a row that is no payout yet', false],
    ['a row that has become a payout', true],
  ])('by hand after %s is refused, and names it', async (_what, opened) => {
    const merchant = await fixture.addMerchant();
    const reference = await validatedBatch(fixture, merchant, [...mixedItems(3), RENT]);
    await dispatchOf(merchant, reference);
    if (opened) await openOnce(fixture.deps);
    const refused = await merchant.call('POST', '/payout/single', unasked());
    expect([refused.status, refused.body.code]).toEqual([409, 'PAYOUT_DUPLICATE']);
    const named = opened ? `by bulk payout ${reference}` : `row 4 of bulk payout ${reference}, which is being paid`;
    expect(refused.body.message).toContain(named);
    // One that is meant is paid, and takes nothing from the list.
    expect((await merchant.call('POST', '/payout/single', unasked({ allowDuplicate: true }))).status).toBe(200);
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(5);
  });

  it.each([
    ['JSON', (merchant: Merchant) => merchant.call('POST', '/payout/bulk', { items: [RENT] })],
    ['CSV', (merchant: Merchant) => sendFile(merchant, 'list.csv', `${HEADER}\n₦77.00,GTB,123456785,,Rent`)],
    [
      'XLSX',
      async (merchant: Merchant) =>
        sendFile(merchant, 'list.xlsx', await workbookOf([HEADER.split(','), [77, '058', '0123456785', '', 'Rent']])),
    ],
  ])('in a list from %s is refused after a payment by hand', async (_kind, send) => {
    const merchant = await fixture.addMerchant();
    await merchant.call('POST', '/payout/single', unasked());
    const { batchReference } = (await send(merchant)).body.data;
    await fixture.worker.runOnce();
    const refused = await dispatchOf(merchant, batchReference);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_DUPLICATE']);
  });

  it('is recognised in kobo, by the bank’s other code, and with a leading zero that is put back by hand', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.call('POST', '/payout/single', unasked({ amount: 77.0 }));
    const rows = [
      { ...RENT, bankCode: '000013' },
      { ...RENT, accountNumber: '12345678' },
      { ...RENT, amount: 78 },
    ];
    const reference = await validatedBatch(fixture, merchant, rows);
    const records = (await merchant.call('GET', `/payout/bulk/${reference}/item`)).body.data.records;
    expect(records.map((one: { repeats: unknown }) => one.repeats !== null)).toEqual([true, false, false]);
    const corrected = await merchant.call('PATCH', '/payout/bulk/item', {
      bulkPayoutItemId: records[1].id,
      accountNumber: '0123456785',
    });
    const [, second] = corrected.body.data.records;
    expect(second).toMatchObject({ isValid: true, repeats: { kind: 'PAYOUT', row: null } });
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 2, amount: 154 });
    // Another account is no duplicate any more.
    await merchant.call('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, accountNumber: '3333333333' });
    expect((await summaryOf(merchant, reference)).duplicates).toEqual({ count: 1, amount: 77 });
    expect((await merchant.call('POST', '/payout/single', unasked({ amount: 77.01 }))).status).toBe(200);
  });
});

describe('a list', () => {
  it('with one row more than one that was paid is not paid a second time', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = mixedItems(20);
    expect((await dispatchOf(merchant, await validatedBatch(fixture, merchant, rows))).status).toBe(200);
    fixture.clock.advance(60 * 60_000);
    await fixture.worker.runOnce();
    // An hour later: lists are made again later than clicks.
    const more = await validatedBatch(fixture, merchant, [...rows.toReversed(), RENT]);
    const refused = await dispatchOf(merchant, more);
    expect([refused.status, refused.body.code]).toEqual([409, 'BATCH_DUPLICATE']);
    expect(refused.body.message).toMatch(
      /^20 items repeat what was paid or waits to be paid: ₦[\d,.]+ in all\. Row 1: /,
    );
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(20);
  });

  it('split over two others, in another order, is paid once', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const rows = mixedItems(30);
    const whole = await validatedBatch(fixture, merchant, rows);
    expect((await dispatchOf(merchant, whole)).status).toBe(200);
    const odd = rows.filter((_, at) => at % 2 === 1);
    for (const part of [odd, rows.filter((_, at) => at % 2 === 0).toReversed()]) {
      const reference = await validatedBatch(fixture, merchant, part);
      expect((await summaryOf(merchant, reference)).duplicates.count).toBe(15);
      expect((await dispatchOf(merchant, reference)).body.code).toBe('BATCH_DUPLICATE');
    }
    await untilQuiet(fixture);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(30);
  });

  it('that two upload at once, and both dispatch at once from two processes, is paid once', async () => {
    const [here, there] = [processOf(fixture.deps), processOf(other.deps)];
    for (let round = 0; round < 6; round += 1) {
      const merchant = await fixture.addMerchant(MANY);
      const references = await Promise.all([0, 1].map(() => uploadBatch(fixture, merchant, mixedItems(12))));
      await Promise.all([lookAtBatches(fixture.deps), lookAtBatches(other.deps)]);
      const outcomes = await Promise.allSettled([
        dispatchBy(here, merchant, references[round % 2]!),
        dispatchBy(there, merchant, references[(round + 1) % 2]!),
      ]);
      const refused = outcomes.filter((one) => one.status === 'rejected');
      expect(refused.map(({ reason }) => reason.code)).toEqual(['BATCH_DUPLICATE']);
      await fixture.worker.runOnce();
      expect(await executed(fixture, merchant.tenant)).toHaveLength(12);
    }
  });

  it('and a payment by hand at once are one payment of the row that both have, in whatever order', async () => {
    const [here, there] = [processOf(fixture.deps), processOf(other.deps)];
    const won = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      const merchant = await fixture.addMerchant(MANY);
      const reference = await validatedBatch(fixture, merchant, [...mixedItems(40), RENT]);
      const byHand = () => paySingle(round % 2 === 0 ? here : there, singleOf(merchant, RENT));
      const byList = () => dispatchBy(here, merchant, reference);
      const ways = round % 2 === 0 ? [byHand, byList] : [byList, byHand];
      // One first, then the other first, and from then on both at once.
      const ends = round < 2 ? await inTurn(ways) : await Promise.allSettled(ways.map((way) => way()));
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      won.add(ends.findIndex(({ status }) => status === 'fulfilled') === round % 2 ? 'by hand' : 'by list');
      await fixture.worker.runOnce();
      const paid = await paidAccounts(merchant);
      expect(paid.filter((accountNumber) => accountNumber === RENT.accountNumber)).toHaveLength(1);
    }
    expect(won.size).toBe(2);
  });

  it('and a payment by hand that ride in one group of the books are one payment: the list’s, which came first', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const reference = await validatedBatch(fixture, merchant, [RENT]);
    const { ledger, database } = fixture.deps;
    let handed = 0;
    const commit: typeof ledger.commit = (movement) => {
      handed += 1;
      return ledger.commit(movement);
    };
    const here = processOf({ ...fixture.deps, ledger: { ...ledger, commit } });
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select 1 from accounts where merchant_id = $1 for update', [merchant.merchantId]);
    const funded = merchant.call('POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 1 });
    await expect.poll(() => lockWaits(fixture.connectionString)).toBe(1);
    // While one group waits, the next one gathers.
    const byList = dispatchBy(here, merchant, reference);
    await expect.poll(() => handed).toBe(1);
    const byHand = paySingle(here, singleOf(merchant, RENT));
    await expect.poll(() => handed).toBe(2);
    await client.query('rollback');
    client.release();
    const ends = await Promise.allSettled([byList, byHand]);
    expect((await funded).status).toBe(200);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await untilQuiet(fixture);
    expect(await paidAccounts(merchant)).toEqual([RENT.accountNumber]);
  });
});

async function inTurn(ways: readonly (() => Promise<unknown>)[]): Promise<PromiseSettledResult<unknown>[]> {
  const ends = [];
  for (const way of ways) ends.push(...(await Promise.allSettled([way()])));
  return ends;
}

/** The accounts that got their money, each as often as it did. */
async function paidAccounts({ merchantId }: Merchant): Promise<string[]> {
  const sql = `select beneficiary_account_number as account from transactions
    where merchant_id = $1 and category = 'PAYOUT' and status = 'SUCCESS'`;
  const { rows } = await fixture.database.pool.query<{ account: string }>(sql, [merchantId]);
  return rows.map(({ account }) => account);
}

describe('a key', () => {
  const pay = (merchant: Merchant, fields: object = {}) => merchant.call('POST', '/payout/single', unasked(fields));

  it('stays with the first payment when one that was meant twice fails', async () => {
    const merchant = await fixture.addMerchant();
    expect((await pay(merchant)).status).toBe(200);
    await fixture.worker.runOnce();
    const meant = await merchant.call('POST', '/payout/single', unasked({ allowDuplicate: true }), {
      'x-sandbox-scenario': 'failed-do-not-honour',
    });
    await fixture.worker.runOnce();
    expect((await merchant.call('GET', `/transaction/${meant.body.data.transactionId}`)).body.data.status).toBe(
      'FAILED',
    );
    expect((await pay(merchant)).body.code).toBe('PAYOUT_DUPLICATE');
  });

  it('is free again once the bank returned the money', async () => {
    const merchant = await fixture.addMerchant();
    const first = await merchant.call('POST', '/payout/single', unasked(), {
      'x-sandbox-scenario': 'late-reversal',
    });
    await fixture.worker.runOnce();
    expect((await pay(merchant)).body.code).toBe('PAYOUT_DUPLICATE');
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect((await merchant.call('GET', `/transaction/${first.body.data.transactionId}`)).body.data.status).toBe(
      'REVERSED',
    );
    expect((await pay(merchant)).status).toBe(200);
  });

  it('of a row is free once its payout has failed, and a list of the rows that failed is paid without a word', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const failing = { ...RENT, accountNumber: '0000999911' };
    await dispatchOf(merchant, await validatedBatch(fixture, merchant, [...mixedItems(2), failing]));
    await fixture.worker.runOnce();
    const again = await validatedBatch(fixture, merchant, [failing]);
    expect((await summaryOf(merchant, again)).duplicates).toEqual({ count: 0, amount: 0 });
    expect((await dispatchOf(merchant, again)).status).toBe(200);
    await fixture.worker.runOnce();
    const mixed = await validatedBatch(fixture, merchant, [failing, mixedItems(1)[0]!]);
    expect((await summaryOf(merchant, mixed)).duplicates.count).toBe(1);
  });

  it('of a row that waits is free once its list is cancelled or the row is dropped', async () => {
    const merchant = await fixture.addMerchant(MANY);
    const first = await validatedBatch(fixture, merchant, mixedItems(3));
    const second = await validatedBatch(fixture, merchant, mixedItems(3));
    const said = async () => (await summaryOf(merchant, second)).duplicates.count;
    expect(await said()).toBe(3);
    const records = (await merchant.call('GET', `/payout/bulk/${first}/item`)).body.data.records;
    await merchant.call('DELETE', `/payout/bulk/item/${records[0].id}`);
    expect(await said()).toBe(2);
    await merchant.call('POST', '/payout/bulk/cancel', { batchReference: first });
    expect(await said()).toBe(0);
    expect((await merchant.call('POST', '/payout/bulk/dispatch', { pin: PIN, batchReference: second })).status).toBe(
      200,
    );
  });

  it('is nobody’s where the operator set no window', async () => {
    const merchant = await fixture.addMerchant(MANY);
    await fixture.database.pool.query(
      `insert into payout_limits (id, merchant_id, mode, duplicate_window_seconds, effective_from, source)
       values ('no-window-' || $1, $1::uuid, 'SANDBOX', 0, '2021-01-01', 'test')`,
      [merchant.merchantId],
    );
    fixture.clock.advance(61_000);
    for (const way of Object.values(WAYS)) expect((await way(merchant)).status).toBe(200);
    const twice = await validatedBatch(fixture, merchant, [RENT, RENT]);
    expect((await summaryOf(merchant, twice)).duplicates.count).toBe(0);
    expect((await dispatchOf(merchant, twice)).status).toBe(200);
    fixture.clock.advance(31_000);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(5);
  });
});
