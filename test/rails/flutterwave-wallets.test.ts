import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { type CreditKey, createFlutterwaveRail, type Rail, type WalletCaller } from '../../src/rails/index.ts';
import {
  type FlutterwaveServer,
  SECRET_HASH,
  SECRET_KEY,
  startFlutterwaveServer,
} from './providers/flutterwave-server.ts';
import { booksHarness, booksProvider, type CreditRow } from './providers/wallet-books.ts';
import { newTenant } from './sandbox-support.ts';
import { describeWalletProvider } from './wallet-conformance.ts';
import { newAccountReference, type WalletHarness } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const WRONG_KEY = 'FLWSECK_TEST-not-this-key';

function railAt(baseUrl: string, secretKey = SECRET_KEY): Rail {
  return createFlutterwaveRail({ credentials: { secretKey, secretHash: SECRET_HASH }, baseUrl, clock: systemClock });
}

const keyOf = ({ id }: CreditRow): CreditKey => ({
  providerTransactionId: String(id),
  providerReference: null,
  sessionId: null,
});

async function makeHarness(): Promise<WalletHarness> {
  const server = await startFlutterwaveServer();
  const { books, chargeCompleted, payments } = server.wallets;
  const paid = (credit: CreditRow) => ({ key: keyOf(credit), webhook: server.signed(chargeCompleted(credit)) });
  const webhook: WalletHarness['webhook'] = (key, changes) =>
    server.signed(chargeCompleted(books.creditOf(key), changes));
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
      transfer: (...given) => paid(payments.transfer(...given)),
      payPage: (...given) => paid(payments.payPage(...given)),
    },
    forgedWebhooks(key) {
      const { rawBody } = webhook(key);
      const hashes = ['', SECRET_HASH.slice(0, -1), `${SECRET_HASH} `, SECRET_HASH.toUpperCase()];
      return [{ headers: {}, rawBody }, ...hashes.map((hash) => server.signed(rawBody, hash))];
    },
    otherWebhook: () => server.signed(Buffer.from('{"event":"transfer.completed","data":{"id":7}}')),
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

describeWalletProvider('Flutterwave', makeHarness, {
  reports: [
    'providerReference',
    'accountReference',
    'channel',
    'providerFeeMinor',
    'paidAt',
    'payerName',
    'payerAccountNumber',
    'payerBankName',
    'narration',
  ],
  marksMode: false,
  mayOpenAnother: true,
  refusesOpenings: true,
  queriesBy: ['providerTransactionId'],
  pageSize: 10,
  payments: {
    accountAgain: 'unknown',
    pageAgain: 'another',
    pageDomain: 'dev-flutterwave.com',
    lateMoney: 'confirmed',
    secondPayment: 'confirmed',
  },
  overHttp: true,
});

describe('the wallets of Flutterwave', () => {
  let server: FlutterwaveServer;
  let wallets: WalletCaller;
  const tenant = newTenant();
  const key = { providerTransactionId: '7', providerReference: null, sessionId: null };
  beforeEach(async () => {
    server = await startFlutterwaveServer();
    wallets = walletCallerOf(railAt(server.baseUrl));
  });
  afterEach(() => server.close());

  const open = (changes: Partial<typeof HOLDER | { bvn: null }> = {}, reference = newAccountReference()) =>
    wallets.openAccount({ tenant, reference, holder: { ...HOLDER, ...changes }, preferredBank: null });
  const answer = (data: object) =>
    server.answerNext('queryCredit', { status: 200, body: { status: 'success', message: 'Fetched', data } });

  it('asks for nothing without a BVN, and says that it is missing', async () => {
    expect(await open({ bvn: null })).toMatchObject({ outcome: 'refused', reason: 'HOLDER_BVN_REQUIRED', code: null });
    expect(server.requests).toHaveLength(0);
  });

  it('asks for a permanent account under our reference, and has the first where Flutterwave answers with it', async () => {
    server.wallets.opening.again = 'first';
    const reference = newAccountReference();
    const first = await open({}, reference);
    expect(await open({}, reference)).toMatchObject({ ...first, at: expect.any(Date) });
    expect(server.requests[0]?.body).toEqual({
      email: `ada+${reference}@shop.example`,
      is_permanent: true,
      bvn: HOLDER.bvn,
      tx_ref: reference,
      phonenumber: HOLDER.phoneNumber,
      firstname: 'Adaeze',
      lastname: 'Obi',
      narration: 'Adaeze Obi',
    });
  });

  it('reads the name from the sentence for people, and has the one that was asked for where there is none', async () => {
    expect(await open()).toMatchObject({ accounts: [{ accountName: 'CollinX Adaeze Obi' }] });
    for (const note of [undefined, null, 'Thank you', 'Please make a bank transfer to ']) {
      const data = {
        response_code: '02',
        order_ref: 'URF_1',
        account_number: '7824822527',
        bank_name: 'WEMA BANK',
        note,
      };
      server.answerNext('openAccount', { status: 200, body: { status: 'success', message: 'Created', data } });
      expect(await open()).toMatchObject({ outcome: 'opened', accounts: [{ accountName: 'Adaeze Obi' }] });
    }
  });

  it('calls an account unknown whose response code is another than that of a creation', async () => {
    for (const response_code of ['00', 'RR', undefined]) {
      const data = { response_code, order_ref: 'URF_1', account_number: '7824822527', bank_name: 'WEMA BANK' };
      server.answerNext('openAccount', { status: 200, body: { status: 'success', message: 'Created', data } });
      expect(await open()).toMatchObject({ outcome: 'unknown' });
    }
  });

  it('does not call a refusal refused that may be gone at the next attempt, nor one of another HTTP status', async () => {
    for (const [status, message] of [
      [400, 'BVN verification is temporarily unavailable'],
      [422, 'Invalid bvn passed'],
      [500, 'Invalid bvn passed'],
    ] as const) {
      server.answerNext('openAccount', { status, body: { status: 'error', message, data: null } });
      expect(await open()).toMatchObject({ outcome: 'unknown' });
    }
  });

  it('does not take a path that is gone for a credit that is not there', async () => {
    server.answerNext('queryCredit', { status: 404, body: { status: 'error', message: 'Cannot find the route' } });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'not_found' });
  });

  it('adds the fees, and reports none that is missing, below zero or finer than a kobo', async () => {
    const data = { id: 7, status: 'successful', amount: 2_500.5, currency: 'NGN' };
    for (const [fees, providerFeeMinor] of [
      [{ app_fee: 35, merchant_fee: 1.25 }, 3_625n],
      [{ app_fee: 1.4 }, 140n],
      [{ app_fee: 26.875, merchant_fee: 0 }, null],
      [{ app_fee: null, merchant_fee: 0 }, null],
      [{ app_fee: -1.4, merchant_fee: 0 }, null],
    ] as const) {
      answer({ ...data, ...fees });
      expect(await wallets.queryCredit(key)).toMatchObject({ credit: { amountMinor: 250_050n, providerFeeMinor } });
    }
  });

  it.each([12.345, '12,50', -100, 0, '', null])('confirms no amount that is written as %s', async (amount) => {
    answer({ id: 7, status: 'successful', amount, currency: 'NGN' });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown' });
  });

  it('knows no payer where Flutterwave writes that there is none', async () => {
    const data = { id: 7, status: 'successful', amount: 100, currency: 'NGN', narration: 'N/A', tx_ref: '' };
    for (const meta of [null, '', { originatorname: 'N/A', originatoraccountnumber: '', bankname: null }]) {
      answer({ ...data, meta });
      const got = await wallets.queryCredit(key);
      expect(got).toMatchObject({
        credit: { payerName: null, payerAccountNumber: null, payerBankName: null, narration: null },
      });
      expect(got).not.toHaveProperty('credit.accountReference');
    }
  });

  it('lists the rest of a page on which a credit cannot be asked for, and counts that one', async () => {
    const paid = { status: 'successful', amount: 1 };
    for (const line of [{ ...paid, amount: 100 }, { amount: 100 }, null, 'more']) {
      const data = [{ ...paid, id: '1' }, line, { status: 'failed', amount: 1 }, { ...paid, id: '2' }];
      server.answerNext('listCredits', { status: 200, body: { status: 'success', message: 'Fetched', data } });
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
      const request = server.signed(Buffer.from(`{"event":"charge.completed","data":${data}}`));
      await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
    }
  });
});
