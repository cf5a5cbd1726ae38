import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AccountHolder,
  ConfirmedCredit,
  CreditHint,
  CreditKey,
  ReceivingAccount,
  WalletCaller,
} from '../../src/rails/index.ts';
import { type DepositFacts, newAccountReference, type WalletHarness, type WalletTraits } from './wallet-harness.ts';
import { describeWalletsOverHttp } from './wallet-http-conformance.ts';
import { describePayments } from './wallet-payment-conformance.ts';
import { HOLDER, walletsOf } from './wallet-support.ts';

/** Of single kobo, of each number of decimals, and as large as JSON carries them. */
const AMOUNTS = [1n, 100n, 101n, 110n, 129n, 12_345n, 100_000_001n, 8_700_000_000_019n, 9_999_999_999_999n];
const NO_KEY: CreditKey = { providerTransactionId: null, providerReference: null, sessionId: null };
const HOUR_MS = 3_600_000;

/** The suite that every provider of account numbers passes, whatever is behind it. */
export function describeWalletProvider(
  name: string,
  makeHarness: () => Promise<WalletHarness>,
  traits: WalletTraits,
): void {
  describe(`the accounts of ${name} as those of every wallet provider`, () => describeAccounts(makeHarness, traits));
  describe(`the credits of ${name} as those of every wallet provider`, () => describeCredits(makeHarness, traits));
  describe(`the credit webhooks of ${name} as those of every wallet provider`, () => describeWebhooks(makeHarness));
  if (traits.payments !== undefined) describePayments(name, makeHarness, traits.payments);
  if (traits.overHttp) {
    describe(`the wallets of ${name} as those behind a provider's API`, () =>
      describeWalletsOverHttp(makeHarness, traits));
  }
}

type Wallets = ReturnType<typeof walletsOf>;

function describeAccounts(makeHarness: () => Promise<WalletHarness>, traits: WalletTraits): void {
  let harness: WalletHarness;
  let wallets: Wallets;
  beforeAll(async () => {
    harness = await makeHarness();
    wallets = walletsOf(harness);
  });
  afterAll(() => harness.close());

  it('opens an account with a number, a bank and the name that payers see', async () => {
    const { accounts, providerAccountId } = await wallets.opened();
    const text = expect.stringMatching(/\S/);
    const account: ReceivingAccount = {
      bankCode: null,
      bankName: text,
      accountNumber: expect.stringMatching(/^\d{10}$/),
      accountName: text,
    };
    for (const one of accounts) expect({ ...one, bankCode: null }).toEqual(account);
    expect(providerAccountId).toMatch(/\S/);
  });

  it('opens another account for each reference, were the holder the same', async () => {
    const [first, second] = [await wallets.opened(), await wallets.opened()];
    expect(second.account.accountNumber).not.toBe(first.account.accountNumber);
  });

  if (traits.mayOpenAnother) {
    it('opens accounts of one reference whose credits carry that reference, however many they become', async () => {
      const reference = newAccountReference();
      for (const { account } of [await wallets.opened(reference), await wallets.opened(reference)]) {
        const key = await harness.deposit({ accountNumber: account.accountNumber, amountMinor: 500n });
        const answer = await wallets.wallets.queryCredit(key);
        expect(answer).toMatchObject({ outcome: 'confirmed', credit: { accountReference: reference } });
      }
    });
  } else {
    it('opens no second account under one reference, and answers with the first', async () => {
      const first = await wallets.opened();
      expect(await wallets.opened(first.reference)).toEqual(first);
      expect(await harness.accountsOpened(first.reference)).toBe(1);
    });

    it('opens one account for requests that come at once under one reference', async () => {
      const reference = newAccountReference();
      const answers = await Promise.all(Array.from({ length: 5 }, () => wallets.opened(reference)));
      expect(new Set(answers.map(({ account }) => account.accountNumber)).size).toBe(1);
      expect(await harness.accountsOpened(reference)).toBe(1);
    });
  }

  if (traits.opensLater) {
    it('calls an account pending that the provider is still assigning, and has it when it is asked again', async () => {
      const reference = newAccountReference();
      harness.answerNextOpening('pending');
      expect(await wallets.open(reference)).toMatchObject({ outcome: 'pending' });
      await wallets.opened(reference);
      expect(await harness.accountsOpened(reference)).toBe(1);
    });
  }

  if (traits.refusesOpenings) {
    it('calls a listed refusal refused, with a reason, and there is no account', async () => {
      const reference = newAccountReference();
      harness.answerNextOpening('refused');
      const answer = await wallets.open(reference);
      expect(answer).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/^[A-Z_]+$/) });
      expect(await harness.accountsOpened(reference)).toBe(0);
    });

    it('calls a refusal that is not listed unknown', async () => {
      harness.answerNextOpening('unlisted');
      expect(await wallets.open(newAccountReference())).toMatchObject({ outcome: 'unknown' });
    });
  }

  it('opens an account for who has what it says that it needs, and for nobody who lacks a part of it', async () => {
    const { needs, takesNin } = wallets.wallets.capabilities;
    const bare: AccountHolder = { name: HOLDER.name, email: HOLDER.email, phoneNumber: '', bvn: null, nin: null };
    const needed: AccountHolder = {
      ...bare,
      ...(needs.includes('PHONE') && { phoneNumber: HOLDER.phoneNumber }),
      ...(needs.includes('BVN') && { bvn: HOLDER.bvn }),
    };
    const openFor = (holder: AccountHolder, reference = newAccountReference()) =>
      wallets.wallets.openAccount({ tenant: harness.tenant, reference, holder, preferredBank: null });
    expect(await openFor(needed)).toMatchObject({ outcome: 'opened' });
    if (takesNin)
      expect(await openFor({ ...needed, bvn: null, nin: '33333333331' })).toMatchObject({ outcome: 'opened' });
    if (needs.includes('BVN')) {
      const reference = newAccountReference();
      expect(await openFor({ ...needed, bvn: null }, reference)).toMatchObject({ outcome: 'refused' });
      expect(await harness.accountsOpened(reference)).toBe(0);
    }
  });

  it('closes an account, and one that is closed already, and knows what was paid to it before', async () => {
    const { reference, account, providerAccountId } = await wallets.opened();
    expect(wallets.wallets.capabilities.closesAccounts).toBe(true);
    const key = await harness.deposit({ accountNumber: account.accountNumber, amountMinor: 700n });
    const request = { tenant: harness.tenant, reference, providerAccountId };
    expect(await wallets.wallets.closeAccount(request)).toMatchObject({ outcome: 'closed' });
    expect(await wallets.wallets.closeAccount(request)).toMatchObject({ outcome: 'closed' });
    expect((await harness.accountsOpen?.(reference)) ?? 0).toBe(0);
    expect(await wallets.wallets.queryCredit(key)).toMatchObject({
      outcome: 'confirmed',
      credit: { amountMinor: 700n },
    });
  });
}

function describeCredits(makeHarness: () => Promise<WalletHarness>, traits: WalletTraits): void {
  let harness: WalletHarness;
  let wallets: WalletCaller;
  let account: ReceivingAccount;
  let reference: string;
  beforeAll(async () => {
    harness = await makeHarness();
    const made = walletsOf(harness);
    wallets = made.wallets;
    ({ account, reference } = await made.opened());
  });
  afterAll(() => harness.close());

  const deposit = (facts: Partial<DepositFacts> = {}) =>
    harness.deposit({ accountNumber: account.accountNumber, amountMinor: 12_345n, ...facts });
  async function confirmed(key: CreditKey): Promise<ConfirmedCredit> {
    const answer = await wallets.queryCredit(key);
    if (answer.outcome !== 'confirmed') throw new Error(`${answer.outcome}: ${answer.message}`);
    return answer.credit;
  }

  it('confirms every amount to the kobo, before any fee', async () => {
    for (const amountMinor of AMOUNTS) {
      expect(await confirmed(await deposit({ amountMinor }))).toMatchObject({ amountMinor, currency: 'NGN' });
    }
  });

  it('reports the facts of the table, and which of our accounts was paid', async () => {
    const at = new Date('2026-11-20T09:30:00.000Z');
    const payer = { payerName: 'BISI ADE', payerAccountNumber: '0123456789', payerBankName: 'Access Bank' };
    const credit = await confirmed(await deposit({ at, narration: 'for the rent', ...payer }));
    const given = Object.entries(credit).filter(([, value]) => value !== null && value !== undefined);
    const always = ['providerTransactionId', 'amountMinor', 'currency', ...(traits.marksMode ? ['mode'] : [])];
    expect(given.map(([fact]) => fact).sort()).toEqual([...traits.reports, ...always].sort());
    const all: Partial<ConfirmedCredit> = {
      ...payer,
      ...(traits.masksPayers && { payerAccountNumber: '******6789' }),
      narration: 'for the rent',
      paidAt: at,
      accountNumber: account.accountNumber,
      accountReference: reference,
    };
    for (const fact of traits.reports)
      if (fact in all) expect(credit).toMatchObject({ [fact]: all[fact as keyof typeof all] });
    expect(credit.accountNumber === account.accountNumber || credit.accountReference === reference).toBe(true);
  });

  it('names the currency that was paid, whatever it is', async () => {
    expect(await confirmed(await deposit({ currency: 'USD' }))).toMatchObject({ currency: 'USD' });
  });

  it('says of a play transaction that it is one, and never that it is live', async () => {
    const modes = await Promise.all(
      (['SANDBOX', 'LIVE'] as const).map(async (mode) => (await confirmed(await deposit({ mode }))).mode),
    );
    const marked = ['SANDBOX', traits.playsOnly ? 'SANDBOX' : 'LIVE'];
    expect(modes).toEqual(traits.marksMode ? marked : [null, null]);
  });

  it.each(['pending', 'failed'] as const)('says %s of what is so, and confirms no money', async (status) => {
    const answer = await wallets.queryCredit(await deposit({ status }));
    expect(answer.outcome).toBe(status);
    expect(answer).not.toHaveProperty('credit');
  });

  it('confirms what was pending once it is there', async () => {
    const key = await deposit({ status: 'pending' });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'pending' });
    await harness.setStatus(key, 'confirmed');
    expect(await confirmed(key)).toMatchObject({ amountMinor: 12_345n });
  });

  it('calls a status that no table lists unknown', async () => {
    const answer = await wallets.queryCredit(await deposit({ status: 'unlisted' }));
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_CODE_UNKNOWN' });
  });

  if (traits.reverses) {
    it('says of money that went back that it is reversed, with how much it was', async () => {
      const key = await deposit();
      await confirmed(key);
      await harness.setStatus(key, 'reversed');
      expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'reversed', credit: { amountMinor: 12_345n } });
    });
  }

  it('calls what it does not know not found, never failed, and finds it once it is there', async () => {
    const key = await deposit();
    harness.hide(key, 2);
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'not_found' });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'not_found' });
    expect(await confirmed(key)).toMatchObject({ amountMinor: 12_345n });
  });

  it('finds a credit by each key alone that it can be asked by, and calls it unknown without any', async () => {
    const key = await deposit();
    const credit = await confirmed(key);
    for (const one of traits.queriesBy) expect(await confirmed({ ...NO_KEY, [one]: key[one] })).toEqual(credit);
    expect(await wallets.queryCredit(NO_KEY)).toMatchObject({ outcome: 'unknown' });
  });

  it('gives two transfers of one amount two ids, and one transfer the same id each time', async () => {
    const [first, second] = [await deposit(), await deposit()];
    const ids = [await confirmed(first), await confirmed(second), await confirmed(first)];
    expect(new Set(ids.map(({ providerTransactionId }) => providerTransactionId)).size).toBe(2);
  });

  it('lists every successful credit of a window on all its pages, and none from outside of it', async () => {
    const [from, to] = [new Date('2026-10-05T08:30:00Z'), new Date('2026-10-06T22:30:00Z')];
    const expected: CreditKey[] = [];
    const count = traits.pageSize * 2 + 1;
    const step = (to.getTime() - from.getTime()) / count;
    // One after the other: what comes at once waits for each other in the sandbox's bank.
    for (let at = 0; at < count; at += 1)
      expected.push(await deposit({ at: new Date(from.getTime() + Math.floor(at * step)) }));
    for (const status of ['pending', 'failed'] as const) await deposit({ at: from, status });
    for (const hours of [-30, -1, 39, 70]) await deposit({ at: new Date(from.getTime() + hours * HOUR_MS) });
    const { credits, pages } = await listed(wallets, from, to);
    const idsOf = (keys: readonly CreditKey[]) => new Set(keys.map((key) => key.providerTransactionId));
    expect(idsOf(credits)).toEqual(idsOf(expected));
    expect(credits.every(({ amountMinor }) => amountMinor === 12_345n)).toBe(true);
    expect(pages).toBeGreaterThan(2);
  });

  it('lists nothing of a window in which nothing came', async () => {
    const { credits } = await listed(wallets, new Date('2026-01-05T08:30:00Z'), new Date('2026-01-05T09:30:00Z'));
    expect(credits).toEqual([]);
  });
}

async function listed(wallets: WalletCaller, from: Date, to: Date): Promise<{ credits: CreditHint[]; pages: number }> {
  const credits: CreditHint[] = [];
  for (let pages = 1, cursor: string | null = null; ; pages += 1) {
    const page = await wallets.listCredits({ from, to, cursor });
    credits.push(...page.credits);
    if (page.next === null) return { credits, pages };
    if (pages > 100) throw new Error('the list has no end');
    cursor = page.next;
  }
}

function describeWebhooks(makeHarness: () => Promise<WalletHarness>): void {
  let harness: WalletHarness;
  let wallets: WalletCaller;
  let key: CreditKey;
  beforeAll(async () => {
    harness = await makeHarness();
    const made = walletsOf(harness);
    wallets = made.wallets;
    const { account } = await made.opened();
    key = await harness.deposit({ accountNumber: account.accountNumber, amountMinor: 8_700_000_000_019n });
  });
  afterAll(() => harness.close());

  it('has one hint, by which the query finds the credit, and each copy has the same', async () => {
    const hints = await wallets.readCreditWebhook(harness.webhook(key));
    expect(hints).toMatchObject([{ amountMinor: 8_700_000_000_019n }]);
    expect(await wallets.readCreditWebhook(harness.webhook(key))).toEqual(hints);
    const [hint] = hints;
    const answer = await wallets.queryCredit(hint ?? NO_KEY);
    expect(answer).toMatchObject({ outcome: 'confirmed', credit: { amountMinor: 8_700_000_000_019n } });
  });

  it('is contradicted by the query where it has the secret and another amount', async () => {
    const [hint] = await wallets.readCreditWebhook(harness.webhook(key, { amountMinor: 9_999_999_999_999n }));
    expect(hint).toMatchObject({ amountMinor: 9_999_999_999_999n });
    const answer = await wallets.queryCredit(hint ?? NO_KEY);
    expect(answer).toMatchObject({ outcome: 'confirmed', credit: { amountMinor: 8_700_000_000_019n } });
  });

  it('is refused where it is forged', async () => {
    const forged = harness.forgedWebhooks(key);
    expect(forged.length).toBeGreaterThan(1);
    for (const request of forged) {
      const refused = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
      await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject(refused);
    }
  });

  it('has no credit in it where it is about something else, and is none of a payout', async () => {
    expect(await wallets.readCreditWebhook(harness.otherWebhook())).toEqual([]);
    expect(await harness.rail.verifyWebhook(harness.webhook(key))).toEqual([]);
  });
}
