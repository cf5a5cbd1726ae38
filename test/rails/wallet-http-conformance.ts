import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRailCaller, type WalletCaller } from '../../src/rails/index.ts';
import { BREAKAGES } from './harness.ts';
import {
  newAccountReference,
  type WalletHarness,
  type WalletProviderHarness,
  type WalletTraits,
} from './wallet-harness.ts';
import { HOLDER, walletCallerOf, walletsOf } from './wallet-support.ts';

const REASON = expect.stringMatching(/^[A-Z_]+$/);
const UNAVAILABLE = { code: 'SERVICE_UNAVAILABLE' };
const DAY_MS = 86_400_000;

/** What every wallet provider behind an HTTP API guarantees: an answer that says nothing is never an end. */
export function describeWalletsOverHttp(makeHarness: () => Promise<WalletHarness>, traits: WalletTraits): void {
  let harness: WalletHarness;
  let provider: WalletProviderHarness;
  let made: ReturnType<typeof walletsOf>;
  let wallets: WalletCaller;
  let accountNumber: string;
  beforeAll(async () => {
    harness = await makeHarness();
    if (harness.provider === undefined) throw new Error('the harness of a provider over HTTP has `provider`');
    provider = harness.provider;
    made = walletsOf(harness);
    wallets = made.wallets;
    accountNumber = (await made.opened()).account.accountNumber;
  });
  afterAll(() => harness.close());

  const deposit = () => harness.deposit({ accountNumber, amountMinor: 12_345n });
  const window = () => ({ from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS), cursor: null });

  it.each(BREAKAGES)('finds an account by opening it again, whose answer was %s', async (how) => {
    const reference = newAccountReference();
    provider.breakNext('openAccount', how, { executed: true });
    const first = await made.open(reference);
    expect(['unknown', 'opened']).toContain(first.outcome);
    await made.opened(reference);
    expect(await harness.accountsOpened(reference)).toBe(traits.mayOpenAnother ? 2 : 1);
  });

  it.each(BREAKAGES)(
    'calls an opening unknown whose answer was %s and that came to nothing, never refused',
    async (how) => {
      const reference = newAccountReference();
      provider.breakNext('openAccount', how);
      expect(await made.open(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(await harness.accountsOpened(reference)).toBe(0);
    },
  );

  if (traits.prepares) {
    it.each(BREAKAGES)('opens nothing where what comes before it got %s, and refuses nothing either', async (how) => {
      const reference = newAccountReference();
      provider.breakNext('prepareAccount', how);
      expect(await made.open(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(await harness.accountsOpened(reference)).toBe(0);
    });
  }

  it.each(BREAKAGES)('never calls a closing refused whose answer was %s, and closes it by another', async (how) => {
    const { reference, providerAccountId } = await made.opened();
    const request = { tenant: harness.tenant, reference, providerAccountId };
    for (const executed of [false, true]) {
      provider.breakNext('closeAccount', how, { executed });
      expect(['unknown', 'closed']).toContain((await wallets.closeAccount(request)).outcome);
    }
    expect(await wallets.closeAccount(request)).toMatchObject({ outcome: 'closed' });
  });

  it.each(BREAKAGES)('calls a query unknown when the answer is %s, never not found and never failed', async (how) => {
    const key = await deposit();
    provider.breakNext('queryCredit', how);
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown', reason: REASON });
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'confirmed' });
  });

  it.each(BREAKAGES)('takes no list for an empty one when the answer is %s', async (how) => {
    provider.breakNext('listCredits', how);
    await expect(wallets.listCredits(window())).rejects.toMatchObject(UNAVAILABLE);
  });

  it.each(BREAKAGES)(
    'opens the circuit of the payouts by lists only where they get no answer at all, as %s',
    async (how) => {
      const caller = createRailCaller(harness.rail, { limits: { breakerCalls: 4 } });
      for (let at = 0; at < 4; at += 1) {
        provider.breakNext('listCredits', how);
        await expect(caller.wallets?.listCredits(window())).rejects.toMatchObject(UNAVAILABLE);
      }
      expect(caller.circuit()).toBe(how === 'reset' ? 'open' : 'closed');
    },
  );

  it('opens no circuit by a cursor that is none of the list, and asks the provider nothing', async () => {
    const caller = createRailCaller(harness.rail, { limits: { breakerCalls: 4 } });
    for (let at = 0; at < 8; at += 1) {
      const list = caller.wallets?.listCredits({ ...window(), cursor: 'more' });
      await expect(list).rejects.toMatchObject(UNAVAILABLE);
    }
    expect(caller.circuit()).toBe('closed');
  });

  it('believes no answer about another credit than the one that was asked about', async () => {
    const key = await deposit();
    provider.answerAboutAnother();
    expect(await wallets.queryCredit(key)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_MISMATCH' });
  });

  it.each(['amountMinor', 'currency', 'providerTransactionId'] as const)(
    'confirms no credit whose %s is missing or cannot be read',
    async (fact) => {
      const key = await deposit();
      provider.spoilNextAnswer(fact);
      const answer = await wallets.queryCredit(key);
      expect(answer).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(answer).not.toHaveProperty('credit');
    },
  );

  it('calls nothing refused, lost or empty because its own key is wrong, or nobody listens', async () => {
    const key = await deposit();
    const { reference, providerAccountId } = await made.opened();
    for (const rail of [provider.wrongKey, provider.unreachable]) {
      const other = walletCallerOf(rail);
      const another = newAccountReference();
      expect(await made.open(another, other)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(await harness.accountsOpened(another)).toBe(0);
      expect(await other.queryCredit(key)).toMatchObject({ outcome: 'unknown', reason: REASON });
      const request = { tenant: harness.tenant, reference, providerAccountId };
      expect(await other.closeAccount(request)).toMatchObject({ outcome: 'unknown', reason: REASON });
      await expect(other.listCredits(window())).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  it('asks for no account of a live tenant with a test key, nor the other way round', async () => {
    const mode = harness.tenant.mode === 'LIVE' ? 'SANDBOX' : 'LIVE';
    const reference = newAccountReference();
    const answer = await walletCallerOf(harness.rail).openAccount({
      tenant: { ...harness.tenant, mode },
      reference,
      holder: HOLDER,
      preferredBank: null,
    });
    expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_MODE_MISMATCH' });
    expect(answer.message).toContain(`the request is ${mode}`);
    expect(await harness.accountsOpened(reference)).toBe(0);
  });

  it('says that a signed webhook which it cannot read is malformed', async () => {
    for (const text of ['', 'null', '[]', '7', '{"event":', '{}', '<html></html>']) {
      const request = provider.signed(Buffer.from(text));
      await expect(wallets.readCreditWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
    }
  });
}
