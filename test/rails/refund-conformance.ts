import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRailCaller, type ProviderWebhookRequest, type Rail, type RefundOrder } from '../../src/rails/index.ts';
import type { StandIn } from './providers/stand-in.ts';
import { newTenant } from './sandbox-support.ts';

/** A refund in the provider's own book, however it writes it. */
export interface BookedRefund {
  id: string;
  reference: string;
  amountMinor: bigint;
  /** In the provider's words. */
  status: string;
}

/** What an adapter's test brings: the account against a stand-in of its provider that keeps a book of refunds. */
export interface RefundHarness {
  rail: Rail;
  server: StandIn;
  refunds: BookedRefund[];
  /** The provider's own status for each outcome. */
  words: Record<'succeeded' | 'failed' | 'pending', string>;
  webhook(refund: BookedRefund): ProviderWebhookRequest;
}

const FAR = () => new Date(Date.now() + 60_000);

/** The suite that the refunds of every provider pass. */
export function describeRefunds(name: string, makeHarness: () => Promise<RefundHarness>): void {
  describe(`the refunds of ${name} as those of every provider`, () => {
    let harness: RefundHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(() => harness.server.close());

    const callerOf = () => {
      const refunds = createRailCaller(harness.rail).wallets?.refunds;
      if (refunds === undefined) throw new Error('it has no refunds');
      return refunds;
    };
    let count = 0;
    const nextReference = (): string => {
      count += 1;
      return createHash('md5').update(`refund ${count}`).digest('hex');
    };
    const order = (more: Partial<RefundOrder> = {}): RefundOrder => ({
      tenant: newTenant(),
      reference: nextReference(),
      providerRefundId: null,
      providerTransactionId: '4711',
      providerReference: 'ps4711',
      paymentMinor: 1_000_000n,
      amountMinor: 123_450n,
      currency: 'NGN',
      note: 'Order 7',
      account: null,
      ...more,
    });
    const booked = (reference: string) => harness.refunds.filter((refund) => refund.reference === reference);
    const only = (reference: string): BookedRefund => {
      const [refund] = booked(reference);
      if (refund === undefined) throw new Error('it is not in the book');
      return refund;
    };

    it('are asked for once, over the amount that was asked for to the kobo, and found again by our reference', async () => {
      const refunds = callerOf();
      const asked = order();
      const sent = await refunds.refund(asked, FAR());
      expect(sent).toMatchObject({ outcome: 'pending', sent: true });
      expect(booked(asked.reference).map(({ amountMinor }) => amountMinor)).toEqual([123_450n]);
      const found = await refunds.queryRefund(asked);
      expect(found).toMatchObject({ outcome: 'pending', reported: { amountMinor: 123_450n } });
      expect(found.providerRefundId).toBe(sent.providerRefundId);
    });

    it.each(['succeeded', 'failed', 'pending'] as const)(
      'that the provider lists as %s are that, about this refund',
      async (outcome) => {
        const refunds = callerOf();
        const asked = order();
        const { providerRefundId } = await refunds.refund(asked, FAR());
        only(asked.reference).status = harness.words[outcome];
        const answer = await refunds.queryRefund({ ...asked, providerRefundId });
        expect(answer).toMatchObject({ outcome, reported: { amountMinor: 123_450n } });
      },
    );

    it('are unknown with any status that is not listed, and with half a document', async () => {
      const refunds = callerOf();
      const asked = order();
      const { providerRefundId } = await refunds.refund(asked, FAR());
      for (const status of ['gone_fishing', '', 'constructor', 'SUCCESSFUL!']) {
        only(asked.reference).status = status;
        expect((await refunds.queryRefund({ ...asked, providerRefundId })).outcome).toBe('unknown');
      }
    });

    it('are not found where nobody asked for them, and a refusal that is not listed ends nothing', async () => {
      const refunds = callerOf();
      expect((await refunds.queryRefund(order())).outcome).toBe('not_found');
      const refused = await refunds.refund(order({ providerTransactionId: 'full-moon' }), FAR());
      expect(refused.outcome).toBe('unknown');
    });

    it('that a webhook names are led to by what it names, and by nobody without the secret', async () => {
      const refunds = callerOf();
      const asked = order();
      const { providerRefundId } = await refunds.refund(asked, FAR());
      const webhook = harness.webhook(only(asked.reference));
      const [hint] = await refunds.readRefundWebhook(webhook);
      const known = [asked.reference, providerRefundId, asked.providerTransactionId, asked.providerReference];
      expect(hint?.keys.some((key) => known.includes(key))).toBe(true);
      await expect(refunds.readRefundWebhook({ ...webhook, headers: {} })).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
      });
    });
  });
}
