import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createRailCaller, type ProviderWebhookRequest, type Rail, type RefundOrder } from '../../src/rails/index.ts';
import type { Breakage } from './harness.ts';
import type { RefundPlay } from './providers/refund-books.ts';
import type { StandIn } from './providers/stand-in.ts';

/** What an adapter's test brings: the account against a stand-in of its provider, or the sandbox itself. */
export interface RefundHarness {
  rail: Rail;
  tenant: Tenant;
  /** A payment of 10,000.00 naira. @returns the provider's name of it */
  payment(): Promise<string>;
  /** So behaves the next refund. @returns what an order has to carry for it */
  play(what: RefundPlay): Partial<RefundOrder>;
  /** The amounts of the refunds under our reference, by the provider's own book. */
  booked(reference: string): Promise<bigint[]>;
  /** Where the provider wants it: what it was told of the payer's account. */
  accountOf?(reference: string): string | undefined;
  /** Where it sends webhooks about refunds. */
  webhooks?: {
    of(reference: string): ProviderWebhookRequest;
    /** The same from somebody without the secret, in several ways. */
    forged(reference: string): ProviderWebhookRequest[];
    /** With the right signature, about something else. */
    other(): ProviderWebhookRequest;
  };
  /** What a provider behind an HTTP API brings too. */
  provider?: {
    server: StandIn;
    /** The same adapter where nothing listens. */
    unreachable: Rail;
    /** What nobody may read: keys, and what is made of them. */
    secrets: readonly string[];
  };
  close(): Promise<void>;
}

/** How a kind of provider differs, where that is in its nature. docs/rails.md has the same table. */
export interface RefundTraits {
  /** It may want the payer's account. */
  wantsAccounts: boolean;
  /** A provider's HTTP API: its bad answers are tested too, and the harness has `provider`. */
  overHttp?: true;
}

const FAR = () => new Date(Date.now() + 60_000);
const BREAKAGES: readonly Breakage[] = [
  'http-500',
  'http-502-html',
  'truncated-json',
  'empty',
  'not-json',
  'error-in-200',
  'rate-limited',
  'redirect',
  'reset',
];
const DEADLINE_MS = 400;
const PAYMENT_MINOR = 1_000_000n;
const ACCOUNT = { bankCode: '058', accountNumber: '0123456789', accountName: 'ADAEZE OBI' };

/** The suite that the refunds of every provider pass. */
export function describeRefunds(name: string, makeHarness: () => Promise<RefundHarness>, traits: RefundTraits): void {
  describe(`the refunds of ${name} as those of every provider`, () => {
    let harness: RefundHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(() => harness.close());

    const callerOf = (rail = harness.rail) => {
      const limits = { sendTimeoutMs: DEADLINE_MS, queryTimeoutMs: DEADLINE_MS, breakerCalls: 1_000 };
      const refunds = createRailCaller(rail, { limits }).wallets?.refunds;
      if (refunds === undefined) throw new Error('it has no refunds');
      return refunds;
    };
    const order = async (more: Partial<RefundOrder> = {}): Promise<RefundOrder> => ({
      tenant: harness.tenant,
      reference: randomUUID().replaceAll('-', ''),
      providerRefundId: null,
      providerTransactionId: await harness.payment(),
      providerReference: 'ps4711',
      amountMinor: 123_450n,
      currency: 'NGN',
      note: 'Order 7',
      account: null,
      ...more,
    });
    const sent = async (what: RefundPlay, more: Partial<RefundOrder> = {}) => {
      const refunds = callerOf();
      const asked = await order({ ...harness.play(what), ...more });
      const answer = await refunds.refund(asked, FAR());
      const known = { ...asked, providerRefundId: answer.providerRefundId };
      return { refunds, asked, answer, query: () => refunds.queryRefund(known) };
    };
    const providerOf = () => {
      if (harness.provider === undefined) throw new Error('it is behind no HTTP API');
      return harness.provider;
    };

    it('are asked for over the amount that was asked for, to the kobo, and found again by our reference alone', async () => {
      const { refunds, asked, answer } = await sent('processed', { amountMinor: 123_451n });
      expect(answer).toMatchObject({ outcome: 'succeeded', sent: true, reported: { amountMinor: 123_451n } });
      expect(await harness.booked(asked.reference)).toEqual([123_451n]);
      const found = await refunds.queryRefund(asked);
      expect(found).toMatchObject({ outcome: 'succeeded', reported: { amountMinor: 123_451n } });
      expect(found.providerRefundId).toBe(answer.providerRefundId);
    });

    it.each([
      ['pending-then-processed', 'succeeded'],
      ['pending-then-failed', 'failed'],
    ] as const)('that are %s are pending until the provider says %s', async (what, end) => {
      const { answer, query } = await sent(what);
      expect(answer.outcome).toBe('pending');
      expect((await query()).outcome).toBe('pending');
      expect(await query()).toMatchObject({ outcome: end, reported: { amountMinor: 123_450n } });
    });

    it.runIf(traits.wantsAccounts)('that need the payer’s account are made with it, once, and not before', async () => {
      const { refunds, asked, answer, query } = await sent('needs-details');
      expect(answer.outcome).toBe('needs_details');
      expect((await query()).outcome).not.toBe('succeeded');
      const known = { ...asked, providerRefundId: answer.providerRefundId, account: ACCOUNT };
      expect((await refunds.giveDetails(known, FAR())).outcome).toBe('succeeded');
      if (harness.accountOf) expect(harness.accountOf(asked.reference)).toBe(ACCOUNT.accountNumber);
      expect((await refunds.giveDetails(known, FAR())).outcome).not.toBe('failed');
      expect(await harness.booked(asked.reference)).toEqual([123_450n]);
    });

    it('that the provider refuses with a listed word have failed, and none is in its book', async () => {
      const { asked, answer } = await sent('refused');
      expect(answer).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/^[A-Z_]+$/) });
      if (traits.overHttp) expect(await harness.booked(asked.reference)).toEqual([]);
    });

    it('that got no answer and were made are unknown by the deadline, and a query finds the one that was made', async () => {
      const startedAt = performance.now();
      const { refunds, asked, answer } = await sent('timeout-executed');
      expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS + 4_000);
      expect(answer).toMatchObject({ outcome: 'unknown', sent: true, reason: 'RAIL_TIMEOUT' });
      expect(await refunds.queryRefund(asked)).toMatchObject({ outcome: 'succeeded' });
      expect(await harness.booked(asked.reference)).toEqual([123_450n]);
    });

    it('that got no answer and were lost are unknown, then not found, and made once when they are sent again', async () => {
      const { refunds, asked, answer } = await sent('timeout-not-executed');
      expect(answer).toMatchObject({ outcome: 'unknown', sent: true, reason: 'RAIL_TIMEOUT' });
      expect((await refunds.queryRefund(asked)).outcome).toBe('not_found');
      expect((await refunds.refund(asked, FAR())).outcome).toBe('succeeded');
      expect(await harness.booked(asked.reference)).toEqual([123_450n]);
    });

    it('of all of a payment that are sent again are made once, and the second answer is no failure', async () => {
      const { refunds, asked } = await sent('timeout-executed', { amountMinor: PAYMENT_MINOR });
      const again = await refunds.refund(asked, FAR());
      expect(again.outcome).not.toBe('failed');
      expect(await harness.booked(asked.reference)).toEqual([PAYMENT_MINOR]);
      expect(await refunds.queryRefund(asked)).toMatchObject({ outcome: 'succeeded' });
    });

    it('of more than is left of a payment are refused', async () => {
      const { refunds, asked } = await sent('processed', { amountMinor: PAYMENT_MINOR });
      const more = await order({ providerTransactionId: asked.providerTransactionId, amountMinor: 100_000n });
      expect((await refunds.refund(more, FAR())).outcome).toBe('failed');
      expect(await harness.booked(more.reference)).toEqual([]);
    });

    it('with a status that is not listed are unknown, and so they end nothing', async () => {
      const { asked, refunds, answer } = await sent('unlisted-status');
      expect(answer.outcome).toBe('unknown');
      expect((await refunds.queryRefund(asked)).outcome).toBe('unknown');
    });

    it('of another amount say the amount that the provider says, so that nobody takes it for ours', async () => {
      const { answer, query } = await sent('other-amount');
      for (const said of [answer, await query()]) expect(said.reported.amountMinor).toBe(123_451n);
    });

    it('are not found where nobody asked for them', async () => {
      expect((await callerOf().queryRefund(await order())).outcome).toBe('not_found');
    });

    it('are led to by what their webhook names, and by none that is forged or about something else', async () => {
      const { refunds, asked, answer } = await sent('processed');
      const { webhooks } = harness;
      if (webhooks === undefined) {
        expect(await refunds.readRefundWebhook({ headers: {}, rawBody: Buffer.from('{}') })).toEqual([]);
        return;
      }
      const [hint, ...more] = await refunds.readRefundWebhook(webhooks.of(asked.reference));
      const known = [asked.reference, answer.providerRefundId, asked.providerTransactionId, asked.providerReference];
      expect(hint?.keys.some((key) => known.includes(key))).toBe(true);
      expect(more).toEqual([]);
      for (const forged of webhooks.forged(asked.reference)) {
        await expect(refunds.readRefundWebhook(forged)).rejects.toMatchObject({
          code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
        });
      }
      expect(await refunds.readRefundWebhook(webhooks.other())).toEqual([]);
    });

    describe.runIf(traits.overHttp)('behind an HTTP API', () => {
      it('that are refused with a word that is not listed are unknown', async () => {
        expect((await sent('refused-unlisted')).answer).toMatchObject({ outcome: 'unknown', sent: true });
      });

      it.each(BREAKAGES)('are unknown where the answer to the send is %s, and are found afterwards', async (how) => {
        providerOf().server.breakNext('refund', how, { executed: true });
        const { refunds, asked, answer } = await sent('processed');
        expect(answer).toMatchObject({ outcome: 'unknown', sent: true });
        expect(await refunds.queryRefund(asked)).toMatchObject({ outcome: 'succeeded' });
        expect(await harness.booked(asked.reference)).toEqual([123_450n]);
      });

      it.each(BREAKAGES)('are unknown, and never not found, where the answer to a query is %s', async (how) => {
        const { refunds, asked, query } = await sent('processed');
        providerOf().server.breakNext('queryRefund', how);
        expect((await query()).outcome).toBe('unknown');
        providerOf().server.breakNext('queryRefund', how);
        expect((await refunds.queryRefund(asked)).outcome).toBe('unknown');
      });

      it('that are refused are unknown where no query confirms that none was made', async () => {
        providerOf().server.breakNext('queryRefund', 'http-500');
        expect((await sent('refused')).answer).toMatchObject({
          outcome: 'unknown',
          sent: true,
          reason: 'RAIL_REFUSAL_UNCONFIRMED',
        });
      });

      it('certainly were not sent where no connection came about', async () => {
        const refunds = callerOf(providerOf().unreachable);
        expect(await refunds.refund(await order(), FAR())).toMatchObject({ outcome: 'unknown', sent: false });
        expect((await refunds.queryRefund(await order())).outcome).toBe('unknown');
      });

      it('keep the keys out of every answer, and out of what they send in the body', async () => {
        const answers = [];
        for (const what of ['processed', 'refused', 'refused-unlisted', 'unlisted-status'] as const) {
          const { answer, query } = await sent(what);
          answers.push(answer, await query());
        }
        const bodies = providerOf()
          .server.requests.map(({ path, text }) => `${path} ${text}`)
          .join();
        const seen = `${JSON.stringify(answers, (_, value) => (typeof value === 'bigint' ? String(value) : value))}${bodies}`;
        for (const secret of providerOf().secrets) expect(seen).not.toContain(secret);
      });
    });
  });
}
