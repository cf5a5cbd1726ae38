import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';

let t: TestApp;
let other: TestMerchant;
let live: TestMerchant;
/** In seconds. */
const YEAR = 31_536_000;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
  live = await t.addMerchant({ mode: 'LIVE' });
});
afterAll(() => t.close());

describe('POST /sandbox/wallet/fund', () => {
  it('puts money into the main wallet, a store and a subaccount', async () => {
    const store = (await t.call('GET', `/branch/store/${t.merchant.storeIds[0]}`)).body.data;
    const subaccount = (await t.call('GET', `/subaccount/${t.merchant.subaccountIds[0]}`)).body.data;
    for (const walletId of [t.merchant.walletId, store.walletId, subaccount.walletId]) {
      const { status, body } = await t.call('POST', '/sandbox/wallet/fund', { walletId, amount: 12.5 });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        category: 'WALLET_FUNDING',
        status: 'SUCCESS',
        amount: 12.5,
        walletId,
        toWalletId: walletId,
      });
    }
    const after = (await t.call('GET', `/branch/store/${t.merchant.storeIds[0]}`)).body.data;
    expect(after.bookedBalance).toBe(store.bookedBalance + 12.5);
  });

  it('takes the money from the float, so that the books still add up', async () => {
    const { rows } = await t.database.pool.query(
      'select sum(debits_posted_minor)::text as debits, sum(credits_posted_minor)::text as credits from accounts',
    );
    expect(rows[0].debits).toBe(rows[0].credits);
  });

  it('is refused with a live key', async () => {
    const { status, body } = await t.call(
      'POST',
      '/sandbox/wallet/fund',
      { walletId: t.merchant.walletId, amount: 1 },
      bearerOf(live),
    );
    expect([status, body.code]).toEqual([403, 'SANDBOX_ONLY']);
  });

  it('finds no wallet of another merchant', async () => {
    const { status, body } = await t.call('POST', '/sandbox/wallet/fund', { walletId: other.walletId, amount: 1 });
    expect([status, body.code]).toEqual([404, 'WALLET_NOT_FOUND']);
  });

  it('takes at most a thousand million naira at a time', async () => {
    const fund = (amount: number) => t.call('POST', '/sandbox/wallet/fund', { walletId: t.merchant.walletId, amount });
    expect((await fund(1_000_000_000)).status).toBe(200);
    const { status, body } = await fund(1_000_000_000.01);
    expect([status, body.code]).toEqual([422, 'SANDBOX_FUNDING_TOO_LARGE']);
  });
});

describe('POST /sandbox/clock/advance', () => {
  it('answers with what it did', async () => {
    const { status, body } = await t.call('POST', '/sandbox/clock/advance', { seconds: 3600 });
    expect([status, body.data.seconds]).toEqual([200, 3600]);
  });

  it.each([0, -1, 1.5, 31_536_001, '60', null])('refuses %j seconds', async (seconds) => {
    expect((await t.call('POST', '/sandbox/clock/advance', { seconds })).status).toBe(400);
  });

  it('moves ten years in a calendar year and no more, also by many at once, and says what is left', async () => {
    const merchant = await t.addMerchant();
    const advance = (seconds: number) => t.call('POST', '/sandbox/clock/advance', { seconds }, bearerOf(merchant));
    expect((await advance(YEAR - 100)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 20 }, () => advance(YEAR)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['422 SANDBOX_CLOCK_LIMIT']),
    );
    expect(refused[0]?.body.message).toBe(
      'A sandbox is moved forward by at most 315360000 seconds in a calendar year, and 100 are left of them.',
    );
    expect([(await advance(101)).status, (await advance(100)).status, (await advance(1)).status]).toEqual([
      422, 200, 422,
    ]);
    // Another merchant's clock is its own, and so is next year's.
    expect((await t.call('POST', '/sandbox/clock/advance', { seconds: 1 })).status).toBe(200);
  });

  it('moves nothing before the year 2000, wherever it stood, and leaves what has no time without one', async () => {
    const merchant = await t.addMerchant();
    const pool = t.database.pool;
    const pay = () =>
      t.call(
        'POST',
        '/payout/single',
        {
          pin: merchant.pin,
          amount: 100,
          bankCode: '058',
          accountNumber: '0123456785',
          narration: 'n',
          allowDuplicate: true,
        },
        bearerOf(merchant),
      );
    const ids = [(await pay()).body.data.transactionId, (await pay()).body.data.transactionId];
    await pool.query(`update payouts set due_at = '1572-04-13 BC', first_sent_at = '4700-01-01 BC' where id = $1`, [
      ids[0],
    ]);
    const advance = () => t.call('POST', '/sandbox/clock/advance', { seconds: YEAR }, bearerOf(merchant));
    for (let times = 0; times < 10; times += 1) expect((await advance()).status).toBe(200);
    const { rows } = await pool.query(
      'select due_at, first_sent_at, sent_at from payouts where merchant_id = $1 order by id',
      [merchant.merchantId],
    );
    const floor = new Date('2000-01-01T00:00:00Z');
    expect(rows[0]).toEqual({ due_at: floor, first_sent_at: floor, sent_at: null });
    expect(rows[1]).toMatchObject({ first_sent_at: null, sent_at: null });
    expect(rows[1].due_at.getTime()).toBeGreaterThan(t.clock.now().getTime() - 10.01 * YEAR * 1_000);
  });

  it('lets nothing expire before it was made, however far it moves', async () => {
    const merchant = await t.addMerchant();
    const call = (method: 'GET' | 'POST', path: string, body?: object) =>
      t.call(method, path, body, bearerOf(merchant));
    const row = { amount: 100, bankCode: '058', accountNumber: '0123456785', narration: 'n' };
    const batch = await call('POST', '/payout/bulk', { items: [row] });
    const session = await call('POST', '/collection/session', {
      amount: 500,
      customer: { name: 'Ada Obi', email: 'ada@example.com' },
    });
    await call('POST', '/sandbox/clock/advance', { seconds: YEAR });
    for (const { body } of [
      await call('GET', `/payout/bulk/${batch.body.data.batchReference}`),
      await call('GET', `/collection/session/${session.body.data.sessionId}`),
    ]) {
      expect(body.data.expiresAt).toBe(body.data.createdAt);
    }
    // Before any of it has run out.
    const found = (await brokenChecks(t.database)).flatMap(({ examples }) => examples);
    expect(found.filter(({ merchantId }) => merchantId === merchant.merchantId)).toEqual([]);
  });

  it('is refused with a live key', async () => {
    const { status, body } = await t.call('POST', '/sandbox/clock/advance', { seconds: 1 }, bearerOf(live));
    expect([status, body.code]).toEqual([403, 'SANDBOX_ONLY']);
  });
});
