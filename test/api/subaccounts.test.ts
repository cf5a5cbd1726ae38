import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { misfits, PAGE } from './shape.ts';

let t: TestApp;
let other: TestMerchant;
let subaccountId: string;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant({ name: 'Other Ltd' });
  subaccountId = t.merchant.subaccountIds[0]!;
});
afterAll(() => t.close());

const credit = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  t.call('POST', '/subaccount/credit', { amount: 10, subaccountId, ...body }, headers);

const TRANSFER = {
  accountName: 'text',
  accountNumber: 'digits',
  amount: 'number',
  charge: 'number',
  settledAmount: 'number',
  totalAmount: 'number',
  category: 'text',
  destinationInstitutionCode: 'text',
  merchantId: 'uuid',
  walletId: 'uuid',
  transactionId: 'uuid',
  transactionReference: 'text',
  metadata: 'object',
  mode: 'text',
  narration: 'text',
  paidAt: 'offsetTime',
  senderAccountName: 'text',
  senderAccountNumber: 'digits',
  senderBankName: 'text',
  status: 'text',
} as const;

describe('POST /subaccount/credit', () => {
  it('answers with exactly the documented fields, needs no PIN, and returns metadata unchanged', async () => {
    const metadata = { orderId: 'A-1', lines: [{ sku: 'x', n: 1.5 }], none: null, ok: true };
    const { status, body } = await credit({ amount: 1500.5, narration: 'Rent for May', metadata });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['data', 'message', 'status']);
    expect(misfits(body.data, TRANSFER)).toEqual([]);
    expect(body.data).toMatchObject({
      amount: 1500.5,
      charge: 0,
      settledAmount: 1500.5,
      totalAmount: 1500.5,
      category: 'SUBACCOUNT',
      mode: 'SANDBOX',
      status: 'SUCCESS',
      merchantId: t.merchant.merchantId,
      walletId: t.merchant.walletId,
      narration: 'Rent for May',
      metadata,
    });
    const subaccount = (await t.call('GET', `/subaccount/${subaccountId}`)).body.data;
    const { wallet } = (await t.call('GET', '/wallet/merchant')).body.data;
    expect(body.data.accountNumber).toBe(subaccount.accountNumber);
    expect(body.data.senderAccountNumber).toBe(wallet.accountNumber);
  });

  it('says when it was paid in the time of Lagos', async () => {
    const { paidAt } = (await credit({})).body.data;
    expect(paidAt).toMatch(/\+01:00$/);
    expect(Math.abs(Date.parse(paidAt) - Date.now())).toBeLessThan(10_000);
  });

  it('moves the money: what the wallet lost the subaccount has', async () => {
    const before = (await t.call('GET', '/wallet/merchant')).body.data.wallet;
    await credit({ amount: 12.34 });
    const after = (await t.call('GET', '/wallet/merchant')).body.data.wallet;
    expect(before.bookedBalance - after.bookedBalance).toBeCloseTo(12.34, 5);
    expect(after.totalBalance).toBe(before.totalBalance);
  });

  it.each([
    ['left out', {}],
    ['null', { metadata: null, narration: null }],
  ])('takes metadata and narration that are %s', async (_, body) => {
    const { status, body: answer } = await credit(body);
    expect(status).toBe(200);
    expect(answer.data.metadata).toEqual({});
    expect(answer.data.narration).toBe('Credit to Rent');
  });

  it.each([
    ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at])), 'at most 50 keys'],
    ['more than 8 KB', { text: 'x'.repeat(8 * 1024) }, 'at most 8 KB'],
    ['six levels', { a: { b: { c: { d: { e: {} } } } } }, 'at most 5 levels'],
    ['an array', [1], 'object'],
    ['text', 'A-1', 'object'],
  ])('refuses metadata of %s and says why', async (_, metadata, why) => {
    const { status, body } = await credit({ metadata });
    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(body.message).toContain(why);
    expect(body.errors[0].field).toBe('metadata');
  });

  it('takes metadata of 50 keys and five levels', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`k${at}`, at === 0 ? { b: { c: { d: {} } } } : at]),
    );
    expect((await credit({ metadata })).body.data.metadata).toEqual(metadata);
  });

  it('keeps metadata nested beyond any reason from doing harm, with an idempotency key too', async () => {
    const deep = `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`;
    const body = `{"amount":1,"subaccountId":"${subaccountId}","metadata":${deep}}`;
    for (const headers of [{}, { 'idempotency-key': 'deep' }]) {
      expect((await t.call('POST', '/subaccount/credit', body, headers)).status).toBe(400);
    }
  });

  it('refuses more than the wallet has and moves nothing', async () => {
    const before = (await t.call('GET', '/wallet/merchant')).body.data.wallet;
    const { status, body } = await credit({ amount: 50_000_000 });
    expect([status, body.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    expect((await t.call('GET', '/wallet/merchant')).body.data.wallet).toEqual(before);
  });

  it('does it once for one idempotency key, and refuses the key for another request', async () => {
    const key = { 'idempotency-key': 'credit-1' };
    const first = await credit({ amount: 7 }, key);
    const again = await credit({ amount: 7 }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const reused = await credit({ amount: 8 }, key);
    expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('finds no subaccount of another merchant', async () => {
    const { status, body } = await credit({ subaccountId: other.subaccountIds[0] });
    expect([status, body.code]).toEqual([404, 'SUBACCOUNT_NOT_FOUND']);
  });

  it('refuses a public key', async () => {
    const { status } = await credit({}, { authorization: `Bearer ${t.merchant.publicKey}` });
    expect(status).toBe(403);
  });
});

describe('POST /subaccount/debit', () => {
  it('mirrors the credit: same fields, the other way round', async () => {
    await credit({ amount: 100 });
    const body = { pin: t.merchant.pin, amount: 40, narration: 'Back', subaccountId, metadata: { why: 'test' } };
    const answer = await t.call('POST', '/subaccount/debit', body);
    expect(answer.status).toBe(200);
    expect(misfits(answer.body.data, TRANSFER)).toEqual([]);
    const subaccount = (await t.call('GET', `/subaccount/${subaccountId}`)).body.data;
    expect(answer.body.data).toMatchObject({
      category: 'SUBACCOUNT_TO_MERCHANT',
      senderAccountNumber: subaccount.accountNumber,
      walletId: t.merchant.walletId,
      metadata: { why: 'test' },
    });
  });

  it.each([
    ['no PIN', {}, 400, 'VALIDATION_FAILED'],
    ['a wrong PIN', { pin: '9375' }, 422, 'PIN_INVALID'],
  ])('refuses %s', async (_, pin, status, code) => {
    const answer = await t.call('POST', '/subaccount/debit', { amount: 1, narration: 'x', subaccountId, ...pin });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('refuses more than the subaccount has, though the merchant has more', async () => {
    const body = { pin: t.merchant.pin, amount: 900_000, subaccountId };
    expect((await t.call('POST', '/subaccount/debit', body)).body.code).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('subaccounts', () => {
  const SUBACCOUNT = {
    subaccountId: 'uuid',
    name: 'text',
    walletId: 'uuid',
    bankCode: 'digits',
    bankName: 'text',
    accountName: 'text',
    accountNumber: 'digits',
    bookedBalance: 'number',
    availableBalance: 'number',
    mode: 'text',
    createdAt: 'utcTime',
  } as const;

  it('are opened with an empty wallet and an account number of their own', async () => {
    const made = await t.call('POST', '/subaccount', { name: '  Ada Obi ' });
    expect(made.status).toBe(200);
    expect(misfits(made.body.data, SUBACCOUNT)).toEqual([]);
    expect(made.body.data.name).toBe('Ada Obi');
    const read = await t.call('GET', `/subaccount/${made.body.data.subaccountId}`);
    expect(read.body.data).toEqual(made.body.data);
  });

  it('are listed newest first, by page', async () => {
    await t.call('POST', '/subaccount', { name: 'First' });
    await t.call('POST', '/subaccount', { name: 'Second' });
    const { data } = (await t.call('GET', '/subaccount?size=1')).body;
    expect(misfits(data, PAGE)).toEqual([]);
    expect(data.records.map((record: { name: string }) => record.name)).toEqual(['Second']);
    expect(data.totalPages).toBe(data.totalRecords);
  });

  it('are not shown to another merchant', async () => {
    const { status, body } = await t.call('GET', `/subaccount/${other.subaccountIds[0]}`);
    expect([status, body.code]).toEqual([404, 'SUBACCOUNT_NOT_FOUND']);
  });

  it.each([
    [{}],
    [{ name: '' }],
    [{ name: '   ' }],
    [{ name: 7 }],
    [{ name: 'x'.repeat(81) }],
    [{ name: 'x', pin: '1' }],
  ])('are not opened with %j', async (body) => {
    expect((await t.call('POST', '/subaccount', body)).status).toBe(400);
  });
});
