import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';

const PATH = '/sandbox/collection/pay';

let t: TestApp;
let other: TestMerchant;
let live: TestMerchant;
let accountNumber: string;

const as = (merchant: TestMerchant, more: Record<string, string> = {}) => ({
  authorization: `Bearer ${merchant.secretKey}`,
  ...more,
});
const numberOf = async (merchant: TestMerchant): Promise<string> => {
  const { rows } = await t.database.pool.query(
    `select w.account_number from wallets w join merchants m on m.id = w.owner_id where m.id = $1 and w.mode = $2`,
    [merchant.merchantId, merchant === live ? 'LIVE' : 'SANDBOX'],
  );
  return rows[0].account_number;
};
const creditsOf = async (merchant: TestMerchant) => {
  const { rows } = await t.database.pool.query(
    'select id, account_number, amount_minor, scenario, status, next_webhook_at from sandbox_credits where merchant_id = $1',
    [merchant.merchantId],
  );
  return rows;
};

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
  live = await t.addMerchant({ mode: 'LIVE' });
  accountNumber = await numberOf(t.merchant);
});
afterAll(() => t.close());

describe(`POST ${PATH}`, () => {
  it('makes one credit at the sandbox bank, with what was said of its payer', async () => {
    const payer = { name: 'EZE UDOH', accountNumber: '0123456785', bankName: 'Zenith Bank' };
    const { status, body } = await t.call('POST', PATH, { accountNumber, amount: 1500.5, payer, narration: 'Rent' });
    expect(status).toBe(200);
    expect(body.data.credits).toHaveLength(1);
    expect(body.data.credits[0]).toMatchObject({
      accountNumber,
      amount: 1500.5,
      scenario: 'paid',
      payer,
      narration: 'Rent',
    });
    expect(await creditsOf(t.merchant)).toMatchObject([
      { id: body.data.credits[0].id, account_number: accountNumber, amount_minor: 150_050n, status: 'SUCCESS' },
    ]);
  });

  it('moves no money by itself', async () => {
    const merchant = await t.addMerchant();
    const balance = async () => (await t.call('GET', '/wallet/merchant', undefined, as(merchant))).body.data.wallet;
    const before = await balance();
    await t.call('POST', PATH, { accountNumber: await numberOf(merchant), amount: 5 }, as(merchant));
    expect(await balance()).toEqual(before);
    expect(await brokenChecks(t.database)).toEqual([]);
  });

  it('pays to a store’s and a subaccount’s number too, as often as is asked, each time with an id of its own', async () => {
    const store = (await t.call('GET', `/branch/store/${t.merchant.storeIds[0]}`)).body.data;
    const { rows } = await t.database.pool.query('select account_number from wallets where id = $1', [store.walletId]);
    const body = { accountNumber: rows[0].account_number, amount: 1, times: 100, scenario: 'never_notified' };
    const credits: { id: string; sessionId: string }[] = (await t.call('POST', PATH, body)).body.data.credits;
    expect([new Set(credits.map(({ id }) => id)).size, new Set(credits.map((one) => one.sessionId)).size]).toEqual([
      100, 100,
    ]);
  });

  it('makes the credits of one idempotency key once, and answers with the same ids again', async () => {
    const merchant = await t.addMerchant();
    const body = { accountNumber: await numberOf(merchant), amount: 7, times: 3 };
    const headers = as(merchant, { 'idempotency-key': 'pay-1' });
    const answers = await Promise.all([1, 2, 3].map(() => t.call('POST', PATH, body, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await creditsOf(merchant)).toHaveLength(3);
    const changed = await t.call('POST', PATH, { ...body, amount: 8 }, headers);
    expect(changed.status).toBe(422);
  });

  it('finds no number of another merchant, of live mode, or of nobody, and does not say which', async () => {
    const numbers = [await numberOf(other), await numberOf(live), '0000000000'];
    const answers = await Promise.all(
      numbers.map((number) => t.call('POST', PATH, { accountNumber: number, amount: 1 })),
    );
    expect(answers.map(({ status, body }) => [status, body.code, body.message])).toEqual(
      numbers.map(() => [404, 'WALLET_NOT_FOUND', 'None of your sandbox wallets has this account number.']),
    );
    expect(await creditsOf(other)).toEqual([]);
  });

  it('is refused with a live key', async () => {
    const { status, body } = await t.call('POST', PATH, { accountNumber: await numberOf(live), amount: 1 }, as(live));
    expect([status, body.code]).toEqual([403, 'SANDBOX_ONLY']);
  });

  it('takes at most a thousand million naira a transfer, and no more than a wallet holds', async () => {
    const pay = (body: object) => t.call('POST', PATH, { accountNumber, scenario: 'never_notified', ...body });
    const large = await pay({ amount: 1_000_000_000.01 });
    expect([large.status, large.body.code]).toEqual([422, 'SANDBOX_FUNDING_TOO_LARGE']);
    expect((await pay({ amount: 1_000_000_000 })).status).toBe(200);
    await t.database.pool.query(
      `update accounts set credits_posted_minor = credits_posted_minor + 99990000000000 where id = $1`,
      [t.merchant.walletId],
    );
    const full = await pay({ amount: 1_000_000, times: 100 });
    expect([full.status, full.body.code]).toEqual([422, 'SANDBOX_WALLET_FULL']);
  });

  it.each([
    { amount: 0 },
    { amount: 1.005 },
    { times: 0 },
    { times: 101 },
    { times: 1.5 },
    { scenario: 'late-reversal' },
    { accountNumber: '12' },
    { payer: { name: '' } },
    { payer: { bvn: '1' } },
    { walletId: 'x' },
  ])('refuses %j', async (wrong) => {
    const { status } = await t.call('POST', PATH, { accountNumber, amount: 1, ...wrong });
    expect(status).toBe(400);
  });
});
