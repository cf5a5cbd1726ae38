import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { DisputeProvider, DisputeState, ProviderWebhookRequest } from '../../src/rails/index.ts';

/** What an adapter's test brings: its disputes, against a stand-in of its provider or the sandbox itself. */
export interface DisputeHarness {
  disputes: DisputeProvider;
  tenant: Tenant;
  /** Somebody disputes a transaction of the provider. @returns its number there */
  open(facts: { amountMinor: bigint; transactionId: string }): Promise<string>;
  /** What the provider says of it from now on; `unlisted`: a status that its documentation does not have. */
  setState(id: string, state: DisputeState | 'silence' | 'unlisted'): Promise<void>;
  webhook(id: string): ProviderWebhookRequest;
  otherWebhook(): ProviderWebhookRequest;
  /** Of answers that the provider took. */
  answers(id: string): Promise<number>;
  close(): Promise<void>;
}

const signal = () => AbortSignal.timeout(10_000);
const DAY_MS = 24 * 60 * 60_000;

/** The suite that every provider with disputes passes, whatever is behind it. */
export function describeDisputes(name: string, makeHarness: () => Promise<DisputeHarness>): void {
  describe(`the disputes of ${name} as those of every provider`, () => {
    let harness: DisputeHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(() => harness.close());

    const transactionId = '4711';
    const open = (amountMinor = 100_01n) => harness.open({ amountMinor, transactionId });
    const query = async (providerDisputeId: string) => harness.disputes.queryDispute({ providerDisputeId }, signal());
    const evidence = () => ({
      message: 'It was delivered',
      customerName: 'Adaeze Obi',
      customerEmail: 'adaeze@example.com',
      customerPhone: '2348012345678',
      serviceDetails: 'A table',
      deliveryAddress: null,
      deliveryDate: '2026-11-20',
      files: Array.from({ length: harness.disputes.capabilities.evidenceFiles }, (_, at) => ({
        fileName: `proof-${at}.pdf`,
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.7'),
      })),
    });

    it('say what is wanted back of which transaction, to the kobo, and until when it can be answered', async () => {
      const id = await open(123_45n);
      const answer = await query(id);
      expect(answer).toMatchObject({
        outcome: 'found',
        dispute: {
          providerDisputeId: id,
          state: 'open',
          providerTransactionId: transactionId,
          amountMinor: 123_45n,
          currency: 'NGN',
        },
      });
      expect('dispute' in answer && answer.dispute.dueAt).toBeInstanceOf(Date);
    });

    it('end only by a listed status, and any other is unknown', async () => {
      for (const state of ['won', 'lost', 'accepted'] as const) {
        const id = await open();
        await harness.setState(id, state);
        const answer = await query(id);
        const said = 'dispute' in answer ? answer.dispute.state : answer.outcome;
        // A provider without a word for a loss after evidence has one for silence alone.
        if (!(state === 'lost' && said === 'unknown')) expect(said).toBe(state);
      }
      const id = await open();
      await harness.setState(id, 'unlisted');
      expect((await query(id)).outcome).toBe('unknown');
    });

    it('say that silence lost one', async () => {
      const id = await open();
      await harness.setState(id, 'silence');
      expect(await query(id)).toMatchObject({ dispute: { state: 'lost', bySilence: true } });
    });

    it('are not found where there is none', async () => {
      expect((await query('999999')).outcome).toBe('not_found');
    });

    it('are in the list of their time', async () => {
      const id = await open();
      const now = Date.now();
      const page = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS), cursor: null };
      const { disputes, unreadable } = await harness.disputes.listDisputes(page, signal());
      expect(disputes).toContainEqual({ providerDisputeId: id });
      expect(unreadable).toBe(0);
    });

    it('are accepted, and then say so', async () => {
      const id = await open();
      const request = { tenant: harness.tenant, providerDisputeId: id, amountMinor: 100_01n };
      expect((await harness.disputes.acceptDispute(request, signal())).outcome).toBe('taken');
      expect(await query(id)).toMatchObject({ dispute: { state: 'accepted' } });
      expect(await harness.answers(id)).toBe(1);
    });

    it('are contested with evidence, and then wait for the bank', async () => {
      const id = await open();
      const request = { tenant: harness.tenant, providerDisputeId: id, amountMinor: 100_01n };
      const answer = await harness.disputes.contestDispute({ ...request, evidence: evidence() }, signal());
      expect(answer.outcome).toBe('taken');
      expect(await query(id)).toMatchObject({ dispute: { state: 'evidence_sent' } });
    });

    it('take no second answer', async () => {
      const id = await open();
      const request = { tenant: harness.tenant, providerDisputeId: id, amountMinor: 100_01n };
      await harness.disputes.acceptDispute(request, signal());
      const again = await harness.disputes.contestDispute({ ...request, evidence: evidence() }, signal());
      expect(again.outcome).not.toBe('taken');
      expect(await query(id)).toMatchObject({ dispute: { state: 'accepted' } });
    });

    it('are named by their webhooks, and by no other', async () => {
      const id = await open();
      const request = harness.webhook(id);
      expect(await harness.disputes.readDisputeWebhook(request)).toEqual([{ providerDisputeId: id }]);
      expect(await harness.disputes.readDisputeWebhook(harness.otherWebhook())).toEqual([]);
      const forged = {
        ...request,
        headers: Object.fromEntries(Object.keys(request.headers).map((name) => [name, 'x'])),
      };
      await expect(harness.disputes.readDisputeWebhook(forged)).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
      });
    });
  });
}

export const paystackSignature = (secret: string, rawBody: Buffer) => ({
  'x-paystack-signature': createHmac('sha512', secret).update(rawBody).digest('hex'),
});
