import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CreditAnswer,
  CreditHint,
  CreditKey,
  OneTimeTerms,
  PaymentChannel,
} from '../../src/rails/wallet-provider.ts';
import { newAccountReference, type PaymentHarness, type PaymentTraits, type WalletHarness } from './wallet-harness.ts';
import { describePaymentsOverHttp } from './wallet-payment-http-conformance.ts';
import { paymentsOf } from './wallet-support.ts';

/** Of single kobo, of each number of decimals, above what providers take at least, and as large as JSON carries them. */
const AMOUNTS = [10_000n, 10_001n, 10_010n, 12_345n, 100_000_001n, 8_700_000_000_019n, 9_999_999_999_999n];
const NO_KEY: CreditKey = { providerTransactionId: null, providerReference: null, sessionId: null };
const UNPAID = ['pending', 'not_found'];

/** What every provider with accounts for one payment, or pages of its own, guarantees. */
export function describePayments(name: string, makeHarness: () => Promise<WalletHarness>, traits: PaymentTraits): void {
  describe(`the accounts of ${name} for one payment as those of every wallet provider`, () =>
    describeOneTime(makeHarness, traits));
  describe(`the pages of ${name} as those of every wallet provider`, () => describePages(makeHarness, traits));
  describe(`the payments of ${name} as those behind a provider's API`, () =>
    describePaymentsOverHttp(makeHarness, traits));
}

type Payments = ReturnType<typeof paymentsOf>;

/** What was opened under a reference: how often, and for how much. */
const openedFor = (payments: PaymentHarness, reference: string) =>
  payments.openings().filter((one) => one.reference === reference);

function describeOneTime(makeHarness: () => Promise<WalletHarness>, traits: PaymentTraits): void {
  let harness: WalletHarness;
  let made: Payments;
  let terms: OneTimeTerms;
  beforeAll(async () => {
    harness = await makeHarness();
    made = paymentsOf(harness);
    const { oneTimeAccount } = made.wallets.capabilities;
    if (oneTimeAccount === undefined) throw new Error('the provider says that it opens no account for one payment');
    terms = oneTimeAccount;
  });
  afterAll(() => harness.close());

  it('opens an account with a number, a bank, a name and how much to send, which is no less than was asked for', async () => {
    const { answer, account } = await made.openedAccount({ amountMinor: 12_345n });
    const text = expect.stringMatching(/\S/);
    expect(account).toMatchObject({
      bankName: text,
      accountName: text,
      accountNumber: expect.stringMatching(/^\d{10}$/),
    });
    expect(answer.providerReference).toMatch(/\S/);
    expect(answer.payableMinor).toBeGreaterThanOrEqual(12_345n);
  });

  it('says when it closes as the provider has it, were another moment asked for', async () => {
    const now = Date.now();
    const slack = 5_000;
    for (const asked of [terms.minExpiryMs / 2, terms.minExpiryMs, terms.maxExpiryMs, terms.maxExpiryMs * 2]) {
      const { answer } = await made.openedAccount({ expiresAt: new Date(now + asked) });
      const until = (answer.expiresAt?.getTime() ?? 0) - now;
      const expected = Math.min(Math.max(asked, terms.minExpiryMs), terms.maxExpiryMs);
      expect(Math.abs(until - expected), `${asked} ms`).toBeLessThan(slack);
    }
  });

  it('asks for every amount to the kobo, and confirms it so, by our reference and as a transfer', async () => {
    for (const amountMinor of AMOUNTS) {
      const { reference, account, answer } = await made.openedAccount({ amountMinor });
      expect(openedFor(made.payments, reference)).toEqual([{ reference, amountMinor }]);
      const { key } = made.payments.transfer(account.accountNumber, { amountMinor: answer.payableMinor });
      const credit = { amountMinor, currency: 'NGN', accountReference: reference, channel: 'BANK_TRANSFER' };
      for (const by of [key, { ...NO_KEY, ourReference: reference }]) {
        expect(await made.wallets.queryCredit(by)).toMatchObject({ outcome: 'confirmed', credit });
      }
    }
  });

  it('is pending or not found while nobody has paid, and never failed', async () => {
    const { reference } = await made.openedAccount();
    expect(UNPAID).toContain((await made.askedFor(reference)).outcome);
  });

  it('opens nothing else under a reference that has an account', async () => {
    const first = await made.openedAccount();
    const again = await made.openAccount({ reference: first.reference });
    if (traits.accountAgain === 'first')
      expect(again).toEqual({ ...first.answer, at: again.at, expiresAt: expect.any(Date) });
    else expect(again).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE' });
    expect(openedFor(made.payments, first.reference)).toHaveLength(1);
  });

  it('does with another amount what its capability says, and the webhook leads there', async () => {
    for (const more of [-1n, 1n, 500_000n]) {
      const { reference, account, answer } = await made.openedAccount({ amountMinor: 600_000n });
      const amountMinor = answer.payableMinor + more;
      const { key, webhook } = made.payments.transfer(account.accountNumber, { amountMinor });
      const hints = await made.wallets.readCreditWebhook(webhook);
      expect(hints).toMatchObject([{ amountMinor }]);
      for (const by of [key, ...hints]) expectEnd(await made.wallets.queryCredit(by), { amountMinor, reference });
    }
    function expectEnd(given: CreditAnswer, { amountMinor, reference }: { amountMinor: bigint; reference: string }) {
      if (terms.otherAmounts === 'REFUSES') expect(given).toMatchObject({ outcome: 'failed' });
      else expect(given).toMatchObject({ outcome: 'confirmed', credit: { amountMinor, accountReference: reference } });
    }
  });

  it('leaves no money without an end that came after the account closed', async () => {
    const { reference, account, answer } = await made.openedAccount();
    const at = new Date((answer.expiresAt?.getTime() ?? 0) + 60_000);
    const { key } = made.payments.transfer(account.accountNumber, { amountMinor: answer.payableMinor, at });
    const given = await made.wallets.queryCredit(key);
    expect(given.outcome).toBe(traits.lateMoney);
    if (given.outcome === 'confirmed') expect(given.credit.accountReference).toBe(reference);
  });

  if (traits.secondPayment !== 'bounces') {
    it('gives a second payment another id than the first, and an end of its own', async () => {
      const { reference, account, answer } = await made.openedAccount();
      const pay = () => made.payments.transfer(account.accountNumber, { amountMinor: answer.payableMinor }).key;
      const [first, second] = [pay(), pay()];
      expect(second.providerTransactionId).not.toBe(first.providerTransactionId);
      expect(await made.wallets.queryCredit(first)).toMatchObject({ outcome: 'confirmed' });
      const given = await made.wallets.queryCredit(second);
      expect(given.outcome).toBe(traits.secondPayment);
      if (given.outcome === 'confirmed') expect(given.credit.accountReference).toBe(reference);
    });
  }

  it('calls a listed refusal refused, with a reason, and one that is not listed unknown', async () => {
    for (const [how, outcome] of [
      ['refused', 'refused'],
      ['unlisted', 'unknown'],
    ] as const) {
      const reference = newAccountReference();
      harness.answerNextOpening(how);
      const answer = await made.openAccount({ reference });
      expect(answer).toMatchObject({ outcome, reason: expect.stringMatching(/^[A-Z_]+$/) });
      expect(openedFor(made.payments, reference)).toEqual([]);
    }
  });
}

function describePages(makeHarness: () => Promise<WalletHarness>, traits: PaymentTraits): void {
  let harness: WalletHarness;
  let made: Payments;
  let channels: readonly PaymentChannel[];
  beforeAll(async () => {
    harness = await makeHarness();
    made = paymentsOf(harness);
    channels = made.wallets.capabilities.hostedPage?.channels ?? [];
  });
  afterAll(() => harness.close());

  const followed = async (webhook: Parameters<typeof made.wallets.readCreditWebhook>[0]): Promise<CreditHint> => {
    const [hint, ...others] = await made.wallets.readCreditWebhook(webhook);
    if (hint === undefined || others.length > 0) throw new Error('a webhook of one credit has one hint');
    return hint;
  };

  it('has an address of the provider with https, and nothing of the payer in it', async () => {
    const { url } = (await made.openedPage()).answer;
    expect(new URL(url)).toMatchObject({ protocol: 'https:', username: '', password: '', port: '' });
    expect(new URL(url).hostname.split('.').slice(-2).join('.')).toBe(traits.pageDomain);
    expect(url).not.toMatch(/@|%40|secret/i);
  });

  it('asks for every amount to the kobo, and confirms it so, by our reference and by how it was paid', async () => {
    expect(channels.length).toBeGreaterThan(0);
    for (const [at, amountMinor] of AMOUNTS.entries()) {
      const channel = channels[at % channels.length] ?? 'CARD';
      const { reference } = await made.openedPage({ amountMinor });
      expect(openedFor(made.payments, reference)).toEqual([{ reference, amountMinor }]);
      const { key, webhook } = made.payments.payPage(reference, { channel });
      const credit = { amountMinor, currency: 'NGN', accountReference: reference, channel };
      for (const by of [key, await followed(webhook), { ...NO_KEY, ourReference: reference }]) {
        expect(await made.wallets.queryCredit(by)).toMatchObject({ outcome: 'confirmed', credit });
      }
    }
  });

  it('is pending or not found while nobody has paid, after a declined attempt too, and never failed', async () => {
    for (const channel of channels) {
      const { reference } = await made.openedPage();
      expect(UNPAID).toContain((await made.askedFor(reference)).outcome);
      made.payments.payPage(reference, { channel, isDeclined: true });
      expect(UNPAID).toContain((await made.askedFor(reference)).outcome);
      made.payments.payPage(reference, { channel });
      expect(await made.askedFor(reference)).toMatchObject({ outcome: 'confirmed' });
    }
  });

  it('opens nothing under a second reference where it is opened again, and every page of one has that one', async () => {
    const first = await made.openedPage();
    const before = made.payments.openings().length;
    const again = await made.openPage({ reference: first.reference });
    const since = made.payments.openings().slice(before);
    if (traits.pageAgain === 'first') expect(again).toEqual({ ...first.answer, at: again.at });
    else if (traits.pageAgain === 'unknown')
      expect(again).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE' });
    else expect(again).toMatchObject({ outcome: 'opened' });
    expect(since.map(({ reference }) => reference)).toEqual(traits.pageAgain === 'another' ? [first.reference] : []);
  });

  it('opens nothing else under a reference on whose page somebody has paid', async () => {
    const { reference } = await made.openedPage();
    made.payments.payPage(reference, { channel: channels[0] ?? 'CARD' });
    expect(await made.openPage({ reference })).toMatchObject({ outcome: 'unknown', reason: 'RAIL_DUPLICATE' });
    expect(openedFor(made.payments, reference)).toHaveLength(1);
  });

  it('calls a listed refusal refused, with a reason, and one that is not listed unknown', async () => {
    for (const [how, outcome] of [
      ['refused', 'refused'],
      ['unlisted', 'unknown'],
    ] as const) {
      const reference = newAccountReference();
      harness.answerNextOpening(how);
      const answer = await made.openPage({ reference });
      expect(answer).toMatchObject({ outcome, reason: expect.stringMatching(/^[A-Z_]+$/) });
      expect(openedFor(made.payments, reference)).toEqual([]);
    }
  });
}
