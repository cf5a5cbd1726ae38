import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

let fixture: WebhookFixture;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await createWebhookFixture();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const happen = (merchantId: string, mode: Mode) => {
  const id = newId();
  return fixture.ledger.commit({
    tenant: { merchantId, mode },
    id,
    occurredAt: fixture.clock.now().toISOString(),
    events: [{ id: newId(), type: 'test.happened', subjectId: id, data: JSON.stringify({ mode }) }],
    answer: { message: 'Done' },
  });
};

describe('a merchant with an address for each mode', () => {
  it('gets again at that of the sandbox what was not taken there, and nothing for what is repeated of live', async () => {
    const { url: sandboxWebhookUrl } = receiver;
    // Nobody calls this machine of live, so each call there is repeated.
    const productionWebhookUrl = sandboxWebhookUrl.replace('http:', 'https:');
    const { merchantId } = await fixture.addMerchant('SANDBOX', { sandboxWebhookUrl, productionWebhookUrl });
    const deliveries = async () => {
      const all = `select mode, sequence::int, status, attempts from webhook_deliveries
                    where merchant_id = $1 order by mode desc, sequence`;
      return (await fixture.database.pool.query(all, [merchantId])).rows;
    };
    receiver.behave((_, response, before) => response.writeHead(before === 0 ? 500 : 200).end());
    for (let count = 0; count < 3; count += 1) {
      await happen(merchantId, 'SANDBOX');
      await happen(merchantId, 'LIVE');
    }
    const of = (mode: Mode, statuses: readonly string[], attempts: readonly number[]) =>
      attempts.map((tries, at) => ({ mode, sequence: at + 1, status: statuses[at], attempts: tries }));
    const pending = ['PENDING', 'PENDING', 'PENDING'];
    await fixture.worker.runOnce();
    const live = of('LIVE', pending, [1, 1, 1]);
    expect(await deliveries()).toEqual([...of('SANDBOX', ['PENDING', 'DELIVERED', 'DELIVERED'], [1, 1, 1]), ...live]);
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2, 3, 1]);
    expect(receiver.received.map(({ event }) => event.data.mode)).toEqual(Array(4).fill('SANDBOX'));
    const [sandbox, repeated] = [(await deliveries()).slice(0, 3), (await deliveries()).slice(3)];
    expect(sandbox).toEqual(of('SANDBOX', ['DELIVERED', 'DELIVERED', 'DELIVERED'], [2, 1, 1]));
    expect(repeated.map(({ status }) => status)).toEqual(pending);
    expect(repeated.reduce((sum, { attempts }) => sum + attempts, 0)).toBeGreaterThan(3);
  });
});
