import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { railReferenceOf } from '../../src/payouts/rails.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createPaystackRail, createRailCaller } from '../../src/rails/index.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, railsOf } from '../payouts/payout-fixture.ts';
import { stillClock } from '../support/clock.ts';
import { type PaystackServer, SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';

let server: PaystackServer;
let fixture: PayoutFixture;
let merchant: Merchant;

beforeAll(async () => {
  server = await startPaystackServer({ endsLater: true });
  const rail = createPaystackRail({
    credentials: { secretKey: SECRET_KEY },
    baseUrl: server.baseUrl,
    clock: systemClock,
  });
  fixture = await createPayoutFixture({
    rails: railsOf(createRailCaller(rail, { limits: { breakerCalls: 1_000 }, clock: stillClock() })),
  });
  merchant = await fixture.addMerchant();
});
afterAll(async () => {
  await fixture.close();
  await server.close();
});

const naira = 1_000;
/** Differs each time, so that no payout looks like a slip of the one before. */
let account = 3_000_000_000;

async function pay(): Promise<string> {
  account += 1;
  const reply = await merchant.call(
    'POST',
    '/payout/single',
    payment({ amount: naira, accountNumber: String(account) }),
  );
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data.transactionId;
}

async function statusOf(id: string): Promise<string> {
  return (await merchant.call('GET', `/transaction/${id}`)).body.data.status;
}

function report(id: string, outcome: 'succeeded' | 'failed' | 'reversed', amountMinor = BigInt(naira * 100)) {
  const to = { bankCode: '058', accountNumber: String(account) };
  const { headers, rawBody } = server.providerWebhook({
    railReference: railReferenceOf(id),
    amountMinor,
    outcome,
    account: to,
  });
  return fixture.server.inject({
    method: 'POST',
    url: '/rail/sandbox/paystack/webhook',
    headers: headers as Record<string, string>,
    payload: rawBody,
  });
}

describe('payouts over Paystack', () => {
  it('wait for the end that a signed webhook reports, and take it once', async () => {
    const before = await merchant.balance();
    const id = await pay();
    await fixture.worker.runOnce();
    expect(server.transfers.get(railReferenceOf(id))?.amountMinor).toBe(100_000n);
    expect(await statusOf(id)).toBe('PROCESSING');
    for (let copies = 0; copies < 3; copies += 1) expect((await report(id, 'succeeded')).statusCode).toBe(200);
    expect(await statusOf(id)).toBe('SUCCESS');
    const paid = await merchant.balance();
    expect(paid.bookedMinor).toBeLessThan(before.bookedMinor);
    expect((await report(id, 'reversed')).statusCode).toBe(200);
    expect(await statusOf(id)).toBe('REVERSED');
  });

  it('stay open through a webhook of another amount, or one that nobody signed', async () => {
    const id = await pay();
    await fixture.worker.runOnce();
    expect((await report(id, 'succeeded', 1n)).statusCode).toBe(200);
    expect(await statusOf(id)).toBe('PROCESSING');
    const { rawBody } = server.providerWebhook({
      railReference: railReferenceOf(id),
      amountMinor: 100_000n,
      outcome: 'failed',
    });
    const forged = await fixture.server.inject({
      method: 'POST',
      url: '/rail/sandbox/paystack/webhook',
      headers: { 'content-type': 'application/json', 'x-paystack-signature': '0'.repeat(128) },
      payload: rawBody,
    });
    expect(forged.statusCode).toBe(401);
    expect(await statusOf(id)).toBe('PROCESSING');
  });

  it('are asked about, and not sent again, when the answer was lost, and are paid once', async () => {
    const id = await pay();
    server.breakNext('send', 'reset', { executed: true });
    await fixture.worker.runOnce();
    expect(await statusOf(id)).toBe('PROCESSING');
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(await statusOf(id)).toBe('SUCCESS');
    const sent = server.requests.filter(
      ({ path, body }) => path === '/transfer' && body.reference === railReferenceOf(id),
    );
    expect(sent).toHaveLength(1);
  });

  it('are not sent again before Paystack could have found them, and only under the same reference', async () => {
    const id = await pay();
    server.breakNext('send', 'http-500');
    await fixture.worker.runOnce();
    const sends = () =>
      server.requests.filter(({ path, body }) => path === '/transfer' && body.reference === railReferenceOf(id)).length;
    for (let minutes = 0; minutes < 4; minutes += 1) {
      fixture.clock.advance(60_000);
      await fixture.worker.runOnce();
    }
    expect(sends()).toBe(1);
    for (let minutes = 0; minutes < 50; minutes += 1) {
      fixture.clock.advance(60_000);
      await fixture.worker.runOnce();
    }
    expect(sends()).toBe(2);
    expect(await statusOf(id)).toBe('SUCCESS');
  });
});
