import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRailCaller, type Rail, type RailCaller, type SendRequest } from '../../src/rails/index.ts';
import {
  BREAKAGES,
  newReference,
  type ProviderHarness,
  type ProviderTraits,
  type RailHarness,
  type WebhookFacts,
} from './harness.ts';

const AMOUNTS = [100n, 101n, 110n, 129n, 12_345n, 100_000_001n, 8_700_000_000_019n, 9_999_999_999_999n];
const REASON = expect.stringMatching(/^[A-Z_]+$/);

/** What every rail behind an HTTP API guarantees: an answer that says nothing ends nothing. */
export function describeProvider(name: string, makeRail: () => Promise<RailHarness>, traits: ProviderTraits): void {
  describe(`the ${name} rail as every rail behind a provider's API`, () => {
    let harness: RailHarness;
    let provider: ProviderHarness;
    let caller: RailCaller;
    const callerOf = (rail: Rail) => createRailCaller(rail, { limits: { breakerCalls: 1_000 } });

    beforeAll(async () => {
      harness = await makeRail();
      if (harness.provider === undefined) throw new Error('the harness of a rail over HTTP has `provider`');
      provider = harness.provider;
      caller = callerOf(harness.rail);
    });
    afterAll(() => harness.close());

    const payment = (changes: Partial<SendRequest> = {}): SendRequest => ({
      tenant: harness.tenant,
      railReference: newReference(),
      amountMinor: 12_345n,
      currency: 'NGN',
      accountName: 'ADAEZE OBI',
      narration: 'conformance',
      ...harness.accounts.plain,
      ...changes,
    });
    const query = (request: SendRequest) => caller.query(request);

    it.each(BREAKAGES)(
      'calls a send unknown when the answer is %s and the provider paid; a query shows it',
      async (how) => {
        const request = payment();
        provider.breakNext('send', how, { executed: true });
        expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', sent: true, reason: REASON });
        expect((await query(request)).outcome).toBe('succeeded');
        expect((await caller.send(request)).outcome).not.toBe('failed');
        expect(await harness.executions(request.railReference)).toBe(1);
      },
    );

    it.each(BREAKAGES)('calls a send unknown when the answer is %s and nothing was paid, never failed', async (how) => {
      const request = payment();
      provider.breakNext('send', how);
      expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(await harness.executions(request.railReference)).toBe(0);
      expect((await query(request)).outcome).toBe('not_found');
    });

    it.each(BREAKAGES)('calls a query unknown when the answer is %s, never not found and never an end', async (how) => {
      const request = payment();
      await caller.send(request);
      provider.breakNext('query', how);
      expect(await query(request)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect((await query(request)).outcome).toBe('succeeded');
    });

    it.each(BREAKAGES)('calls a name enquiry unknown when the answer is %s, never not found', async (how) => {
      provider.breakNext('nameEnquiry', how);
      const answer = await caller.nameEnquiry({ tenant: harness.tenant, ...harness.accounts.plain });
      expect(answer).toMatchObject({ outcome: 'unknown', accountName: null, reason: REASON });
    });

    it.each(BREAKAGES)('reports no balance when the answer is %s', async (how) => {
      provider.breakNext('balance', how);
      await expect(caller.balance(harness.tenant)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    });

    it.each(BREAKAGES)('opens the circuit by balances only where they get no answer at all, as %s', async (how) => {
      const counted = createRailCaller(harness.rail, { limits: { breakerCalls: 4 } });
      for (let at = 0; at < 4; at += 1) {
        provider.breakNext('balance', how);
        await expect(counted.balance(harness.tenant)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      }
      expect(counted.circuit()).toBe(how === 'reset' ? 'open' : 'closed');
    });

    if (traits.prepares === true) {
      it.each(BREAKAGES)('says that nothing was sent when what comes before the transfer got %s', async (how) => {
        const request = payment();
        provider.breakNext('prepare', how);
        expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', sent: false, reason: REASON });
        expect(await harness.executions(request.railReference)).toBe(0);
        await caller.send(request);
        expect(await harness.executions(request.railReference)).toBe(1);
      });
    }

    it('says that nothing was sent where no connection came about', async () => {
      const answer = await callerOf(provider.unreachable).send(payment());
      expect(answer).toMatchObject({ outcome: 'unknown', sent: false, reason: REASON });
    });

    it('never calls a payout failed, lost or found because its own key is wrong', async () => {
      const wrong = callerOf(provider.wrongKey);
      const request = payment();
      expect(await wrong.send(request)).toMatchObject({ outcome: 'unknown', reason: REASON });
      expect(await harness.executions(request.railReference)).toBe(0);
      await caller.send(request);
      const asked = await wrong.query(request);
      expect(asked).toMatchObject({ outcome: 'unknown', reason: REASON });
      const named = await wrong.nameEnquiry({ tenant: harness.tenant, ...harness.accounts.plain });
      expect(named.outcome).toBe('unknown');
    });

    it('carries every amount to the provider to the kobo', async () => {
      for (const amountMinor of AMOUNTS) {
        const request = payment({ amountMinor });
        await caller.send(request);
        expect(await provider.amountOf(request.railReference)).toBe(amountMinor);
      }
    });

    it('sends no currency but naira', async () => {
      const request = payment({ currency: 'USD' });
      expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', sent: false });
      expect(await harness.executions(request.railReference)).toBe(0);
    });

    it('reads the reference and the amount of a webhook, and gives each copy of it the same id', async () => {
      const facts: WebhookFacts = {
        railReference: newReference(),
        amountMinor: 8_700_000_000_019n,
        outcome: 'succeeded',
      };
      const first = await harness.rail.verifyWebhook(harness.webhook(facts));
      expect(first).toMatchObject([
        {
          railReference: facts.railReference,
          answer: { reported: { amountMinor: facts.amountMinor, currency: 'NGN' } },
        },
      ]);
      const second = await harness.rail.verifyWebhook(harness.webhook(facts));
      expect(second[0]?.providerWebhookId).toBe(first[0]?.providerWebhookId);
    });

    it('gives a webhook of another outcome another id', async () => {
      const facts: WebhookFacts = { railReference: newReference(), amountMinor: 500n, outcome: 'succeeded' };
      const [success] = await harness.rail.verifyWebhook(harness.webhook(facts));
      const [reversal] = await harness.rail.verifyWebhook(harness.webhook({ ...facts, outcome: 'reversed' }));
      expect(reversal?.providerWebhookId).not.toBe(success?.providerWebhookId);
    });

    const conclusive = traits.webhooksSign === 'bytes';
    it(`${conclusive ? 'believes' : 'never believes by itself'} what a signed webhook claims`, async () => {
      for (const outcome of ['succeeded', 'failed', 'reversed'] as const) {
        const request = harness.webhook({ railReference: newReference(), amountMinor: 500n, outcome });
        const [providerWebhook] = await harness.rail.verifyWebhook(request);
        expect(providerWebhook?.answer.outcome).toBe(conclusive ? outcome : 'unknown');
      }
    });

    if (traits.webhooksSign === 'bytes') {
      it('refuses a webhook in which anything was changed, were it only a space', async () => {
        const { headers, rawBody } = harness.webhook({
          railReference: newReference(),
          amountMinor: 500n,
          outcome: 'succeeded',
        });
        const refused = { code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' };
        const spaced = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString()), null, 1));
        await expect(harness.rail.verifyWebhook({ headers, rawBody: spaced })).rejects.toMatchObject(refused);
        const changed = Buffer.from(rawBody.toString().replace(/\d/, (digit) => (digit === '9' ? '8' : '9')));
        await expect(harness.rail.verifyWebhook({ headers, rawBody: changed })).rejects.toMatchObject(refused);
      });
    }

    it('says that a signed webhook which it cannot read is malformed', async () => {
      for (const text of ['', 'null', '[]', '7', '{"event":', '{}', '<html></html>']) {
        const request = provider.signed(Buffer.from(text));
        await expect(harness.rail.verifyWebhook(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_MALFORMED' });
      }
    });
  });
}
