import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { rowsOf } from '../support/world.ts';
import { misfits, PAGE } from './shape.ts';

let t: TestApp;
let pending: TestMerchant;

beforeAll(async () => {
  t = await createTestApp();
  pending = await t.addMerchant({ approved: false, mode: 'LIVE' });
});
afterAll(() => t.close());

const WALLET = {
  id: 'uuid',
  bankCode: 'digits',
  bankName: 'text',
  accountName: 'text',
  accountNumber: 'digits',
  bookedBalance: 'number',
  availableBalance: 'number',
  createdAt: 'utcTime',
  totalChildAccounts: 'integer',
  totalChildAccountBalance: 'number',
  totalBalance: 'number',
} as const;

describe('GET /wallet/merchant', () => {
  it('answers with status and data.wallet only, and every documented field', async () => {
    const { status, body } = await t.call('GET', '/wallet/merchant');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'data']);
    expect(body.status).toBe(true);
    expect(Object.keys(body.data)).toEqual(['wallet']);
    expect(misfits(body.data.wallet, WALLET)).toEqual([]);
  });

  it('counts subaccounts, and not stores, in the total', async () => {
    const merchant = await t.addMerchant();
    await t.call(
      'POST',
      '/subaccount/credit',
      { amount: 250.5, subaccountId: merchant.subaccountIds[0] },
      bearerOf(merchant),
    );
    const { wallet } = (await t.call('GET', '/wallet/merchant', undefined, bearerOf(merchant))).body.data;
    expect(wallet.bookedBalance).toBe(999_749.5);
    expect(wallet.totalChildAccounts).toBe(1);
    expect(wallet.totalChildAccountBalance).toBe(250.5);
    expect(wallet.totalBalance).toBe(1_000_000);
  });

  it('is read however full the wallets are together: a total that no JSON number holds to the kobo is null', async () => {
    const merchant = await t.addMerchant();
    const read = async (path: string) => (await t.call('GET', path, undefined, bearerOf(merchant))).body.data;
    await rowsOf(
      t.connectionString,
      `update accounts set credits_posted_minor = debits_posted_minor + 69e14
        where merchant_id = $1 and kind in ('MERCHANT_WALLET', 'SUBACCOUNT_WALLET')`,
      [merchant.merchantId],
    );
    const { wallet } = await read('/wallet/merchant');
    expect(wallet).toMatchObject({ bookedBalance: 69e12, totalBalance: null });
  });

  it('refuses a merchant that is not approved, in live mode, with a message and status false and nothing else', async () => {
    const { status, body } = await t.call('GET', '/wallet/merchant', undefined, bearerOf(pending));
    expect(status).toBe(403);
    expect(body).toEqual({
      message: 'Your account must be approved before you can perform this action',
      status: false,
    });
  });

  it('shows a live wallet to a live key, apart from the sandbox wallet', async () => {
    const live = await t.addMerchant({ mode: 'LIVE' });
    const { wallet } = (await t.call('GET', '/wallet/merchant', undefined, bearerOf(live))).body.data;
    expect(wallet.bookedBalance).toBe(0);
  });

  it('shows no account number of a live wallet that no provider has given one: nobody could pay to it', async () => {
    const live = await t.addMerchant({ mode: 'LIVE' });
    const call = (method: 'GET' | 'POST', path: string, body?: object) => t.call(method, path, body, bearerOf(live));
    const none = { accountNumber: '', bankName: '' };
    expect((await call('GET', '/wallet/merchant')).body.data.wallet).toMatchObject(none);
    for (const path of ['/branch/store', '/subaccount']) {
      expect((await call('POST', path, { name: 'Ikeja' })).body.data).toMatchObject(none);
      expect((await call('GET', path)).body.data.records[0]).toMatchObject(none);
    }
    const { wallet } = (await t.call('GET', '/wallet/merchant')).body.data;
    expect(wallet.accountNumber).toMatch(/^\d{10}$/);
  });
});

describe('GET /wallet/merchant/statement', () => {
  it('lists entries newest first with the balance after each', async () => {
    const merchant = await t.addMerchant();
    const [storeId] = merchant.storeIds;
    const debit = { pin: merchant.pin, storeId, narration: 'Sweep' };
    await t.call('POST', '/branch/store/debit', { ...debit, amount: 10.25 }, bearerOf(merchant));
    await t.call(
      'POST',
      '/subaccount/credit',
      { amount: 5, subaccountId: merchant.subaccountIds[0] },
      bearerOf(merchant),
    );
    const { status, body } = await t.call('GET', '/wallet/merchant/statement', undefined, bearerOf(merchant));
    expect(status).toBe(200);
    const figures = {
      openingBalance: 'number',
      closingBalance: 'number',
      totalCredits: 'number',
      totalDebits: 'number',
    } as const;
    expect(misfits(body.data, { ...PAGE, ...figures })).toEqual([]);
    expect(body.data.totalRecords).toBe(3);
    const [last, sweep, funding] = body.data.records;
    const entry = {
      transactionId: 'uuid',
      reference: 'text',
      type: 'text',
      amount: 'number',
      balanceAfter: 'number',
      code: 'text',
      currency: 'text',
      narration: 'text',
      createdAt: 'utcTime',
      beneficiaryAccountName: 'textOrNull',
      beneficiaryAccountNumber: 'textOrNull',
      beneficiaryBankName: 'textOrNull',
      batchReference: 'textOrNull',
    } as const;
    expect(misfits(last, entry)).toEqual([]);
    expect([last.beneficiaryAccountName, last.batchReference]).toEqual([null, null]);
    expect([last.type, last.amount, last.balanceAfter]).toEqual(['DEBIT', 5, 1_000_005.25]);
    expect([sweep.type, sweep.amount, sweep.balanceAfter]).toEqual(['CREDIT', 10.25, 1_000_010.25]);
    expect([sweep.code, sweep.narration]).toEqual(['STORE_DEBIT', 'Sweep']);
    expect([funding.type, funding.balanceAfter]).toEqual(['CREDIT', 1_000_000]);
  });

  it('gives the reference that the transaction has', async () => {
    const [entry] = (await t.call('GET', '/wallet/merchant/statement')).body.data.records;
    const { data } = (await t.call('GET', `/transaction/${entry.transactionId}`)).body;
    expect(entry.reference).toBe(data.reference);
  });

  it('keeps to the period, with a day meaning that whole day in Lagos', async () => {
    const day = (offsetDays: number) =>
      new Date(Date.now() + 3_600_000 + offsetDays * 86_400_000).toISOString().slice(0, 10);
    const total = async (query: string) =>
      (await t.call('GET', `/wallet/merchant/statement?${query}`)).body.data.totalRecords;
    expect(await total(`from=${day(0)}&to=${day(0)}`)).toBeGreaterThan(0);
    expect(await total(`from=${day(-3)}&to=${day(-1)}`)).toBe(0);
    expect(await total(`from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`)).toBe(0);
  });

  it.each([
    'from=yesterday',
    'from=2026-02-30',
    'to=2026-13-01',
    'from=2026-03-02&to=2026-03-01',
    'size=201',
    'page=0',
    'colour=red',
  ])('refuses %s', async (query) => {
    const { status, body } = await t.call('GET', `/wallet/merchant/statement?${query}`);
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(1);
  });

  it('streams CSV, oldest first, that a spreadsheet runs no formula of', async () => {
    const merchant = await t.addMerchant();
    const subaccountId = merchant.subaccountIds[0];
    const narrations = ['=HYPERLINK("http://x")', '+1', '-1', '@SUM(A1)', 'rent, "May"', 'Rent;=HYPERLINK(1)'];
    for (const narration of narrations) {
      await t.call('POST', '/subaccount/credit', { amount: 1, narration, subaccountId }, bearerOf(merchant));
    }
    const byQuery = await t.call('GET', '/wallet/merchant/statement?format=csv', undefined, bearerOf(merchant));
    expect(byQuery.headers['content-type']).toBe('text/csv; charset=utf-8');
    const lines = byQuery.text.trimEnd().split('\r\n');
    // A spreadsheet reads it as UTF-8 by its byte order mark.
    expect(lines[0]).toBe(
      '\ufeffcreatedAt,transactionId,reference,type,code,narration,amount,balanceAfter,currency,' +
        'beneficiaryAccountName,beneficiaryAccountNumber,beneficiaryBankName,batchReference',
    );
    expect(lines[1]).toContain(',SANDBOX_FUNDING,Sandbox funding,1000000.00,1000000.00,NGN,,,,');
    const cells = lines.slice(2).map((line) => line.split(',SUBACCOUNT_CREDIT,')[1]);
    expect(cells).toEqual([
      `"'=HYPERLINK(""http://x"")",1.00,999999.00,NGN,,,,`,
      `'+1,1.00,999998.00,NGN,,,,`,
      // A number is no formula.
      `-1,1.00,999997.00,NGN,,,,`,
      `'@SUM(A1),1.00,999996.00,NGN,,,,`,
      '"rent, ""May""",1.00,999995.00,NGN,,,,',
      `Rent;'=HYPERLINK(1),1.00,999994.00,NGN,,,,`,
    ]);
    const byHeader = await t.call('GET', '/wallet/merchant/statement', undefined, {
      ...bearerOf(merchant),
      accept: 'text/csv',
    });
    expect(byHeader.text).toBe(byQuery.text);
  });
});

describe('a payout in a statement', () => {
  it('says whom it pays and in which list, beside its charges too, as a page and as CSV', async () => {
    const merchant = await t.addMerchant();
    const account = { bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
    const single = await t.call(
      'POST',
      '/payout/single',
      { pin: merchant.pin, amount: 500, reference: '0000123456789012', ...account },
      bearerOf(merchant),
    );
    const bulk = await t.call('POST', '/payout/bulk', { items: [{ amount: 700, ...account }] }, bearerOf(merchant));
    const { batchReference } = bulk.body.data;
    await t.app.worker.runOnce();
    const dispatch = { pin: merchant.pin, batchReference };
    expect((await t.call('POST', '/payout/bulk/dispatch', dispatch, bearerOf(merchant))).body.status).toBe(true);
    for (let at = 0; at < 4; at += 1) await t.app.worker.runOnce();

    const { records } = (await t.call('GET', '/wallet/merchant/statement', undefined, bearerOf(merchant))).body.data;
    const paid = records.filter(({ code }: { code: string }) => code.startsWith('PAYOUT'));
    const { beneficiaryAccountName, beneficiaryBankName } = single.body.data;
    expect(beneficiaryAccountName).toMatch(/\w/);
    const payee = { beneficiaryAccountName, beneficiaryAccountNumber: '0123456785', beneficiaryBankName };
    for (const entry of paid) {
      const isSingle = entry.transactionId === single.body.data.transactionId;
      expect(entry).toMatchObject({ ...payee, batchReference: isSingle ? null : batchReference });
    }
    expect(paid.map(({ code }: { code: string }) => code)).toEqual(expect.arrayContaining(['PAYOUT', 'PAYOUT_FEE']));
    expect(new Set(paid.map((entry: { batchReference: string | null }) => entry.batchReference)).size).toBe(2);
    expect(records.at(-1)).toMatchObject({ code: 'SANDBOX_FUNDING', beneficiaryAccountName: null });

    const csv = await t.call('GET', '/wallet/merchant/statement?format=csv', undefined, bearerOf(merchant));
    const lines = csv.text.trimEnd().split('\r\n').slice(2);
    expect(lines).toHaveLength(paid.length);
    const cells = `${beneficiaryAccountName},"=""0123456785""",${beneficiaryBankName}`;
    for (const line of lines) expect(line).toMatch(new RegExp(`,NGN,${cells},(?:${batchReference})?$`));
    // A spreadsheet would leave out the zeros before a number, and its last digits.
    const own = lines.filter((line) => line.includes(single.body.data.transactionId));
    expect(own.length).toBeGreaterThan(1);
    for (const line of own) expect(line.split(',')[2]).toBe('"=""0000123456789012"""');
  });
});

describe('GET /wallet/{walletId}/statement', () => {
  const statementOf = (walletId: string, headers: Record<string, string>, query = '') =>
    t.call('GET', `/wallet/${walletId}/statement${query}`, undefined, headers);

  it("gives the statement of a store's wallet, and of the merchant wallet by its id", async () => {
    const merchant = await t.addMerchant();
    const [storeId] = merchant.storeIds;
    const sweep = { pin: merchant.pin, storeId, narration: 'Sweep', amount: 10.25 };
    await t.call('POST', '/branch/store/debit', sweep, bearerOf(merchant));
    const store = (await t.call('GET', `/branch/store/${storeId}`, undefined, bearerOf(merchant))).body.data;
    const [entry, funding] = (await statementOf(store.walletId, bearerOf(merchant))).body.data.records;
    expect([entry.type, entry.amount, entry.balanceAfter]).toEqual(['DEBIT', 10.25, store.bookedBalance]);
    expect([funding.type, funding.balanceAfter]).toEqual(['CREDIT', store.bookedBalance + 10.25]);
    const csv = await statementOf(store.walletId, bearerOf(merchant), '?format=csv');
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(3);
    const main = (await t.call('GET', '/wallet/merchant', undefined, bearerOf(merchant))).body.data.wallet;
    const byId = await statementOf(main.id, bearerOf(merchant));
    const byName = await t.call('GET', '/wallet/merchant/statement', undefined, bearerOf(merchant));
    expect(byId.body).toEqual(byName.body);
  });

  it("answers 404 for another merchant's wallet and for one of the other mode, as CSV too", async () => {
    const [merchant, other] = [await t.addMerchant(), await t.addMerchant({ mode: 'LIVE' })];
    const own = (await t.call('GET', '/wallet/merchant', undefined, bearerOf(other))).body.data.wallet;
    for (const query of ['', '?format=csv']) {
      const { status, body } = await statementOf(own.id, bearerOf(merchant), query);
      expect([status, body.code]).toEqual([404, 'WALLET_NOT_FOUND']);
    }
  });
});

describe('GET /wallet/summary', () => {
  const summaryOf = async (merchant: TestMerchant, query = '') =>
    (await t.call('GET', `/wallet/summary${query}`, undefined, bearerOf(merchant))).body.data;

  it('adds all wallets up: what moves between them is neither in nor out', async () => {
    const merchant = await t.addMerchant();
    const before = (await summaryOf(merchant)).days.at(-1);
    const debit = { pin: merchant.pin, storeId: merchant.storeIds[0], narration: 'Sweep', amount: 40.25 };
    await t.call('POST', '/branch/store/debit', debit, bearerOf(merchant));
    await t.call('POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 7.5 }, bearerOf(merchant));
    const all = await summaryOf(merchant);
    expect(all).toMatchObject({ walletId: null, currency: 'NGN' });
    expect(all.days).toHaveLength(30);
    expect(all.previous.days).toHaveLength(30);
    expect(all.days.at(-1)).toMatchObject({
      moneyIn: before.moneyIn + 7.5,
      moneyOut: before.moneyOut,
      closingBalance: before.closingBalance + 7.5,
    });
    await t.app.worker.runOnce();
    expect(await summaryOf(merchant)).toEqual(all);
  });

  it('is of one wallet what its statement says of the same days', async () => {
    const merchant = await t.addMerchant();
    const debit = { pin: merchant.pin, storeId: merchant.storeIds[0], narration: 'Sweep', amount: 12.35 };
    await t.call('POST', '/branch/store/debit', debit, bearerOf(merchant));
    const pay = { pin: merchant.pin, amount: 500, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
    await t.call('POST', '/payout/single', pay, bearerOf(merchant));
    for (let at = 0; at < 3; at += 1) await t.app.worker.runOnce();
    const { from, to, ...own } = await summaryOf(merchant, `?walletId=${merchant.walletId}`);
    const statement = (
      await t.call('GET', `/wallet/merchant/statement?from=${from}&to=${to}`, undefined, bearerOf(merchant))
    ).body.data;
    expect(own).toMatchObject({
      openingBalance: statement.openingBalance,
      closingBalance: statement.closingBalance,
      moneyIn: statement.totalCredits,
      moneyOut: statement.totalDebits,
    });
    const charged = statement.records.filter(({ code }: { code: string }) =>
      /^PAYOUT_(FEE|VAT|STAMP_DUTY)$/.test(code),
    );
    expect(charged.length).toBeGreaterThan(0);
    const kobo = charged.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 100), 0);
    expect(Math.round(own.fees * 100)).toBe(kobo);
  });

  it.each([
    ['?from=2026-02-31', 400],
    ['?from=2020-01-01&to=2026-01-01', 400],
    ['?from=2026-01-02&to=2026-01-01', 400],
    ['?from=2999-01-01', 400],
    ['?from=yesterday', 400],
    ['?walletId=01a1fa8e-dbd3-7829-9ee8-6656ed63ba41', 404],
  ])('refuses %s', async (query, status) => {
    const answer = await t.call('GET', `/wallet/summary${query}`, undefined, bearerOf(t.merchant));
    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(/\S/);
  });

  it.each(['?to=0000-01-01', '?from=0000-01-05&to=0000-01-10', '?to=0001-01-01', '?from=1999-12-31&to=2000-01-05'])(
    'ends, and refuses days before there were any wallets: %s',
    async (query) => {
      const answer = await t.call('GET', `/wallet/summary${query}`, undefined, bearerOf(t.merchant));
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect((await summaryOf(t.merchant, '?from=2000-01-01&to=2000-01-02')).days).toHaveLength(2);
    },
  );

  it('has nothing of another merchant', async () => {
    const other = await t.addMerchant();
    const answer = await t.call('GET', `/wallet/summary?walletId=${other.walletId}`, undefined, bearerOf(t.merchant));
    expect(answer.status).toBe(404);
  });
});
