import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { createFlutterwaveRail, type WalletCaller } from '../../src/rails/index.ts';
import {
  type FlutterwaveServer,
  SECRET_HASH,
  SECRET_KEY,
  startFlutterwaveServer,
} from './providers/flutterwave-server.ts';
import { newTenant } from './sandbox-support.ts';
import { newAccountReference } from './wallet-harness.ts';
import { HOLDER, walletCallerOf } from './wallet-support.ts';

const HOUR_MS = 3_600_000;
const AUTHORIZATION = {
  transfer_reference: 'MockFLWRef-1',
  transfer_account: '0067100155',
  transfer_bank: 'Mock Bank',
  account_expiration: 1_795_000_000_000,
  transfer_note: 'Mock note',
  transfer_amount: '123.45',
};

describe('the payments of Flutterwave', () => {
  let server: FlutterwaveServer;
  let wallets: WalletCaller;
  const tenant = newTenant();
  const payer = { name: HOLDER.name, email: HOLDER.email, phoneNumber: HOLDER.phoneNumber };
  beforeEach(async () => {
    server = await startFlutterwaveServer();
    const credentials = { secretKey: SECRET_KEY, secretHash: SECRET_HASH };
    wallets = walletCallerOf(createFlutterwaveRail({ credentials, baseUrl: server.baseUrl, clock: systemClock }));
  });
  afterEach(() => server.close());

  const openAccount = (reference = newAccountReference(), more: { expiresInMs?: number } = {}) => {
    const expiresAt = new Date(Date.now() + (more.expiresInMs ?? HOUR_MS));
    return wallets.openOneTimeAccount({
      tenant,
      reference,
      payer,
      amountMinor: 12_345n,
      expiresAt,
      description: 'Bread',
    });
  };
  const openPage = (reference = newAccountReference()) =>
    wallets.openPage({
      tenant,
      reference,
      payer: { ...payer, phoneNumber: null },
      amountMinor: 12_345n,
      description: 'Bread',
      channels: ['CARD', 'BANK_TRANSFER'],
      returnUrl: 'https://shop.example/paid',
    });
  const charged = (authorization: object) =>
    server.answerNext('openOneTime', {
      status: 200,
      body: { status: 'success', message: 'Charge initiated', meta: { authorization } },
    });
  const sentTo = (path: string) => server.requests.filter((seen) => seen.path === path).map(({ body }) => body);

  it('sends our reference as `tx_ref`, naira with kobo, and the seconds until the expiry', async () => {
    const [account, page] = [newAccountReference(), newAccountReference()];
    await openAccount(account);
    await openPage(page);
    const asked = { amount: 123.45, currency: 'NGN' };
    const { email, name, phoneNumber } = payer;
    expect(sentTo('/v3/charges')).toEqual([
      {
        ...asked,
        tx_ref: account,
        email,
        fullname: name,
        phone_number: phoneNumber,
        narration: 'Bread',
        is_permanent: false,
        expires: expect.any(Number),
      },
    ]);
    expect(Math.abs(sentTo('/v3/charges')[0]?.expires - 3_600)).toBeLessThanOrEqual(5);
    expect(sentTo('/v3/payments')).toEqual([
      {
        ...asked,
        tx_ref: page,
        redirect_url: 'https://shop.example/paid',
        customer: { email, name },
        session_duration: 1_440,
        payment_options: 'card,banktransfer',
        customizations: { description: 'Bread' },
      },
    ]);
  });

  it('asks for an expiry within the band where another moment was wanted', async () => {
    for (const expiresInMs of [-HOUR_MS, 10 * 365 * 24 * HOUR_MS]) await openAccount(undefined, { expiresInMs });
    expect(sentTo('/v3/charges').map(({ expires }) => expires)).toEqual([60, 31_536_000]);
  });

  it('says what the payer has to send where Flutterwave adds its fee, and when it closes', async () => {
    charged({
      ...AUTHORIZATION,
      transfer_amount: '125.18',
      transfer_note: 'Please make a bank transfer to CollinX Ada',
    });
    expect(await openAccount()).toMatchObject({
      outcome: 'opened',
      payableMinor: 12_518n,
      expiresAt: new Date(AUTHORIZATION.account_expiration),
      accounts: [{ accountName: 'CollinX Ada' }],
    });
  });

  it('credits what was asked for where the payer sends the fee on top, and keeps no fee of it', async () => {
    server.wallets.payments.charges.feeMinor = 173n;
    const reference = newAccountReference();
    const answer = await openAccount(reference);
    if (answer.outcome !== 'opened') throw new Error(answer.message);
    expect(answer.payableMinor).toBe(12_518n);
    server.wallets.payments.transfer(answer.accounts[0]?.accountNumber ?? '', { amountMinor: 12_518n });
    const key = { providerTransactionId: null, providerReference: null, sessionId: null, ourReference: reference };
    const credit = { amountMinor: 12_345n, providerFeeMinor: 0n };
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'confirmed', credit });
  });

  it.each([
    [
      { amount: 500, charged_amount: 500, app_fee: 7 },
      { amountMinor: 50_000n, providerFeeMinor: 700n },
    ],
    [
      { amount: 500, charged_amount: 507, app_fee: 7 },
      { amountMinor: 50_000n, providerFeeMinor: 0n },
    ],
    [
      { amount: 500, charged_amount: 503, app_fee: 7 },
      { amountMinor: 50_000n, providerFeeMinor: 400n },
    ],
    [
      { amount: 500, charged_amount: 507.125, app_fee: 7 },
      { amountMinor: 50_000n, providerFeeMinor: null },
    ],
  ])('reads %j as what is the merchant’s, and what is kept of it', async (amounts, credit) => {
    const data = { id: 7, status: 'successful', currency: 'NGN', ...amounts };
    server.answerNext('queryCredit', { status: 200, body: { status: 'success', message: 'Fetched', data } });
    const answer = await wallets.queryCredit({ providerTransactionId: '7', providerReference: null, sessionId: null });
    expect(answer).toMatchObject({ outcome: 'confirmed', credit });
  });

  it.each([499.99, 1, 0, -500, 'much'])('confirms no 500 naira of which %s were charged', async (charged_amount) => {
    const data = { id: 7, status: 'successful', amount: 500, currency: 'NGN', charged_amount };
    server.answerNext('queryCredit', { status: 200, body: { status: 'success', message: 'Fetched', data } });
    const answer = await wallets.queryCredit({ providerTransactionId: '7', providerReference: null, sessionId: null });
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
  });

  it('knows no expiry by what is not milliseconds', async () => {
    for (const account_expiration of [undefined, null, 'N/A', '2026-11-20 09:24:20 AM', 1_795_000_000, 1.5e12 + 0.5]) {
      charged({ ...AUTHORIZATION, account_expiration });
      expect(await openAccount()).toMatchObject({ outcome: 'opened', expiresAt: null });
    }
  });

  it.each(['123.44', '123.456', '-123.45', '', 'N/A', undefined, null])(
    'shows nobody an account to which %s has to be sent where it is less, or not exact',
    async (transfer_amount) => {
      charged({ ...AUTHORIZATION, transfer_amount });
      const answer = await openAccount();
      expect(answer).toMatchObject({ outcome: 'unknown' });
      expect(answer).not.toHaveProperty('accounts');
    },
  );

  it('opens another account of the same reference where Flutterwave shows no charge before it is paid', async () => {
    server.wallets.payments.charges.noted = 'when paid';
    const reference = newAccountReference();
    for (const answer of [await openAccount(reference), await openAccount(reference)]) {
      if (answer.outcome !== 'opened') throw new Error(answer.message);
      const accountNumber = answer.accounts[0]?.accountNumber ?? '';
      const { id } = server.wallets.payments.transfer(accountNumber, { amountMinor: answer.payableMinor });
      const key = { providerTransactionId: String(id), providerReference: null, sessionId: null };
      expect(await wallets.queryCredit(key)).toMatchObject({ credit: { accountReference: reference } });
    }
  });

  it('opens whatever the words are in which Flutterwave shows no transaction, and nothing where it says nothing', async () => {
    for (const [status, body, outcome] of [
      [404, { status: 'error', message: 'Nothing here', data: null }, 'opened'],
      [400, { status: 'error', message: 'No transaction was found for this id', data: null }, 'opened'],
      [200, { status: 'success', message: 'Transaction fetched', data: null }, 'unknown'],
      [404, '<html></html>', 'unknown'],
      [503, { status: 'error', message: 'An error occurred', data: null }, 'unknown'],
    ] as const) {
      server.answerNext('findOpening', { status, body });
      expect(await openPage(), `${status}`).toMatchObject({ outcome });
    }
  });

  it('asks by the id where there is one, since a static account has one `tx_ref` for all of its credits', async () => {
    const ourReference = newAccountReference();
    await wallets.queryCredit({ providerTransactionId: '7', providerReference: null, sessionId: null, ourReference });
    expect(server.requests.map(({ path }) => path)).toEqual(['/v3/transactions/7/verify']);
  });

  it('calls one failed attempt failed by its id, and pending by our reference, under which another may be made', async () => {
    const reference = newAccountReference();
    await openPage(reference);
    const { id } = server.wallets.payments.payPage(reference, { channel: 'CARD', isDeclined: true });
    const none = { providerTransactionId: null, providerReference: null, sessionId: null };
    expect(await wallets.queryCredit({ ...none, providerTransactionId: String(id) })).toMatchObject({
      outcome: 'failed',
    });
    expect(await wallets.queryCredit({ ...none, ourReference: reference })).toMatchObject({
      outcome: 'pending',
      reason: 'PAYMENT_ATTEMPT_FAILED',
    });
  });

  it.each([
    'http://checkout.flutterwave.com/v3/hosted/pay/1',
    'https://checkout.flutterwave.com.example/v3/hosted/pay/1',
    'https://notflutterwave.com/v3/hosted/pay/1',
    'https://checkout.flutterwave.com:8443/v3/hosted/pay/1',
    '',
    null,
  ])('sends nobody to a page at %s', async (link) => {
    const body = { status: 'success', message: 'Hosted Link', data: { link } };
    server.answerNext('openPage', { status: 200, body });
    const answer = await openPage();
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_UNEXPECTED' });
    expect(answer).not.toHaveProperty('url');
  });

  it('knows no channel by a word that it has none for', async () => {
    const data = { id: 7, status: 'successful', amount: 100, currency: 'NGN', payment_type: 'opay' };
    server.answerNext('queryCredit', { status: 200, body: { status: 'success', message: 'Fetched', data } });
    const answer = await wallets.queryCredit({ providerTransactionId: '7', providerReference: null, sessionId: null });
    expect(answer).toMatchObject({ outcome: 'confirmed' });
    expect(answer).not.toHaveProperty('credit.channel');
  });
});
