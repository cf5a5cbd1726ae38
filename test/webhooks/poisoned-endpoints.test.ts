import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Mode } from '../../src/platform/tenant.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type FixtureMerchant, type WebhookFixture } from './webhook-fixture.ts';

/** Endpoints hang here until their calls run out of time, many after each other. */
vi.setConfig({ testTimeout: 120_000 });

const POISONED = 20;
const HEALTHY = 50;
const WITHIN_MS = 2_000;
const TIMES_ALONE = 4;
/** When a receiver that hangs is abandoned. */
const HANG_MS = 12_000;

let fixture: WebhookFixture;
let good: Receiver;
/** Takes calls and never answers. */
let hanging: Receiver;
/** Answers with what the database was told not to keep. */
let unwritable: Receiver;
let healthy: FixtureMerchant[];
let aloneMs: number;

beforeAll(async () => {
  [good, hanging, unwritable] = [await startReceiver(), await startReceiver(), await startReceiver()];
  hanging.behave(() => undefined);
  unwritable.answer(200, 'poison');
  // Names lead where nobody is called, which is an answer at once.
  fixture = await createWebhookFixture({ pollMs: 20, timeoutMs: HANG_MS, resolve: async () => ['10.0.0.1'] });
  await fixture.database.pool.query(
    `alter table webhook_attempts add constraint poison check (answer is distinct from 'poison') not valid`,
  );
  await fixture.database.pool.query(
    `alter table webhook_endpoints add constraint poison check (url <> 'https://poison.example/') not valid`,
  );
  healthy = await tenants(HEALTHY, good.url);
  fixture.worker.start();
  aloneMs = await tellHealthy();
});
afterAll(async () => {
  await fixture.close();
  await Promise.all([good, hanging, unwritable].map((receiver) => receiver.close()));
});

async function tenants(count: number, url: string, mode: Mode = 'SANDBOX'): Promise<FixtureMerchant[]> {
  const made: FixtureMerchant[] = [];
  for (let at = 0; at < count; at += 1) {
    const merchant = await fixture.addMerchant(mode);
    await merchant.setAddress(url);
    made.push(merchant);
  }
  return made;
}

async function told(merchants: readonly FixtureMerchant[]): Promise<number> {
  const { rows } = await fixture.database.pool.query(
    `select count(*)::int as behind from webhook_endpoints e
       join books b on b.merchant_id = e.merchant_id and b.mode = e.mode
      where e.merchant_id = any($1::uuid[]) and e.url <> '' and e.cursor_sequence < b.event_sequence`,
    [merchants.map(({ merchantId }) => merchantId)],
  );
  return merchants.length - rows[0].behind;
}

/** An event of each healthy merchant. @returns how long until the last was sent. */
async function tellHealthy(): Promise<number> {
  await Promise.all(healthy.map((merchant) => merchant.happen(1)));
  const begun = performance.now();
  await vi.waitUntil(async () => (await told(healthy)) === HEALTHY, { interval: 20, timeout: 60_000 });
  return performance.now() - begun;
}

interface Poison {
  name: string;
  url: () => string;
  spoil?: (merchant: FixtureMerchant) => Promise<unknown>;
  /** Whether they are served all the same. */
  isTold?: boolean;
}

const POISONS: Poison[] = [
  {
    name: 'whose secret does not open',
    url: () => good.url,
    spoil: ({ merchantId }) =>
      fixture.database.pool.query(`update webhook_secrets set sealed = 'x' where merchant_id = $1`, [merchantId]),
  },
  { name: 'whose receiver takes the call and never answers', url: () => hanging.url },
  { name: 'whose receiver says what the database does not keep', url: () => unwritable.url, isTold: true },
  {
    name: 'with events of times that no calendar has',
    url: () => good.url,
    isTold: true,
    spoil: ({ merchantId }) =>
      fixture.database.pool.query(`update event_rows set created_at = 'infinity' where merchant_id = $1`, [merchantId]),
  },
];

describe.each(POISONS)('20 merchants $name', ({ url, spoil, isTold = false }) => {
  it('keep none of 50 others from hearing of theirs within two seconds', async () => {
    const poisoned = await tenants(POISONED, url());
    for (const merchant of poisoned) await merchant.secret();
    await Promise.all(
      poisoned.map(async (merchant) => {
        await merchant.happen(3);
        await spoil?.(merchant);
      }),
    );
    for (let times = 0; times < 3; times += 1) {
      expect(await tellHealthy()).toBeLessThan(TIMES_ALONE * aloneMs + WITHIN_MS);
    }
    if (isTold) await expect.poll(() => told(poisoned)).toBe(POISONED);
    for (const merchant of poisoned) await merchant.setAddress('');
  });
});

describe('receivers that hang', () => {
  it('of sandbox merchants take no place of those of live ones, however many there are', async () => {
    const poisoned = await tenants(150, hanging.url);
    const live = await tenants(3, 'https://shop.example/', 'LIVE');
    for (const merchant of poisoned) await merchant.happen(1);
    const before = hanging.received.length;
    await expect.poll(() => hanging.received.length - before).toBeGreaterThan(30);
    const begun = performance.now();
    for (const merchant of live) await merchant.happen(1);
    await expect.poll(() => told(live)).toBe(live.length);
    // Before the first of those who hang was abandoned.
    expect(performance.now() - begun).toBeLessThan(HANG_MS / 2);
    for (const merchant of poisoned) await merchant.setAddress('');
  });
});

describe('a merchant that cannot be given an endpoint', () => {
  it('keeps nobody else from hearing', async () => {
    const profile = { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678' };
    const worker = fixture.otherWorker({ timeoutMs: 1_000 });
    await fixture.addMerchant('SANDBOX', { ...profile, sandboxWebhookUrl: 'https://poison.example/' });
    const [merchant] = await tenants(1, good.url);
    await fixture.worker.stop();
    await merchant?.happen(1);
    await worker.runOnce();
    expect(await told([merchant!])).toBe(1);
    await worker.close();
  });
});
