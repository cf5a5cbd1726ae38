import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createPaystackRail, type WalletCaller } from '../../src/rails/index.ts';
import { type PaystackServer, SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';
import { newTenant } from './sandbox-support.ts';
import { newAccountReference } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const KEY = { providerTransactionId: null, providerReference: null, sessionId: null };
const ADDRESS = 'https://checkout.paystack.com/3ni8kdavz62431k';

describe('the payments of Paystack', () => {
  let server: PaystackServer;
  let wallets: WalletCaller;
  const tenant = newTenant();
  const payer = { name: HOLDER.name, email: HOLDER.email, phoneNumber: null };
  beforeEach(async () => {
    server = await startPaystackServer();
    const rail = createPaystackRail({
      credentials: { secretKey: SECRET_KEY },
      baseUrl: server.baseUrl,
      clock: systemClock,
    });
    wallets = walletCallerOf(rail);
  });
  afterEach(() => server.close());

  const expiresAt = new Date(Date.now() + 3_600_000);
  const openAccount = (reference = newAccountReference(), amountMinor = 12_345n) =>
    wallets.openOneTimeAccount({ tenant, reference, payer, amountMinor, expiresAt, description: 'Bread' });
  const openPage = (reference = newAccountReference()) =>
    wallets.openPage({
      tenant,
      reference,
      payer,
      amountMinor: 12_345n,
      description: 'Bread',
      channels: ['CARD', 'BANK_TRANSFER'],
      returnUrl: 'https://shop.example/paid',
    });
  const verified = (data: object) =>
    server.answerNext('queryCredit', { status: 200, body: { status: true, message: 'Verification successful', data } });

  it('sends our reference, whole kobo, and no name of the payer', async () => {
    const [account, page] = [newAccountReference(), newAccountReference()];
    await openAccount(account);
    await openPage(page);
    const asked = { email: HOLDER.email, amount: 12_345 };
    expect(server.requests.map(({ body }) => body)).toEqual([
      { ...asked, reference: account, bank_transfer: { account_expires_at: expiresAt.toISOString() } },
      {
        ...asked,
        currency: 'NGN',
        reference: page,
        callback_url: 'https://shop.example/paid',
        channels: ['card', 'bank_transfer'],
        metadata: { opened_as: 'page', description: 'Bread' },
      },
    ]);
  });

  it('asks for a charge again only where its reference is taken, and stays unknown where no account is shown', async () => {
    const reference = newAccountReference();
    await openAccount(reference);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST']);
    server.wallets.payments.again.isShown = false;
    expect(await openAccount(reference)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE' });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`).slice(1)).toEqual([
      'POST /charge',
      `GET /charge/${reference}`,
    ]);
    expect(server.wallets.payments.opened).toHaveLength(1);
  });

  it('waits for an account that Paystack is still assigning, and has it when it is asked again', async () => {
    const reference = newAccountReference();
    server.wallets.books.openings.push('pending');
    expect(await openAccount(reference)).toMatchObject({ outcome: 'pending', reason: 'RAIL_PENDING' });
    expect(await openAccount(reference)).toMatchObject({ outcome: 'opened' });
  });

  it('says that an amount is too small for a transfer', async () => {
    expect(await openAccount(newAccountReference(), 9_999n)).toMatchObject({
      outcome: 'refused',
      reason: 'AMOUNT_INVALID',
    });
  });

  it('takes no account of another reference, without a number, or of a status that is not listed', async () => {
    const reference = newAccountReference();
    const shown = {
      reference,
      status: 'pending_bank_transfer',
      account_name: 'A',
      account_number: '1260257501',
      bank: { name: 'Test Bank' },
    };
    for (const change of [
      { reference: newAccountReference() },
      { account_number: null },
      { bank: null },
      { status: 'send_otp' },
      { status: 'success' },
    ]) {
      const body = { status: true, message: 'Charge attempted', data: { ...shown, ...change } };
      server.answerNext('openOneTime', { status: 200, body });
      expect(await openAccount(reference)).toMatchObject({ outcome: 'unknown' });
    }
  });

  it.each([
    ADDRESS.replace('https', 'http'),
    ADDRESS.replace('paystack.com', 'paystack.com.example'),
    ADDRESS.replace('checkout.paystack.com', 'notpaystack.com'),
    ADDRESS.replace('https://', 'https://checkout:secret@'),
    ADDRESS.replace('https://', 'https://checkout.paystack.com@evil.example/'),
    'javascript:alert(1)',
    '',
    null,
  ])('sends nobody to a page at %s', async (authorization_url) => {
    const reference = newAccountReference();
    const data = { authorization_url, access_code: 'x', reference };
    server.answerNext('openPage', { status: 200, body: { status: true, message: 'Authorization URL created', data } });
    const answer = await openPage(reference);
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
    expect(answer).not.toHaveProperty('url');
  });

  it('has the reference of a credit for ours only where it looks like one and the channel is no dedicated account', async () => {
    const reference = newAccountReference();
    const credit = { id: 7, status: 'success', amount: 100, currency: 'NGN', domain: 'test' };
    for (const facts of [
      { reference, channel: 'dedicated_nuban' },
      { reference },
      { reference: 'zuz8ggd1ro', channel: 'bank_transfer' },
      { reference: reference.toUpperCase(), channel: 'card' },
    ]) {
      verified({ ...credit, ...facts });
      const answer = await wallets.queryCredit({ ...KEY, providerTransactionId: '7' });
      expect(answer).toMatchObject({ outcome: 'confirmed' });
      expect(answer, JSON.stringify(facts)).not.toHaveProperty('credit.accountReference');
    }
  });

  it('knows no channel by a word that it has none for', async () => {
    const reference = newAccountReference();
    verified({ id: 7, status: 'success', amount: 100, currency: 'NGN', domain: 'test', reference, channel: 'qr' });
    const answer = await wallets.queryCredit({ ...KEY, ourReference: reference });
    expect(answer).toMatchObject({ outcome: 'confirmed', credit: { accountReference: reference } });
    expect(answer).not.toHaveProperty('credit.channel');
  });

  it('calls a failed transfer to an account failed, and a failed attempt on a page pending', async () => {
    const reference = newAccountReference();
    const page = { metadata: { opened_as: 'page' } };
    for (const [facts, outcome] of [
      [{ channel: 'bank_transfer', metadata: '' }, 'failed'],
      [{ channel: 'bank_transfer', ...page }, 'pending'],
      [{ channel: 'card', metadata: null }, 'pending'],
      [{ channel: 'ussd', ...page }, 'pending'],
      [{ channel: 'dedicated_nuban' }, 'failed'],
    ] as const) {
      verified({ id: 7, status: 'failed', amount: 100, currency: 'NGN', domain: 'test', reference, ...facts });
      expect(await wallets.queryCredit({ ...KEY, ourReference: reference }), JSON.stringify(facts)).toMatchObject({
        outcome,
      });
    }
  });

  it('credits what was asked for where the payer bears the fee on a page, and keeps no fee of it', async () => {
    const reference = newAccountReference();
    await openPage(reference);
    Object.assign(server.wallets.payments.payPage(reference, { channel: 'CARD' }), { feeOnTopMinor: 298n });
    const credit = { amountMinor: 12_345n, providerFeeMinor: 0n };
    expect(await wallets.queryCredit({ ...KEY, ourReference: reference })).toMatchObject({ credit });
  });

  it.each([
    [
      { amount: 40_333, requested_amount: 30_050, fees: 10_283 },
      { amountMinor: 30_050n, providerFeeMinor: 0n },
    ],
    [
      { amount: 25_000, requested_amount: 25_000, fees: 375 },
      { amountMinor: 25_000n, providerFeeMinor: 375n },
    ],
    [
      { amount: 25_000, requested_amount: 24_900, fees: 375 },
      { amountMinor: 24_900n, providerFeeMinor: 275n },
    ],
    [
      { amount: 20_000, requested_amount: 25_000, fees: 375 },
      { amountMinor: 20_000n, providerFeeMinor: 375n },
    ],
    [
      { amount: 25_000, requested_amount: 25_000, fees: null },
      { amountMinor: 25_000n, providerFeeMinor: null },
    ],
    [
      { amount: 25_000, fees: 375 },
      { amountMinor: 25_000n, providerFeeMinor: 375n },
    ],
    [
      { amount: 25_000, requested_amount: 0, fees: 375 },
      { amountMinor: 25_000n, providerFeeMinor: 375n },
    ],
    [
      { amount: 25_000, requested_amount: 10_000, fees: 375, channel: 'dedicated_nuban' },
      { amountMinor: 25_000n, providerFeeMinor: 375n },
    ],
  ])('reads %j as what is the merchant’s, and what is kept of it', async (amounts, credit) => {
    verified({ id: 7, status: 'success', currency: 'NGN', domain: 'test', ...amounts });
    const answer = await wallets.queryCredit({ ...KEY, providerTransactionId: '7' });
    expect(answer).toMatchObject({ outcome: 'confirmed', credit });
  });

  it('confirms nothing of more than was asked for while the fee in it is not known', async () => {
    const amounts = { amount: 40_333, requested_amount: 30_050, fees: null };
    verified({ id: 7, status: 'success', currency: 'NGN', domain: 'test', ...amounts });
    const answer = await wallets.queryCredit({ ...KEY, providerTransactionId: '7' });
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
  });

  it('waits for a payer who has not paid, with a reason, whatever else the transaction says', async () => {
    const reference = newAccountReference();
    await openPage(reference);
    const waits = { outcome: 'pending', reason: 'PAYMENT_NOT_MADE' };
    expect(await wallets.queryCredit({ ...KEY, ourReference: reference })).toMatchObject(waits);
    verified({ id: 7, status: 'abandoned', reference, channel: null });
    expect(await wallets.queryCredit({ ...KEY, ourReference: reference })).toMatchObject(waits);
  });

  it('asks of a rejected transfer whether it went back, also where it is in the books', async () => {
    const event = {
      event: 'bank.transfer.rejected',
      data: { bank_transfer: { amount: '30000', transaction_id: '310' } },
    };
    const hints = await wallets.readCreditWebhook(server.signed(Buffer.from(JSON.stringify(event))));
    expect(hints).toMatchObject([{ providerTransactionId: '310', isReversal: true }]);
  });

  it('says that a rejected transfer without an id is malformed', async () => {
    for (const data of ['null', '{}', '{"bank_transfer":null}', '{"bank_transfer":{"amount":"30000"}}']) {
      const request = server.signed(Buffer.from(`{"event":"bank.transfer.rejected","data":${data}}`));
      await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
    }
  });
});
