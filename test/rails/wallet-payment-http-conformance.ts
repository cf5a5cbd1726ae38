import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import { BREAKAGES } from './harness.ts';
import {
  newAccountReference,
  type PaymentStage,
  type PaymentTraits,
  type WalletHarness,
  type WalletProviderHarness,
} from './wallet-harness.ts';
import { paymentsOf, walletCallerOf } from './wallet-support.ts';

const REASON = expect.stringMatching(/^[A-Z_]+$/);

/** What every provider behind an HTTP API guarantees of accounts for one payment and of pages. */
export function describePaymentsOverHttp(makeHarness: () => Promise<WalletHarness>, traits: PaymentTraits): void {
  let harness: WalletHarness;
  let provider: WalletProviderHarness;
  let made: ReturnType<typeof paymentsOf>;
  beforeAll(async () => {
    harness = await makeHarness();
    if (harness.provider === undefined) throw new Error('the harness of a provider over HTTP has `provider`');
    provider = harness.provider;
    made = paymentsOf(harness);
  });
  afterAll(() => harness.close());

  const references = () => made.payments.openings().map(({ reference }) => reference);

  describe.each([
    ['an account', 'openOneTime', 'accountAgain'],
    ['a page', 'openPage', 'pageAgain'],
  ] as const)('an opening of %s', (kind, stage, again) => {
    const open = (reference: string, from = made.wallets) =>
      kind === 'an account' ? made.openAccount({ reference }, from) : made.openPage({ reference }, from);

    it.each(BREAKAGES)(
      'is found or stays unknown where its answer was %s, and has one reference for ever',
      async (how) => {
        const reference = newAccountReference();
        const before = references().length;
        provider.breakNext(stage, how, { executed: true });
        expect(await open(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
        const second = await open(reference);
        expect(second.outcome).toBe(traits[again] === 'unknown' ? 'unknown' : 'opened');
        const opened = traits[again] === 'another' ? [reference, reference] : [reference];
        expect(references().slice(before)).toEqual(opened);
      },
    );

    it.each(BREAKAGES)(
      'is unknown where its answer was %s and it came to nothing, and opens the next time',
      async (how) => {
        const reference = newAccountReference();
        provider.breakNext(stage, how);
        expect(await open(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
        expect(references()).not.toContain(reference);
        expect(await open(reference)).toMatchObject({ outcome: 'opened' });
      },
    );

    it.each(BREAKAGES)('is unknown and no second one where the question for the first was %s', async (how) => {
      const reference = newAccountReference();
      await open(reference);
      const lookUp: PaymentStage = 'findOpening';
      provider.breakNext(lookUp, how);
      expect(await open(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(references().filter((one) => one === reference)).toHaveLength(1);
    });

    it('is nothing where the key is wrong or nobody listens, and no refusal', async () => {
      for (const rail of [provider.wrongKey, provider.unreachable]) {
        const reference = newAccountReference();
        expect(await open(reference, walletCallerOf(rail))).toMatchObject({ outcome: 'unknown', reason: REASON });
        expect(references()).not.toContain(reference);
      }
    });

    it('asks for nothing of a live tenant with a test key, nor the other way round', async () => {
      const reference = newAccountReference();
      const tenant: Tenant = { ...harness.tenant, mode: harness.tenant.mode === 'LIVE' ? 'SANDBOX' : 'LIVE' };
      const answer = await (kind === 'an account'
        ? made.openAccount({ reference, tenant })
        : made.openPage({ reference, tenant }));
      expect(answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_MODE_MISMATCH' });
      expect(references()).not.toContain(reference);
    });
  });

  it.each(BREAKAGES)('never calls a payment failed or not found whose query by our reference was %s', async (how) => {
    const { reference } = await made.openedPage();
    made.payments.payPage(reference, { channel: 'CARD' });
    for (const stage of ['queryCredit', 'findOpening'] as const) provider.breakNext(stage, how);
    expect(await made.askedFor(reference)).toMatchObject({ outcome: 'unknown', reason: REASON });
  });

  it('believes no answer about another payment than the one that was asked about', async () => {
    const { reference } = await made.openedPage();
    made.payments.payPage(reference, { channel: 'CARD' });
    provider.answerAboutAnother();
    expect(await made.askedFor(reference)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_ANSWER_MISMATCH' });
    expect(await made.askedFor(reference)).toMatchObject({ outcome: 'confirmed' });
  });
}
