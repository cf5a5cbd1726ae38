import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccountHolder,
  type CreditKey,
  createMonnifyRail,
  type MonnifyCredentials,
  type Rail,
  type WalletCaller,
} from '../../src/rails/index.ts';
import { instantInLagos } from '../../src/rails/monnify/credits.ts';
import { CREDENTIALS, HOUR_MS, movedClock, TENANT } from './monnify-support.ts';
import { CONTRACT } from './providers/monnify-payments-server.ts';
import { type MonnifyServer, refusal, startMonnifyServer } from './providers/monnify-server.ts';
import { booksHarness, booksProvider, type CreditRow } from './providers/wallet-books.ts';
import { describeWalletProvider } from './wallet-conformance.ts';
import { newAccountReference, type WalletHarness } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const WRONG_KEY = 'NOT-THE-SECRET-OF-THIS-KEY';

describeWalletProvider('Monnify', makeHarness, {
  reports: [
    'providerReference',
    'accountReference',
    'channel',
    'providerFeeMinor',
    'paidAt',
    'payerName',
    'payerAccountNumber',
  ],
  marksMode: false,
  masksPayers: true,
  prepares: true,
  refusesOpenings: true,
  reverses: true,
  queriesBy: ['providerTransactionId', 'providerReference'],
  pageSize: 20,
  payments: {
    accountAgain: 'first',
    pageAgain: 'unknown',
    pageDomain: 'monnify.com',
    lateMoney: 'failed',
    secondPayment: 'bounces',
  },
  overHttp: true,
});

async function makeHarness(): Promise<WalletHarness> {
  const server = await startMonnifyServer();
  const clock = movedClock();
  const { wallets } = server;
  const railWith = (changes: Partial<MonnifyCredentials> = {}, baseUrl = server.baseUrl): Rail =>
    createMonnifyRail({ credentials: { ...CREDENTIALS, contractCode: CONTRACT, ...changes }, baseUrl, clock });
  const webhook: WalletHarness['webhook'] = (key, changes) =>
    server.signed(wallets.successfulTransaction(wallets.creditOf(key), changes));
  const paid = (credit: CreditRow) => ({
    key: wallets.keyOf(credit),
    webhook: server.signed(wallets.successfulTransaction(credit)),
  });
  const { setStatus, hide, ...ofBooks } = booksHarness(wallets.books);
  return {
    rail: railWith(),
    tenant: TENANT,
    ...ofBooks,
    setStatus: (key, status) => setStatus(wallets.inBooks(key), status),
    hide: (key, queries) => hide(wallets.inBooks(key), queries),
    deposit: async (facts) => wallets.deposit(facts),
    webhook,
    payments: {
      openings: () => wallets.payments.opened.map(({ reference, amountMinor }) => ({ reference, amountMinor })),
      transfer: (...given) => paid(wallets.payments.transfer(...given)),
      payPage: (...given) => paid(wallets.payments.payPage(...given)),
    },
    forgedWebhooks(key) {
      const { headers, rawBody } = webhook(key);
      return [
        server.signed(rawBody, WRONG_KEY),
        { headers: {}, rawBody },
        { headers, rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) },
        { headers, rawBody: Buffer.from(rawBody.toString().replace('"amountPaid":', '"amountPaid":9')) },
      ];
    },
    otherWebhook: () => server.signed(Buffer.from('{"eventType":"SETTLEMENT","eventData":{"amount":"1199.00"}}')),
    provider: {
      breakNext(stage, how, options) {
        // A login comes only when the token of the hour before has run out.
        if (stage === 'prepareAccount') clock.move(HOUR_MS);
        server.breakNext(stage === 'prepareAccount' ? 'prepare' : stage, how, options);
        // One 401 is answered with a new login: the second is the one that stays.
        if (stage !== 'prepareAccount' && how === 'unauthorized') server.breakNext(stage, how);
      },
      unreachable: railWith({}, 'http://127.0.0.1:9'),
      wrongKey: railWith({ secretKey: WRONG_KEY }),
      signed: (rawBody) => server.signed(rawBody),
      ...booksProvider(wallets.books),
    },
    close: server.close,
  };
}

describe('the wallets of Monnify', () => {
  let server: MonnifyServer;
  let wallets: WalletCaller;
  const railWith = (contractCode: string | undefined): Rail =>
    createMonnifyRail({
      credentials: { ...CREDENTIALS, ...(contractCode !== undefined && { contractCode }) },
      baseUrl: server.baseUrl,
      clock: movedClock(),
    });
  beforeEach(async () => {
    server = await startMonnifyServer();
    wallets = walletCallerOf(railWith(CONTRACT));
  });
  afterEach(() => server.close());

  const open = (
    changes: Partial<AccountHolder> = {},
    { reference = newAccountReference(), preferredBank = null as string | null, from = wallets } = {},
  ) => from.openAccount({ tenant: TENANT, reference, holder: { ...HOLDER, ...changes }, preferredBank });
  const numbers = async (): Promise<string[]> => {
    const answer = await open();
    return answer.outcome === 'opened' ? answer.accounts.map(({ accountNumber }) => accountNumber) : [];
  };
  const keyOf = (providerTransactionId: string) => ({
    providerTransactionId,
    providerReference: null,
    sessionId: null,
  });
  const asked = (path: string) => server.requests.filter((seen) => seen.path.startsWith(path));
  const answerQuery = (responseBody: unknown) =>
    server.answerNext('queryCredit', {
      status: 200,
      body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
    });
  const PAYMENT = {
    transactionReference: 'MNFY|1',
    paymentReference: 'MNFY|1',
    paymentStatus: 'PAID',
    amountPaid: '123.45',
    currency: 'NGN',
  };

  it('are absent where the credentials name no contract', () => {
    expect(railWith(undefined).wallets).toBeUndefined();
  });

  it('have numbers at every bank that Monnify has, or at the one that is preferred', async () => {
    const everywhere = await open();
    expect(everywhere).toMatchObject({ outcome: 'opened', accounts: [{ bankCode: '035' }, { bankCode: '232' }] });
    const preferred = await open({}, { preferredBank: '232' });
    expect(preferred).toMatchObject({ outcome: 'opened', accounts: [{ bankCode: '232', bankName: 'Sterling bank' }] });
    expect(asked('/api/v2/bank-transfer/reserved-accounts').map(({ body }) => body)).toMatchObject([
      { getAllAvailableBanks: true, restrictPaymentSource: false, contractCode: CONTRACT, bvn: HOLDER.bvn },
      { getAllAvailableBanks: false, restrictPaymentSource: false, preferredBanks: ['232'] },
    ]);
  });

  it('are asked for with a NIN in place of the BVN, and without a field for the one that is not there', async () => {
    expect(await open({ bvn: null, nin: '33333333331' })).toMatchObject({ outcome: 'opened' });
    const [sent] = asked('/api/v2/bank-transfer/reserved-accounts').map(({ body }) => body);
    expect(sent).toMatchObject({ nin: '33333333331' });
    expect(sent).not.toHaveProperty('bvn');
  });

  it('are not asked for without a BVN or NIN, one of which Monnify wants of every owner', async () => {
    expect(await open({ bvn: null })).toMatchObject({ outcome: 'refused', reason: 'HOLDER_BVN_REQUIRED' });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['BVN is invalid. Must be 11 digits', 'HOLDER_BVN_INVALID'],
    ['Invalid contract code supplied.', 'PROVIDER_CONTRACT_UNKNOWN'],
    ['We do not support virtual accounts from banks with code 999.', 'PREFERRED_BANK_UNSUPPORTED'],
    ['You can not reserve more than 1 account(s) for a customer', 'ACCOUNT_LIMIT_REACHED'],
  ])('give the refusal "%s" the reason %s', async (message, reason) => {
    server.answerNext('openAccount', refusal(400, '99', message));
    expect(await open()).toMatchObject({ outcome: 'refused', reason });
  });

  it('are found by their reference whatever the refusal says, and never refused where an account is there', async () => {
    const reference = newAccountReference();
    const first = await open({}, { reference });
    server.answerNext('openAccount', refusal(400, '99', 'BVN is invalid. Must be 11 digits'));
    const second = await open({}, { reference });
    expect(second).toMatchObject({ outcome: 'opened' });
    expect({ ...second, at: null }).toEqual({ ...first, at: null });
  });

  it.each([
    { accountReference: 'of somebody else' },
    { status: 'INACTIVE' },
    { status: undefined },
    { accounts: [{ bankCode: '035', accountNumber: '******1234' }] },
  ])('are not open where the answer has %j', async (wrong) => {
    const reference = newAccountReference();
    const accounts = [{ bankCode: '035', bankName: 'Wema bank', accountNumber: '9930000990', accountName: 'Ada' }];
    const responseBody = { accountReference: reference, status: 'ACTIVE', accounts, ...wrong };
    const body = { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody };
    server.answerNext('openAccount', { status: 200, body });
    expect(await open({}, { reference })).toMatchObject({ outcome: 'unknown' });
  });

  it('are pending while Monnify has an account without a number', async () => {
    const reference = newAccountReference();
    const responseBody = { accountReference: reference, status: 'ACTIVE', accounts: [] };
    const body = { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody };
    server.answerNext('openAccount', { status: 200, body });
    expect(await open({}, { reference })).toMatchObject({ outcome: 'pending' });
  });

  it.each([
    ['PAID', 'confirmed'],
    ['OVERPAID', 'confirmed'],
    ['PARTIALLY_PAID', 'confirmed'],
    ['PENDING', 'pending'],
    ['FAILED', 'failed'],
    ['EXPIRED', 'failed'],
    ['CANCELLED', 'failed'],
    ['REVERSED', 'reversed'],
    ['ABANDONED', 'unknown'],
    ['paid', 'unknown'],
  ])('read the status %s as %s', async (paymentStatus, outcome) => {
    answerQuery({ ...PAYMENT, paymentStatus });
    expect((await wallets.queryCredit(keyOf('MNFY|1'))).outcome).toBe(outcome);
  });

  it.each([undefined, null, '', '0.00', '-5.00', '12.345', 'NaN', '1e3', [], {}])(
    'confirm nothing of an amount %j',
    async (amountPaid) => {
      answerQuery({ ...PAYMENT, amountPaid });
      expect((await wallets.queryCredit(keyOf('MNFY|1'))).outcome).toBe('unknown');
      answerQuery({ ...PAYMENT, amountPaid, paymentStatus: 'REVERSED' });
      expect((await wallets.queryCredit(keyOf('MNFY|1'))).outcome).toBe('unknown');
    },
  );

  it('read an amount as text and as a number, and the fee as what is not settled', async () => {
    answerQuery({ ...PAYMENT, amountPaid: '180000.00', settlementAmount: '179989.25' });
    const asText = await wallets.queryCredit(keyOf('MNFY|1'));
    expect(asText).toMatchObject({ credit: { amountMinor: 18_000_000n, providerFeeMinor: 1_075n } });
    answerQuery({ ...PAYMENT, amountPaid: 180000, settlementAmount: null });
    const asNumber = await wallets.queryCredit(keyOf('MNFY|1'));
    expect(asNumber).toMatchObject({ credit: { amountMinor: 18_000_000n, providerFeeMinor: null } });
    answerQuery({ ...PAYMENT, amountPaid: '1.00', settlementAmount: '1.01' });
    expect(await wallets.queryCredit(keyOf('MNFY|1'))).toMatchObject({ credit: { providerFeeMinor: null } });
  });

  it('name our reference only where an account was paid, and no other product of Monnify', async () => {
    const reference = newAccountReference();
    answerQuery({ ...PAYMENT, product: { type: 'RESERVED_ACCOUNT', reference } });
    expect(await wallets.queryCredit(keyOf('MNFY|1'))).toMatchObject({ credit: { accountReference: reference } });
    answerQuery({ ...PAYMENT, product: { type: 'WEB_SDK', reference } });
    const answer = await wallets.queryCredit(keyOf('MNFY|1'));
    expect(answer.outcome === 'confirmed' && answer.credit).not.toHaveProperty('accountReference');
  });

  it('are asked about a payment with the bars of its reference encoded', async () => {
    const [, second] = await numbers();
    const key = server.wallets.deposit({ accountNumber: second ?? '', amountMinor: 700n });
    expect(key.providerTransactionId).toContain('|');
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'confirmed', credit: { amountMinor: 700n } });
  });

  it('take no 404 for a payment that is not there but one in the words of Monnify', async () => {
    server.answerNext('queryCredit', { status: 404, body: '<html>Not Found</html>' });
    expect((await wallets.queryCredit(keyOf('MNFY|1'))).outcome).toBe('unknown');
    server.answerNext('closeAccount', { status: 404, body: { status: 404, error: 'Not Found' } });
    const request = { tenant: TENANT, reference: newAccountReference(), providerAccountId: 'R1' };
    expect((await wallets.closeAccount(request)).outcome).toBe('unknown');
    expect((await wallets.queryCredit(keyOf('MNFY|1'))).outcome).toBe('not_found');
    expect((await wallets.closeAccount(request)).outcome).toBe('closed');
  });

  it('list payments with and without the envelope, by milliseconds, on pages that are shorter than was asked', async () => {
    const [accountNumber = ''] = await numbers();
    const at = new Date('2026-11-20T09:30:00.000Z');
    for (let count = 0; count < 5; count += 1) server.wallets.deposit({ accountNumber, amountMinor: 100n, at });
    server.wallets.pages.max = 2;
    const window = { from: at, to: new Date(at.getTime() + 1) };
    for (const wrapped of [true, false]) {
      server.wallets.pages.wrapped = wrapped;
      const sizes: number[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const page = await wallets.listCredits({ ...window, cursor });
        sizes.push(page.credits.length);
        cursor = page.next;
        more = cursor !== null;
      }
      expect(sizes).toEqual([2, 2, 1]);
    }
    expect(asked('/api/v1/transactions/search')[0]?.query.get('from')).toBe(String(at.getTime()));
  });

  it('list to the end where no page is marked as the last, however short its pages are', async () => {
    const [accountNumber = ''] = await numbers();
    const at = new Date('2026-11-20T09:30:00.000Z');
    for (let count = 0; count < 5; count += 1) server.wallets.deposit({ accountNumber, amountMinor: 100n, at });
    Object.assign(server.wallets.pages, { max: 2, marksLast: false });
    const sizes: number[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await wallets.listCredits({ from: at, to: new Date(at.getTime() + 1), cursor });
      sizes.push(page.credits.length);
      cursor = page.next;
    }
    expect(sizes).toEqual([2, 2, 1, 0]);
  });

  it('list what is overpaid and what is partially paid, and nothing that nobody has paid', async () => {
    const opened = async () => {
      const reference = newAccountReference();
      const payer = { name: HOLDER.name, email: HOLDER.email, phoneNumber: null };
      const asked = { tenant: TENANT, reference, payer, amountMinor: 12_345n, description: 'Bread' };
      const answer = await wallets.openOneTimeAccount({ ...asked, expiresAt: new Date(Date.now() + HOUR_MS) });
      return answer.outcome === 'opened' ? (answer.accounts[0]?.accountNumber ?? '') : '';
    };
    const pay = async (amountMinor: bigint, at?: Date) =>
      server.wallets.payments.transfer(await opened(), { amountMinor, ...(at && { at }) });
    const paid = [await pay(20_000n), await pay(5_000n), await pay(12_345n)];
    await opened();
    await pay(12_345n, new Date(Date.now() + HOUR_MS));
    const window = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + 2 * HOUR_MS), cursor: null };
    const { credits } = await wallets.listCredits(window);
    const idsOf = (keys: readonly CreditKey[]) => new Set(keys.map((key) => key.providerTransactionId));
    expect(idsOf(credits)).toEqual(idsOf(paid.map((credit) => server.wallets.keyOf(credit))));
    const found = await Promise.all(credits.map((hint) => wallets.queryCredit(hint)));
    expect(new Set(found.map(({ code }) => code))).toEqual(new Set(['OVERPAID', 'PAID', 'PARTIALLY_PAID']));
  });

  it('list the rest of a page on which a payment has no reference, and count that one', async () => {
    const paid = { paymentStatus: 'PAID', amount: 5 };
    const known = { ...paid, transactionReference: 'MNFY|1' };
    for (const line of [paid, null, 'more', { amount: 5 }]) {
      const responseBody = { content: [line, { paymentStatus: 'PENDING' }, known], last: true };
      const body = { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody };
      server.answerNext('listCredits', { status: 200, body });
      const page = await wallets.listCredits({ from: new Date(0), to: new Date(1), cursor: null });
      expect(page).toMatchObject({
        credits: [{ providerTransactionId: 'MNFY|1' }],
        unreadable: [expect.any(String)],
        next: null,
      });
    }
  });

  it('list a payment that went back as that, whatever amount the line has', async () => {
    const line = { transactionReference: 'MNFY|1', paymentStatus: 'REVERSED', amountPaid: 0 };
    const body = { requestSuccessful: true, responseMessage: 'success', responseCode: '0' };
    server.answerNext('listCredits', { status: 200, body: { ...body, responseBody: { content: [line], last: true } } });
    const page = await wallets.listCredits({ from: new Date(0), to: new Date(1), cursor: null });
    const hint = { providerTransactionId: 'MNFY|1', amountMinor: null, isReversal: true };
    expect(page).toMatchObject({ credits: [hint], next: null });
  });

  it('list a payment of which the line shows no status, since it may be there', async () => {
    const responseBody = { content: [{ transactionReference: 'MNFY|1', amount: 5 }], last: true };
    const body = { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody };
    server.answerNext('listCredits', { status: 200, body });
    const page = await wallets.listCredits({ from: new Date(0), to: new Date(1), cursor: null });
    expect(page).toMatchObject({ credits: [{ providerTransactionId: 'MNFY|1', amountMinor: 500n }], next: null });
  });

  it('believe the webhook of the documentation, and no other that says the same', async () => {
    const signature =
      'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873' +
      'b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c';
    const request = { headers: { 'monnify-signature': signature }, rawBody: Buffer.from(DOCUMENTED) };
    const secretKey = '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y';
    const theirs = walletCallerOf(
      createMonnifyRail({
        credentials: { ...CREDENTIALS, secretKey, contractCode: CONTRACT },
        baseUrl: server.baseUrl,
        clock: movedClock(),
      }),
    );
    expect(await theirs.readCreditWebhook(request)).toEqual([
      {
        providerTransactionId: 'MNFY|76|20211117154810|000001',
        providerReference: '0.01462001097368737',
        sessionId: null,
        amountMinor: 7_800_000n,
        accountNumber: null,
      },
    ]);
    const refused = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
    await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject(refused);
    const altered = {
      ...request,
      rawBody: Buffer.from(DOCUMENTED.replace('"amountPaid":78000', '"amountPaid":79000')),
    };
    await expect(theirs.readCreditWebhook(altered)).rejects.toMatchObject(refused);
  });

  it.each(['SUCCESSFUL_DISBURSEMENT', 'SUCCESSFUL_REFUND', 'SETTLEMENT', 'REJECTED_PAYMENT', 'MANDATE_UPDATE'])(
    'have no credit in a webhook of %s',
    async (eventType) => {
      const eventData = { ...PAYMENT, amountPaid: 5 };
      expect(
        await wallets.readCreditWebhook(server.signed(Buffer.from(JSON.stringify({ eventType, eventData })))),
      ).toEqual([]);
    },
  );

  it('call a payment without a reference malformed', async () => {
    const request = server.signed(Buffer.from('{"eventType":"SUCCESSFUL_TRANSACTION","eventData":{"amountPaid":5}}'));
    await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
  });
});

const DOCUMENTED =
  '{"eventData":{"product":{"reference":"111222333","type":"OFFLINE_PAYMENT_AGENT"},"transactionReference":"MNFY|76|20211117154810|000001","paymentReference":"0.01462001097368737","paidOn":"17/11/2021 3:48:10 PM","paymentDescription":"Mockaroo Jesse","metaData":{},"destinationAccountInformation":{},"paymentSourceInformation":{},"amountPaid":78000,"totalPayable":78000,"offlineProductInformation":{"code":"41470","type":"DYNAMIC"},"cardDetails":{},"paymentMethod":"CASH","currency":"NGN","settlementAmount":77600,"paymentStatus":"PAID","customer":{"name":"Mockaroo Jesse","email":"111222333@ZZAMZ4WT4Y3E.monnify"}},"eventType":"SUCCESSFUL_TRANSACTION"}';

describe('a time of Monnify', () => {
  it.each([
    ['25/07/2022 11:20:20 AM', '2022-07-25T10:20:20.000Z'],
    ['17/11/2021 3:48:10 PM', '2021-11-17T14:48:10.000Z'],
    ['03/09/2020 12:00:00 AM', '2020-09-02T23:00:00.000Z'],
    ['03/09/2020 12:30:00 PM', '2020-09-03T11:30:00.000Z'],
    ['2021-11-17 11:28:42.615', '2021-11-17T10:28:42.615Z'],
    ['2026-07-17 03:14:51.0', '2026-07-17T02:14:51.000Z'],
    ['2026-01-01 00:30:00', '2025-12-31T23:30:00.000Z'],
  ])('%s is in Lagos', (text, expected) => {
    expect(instantInLagos(text)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    '31/02/2022 11:20:20 AM',
    '25/07/2022 13:20:20 PM',
    '25/07/2022 11:20:20',
    '2022-13-01 00:00:00',
    'soon',
  ])('%j is none', (text) => {
    expect(instantInLagos(text)).toBeNull();
  });
});
