import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

/** As where there are more merchants than are looked at each time. */
const MANY = { fewBooks: 0, pageSize: 3, lapSize: 2 };

let fixture: WebhookFixture;
let receiver: Receiver;

beforeAll(async () => {
  fixture = await createWebhookFixture({ activeBooks: MANY });
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

/** Looks until all pages have come by. */
async function workAll(): Promise<number> {
  let calls = 0;
  for (let look = 0; look < 8; look += 1) calls += await fixture.worker.runOnce();
  return calls;
}

describe('webhooks, where there are more merchants than are looked at each time', () => {
  it('come for each event of those who do something, page by page', async () => {
    const merchants = await Promise.all(Array.from({ length: 7 }, () => fixture.addMerchant()));
    for (const merchant of merchants) await merchant.setAddress(receiver.url);
    await workAll();
    for (const merchant of merchants) await merchant.happen(2);
    expect(await workAll()).toBe(14);
    expect(await workAll()).toBe(0);
  });

  it('come for what a merchant did before its endpoint was made', async () => {
    await workAll();
    const merchant = await fixture.addMerchant('SANDBOX', { sandboxWebhookUrl: receiver.url });
    await merchant.happen(3);
    expect(await workAll()).toBe(0);
    const at = performance.now();
    const later = vi.spyOn(performance, 'now').mockImplementation(() => at + 61_000);
    const calls = await workAll();
    later.mockRestore();
    expect(calls).toBe(3);
  });

  it('come after a pause, for a merchant who did nothing since', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await workAll();
    await fixture.database.pool.query(
      `update webhook_endpoints set paused_until = $2 where merchant_id = $1 and mode = 'SANDBOX'`,
      [merchant.tenant.merchantId, new Date(fixture.clock.now().getTime() + 60_000)],
    );
    await merchant.happen(1);
    expect(await workAll()).toBe(0);
    fixture.clock.advance(61_000);
    expect(await workAll()).toBe(1);
  });
});
