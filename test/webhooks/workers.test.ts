import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CommitUnknownError, type Database } from '../../src/platform/db/database.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createWebhookWorker } from '../../src/webhooks/index.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type FixtureMerchant, type WebhookFixture } from './webhook-fixture.ts';

/** A lease that nobody renews runs out within this. */
const LEASE_MS = 30_000;

let fixture: WebhookFixture;
let receiver: Receiver;
let merchant: FixtureMerchant;
beforeAll(async () => {
  fixture = await createWebhookFixture();
  receiver = await startReceiver();
});
afterEach(async () => {
  receiver.answer(200);
  await merchant.setAddress('');
  receiver.received.splice(0);
  const { checks } = await verifyBooks(fixture.database);
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

async function withEvents(count: number): Promise<void> {
  merchant = await fixture.addMerchant();
  await merchant.setAddress(receiver.url);
  await merchant.happen(count - 1);
}

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

/** Each sequence under one id only, and every first call in order. */
function expectInOrder(count: number): void {
  const ids = new Map<number, Set<unknown>>();
  for (const { event, headers } of receiver.received) {
    const seen = ids.get(event.sequence) ?? new Set();
    ids.set(event.sequence, seen.add(headers['webhook-id']));
  }
  expect([...ids.keys()]).toEqual(upTo(count));
  expect([...ids.values()].every(({ size }) => size === 1)).toBe(true);
}

async function readLog() {
  const { rows } = await fixture.database.pool.query(
    `select d.sequence, d.id, d.status, count(a.id)::int as calls
       from webhook_deliveries d join webhook_attempts a on a.merchant_id = d.merchant_id and a.delivery_id = d.id
      where d.merchant_id = $1 group by 1, 2, 3 order by d.sequence`,
    [merchant.merchantId],
  );
  return rows as { sequence: bigint; id: string; status: string; calls: number }[];
}

/** A worker that dies at its `n`th transaction, as `fail` says: before anything, or behind the COMMIT. It releases nothing. */
function workerThatDies(n: number, fail: (run: () => Promise<unknown>) => Promise<never>) {
  let transactions = 0;
  const database: Database = {
    ...fixture.database,
    query: (asked, values) =>
      asked.name === 'update-webhook-endpoint-released'
        ? Promise.reject(new Error('killed'))
        : fixture.database.query(asked, values),
    transaction: (work, options) => {
      transactions += 1;
      const run = () => fixture.database.transaction(work, options);
      return transactions === n ? fail(run) : run();
    },
  };
  return createWebhookWorker({ ...fixture.deps, database }, { allowLoopback: true });
}

describe('a worker that dies', () => {
  it('between sending and writing leads to the same events under the same ids again, and to none left out', async () => {
    await withEvents(50);
    const dying = workerThatDies(1, () => Promise.reject(new Error('killed')));
    await dying.runOnce();
    expect(receiver.received).toHaveLength(50);
    expect(await readLog()).toEqual([]);
    // Nobody leases it while it may still be alive.
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(50);

    fixture.clock.advance(LEASE_MS);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([...upTo(50), ...upTo(50)]);
    expectInOrder(50);
    expect((await readLog()).map(({ calls }) => calls)).toEqual(Array(50).fill(1));
  });

  it('behind a COMMIT whose answer was lost leads to no event twice', async () => {
    await withEvents(50);
    const dying = workerThatDies(1, async (run) => {
      await run();
      throw new CommitUnknownError(new Error('lost'));
    });
    await dying.runOnce();
    fixture.clock.advance(LEASE_MS);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual(upTo(50));
    expect((await readLog()).map(({ status }) => status)).toEqual(Array(50).fill('DELIVERED'));
  });

  it('while it records one piece and sends the next leads to both under the same ids again, and to none left out', async () => {
    await withEvents(400);
    const dying = workerThatDies(2, () => Promise.reject(new Error('killed')));
    await dying.runOnce();
    const sent = receiver.received.length;
    expect(sent).toBeGreaterThan(64);
    expect(sent).toBeLessThan(400);
    expect(await readLog()).toHaveLength(64);

    fixture.clock.advance(LEASE_MS);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([...upTo(sent), ...upTo(400).slice(64)]);
    expectInOrder(400);
    expect((await readLog()).map(({ calls }) => calls)).toEqual(Array(400).fill(1));
  });

  it('while it repeats a call counts that call once', async () => {
    await withEvents(1);
    receiver.answer(500);
    await fixture.worker.runOnce();
    fixture.clock.advance(6_000);
    const dying = workerThatDies(1, () => Promise.reject(new Error('killed')));
    await dying.runOnce();
    fixture.clock.advance(LEASE_MS);
    receiver.answer(200);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 1, 1]);
    const [delivery] = await merchant.deliveries();
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 2 });
  });

  it('by kill -9 in the middle of 3,000 events leaves the rest to the next one', async () => {
    await withEvents(3_000);
    const path = fileURLToPath(new URL('worker-process.ts', import.meta.url));
    const child = spawn(process.execPath, [path], {
      env: { ...process.env, TEST_DATABASE: fixture.connectionString },
      stdio: 'inherit',
    });
    await expect.poll(() => receiver.received.length, { interval: 2 }).toBeGreaterThan(1_200);
    child.kill('SIGKILL');
    await once(child, 'close');
    const beforeKill = receiver.received.length;
    expect(beforeKill).toBeLessThan(3_000);
    fixture.clock.advance(LEASE_MS + 5_000);
    await fixture.worker.runOnce();
    expectInOrder(3_000);
    // What was not yet written is repeated: at most a second's or a piece's worth.
    expect(receiver.received.length).toBeLessThanOrEqual(4_000);
    expect((await readLog()).map(({ sequence }) => Number(sequence))).toEqual(upTo(3_000));
  });
});

describe('a worker whose record fails', () => {
  it('lets go of the address: others need not wait for its lease, and itself it waits for its back-off', async () => {
    await withEvents(10);
    let transactions = 0;
    const database: Database = {
      ...fixture.database,
      transaction: (work, options) => {
        transactions += 1;
        if (transactions === 1) return Promise.reject(new Error('away for a moment'));
        return fixture.database.transaction(work, options);
      },
    };
    const failing = createWebhookWorker({ ...fixture.deps, database }, { allowLoopback: true });
    await failing.runOnce();
    await failing.runOnce();
    expect(receiver.sequences()).toEqual(upTo(10));
    const other = fixture.otherWorker();
    await other.runOnce();
    await other.close();
    expect(receiver.sequences()).toEqual([...upTo(10), ...upTo(10)]);
    expectInOrder(10);
    expect((await readLog()).map(({ calls }) => calls)).toEqual(Array(10).fill(1));
  });
});

describe('two workers', () => {
  it('share the endpoints and send no event twice', async () => {
    await withEvents(1);
    const merchants = await Promise.all(Array.from({ length: 6 }, () => fixture.addMerchant()));
    for (const one of merchants) await one.setAddress(receiver.url);
    await Promise.all(merchants.map((one) => one.happen(60)));
    const other = fixture.otherWorker();
    await Promise.all([fixture.worker.runOnce(), other.runOnce()]);
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(1 + 6 * 61);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(receiver.received.length);
    for (const one of merchants) await one.setAddress('');
    await other.close();
  });

  it('do not both write: one that was thought dead loses what it did', async () => {
    await withEvents(20);
    let overtaken: Promise<number> | undefined;
    receiver.behave((_, response, next) => {
      if (next !== 9) {
        response.end();
        return;
      }
      // Paused past its lease in the middle of a piece, while another leases it.
      fixture.clock.advance(LEASE_MS);
      overtaken = fixture.worker.runOnce().finally(() => response.end());
    });
    const paused = fixture.otherWorker();
    await paused.runOnce();
    await overtaken;
    expectInOrder(20);
    const log = await readLog();
    expect(log.map(({ calls, status }) => [calls, status])).toEqual(Array(20).fill([1, 'DELIVERED']));
    expect((await merchant.endpoint()).behind).toBe(0);
    await paused.close();
  });
});

describe('a worker that was overtaken', () => {
  it('while it repeats a call does not count it a second time', async () => {
    await withEvents(1);
    receiver.answer(500);
    await fixture.worker.runOnce();
    fixture.clock.advance(6_000);
    let overtaken: Promise<number> | undefined;
    receiver.behave((_, response, next) => {
      response.statusCode = 500;
      if (next !== 1) {
        response.end();
        return;
      }
      fixture.clock.advance(LEASE_MS);
      overtaken = fixture.worker.runOnce().finally(() => response.end());
    });
    const paused = fixture.otherWorker();
    await paused.runOnce();
    await overtaken;
    await paused.close();
    expect(receiver.received).toHaveLength(3);
    expect((await readLog()).map(({ calls }) => calls)).toEqual([2]);
    expect((await merchant.deliveries())[0]).toMatchObject({ status: 'PENDING', attempts: 2 });
  });
});

describe('a worker that stops', () => {
  it('lets the call under way end, writes it, and lets go at once', async () => {
    await withEvents(100);
    const other = fixture.otherWorker({ pollMs: 10 });
    receiver.behave((_, response) => setTimeout(() => response.end(), 20));
    other.start();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(5);
    await other.stop();
    await other.close();
    const sent = receiver.received.length;
    expect(sent).toBeLessThan(100);
    expect(await readLog()).toHaveLength(sent);
    receiver.answer(200);
    // The lease was released: no waiting.
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual(upTo(100));
  });

  it('does not wait for a receiver that hangs', async () => {
    await withEvents(3);
    receiver.behave((_, response, next) => {
      if (next === 0) response.end();
    });
    const other = fixture.otherWorker({ pollMs: 10 });
    other.start();
    await expect.poll(() => receiver.received.length).toBe(2);
    const begun = performance.now();
    await other.stop();
    await other.close();
    expect(performance.now() - begun).toBeLessThan(12_000);
    expect((await readLog()).map(({ sequence }) => sequence)).toEqual([1n]);
    receiver.answer(200);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2, 2, 3]);
  });
});

describe('a worker whose record waits', () => {
  /** One run of a worker, whose second piece is recorded when `meanwhile` has ended. @returns the calls that it made */
  function workWhile(meanwhile: () => Promise<unknown>): Promise<number> {
    let recorded = 0;
    const database: Database = {
      ...fixture.database,
      transaction: async (work, options) => {
        recorded += 1;
        if (recorded === 2) await meanwhile();
        return fixture.database.transaction(work, options);
      },
    };
    return createWebhookWorker({ ...fixture.deps, database }, { allowLoopback: true }).runOnce();
  }

  it('sends one further piece meanwhile and no more, and each event once', async () => {
    await withEvents(1_000);
    const gate = Promise.withResolvers<void>();
    const working = workWhile(() => gate.promise);
    // Pieces of 64, 128 and 256: the second one waits for its record, the third one is sent.
    await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(64 + 128 + 256);
    await expect(expect.poll(() => receiver.received.length, { timeout: 500 }).toBeGreaterThan(448)).rejects.toThrow();
    gate.resolve();
    expect(await working).toBe(1_000);
    expect(receiver.sequences()).toEqual(upTo(1_000));
    expect((await readLog()).map(({ calls }) => calls)).toEqual(Array(1_000).fill(1));
  });

  it('sends nothing more where the merchant takes the address away, and makes no failed call of what was not sent', async () => {
    await withEvents(1_000);
    await workWhile(async () => {
      await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(64 + 128 + 256);
      await merchant.setAddress('');
    });
    expect(receiver.sequences()).toEqual(upTo(448));
    expect((await readLog()).map(({ status, calls }) => `${status} ${calls}`)).toEqual(Array(448).fill('DELIVERED 1'));
  });

  it('stops at once where the merchant sets another address, and goes on there behind the last call', async () => {
    await withEvents(1_000);
    const other = await startReceiver();
    try {
      await workWhile(() => merchant.setAddress(other.url));
      const before = receiver.received.length;
      expect(before).toBeLessThanOrEqual(64 + 128 + 256);
      expect(receiver.sequences()).toEqual(upTo(before));
      expect(other.sequences()).toEqual(upTo(1_001).slice(before));
      expect((await readLog()).map(({ calls }) => calls)).toEqual(Array(1_001).fill(1));
    } finally {
      await other.close();
    }
  });

  /** While the second piece is recorded the merchant sets the address `next`, and the old one answers 410 to event 300. */
  async function goneMeanwhile(next: string): Promise<void> {
    await withEvents(1_000);
    receiver.behave(({ event }, response) => {
      response.statusCode = event.sequence === 300 ? 410 : 200;
      response.end();
    });
    await workWhile(async () => {
      await merchant.setAddress(next);
      await expect.poll(() => receiver.sequences().at(-1), { timeout: 5_000 }).toBe(300);
    });
  }

  const disabledEvents = async () => (await merchant.must('GET', '/event?type=webhook.endpoint_disabled')).records;

  it('leaves the address enabled that the merchant sets meanwhile, where the one before answers 410', async () => {
    const other = await startReceiver();
    try {
      await goneMeanwhile(other.url);
      expect(await merchant.endpoint()).toMatchObject({ status: 'ENABLED', url: other.url });
      expect(await disabledEvents()).toEqual([]);
      // Event 1,001 is the change of the address; 300 is repeated there by its schedule.
      expect(other.sequences()).toEqual(upTo(1_001).slice(300));
    } finally {
      await other.close();
    }
  });

  it('disables nothing where the merchant takes the address away meanwhile that answers 410', async () => {
    await goneMeanwhile('');
    expect(await merchant.endpoint()).toMatchObject({ status: 'NONE', url: '' });
    expect(await disabledEvents()).toEqual([]);
  });
});
