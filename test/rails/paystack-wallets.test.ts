import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { type CreditKey, createPaystackRail, type Rail, type WalletCaller } from '../../src/rails/index.ts';
import { type PaystackServer, SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';
import { booksHarness, booksProvider } from './providers/wallet-books.ts';
import { newTenant } from './sandbox-support.ts';
import { describeWalletProvider } from './wallet-conformance.ts';
import { newAccountReference, type WalletHarness } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const WRONG_KEY = 'sk_test_ffffffffffffffffffffffffffffffff';

function railAt(baseUrl: string, secretKey = SECRET_KEY): Rail {
  return createPaystackRail({ credentials: { secretKey }, baseUrl, clock: systemClock });
}

const keyOf = ({ id, reference }: { id: number; reference: string }): CreditKey => ({
  providerTransactionId: String(id),
  providerReference: reference,
  sessionId: null,
});

async function makeHarness(): Promise<WalletHarness> {
  const server = await startPaystackServer();
  const { books, chargeSuccess, payments } = server.wallets;
  const webhook: WalletHarness['webhook'] = (key, changes) =>
    server.signed(chargeSuccess(books.creditOf(key), changes));
  return {
    rail: railAt(server.baseUrl),
    tenant: newTenant(),
    ...booksHarness(books),
    async deposit(facts) {
      return keyOf(books.deposit(facts));
    },
    webhook,
    payments: {
      openings: () => payments.opened.map(({ reference, amountMinor }) => ({ reference, amountMinor })),
      transfer(...given) {
        const { credit, rejected } = payments.transfer(...given);
        return { key: keyOf(credit), webhook: server.signed(rejected ?? chargeSuccess(credit)) };
      },
      payPage(...given) {
        const credit = payments.payPage(...given);
        return { key: keyOf(credit), webhook: server.signed(chargeSuccess(credit)) };
      },
    },
    forgedWebhooks(key) {
      const { headers, rawBody } = webhook(key);
      return [
        server.signed(rawBody, WRONG_KEY),
        { headers: {}, rawBody },
        { headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) },
        { headers, rawBody: Buffer.from(rawBody.toString().replace(/"amount":(\d|"\d)/, '"amount":$19')) },
      ];
    },
    otherWebhook: () => server.signed(Buffer.from('{"event":"customeridentification.success","data":{"id":7}}')),
    provider: {
      breakNext: server.breakNext,
      unreachable: railAt('http://127.0.0.1:9'),
      wrongKey: railAt(server.baseUrl, WRONG_KEY),
      signed: (rawBody) => server.signed(rawBody),
      ...booksProvider(books),
    },
    close: server.close,
  };
}

describeWalletProvider('Paystack', makeHarness, {
  reports: [
    'providerReference',
    'accountNumber',
    'channel',
    'providerFeeMinor',
    'paidAt',
    'payerName',
    'payerAccountNumber',
    'payerBankName',
    'narration',
  ],
  marksMode: true,
  prepares: true,
  opensLater: true,
  refusesOpenings: true,
  reverses: true,
  queriesBy: ['providerTransactionId', 'providerReference'],
  pageSize: 100,
  payments: {
    accountAgain: 'first',
    pageAgain: 'unknown',
    pageDomain: 'paystack.com',
    lateMoney: 'failed',
    secondPayment: 'failed',
  },
  overHttp: true,
});

describe('the wallets of Paystack', () => {
  let server: PaystackServer;
  let wallets: WalletCaller;
  const tenant = newTenant();
  beforeEach(async () => {
    server = await startPaystackServer();
    wallets = walletCallerOf(railAt(server.baseUrl));
  });
  afterEach(() => server.close());

  const open = (changes: Partial<typeof HOLDER> = {}, reference = newAccountReference()) =>
    wallets.openAccount({ tenant, reference, holder: { ...HOLDER, ...changes }, preferredBank: null });

  it('makes a customer of its own for each reference, in the mailbox of the holder', async () => {
    const reference = newAccountReference();
    await open({ name: 'Adaeze Ngozi Obi', email: 'Ada+shop@Shop.example' }, reference);
    expect([...server.wallets.customers.values()]).toMatchObject([
      {
        email: `ada+shop+${reference}@shop.example`,
        firstName: 'Adaeze',
        lastName: 'Ngozi Obi',
        phone: '+2348012345678',
      },
    ]);
    expect(await open({ name: 'Obi' })).toMatchObject({
      outcome: 'opened',
      accounts: [{ accountName: 'KAROKART / Obi Obi' }],
    });
  });

  it('asks for no account where the customer of the reference has one, which Paystack shows in another shape', async () => {
    const reference = newAccountReference();
    const first = await open({}, reference);
    const again = await open({}, reference);
    expect(again).toMatchObject({ ...first, code: 'FOUND', at: expect.any(Date) });
    const asked = server.requests.filter(({ method, path }) => method === 'POST' && path === '/dedicated_account');
    expect(asked).toHaveLength(1);
  });

  it('does not open an account again that was closed, and never calls it open', async () => {
    const reference = newAccountReference();
    const opened = await open({}, reference);
    if (opened.outcome !== 'opened') throw new Error(opened.message);
    const { customer_code, email } = { customer_code: 'CUS_x', email: `ada+${reference}@shop.example` };
    const dedicated_account = { id: 254, account_number: '9930000990', account_name: 'A', bank: { name: 'B' } };
    for (const state of [{ assigned: false }, { active: false }, { account_number: null }]) {
      const data = { customer_code, email, dedicated_account: { ...dedicated_account, ...state } };
      server.answerNext('prepareAccount', { status: 200, body: { status: true, message: 'Customer retrieved', data } });
      expect(await open({}, reference)).toMatchObject({ outcome: 'unknown' });
    }
    expect(server.wallets.books.accounts).toHaveLength(1);
  });

  it('asks for the test bank with a test key, and for the one that the operator prefers', async () => {
    await open();
    const answer = await wallets.openAccount({
      tenant,
      reference: newAccountReference(),
      holder: HOLDER,
      preferredBank: 'wema-bank',
    });
    const asked = server.requests.filter((seen) => seen.path === '/dedicated_account');
    expect(asked.map(({ body }) => body.preferred_bank)).toEqual(['test-bank', 'wema-bank']);
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_REFUSAL_UNLISTED' });
  });

  it('never takes the account of another customer for the one that was asked about', async () => {
    const data = { customer_code: 'CUS_other', email: 'other@shop.example', dedicated_account: { id: 1 } };
    server.answerNext('prepareAccount', { status: 200, body: { status: true, message: 'Customer retrieved', data } });
    expect(await open()).toMatchObject({ outcome: 'unknown' });
    expect(server.wallets.books.accounts).toHaveLength(0);
  });

  it('does not call a refusal refused that may be gone at the next attempt, nor one of another HTTP status', async () => {
    const message = 'Dedicated NUBAN is not available for your business';
    for (const [status, text] of [
      [400, `${message}. Please try again later`],
      [422, message],
      [500, message],
    ] as const) {
      server.answerNext('openAccount', { status, body: { status: false, message: text } });
      expect(await open()).toMatchObject({ outcome: 'unknown' });
    }
  });

  it('does not take a path that is gone for a credit that is not there', async () => {
    server.answerNext('queryCredit', { status: 404, body: { status: false, message: 'Invalid Endpoint' } });
    const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'not_found' });
  });

  it.each(['ongoing', 'queued', 'processing', 'pending'])('waits for a transaction that is %s', async (status) => {
    const data = { id: 7, status, amount: 100, currency: 'NGN', domain: 'test' };
    server.answerNext('queryCredit', { status: 200, body: { status: true, message: 'Retrieved', data } });
    const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'pending' });
  });

  it.each([undefined, null, 'play', '', 'constructor', '__proto__'])(
    'confirms no money of the domain %s',
    async (domain) => {
      const data = { id: 7, status: 'success', amount: 100, currency: 'NGN', domain };
      server.answerNext('queryCredit', { status: 200, body: { status: true, message: 'Retrieved', data } });
      const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
      expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
    },
  );

  it.each([12.5, '12.50', '1e3', '-100', 0, '', null, '9007199254740993000'])(
    'confirms no amount that is written as %s',
    async (amount) => {
      const data = { id: 7, status: 'success', amount, currency: 'NGN', domain: 'test' };
      server.answerNext('queryCredit', { status: 200, body: { status: true, message: 'Retrieved', data } });
      const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
      expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('confirms no amount that has more digits than can be kept', async () => {
    const data = '{"id":7,"status":"success","amount":9007199254740993,"currency":"NGN","domain":"test"}';
    server.answerNext('queryCredit', { status: 200, body: `{"status":true,"message":"Retrieved","data":${data}}` });
    const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
  });

  it('reads every page where Paystack gives smaller ones than were asked for, or does not count them', async () => {
    server.wallets.pages.size = 3;
    const reference = newAccountReference();
    const opened = await open({}, reference);
    if (opened.outcome !== 'opened') throw new Error(opened.message);
    const accountNumber = opened.accounts[0]?.accountNumber ?? '';
    for (let at = 0; at < 7; at += 1) server.wallets.books.deposit({ accountNumber, amountMinor: 100n });
    const window = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
    const first = await wallets.listCredits({ ...window, cursor: null });
    expect(first).toMatchObject({ next: '2' });
    expect(await wallets.listCredits({ ...window, cursor: '3' })).toMatchObject({ next: null });
    const rows = [{ id: 1, amount: 100 }];
    server.answerNext('listCredits', { status: 200, body: { status: true, message: 'Retrieved', data: rows } });
    expect(await wallets.listCredits({ ...window, cursor: '4' })).toMatchObject({ next: '5' });
    const counted = { status: true, message: 'Retrieved', data: rows, meta: { pageCount: 0 } };
    server.answerNext('listCredits', { status: 200, body: counted });
    expect(await wallets.listCredits({ ...window, cursor: '4' })).toMatchObject({ next: '5' });
    server.answerNext('listCredits', { status: 200, body: { status: true, message: 'Retrieved', data: [] } });
    expect(await wallets.listCredits({ ...window, cursor: '5' })).toEqual({ credits: [], unreadable: [], next: null });
    await expect(wallets.listCredits({ ...window, cursor: 'more' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  it('lists the rest of a page on which a credit cannot be asked for, and counts that one', async () => {
    for (const line of [{ amount: 100 }, null, 'more']) {
      const data = [{ id: 1, amount: 100 }, line, { id: 2, amount: 200 }];
      server.answerNext('listCredits', { status: 200, body: { status: true, message: 'Retrieved', data } });
      const page = await wallets.listCredits({ from: new Date(0), to: new Date(1), cursor: null });
      expect(page).toMatchObject({
        credits: [{ providerTransactionId: '1' }, { providerTransactionId: '2' }],
        unreadable: [expect.any(String)],
        next: '2',
      });
    }
  });

  it('says that a webhook of a credit which cannot be asked for is malformed', async () => {
    for (const data of ['null', '7', '{}', '{"amount":100}']) {
      const request = server.signed(Buffer.from(`{"event":"charge.success","data":${data}}`));
      await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
    }
  });
});
