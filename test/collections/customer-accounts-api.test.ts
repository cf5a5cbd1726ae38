import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { brokenChecks } from '../support/proof.ts';
import { bearer } from '../support/world.ts';

let t: TestApp;
let other: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const BVN = '22212345777';
const addCustomer = async (fields: object = {}) =>
  (await t.call('POST', '/customer', { name: 'Ada Obi', email: 'ada@example.com', ...fields })).body.data.customerId;
const open = (body: object, headers = {}) => t.call('POST', '/collection/account', body, headers);
const read = async (id: string) => (await t.call('GET', `/collection/account/${id}`)).body.data;

async function work(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await t.app.worker.runOnce();
    t.clock.advance(5_000);
  }
}

/** A customer whose account is open at the sandbox's bank. */
async function customerWithAccount(more: object = {}) {
  const customerId = await addCustomer();
  const { virtualAccountId } = (await open({ customerId, ...more })).body.data;
  await work();
  const account = await read(virtualAccountId);
  return { customerId, virtualAccountId, account, accountNumber: account.accounts[0].accountNumber };
}

const pay = (accountNumber: string, amount = 250.5) =>
  t.call('POST', '/sandbox/collection/pay', { accountNumber, amount });
const paymentsOf = async (customerId: string) =>
  (await t.call('GET', `/collection/payment?customerId=${customerId}`)).body.data.records;

describe('the account number of a customer in the sandbox', () => {
  it('is opened by the sandbox’s bank, paid to as any other, and every payment names the customer', async () => {
    const { customerId, account, accountNumber } = await customerWithAccount();
    expect(account).toMatchObject({
      status: 'OPEN',
      conclusive: false,
      customerName: 'Ada Obi',
      walletId: t.merchant.walletId,
    });
    expect(accountNumber).toMatch(/^\d{10}$/);
    await pay(accountNumber);
    await work();
    const payments = await paymentsOf(customerId);
    expect(payments).toMatchObject([{ status: 'CREDITED', amount: 250.5, customerId, accountNumber }]);
    const { events } = { events: (await t.call('GET', '/event?type=inbound_payment.credited')).body.data.records };
    expect(events.at(-1).data).toMatchObject({ customerId });
    const csv = await t.call('GET', `/collection/payment.csv?customerId=${customerId}`);
    expect(parse(csv.text, { columns: true, bom: true })).toMatchObject([{ 'Customer ID': customerId }]);
  });

  it('is not needed where a payment session names the customer: its payments name it too', async () => {
    const customerId = await addCustomer();
    const opened = await t.call('POST', '/collection/session', { amount: 900, customerId });
    await pay(opened.body.data.accounts[0].accountNumber, 900);
    await work();
    expect(await paymentsOf(customerId)).toMatchObject([{ status: 'CREDITED', amount: 900, customerId }]);
  });

  it('credits the store that it was asked for', async () => {
    const { walletId } = (await t.call('POST', '/branch/store', { name: 'Yaba' })).body.data;
    const { customerId, account, accountNumber } = await customerWithAccount({ walletId });
    expect(account.walletId).toBe(walletId);
    await pay(accountNumber);
    await work();
    expect(await paymentsOf(customerId)).toMatchObject([{ creditedWalletId: walletId }]);
  });

  it('answers again with itself, and to a repeated key byte for byte', async () => {
    const customerId = await addCustomer();
    const key = { 'idempotency-key': newId() };
    const [first, replayed] = [await open({ customerId }, key), await open({ customerId }, key)];
    expect(replayed.text).toBe(first.text);
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    const many = await Promise.all(Array.from({ length: 10 }, () => open({ customerId })));
    const ids = many.map(({ body }) => body.data.virtualAccountId);
    expect(new Set([...ids, first.body.data.virtualAccountId]).size).toBe(1);
    // Under a new key too, and kept under it.
    const again = { 'idempotency-key': newId() };
    const [kept, same] = [await open({ customerId }, again), await open({ customerId }, again)];
    expect(same.text).toBe(kept.text);
  });

  it('is found by customer, wallet and state, by page and by cursor', async () => {
    const customerId = await addCustomer();
    const stores = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => (await t.call('POST', '/branch/store', { name })).body.data.walletId),
    );
    for (const walletId of stores) await open({ customerId, walletId });
    const list = async (query: string) => (await t.call('GET', `/collection/account?${query}`)).body.data;
    const mine = await list(`customerId=${customerId}&size=2`);
    expect(mine).toMatchObject({ totalRecords: 3 });
    const rest = await list(`customerId=${customerId}&size=2&after=${mine.nextCursor}`);
    const wallets = [...mine.records, ...rest.records].map(({ walletId }: { walletId: string }) => walletId);
    expect(wallets).toEqual(stores.toReversed());
    expect((await list(`customerId=${customerId}&walletId=${stores[1]}`)).totalRecords).toBe(1);
    expect((await list(`customerId=${customerId}&status=OPEN`)).totalRecords).toBe(0);
    await work();
    expect((await list(`customerId=${customerId}&status=OPEN`)).totalRecords).toBe(3);
  });

  it('sends what is paid to it once it is closed into suspense, and says so to whoever closes it again', async () => {
    const { customerId, virtualAccountId, accountNumber } = await customerWithAccount();
    const closed = await t.call('POST', `/collection/account/${virtualAccountId}/close`);
    expect(closed.body.data).toMatchObject({ status: 'CLOSED', conclusive: true, customerId });
    const again = await t.call('POST', `/collection/account/${virtualAccountId}/close`);
    expect([again.status, again.body.code]).toEqual([409, 'VIRTUAL_ACCOUNT_ENDED']);
    t.clock.advance(60_000);
    await pay(accountNumber);
    await work();
    expect(await paymentsOf(customerId)).toMatchObject([
      { status: 'SUSPENSE', reason: 'ACCOUNT_CLOSED', creditedWalletId: null, customerId },
    ]);
    expect(await read(virtualAccountId)).toMatchObject({ status: 'CLOSED', accounts: [{ accountNumber }] });
  });
});

describe('what is refused about account numbers of customers', () => {
  it('another merchant’s customer and account, and those of the other mode, are not found', async () => {
    const { customerId, virtualAccountId } = await customerWithAccount();
    const asOther = bearer(other.secretKey);
    const live = await t.addMerchant({ mode: 'LIVE' });
    for (const headers of [asOther, bearer(live.secretKey)]) {
      const asked = await open({ customerId }, headers);
      expect([asked.status, asked.body.code]).toEqual([404, 'CUSTOMER_NOT_FOUND']);
      for (const [method, path] of [
        ['GET', ''],
        ['POST', '/close'],
      ] as const) {
        const reply = await t.call(method, `/collection/account/${virtualAccountId}${path}`, undefined, headers);
        expect([reply.status, reply.body.code]).toEqual([404, 'VIRTUAL_ACCOUNT_NOT_FOUND']);
      }
      const listed = await t.call('GET', `/collection/account?customerId=${customerId}`, undefined, headers);
      expect(listed.body.data.records).toEqual([]);
    }
    expect((await open({ customerId: newId() })).body.code).toBe('CUSTOMER_NOT_FOUND');
    expect((await open({ customerId, walletId: newId() })).body.code).toBe('WALLET_NOT_FOUND');
  });

  it('a public key opens, reads and closes none', async () => {
    const { customerId, virtualAccountId } = await customerWithAccount();
    const headers = bearer(t.merchant.publicKey);
    for (const [method, path, body] of [
      ['POST', '/collection/account', { customerId }],
      ['GET', '/collection/account', undefined],
      ['GET', `/collection/account/${virtualAccountId}`, undefined],
      ['POST', `/collection/account/${virtualAccountId}/close`, undefined],
      ['GET', '/customer.csv', undefined],
      ['GET', '/collection/link.csv', undefined],
    ] as const) {
      expect([path, (await t.call(method, path, body, headers)).status]).toEqual([path, 403]);
    }
  });

  it('the number of a wallet itself is not closed, and a live merchant without a provider has no bank to ask', async () => {
    const live = await t.addMerchant({ mode: 'LIVE' });
    const as = bearer(live.secretKey);
    const customer = await t.call('POST', '/customer', { name: 'Bola', email: 'b@example.com' }, as);
    const refused = await open({ customerId: customer.body.data.customerId }, as);
    expect([refused.status, refused.body.code]).toEqual([422, 'WALLET_PROVIDER_NOT_SET']);
  });

  it('a BVN without a customer, and one that is none; and none is found in logs, events or what is kept', async () => {
    const { walletId } = t.merchant;
    expect((await open({ walletId, bvn: BVN })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'bvn' }],
    });
    const customerId = await addCustomer();
    expect((await open({ customerId, bvn: '123' })).body).toMatchObject({ errors: [{ field: 'bvn' }] });
    const answered = await open({ customerId, bvn: BVN, nin: BVN }, { 'idempotency-key': newId() });
    expect(answered.status).toBe(200);
    await work();
    const { rows } = await t.database.pool.query(
      "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { table_name: table } of rows) {
      const found = await t.database.pool.query(`select 1 from ${table} t where t::text like $1 limit 1`, [`%${BVN}%`]);
      expect([table, found.rowCount]).toEqual([table, 0]);
    }
  });
});

describe('lists as CSV', () => {
  const rowsOf = async (path: string) => {
    const reply = await t.call('GET', path);
    expect(reply.headers['content-type']).toContain('text/csv');
    return parse<Record<string, string>>(reply.text, { columns: true, bom: true });
  };

  it('customers are in it, those who match, and no spreadsheet computes with what somebody typed', async () => {
    const customerId = await addCustomer({
      name: '=cmd|calc',
      email: 'formula@example.com',
      phoneNumber: '+2348031234567',
    });
    const [found] = await rowsOf('/customer.csv?search=formula@');
    expect(found).toMatchObject({ 'Customer ID': customerId, 'E-mail': 'formula@example.com' });
    expect(found?.['Name']).toMatch(/^'=cmd/);
    expect(found?.['Phone']).toMatch(/2348031234567/);
    expect((await rowsOf('/customer.csv')).length).toBeGreaterThan(1);
    expect(
      parse((await t.call('GET', '/customer.csv', undefined, bearer(other.secretKey))).text, { bom: true }),
    ).toHaveLength(1);
  });

  it('payment links are in it, with their addresses and how often they were paid', async () => {
    const { linkId, url } = (await t.call('POST', '/collection/link', { title: '@Fees', amount: 45_000 })).body.data;
    const found = (await rowsOf('/collection/link.csv')).find((row) => row['Payment Link ID'] === linkId);
    expect(found).toMatchObject({
      Title: "'@Fees",
      Amount: '45000.00',
      'Paid Sessions': '0',
      Status: 'ACTIVE',
      Address: url,
    });
  });
});
