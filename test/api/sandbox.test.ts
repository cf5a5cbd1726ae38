import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';

let t: TestApp;
let other: TestMerchant;
let live: TestMerchant;
const as = (merchant: TestMerchant) => ({ authorization: `Bearer ${merchant.secretKey}` });

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
      as(live),
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

  it('is refused with a live key', async () => {
    const { status, body } = await t.call('POST', '/sandbox/clock/advance', { seconds: 1 }, as(live));
    expect([status, body.code]).toEqual([403, 'SANDBOX_ONLY']);
  });
});
