import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMonnifyRail, type WalletCaller } from '../../src/rails/index.ts';
import { BREAKAGES } from './harness.ts';
import { CREDENTIALS, movedClock, TENANT } from './monnify-support.ts';
import { CONTRACT } from './providers/monnify-payments-server.ts';
import { type MonnifyServer, refusal, startMonnifyServer } from './providers/monnify-server.ts';
import { newAccountReference } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const PAGE = 'https://sandbox.sdk.monnify.com/checkout/MNFY|67|20261120093000|1';
const NO_KEY = { providerTransactionId: null, providerReference: null, sessionId: null };

describe('the payments of Monnify', () => {
  let server: MonnifyServer;
  let wallets: WalletCaller;
  const payer = { name: HOLDER.name, email: HOLDER.email, phoneNumber: null };
  beforeEach(async () => {
    server = await startMonnifyServer();
    const credentials = { ...CREDENTIALS, contractCode: CONTRACT };
    wallets = walletCallerOf(createMonnifyRail({ credentials, baseUrl: server.baseUrl, clock: movedClock() }));
  });
  afterEach(() => server.close());

  const asked = (reference: string) => ({
    tenant: TENANT,
    reference,
    payer,
    amountMinor: 12_345n,
    description: 'Bread',
  });
  const openAccount = (reference = newAccountReference()) =>
    wallets.openOneTimeAccount({ ...asked(reference), expiresAt: new Date(Date.now() + 3_600_000) });
  const openPage = (reference = newAccountReference()) =>
    wallets.openPage({ ...asked(reference), channels: ['CARD'], returnUrl: 'https://shop.example/paid' });
  const good = (responseBody: object) => ({
    status: 200,
    body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
  });

  it('begins under our reference, in naira with kobo, with the ways to pay that were asked for', async () => {
    const [account, page] = [newAccountReference(), newAccountReference()];
    await openAccount(account);
    await openPage(page);
    const begun = server.requests.filter(({ path }) => path.endsWith('/init-transaction')).map(({ body }) => body);
    const shared = {
      amount: 123.45,
      customerName: HOLDER.name,
      customerEmail: HOLDER.email,
      paymentDescription: 'Bread',
      currencyCode: 'NGN',
      contractCode: CONTRACT,
    };
    expect(begun).toEqual([
      { ...shared, paymentReference: account, paymentMethods: ['ACCOUNT_TRANSFER'] },
      { ...shared, paymentReference: page, paymentMethods: ['CARD'], redirectUrl: 'https://shop.example/paid' },
    ]);
  });

  it.each(BREAKAGES)('has the same account again where the second step of the first opening was %s', async (how) => {
    const reference = newAccountReference();
    server.breakNext('showAccount', how);
    if (how === 'unauthorized') server.breakNext('showAccount', how);
    expect(await openAccount(reference)).toMatchObject({ outcome: 'unknown' });
    const [first, second] = [await openAccount(reference), await openAccount(reference)];
    expect(first).toMatchObject({ outcome: 'opened' });
    expect(second).toMatchObject({ accounts: first.outcome === 'opened' ? first.accounts : [] });
    expect(server.wallets.payments.opened).toHaveLength(1);
  });

  it('opens nothing again once it was paid', async () => {
    const reference = newAccountReference();
    const opened = await openAccount(reference);
    if (opened.outcome !== 'opened') throw new Error(opened.message);
    const accountNumber = opened.accounts[0]?.accountNumber ?? '';
    server.wallets.payments.transfer(accountNumber, { amountMinor: opened.payableMinor });
    expect(await openAccount(reference)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE', code: 'PAID' });
  });

  it('never calls an opening refused whose payment is there, whatever the refusal says', async () => {
    const reference = newAccountReference();
    await openAccount(reference);
    server.answerNext('openOneTime', refusal(400, '99', 'Amount must be at least 20'));
    expect(await openAccount(reference)).toMatchObject({ outcome: 'opened' });
  });

  it.each([
    ['Amount must be at least 20', 'refused', 'AMOUNT_INVALID'],
    ['Invalid contract code supplied.', 'refused', 'PROVIDER_CONTRACT_UNKNOWN'],
    ['This payment method is temporarily not enabled', 'unknown', 'RAIL_REFUSAL_UNLISTED'],
  ])('reads the refusal "%s" as %s', async (message, outcome, reason) => {
    server.answerNext('openPage', refusal(400, '99', message));
    expect(await openPage()).toMatchObject({ outcome, reason });
  });

  it.each([
    { paymentReference: 'of somebody else' },
    { totalPayable: 123.44 },
    { totalPayable: 123.456 },
    { totalPayable: null },
    { accountNumber: null },
    { bankName: '' },
  ])('shows nobody an account where the answer has %j', async (wrong) => {
    const reference = newAccountReference();
    const account = { accountNumber: '7727632865', accountName: 'Trial', bankName: 'Wema bank', bankCode: 101 };
    server.answerNext('showAccount', good({ ...account, paymentReference: reference, totalPayable: 123.45, ...wrong }));
    const answer = await openAccount(reference);
    expect(answer).toMatchObject({ outcome: 'unknown' });
    expect(answer).not.toHaveProperty('accounts');
  });

  it('says what the payer has to send and can dial, and no expiry where Monnify gives none', async () => {
    const reference = newAccountReference();
    const account = { accountNumber: '7727632865', accountName: 'Trial', bankName: 'Wema bank', bankCode: 101 };
    const more = { paymentReference: reference, totalPayable: '133.45', ussdPayment: '*737*2*133*7727632865#' };
    server.answerNext('showAccount', good({ ...account, ...more }));
    expect(await openAccount(reference)).toMatchObject({
      outcome: 'opened',
      payableMinor: 13_345n,
      ussdCode: '*737*2*133*7727632865#',
      expiresAt: null,
    });
  });

  it.each([PAGE.replace('https', 'http'), PAGE.replace('monnify.com', 'monnify.com.example'), '', null])(
    'sends nobody to a page at %s',
    async (checkoutUrl) => {
      const paymentReference = newAccountReference();
      server.answerNext('openPage', good({ transactionReference: 'MNFY|1', paymentReference, checkoutUrl }));
      const answer = await openPage(paymentReference);
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
      expect(answer).not.toHaveProperty('url');
    },
  );

  it('calls what closed unpaid failed, and a failed attempt on our reference pending', async () => {
    const paymentReference = newAccountReference();
    for (const [paymentStatus, outcome] of [
      ['EXPIRED', 'failed'],
      ['CANCELLED', 'failed'],
      ['FAILED', 'pending'],
    ] as const) {
      server.answerNext('findOpening', good({ transactionReference: 'MNFY|1', paymentReference, paymentStatus }));
      expect(await wallets.queryCredit({ ...NO_KEY, ourReference: paymentReference })).toMatchObject({ outcome });
    }
  });
});
