import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../src/access/index.ts';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { moved } from '../support/moved.ts';
import { misfits, PAGE } from './shape.ts';

let t: TestApp;
let other: TestMerchant;
let debit: Record<string, string>;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
  for (const amount of [1, 2, 3]) {
    const body = { pin: t.merchant.pin, amount, storeId: t.merchant.storeIds[0], narration: `Sweep ${amount}` };
    debit = (await t.call('POST', '/branch/store/debit', body)).body.data;
  }
  await t.call('POST', '/subaccount/credit', { amount: 4, subaccountId: t.merchant.subaccountIds[0] });
});
afterAll(() => t.close());

const list = async (query = '') => (await t.call('GET', `/transaction${query}`)).body.data;
const amounts = (page: { records: { amount: number }[] }) => page.records.map((record) => record.amount);

describe('GET /transaction', () => {
  it('lists all of a merchant in the page wrapper, newest first', async () => {
    const page = await list();
    expect(misfits(page, PAGE)).toEqual([]);
    expect(amounts(page)).toEqual([4, 3, 2, 1, 100_000, 1_000_000]);
    expect([page.totalRecords, page.totalPages, page.totalIsExact]).toEqual([6, 1, true]);
  });

  it('pages by number and by key to the same records', async () => {
    const [first, second] = [await list('?size=2'), await list('?size=2&page=2')];
    expect(first.totalPages).toBe(3);
    const byKey = await list(`?size=2&before=${first.records[1].transactionId}`);
    expect(byKey.records).toEqual(second.records);
  });

  it('filters by category, status, period and reference, all at once', async () => {
    expect(amounts(await list('?category=STORE_TO_MERCHANT'))).toEqual([3, 2, 1]);
    expect(amounts(await list('?status=FAILED'))).toEqual([]);
    expect(amounts(await list('?status=SUCCESS&category=SUBACCOUNT'))).toEqual([4]);
    const from = encodeURIComponent(debit.createdAt as string);
    expect(amounts(await list(`?category=STORE_TO_MERCHANT&from=${from}`))).toEqual([3]);
    expect(amounts(await list(`?category=STORE_TO_MERCHANT&to=${from}`))).toEqual([2, 1]);
    expect(amounts(await list(`?reference=${debit.reference}`))).toEqual([3]);
    expect(amounts(await list('?reference=nobody'))).toEqual([]);
    expect(amounts(await list('?batchReference=nobody'))).toEqual([]);
  });

  it('finds payouts by the account that they went to, within 90 days unless a beginning is given', async () => {
    const merchant = await t.addMerchant();
    const as = bearerOf(merchant);
    const payout = { pin: merchant.pin, amount: 500, bankCode: '058', narration: 'Rent' };
    for (const accountNumber of ['0123456785', '0000000006']) {
      await t.call('POST', '/payout/single', { ...payout, accountNumber }, as);
    }
    const found = async (query: string) =>
      (await t.call('GET', `/transaction?accountNumber=${query}`, undefined, as)).body.data.records.map(
        (record: { beneficiaryAccountNumber: string }) => record.beneficiaryAccountNumber,
      );
    expect(await found('0123456785')).toEqual(['0123456785']);
    expect(await found('9999999999')).toEqual([]);
    expect(await found('0123456785&category=STORE_TO_MERCHANT')).toEqual([]);
    await t.database.pool.query(
      `update transactions set created_at = ${moved('created_at', '-91 days')} where merchant_id = $1`,
      [merchant.merchantId],
    );
    expect(await found('0123456785')).toEqual([]);
    expect(await found('0123456785&from=2020-01-01')).toEqual(['0123456785']);
  });

  it.each([
    'status=DONE',
    'category=X',
    'size=0',
    'size=1000',
    'before=1',
    'from=x',
    'accountNumber=12345',
    'merchantId=1',
  ])('refuses ?%s', async (query) => {
    expect((await t.call('GET', `/transaction?${query}`)).status).toBe(400);
  });

  it('uses an index for every filter, so that a long history is not read', async () => {
    const { merchantId } = t.merchant;
    const plans = [
      `order by created_at desc, id desc limit 51`,
      `and status = 'FAILED' order by created_at desc, id desc limit 51`,
      `and category = 'PAYOUT' order by created_at desc, id desc limit 51`,
      `and category = 'PAYOUT' and created_at > '2026-01-01' and beneficiary_account_number = 'x' order by created_at desc, id desc limit 51`,
      `and category = 'PAYOUT' and beneficiary_account_number = 'x' and beneficiary_account_number > '' order by created_at desc, id desc limit 51`,
      `and client_reference = 'x' order by created_at desc, id desc limit 51`,
    ];
    for (const rest of plans) {
      const client = await t.database.pool.connect();
      try {
        await client.query('begin');
        await client.query('set local enable_seqscan = off');
        const where = `merchant_id = '${merchantId}' and mode = 'SANDBOX' and created_at > '-infinity'`;
        const { rows } = await client.query(`explain select * from transactions where ${where} ${rest}`);
        expect(rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n')).toMatch(
          /Index Scan.* using transactions_by_/,
        );
      } finally {
        await client.query('rollback');
        client.release();
      }
    }
  });
});

describe('GET /transaction/{transactionId}', () => {
  it('shows a transaction as the operation that made it did', async () => {
    const { status, body } = await t.call('GET', `/transaction/${debit.transactionId}`);
    expect(status).toBe(200);
    expect(body.data).toEqual(debit);
    expect(body.data.conclusive).toBe(true);
  });

  it('is not found by another merchant, nor in another mode, nor when there is none', async () => {
    const missing = '0193f3f0-0000-7000-8000-000000000000';
    const { key } = await issueApiKey(t, { merchantId: t.merchant.merchantId, mode: 'LIVE', kind: 'SECRET' });
    const asLive = { authorization: `Bearer ${key}` };
    const asOther = { authorization: `Bearer ${other.secretKey}` };
    const seen = [
      await t.call('GET', `/transaction/${debit.transactionId}`, undefined, asOther),
      await t.call('GET', `/transaction/${debit.transactionId}/evidence`, undefined, asOther),
      await t.call('GET', `/transaction/${debit.transactionId}`, undefined, asLive),
      await t.call('GET', `/transaction/${missing}`),
    ];
    expect((await t.call('GET', '/transaction', undefined, asLive)).body.data.totalRecords).toBe(0);
    expect(seen.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 4 }, () => [404, 'TRANSACTION_NOT_FOUND']),
    );
  });
});

describe('GET /transaction/{transactionId}/evidence', () => {
  it('holds the transaction and its transfers with the balances after them', async () => {
    const { status, body } = await t.call('GET', `/transaction/${debit.transactionId}/evidence`);
    expect(status).toBe(200);
    expect(body.data.transaction).toEqual(debit);
    expect(body.data.transfers).toHaveLength(1);
    expect(body.data.transfers[0]).toMatchObject({
      kind: 'POSTED',
      code: 'STORE_DEBIT',
      amount: 3,
      debitAccountId: debit.fromWalletId,
      debitBalanceAfter: 99_994,
      creditAccountId: debit.toWalletId,
      creditBalanceAfter: 1_000_006,
    });
    expect(body.data.stateChanges).toEqual([]);
    expect(body.data.events).toEqual([]);
  });
});
