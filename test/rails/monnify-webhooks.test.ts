import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProviderWebhookRequest, UNREADABLE } from '../../src/rails/index.ts';
import { CREDENTIALS, type MonnifyFixture, openMonnify } from './monnify-support.ts';
import { SESSION_ID, webhookOf } from './providers/monnify-server.ts';

let fixture: MonnifyFixture;

beforeEach(async () => {
  fixture = await openMonnify();
});
afterEach(() => fixture.server.close());

const verify = (request: ProviderWebhookRequest) => fixture.caller.verifyWebhook(request);

describe('a webhook of Monnify', () => {
  const FACTS = { railReference: 'a'.repeat(32), amountMinor: 1_234_505n, outcome: 'succeeded' } as const;
  const signedEvent = (change: (event: ReturnType<typeof webhookOf>) => unknown) =>
    fixture.server.signed(Buffer.from(JSON.stringify(change(webhookOf(FACTS)))));

  it('is verified as in the example of its documentation', async () => {
    const example = {
      eventData: {
        product: { reference: '111222333', type: 'OFFLINE_PAYMENT_AGENT' },
        transactionReference: 'MNFY|76|20211117154810|000001',
        paymentReference: '0.01462001097368737',
        paidOn: '17/11/2021 3:48:10 PM',
        paymentDescription: 'Mockaroo Jesse',
        metaData: {},
        destinationAccountInformation: {},
        paymentSourceInformation: {},
        amountPaid: 78000,
        totalPayable: 78000,
        offlineProductInformation: { code: '41470', type: 'DYNAMIC' },
        cardDetails: {},
        paymentMethod: 'CASH',
        currency: 'NGN',
        settlementAmount: 77600,
        paymentStatus: 'PAID',
        customer: { name: 'Mockaroo Jesse', email: '111222333@ZZAMZ4WT4Y3E.monnify' },
      },
      eventType: 'SUCCESSFUL_TRANSACTION',
    };
    const signature =
      'f04fb635e04d71648bd3cc7999003da6861483342c856d05ddfa9b2dafacb873' +
      'b0de1d0f8f67405d0010b4348b721c49fa171d317972618debba6b638aedcd3c';
    const request = {
      headers: { 'monnify-signature': signature },
      rawBody: Buffer.from(JSON.stringify(example)),
    };
    const theirs = fixture.callerWith({ ...CREDENTIALS, secretKey: '91MUDL9N6U3BQRXBQ2PJ9M0PW4J22M1Y' });
    expect(await theirs.verifyWebhook(request)).toEqual([]);
    await expect(verify(request)).rejects.toMatchObject({ code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID' });
  });

  it('says what became of the transfer, with amount, currency and session', async () => {
    expect(await verify(fixture.server.providerWebhook(FACTS))).toMatchObject([
      {
        railReference: FACTS.railReference,
        tenant: null,
        answer: {
          outcome: 'succeeded',
          code: 'SUCCESS',
          sessionId: SESSION_ID,
          reported: { amountMinor: 1_234_505n, currency: 'NGN' },
        },
      },
    ]);
    const [failed] = await verify(fixture.server.providerWebhook({ ...FACTS, outcome: 'failed' }));
    expect(failed?.answer).toMatchObject({ outcome: 'failed', reason: 'ACCOUNT_DORMANT', sessionId: null });
    const [reversed] = await verify(fixture.server.providerWebhook({ ...FACTS, outcome: 'reversed' }));
    expect(reversed?.answer).toMatchObject({ outcome: 'reversed', reason: 'RAIL_REVERSED' });
  });

  it('that contradicts itself, or fails for a reason to ask again about, says nothing', async () => {
    const contradicting = signedEvent((event) => ({ ...event, eventType: 'FAILED_DISBURSEMENT' }));
    const unclear = { outcome: 'unknown', reason: 'PROVIDER_WEBHOOK_UNCLEAR' };
    expect((await verify(contradicting))[0]?.answer).toMatchObject(unclear);
    const strange = signedEvent((event) => ({ ...event, eventType: 'MISLAID_DISBURSEMENT' }));
    expect((await verify(strange))[0]?.answer).toMatchObject(unclear);
    const timedOut = signedEvent(({ eventData }) => ({
      eventType: 'FAILED_DISBURSEMENT',
      eventData: { ...eventData, status: 'FAILED', transactionDescription: 'Transaction timed out' },
    }));
    expect((await verify(timedOut))[0]?.answer).toMatchObject({ outcome: 'unknown', reason: 'RAIL_BANK_TIMED_OUT' });
  });

  it('has its amount as a number or as text, and says so where there is none that can be read', async () => {
    const withAmount = (amount: unknown) =>
      signedEvent(({ eventType, eventData }) => ({ eventType, eventData: { ...eventData, amount } }));
    const amountOf = async (amount: unknown) => (await verify(withAmount(amount)))[0]?.answer.reported.amountMinor;
    expect(await amountOf('2500.00')).toBe(250_000n);
    for (const amount of [undefined, 'ten', 26.875, null]) {
      expect(await amountOf(amount)).toBe(UNREADABLE);
    }
  });

  it('about anything else is accepted and has no webhook in it', async () => {
    expect(await verify(signedEvent((event) => ({ ...event, eventType: 'SETTLEMENT' })))).toEqual([]);
  });
});
