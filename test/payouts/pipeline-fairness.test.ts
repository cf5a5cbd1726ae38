import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digestChunks } from '../../src/batches/dispatch-queries.ts';
import { readOutcomeQueue } from '../../src/outcomes/read-outcomes.ts';
import {
  listTenantsWithDuePayouts,
  lockDuePayouts,
  lockDuePayoutsOfMany,
  readInIndexOrder,
} from '../../src/payout-delivery/due-queries.ts';
import { createFairSlots } from '../../src/payout-delivery/fair-slots.ts';
import { findTakenKeys } from '../../src/payouts/dedupe-key-queries.ts';
import { findPayout } from '../../src/payouts/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Worker } from '../../src/platform/jobs/worker.ts';
import { listDocuments } from '../../src/search/queries.ts';
import { transactionStates } from '../../src/transactions/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  addPayouts,
  createPayoutFixture,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  railsOfTest,
  untilQuiet,
} from './payout-fixture.ts';
import { NOT_FOUND, type ScriptedRail, scriptedRail, UNKNOWN } from './scripted-rail.ts';

const SLOTS = 20;
const DELAY_MS = 40;

let fixture: PayoutFixture;
let rail: ScriptedRail;
let worker: Worker | undefined;

beforeAll(async () => {
  fixture = await createPayoutFixture({ rails: railsOfTest(() => railsOf(rail.caller)) });
});
beforeEach(() => {
  rail = scriptedRail('shared', { concurrency: SLOTS });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  // What one test leaves unsent is nothing to the next one's rail.
  await fixture.database.pool.query('update payouts set due_at = null where due_at is not null');
});
afterAll(() => fixture.close());

function start(): void {
  worker = createPayoutWorker(fixture.deps, { pollMs: 20 });
  worker.start();
}

async function statusOf(merchant: Merchant, id: string): Promise<string> {
  const [payout] = await fixture.database.query(findPayout, [merchant.merchantId, 'SANDBOX', id]);
  return payout!.status;
}

describe('a rail that many merchants share', () => {
  it('is full while there is work, and never fuller than it may be', async () => {
    const merchant = await fixture.addMerchant();
    await addPayouts(fixture, merchant, 600, { rail: 'shared', batchId: newId() });
    rail.delayMs = DELAY_MS;
    start();
    await expect.poll(() => rail.inFlight).toBe(SLOTS);
    const seen: number[] = [];
    while (rail.sends.length < 500) {
      seen.push(rail.inFlight);
      await delay(5);
    }
    expect(rail.mostInFlight).toBe(SLOTS);
    // Looked at between two calls a slot may be empty for an instant, but not because nothing was ready.
    const average = seen.reduce((sum, inFlight) => sum + inFlight, 0) / seen.length;
    expect(average).toBeGreaterThan(SLOTS * 0.85);
  });

  it('does not let one merchant’s thousands delay another’s single by more than a moment', async () => {
    const [big, small] = [await fixture.addMerchant(), await fixture.addMerchant()];
    await addPayouts(fixture, big, 1_000, { rail: 'shared', batchId: newId() });
    rail.delayMs = DELAY_MS;
    start();
    await expect.poll(() => rail.sends.length).toBeGreaterThan(100);
    const before = rail.sends.length;
    const [id] = await addPayouts(fixture, small, 1, { rail: 'shared' });
    await expect.poll(() => statusOf(small, id!), { interval: 10 }).toBe('SUCCESS');
    const at = rail.sends.findIndex((send) => send.tenant.merchantId === small.merchantId);
    // A look at the database, and at most one call of each slot: far from the 900 that were first.
    expect(at - before).toBeLessThan(600);
  });

  it('gives every merchant the same share, however much each has', async () => {
    // Few, so that the rail is what everybody waits for, on a slow machine too: of what waits for the database, no slot decides.
    rail = scriptedRail('shared', { concurrency: 4 });
    const merchants = await Promise.all([1, 2, 3, 4].map(() => fixture.addMerchant()));
    for (const [at, merchant] of merchants.entries()) {
      await addPayouts(fixture, merchant, at === 0 ? 400 : 60, { rail: 'shared', batchId: newId() });
    }
    rail.delayMs = DELAY_MS;
    start();
    await expect.poll(() => rail.sends.length).toBeGreaterThan(140);
    const shares = merchants.map(
      ({ merchantId }) => rail.sends.slice(20, 140).filter((send) => send.tenant.merchantId === merchantId).length,
    );
    for (const share of shares) expect(share).toBeGreaterThan(120 / 8);
  });
});

describe('of one merchant', () => {
  it('a single goes before the items of a batch that were there first', async () => {
    const merchant = await fixture.addMerchant();
    await addPayouts(fixture, merchant, 1_000, { rail: 'shared', batchId: newId() });
    rail.delayMs = DELAY_MS;
    start();
    await expect.poll(() => rail.sends.length).toBeGreaterThan(60);
    const before = rail.sends.length;
    const [id] = await addPayouts(fixture, merchant, 1, { rail: 'shared' });
    await expect.poll(() => statusOf(merchant, id!), { interval: 10 }).toBe('SUCCESS');
    const at = rail.sends.findIndex((send) => send.railReference === id!.replaceAll('-', ''));
    expect(at - before).toBeLessThan(600);
  });
});

describe('a worker that stops', () => {
  it('lets go of what is waiting for its turn, and only waits for the calls under way', async () => {
    const merchant = await fixture.addMerchant();
    await addPayouts(fixture, merchant, 300, { rail: 'shared' });
    rail.delayMs = 200;
    start();
    // A slow database may never fill all slots at once.
    await expect.poll(() => rail.inFlight).toBeGreaterThan(0);
    await worker!.stop();
    expect(rail.sends.length).toBeLessThanOrEqual(2 * SLOTS);
    const sent = rail.sends.length;
    const { rows } = await fixture.database.pool.query(
      'select count(*)::int as free from payouts where lease_id is null and sent_at is null and due_at <= $1',
      [fixture.clock.now()],
    );
    expect(rows[0].free).toBe(300 - sent);
    // Nobody has to wait for anything: the next one goes on at once.
    rail.delayMs = 0;
    await fixture.worker.runOnce();
    expect(rail.sends).toHaveLength(300);
  });
});

describe('turns at a rail', () => {
  it('go round the merchants, singles of each before its items', async () => {
    const { caller } = scriptedRail('one', { concurrency: 1 });
    const slots = createFairSlots();
    const order: string[] = [];
    const ask = (merchant: string, name: string, batchId: string | null) =>
      slots.use(caller, { merchant_id: merchant, mode: 'SANDBOX', batch_id: batchId }, async () => {
        order.push(name);
      });
    await Promise.all([
      ask('a', 'a1', 'batch'),
      ask('a', 'a2', 'batch'),
      ask('a', 'a3', 'batch'),
      ask('a', 'a single', null),
      ask('b', 'b1', 'batch'),
      ask('c', 'c single', null),
    ]);
    expect(order).toEqual(['a1', 'a single', 'b1', 'c single', 'a2', 'a3']);
    slots.close();
    await expect(ask('a', 'late', null)).rejects.toThrow();
  });
});

describe('an outcome that stays unknown', () => {
  it('is put before the operator after the set time, and leaves the queue when it ends', async () => {
    fixture.deps.unknownAfterMs = 3_600_000;
    rail.send = UNKNOWN;
    rail.query = UNKNOWN;
    const merchant = await fixture.addMerchant();
    const { body } = await merchant.call('POST', '/payout/single', payment());
    const queue = async () =>
      (await readOutcomeQueue(fixture.database, 'OPERATOR', { page: 1, size: 10 })).rows.map(({ payout }) => [
        payout.id,
        payout.operator_reason,
      ]);
    await fixture.worker.runOnce();
    fixture.clock.advance(1_800_000);
    await fixture.worker.runOnce();
    expect(await queue()).toEqual([]);
    fixture.clock.advance(3_600_000);
    await fixture.worker.runOnce();
    expect(await queue()).toEqual([[body.data.transactionId, 'UNKNOWN_TOO_LONG']]);
    rail.query = { outcome: 'succeeded', reason: null };
    fixture.clock.advance(3_600_000);
    await fixture.worker.runOnce();
    expect([await statusOf(merchant, body.data.transactionId), await queue()]).toEqual(['SUCCESS', []]);
  });

  it('is believed to be unsent no sooner than its rail’s own time after the send', async () => {
    rail = scriptedRail('slow to know', {}, { notFoundAfterMs: 600_000 });
    rail.send = UNKNOWN;
    rail.query = NOT_FOUND;
    const merchant = await fixture.addMerchant();
    await merchant.call('POST', '/payout/single', payment());
    await fixture.worker.runOnce();
    for (let minutes = 0; minutes < 9; minutes += 1) {
      fixture.clock.advance(60_000);
      await fixture.worker.runOnce();
    }
    expect(rail.sends).toHaveLength(1);
    await untilQuiet(fixture, merchant);
    expect(rail.sends.length).toBeGreaterThan(1);
    expect(new Set(rail.sends.map((send) => send.railReference)).size).toBe(1);
  });
});

describe('the statements that every payout costs', () => {
  it('find their rows by key, also where they were planned while the tables were empty', async () => {
    const empty = await createPayoutFixture({ rails: railsOf(rail.caller) });
    const client = await empty.database.pool.connect();
    const plan = async (text: string) => {
      const { rows } = await client.query(`explain (generic_plan) ${text}`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    const each = [transactionStates.lock, transactionStates.update, findPayout, lockDuePayouts, lockDuePayoutsOfMany];
    for (const { text } of each) {
      expect(await plan(text)).toContain('Index Scan using transactions_pk');
    }
    // Rows that were never counted, as after a first big dispatch: what the statement is planned for in earnest.
    await addPayouts(empty, await empty.addMerchant(), 500, { batchId: newId(), rail: 'shared' });
    await client.query('begin');
    await client.query(readInIndexOrder.text);
    const leases = [await plan(lockDuePayouts.text), await plan(lockDuePayoutsOfMany.text)];
    await client.query('rollback');
    for (const lease of leases) {
      expect(lease).toContain('Index Scan using payouts_due_singles');
      expect(lease).toContain('Index Scan using payouts_due on');
      expect(lease).not.toContain('Sort');
    }
    expect(await plan(listTenantsWithDuePayouts.text)).toContain('Index Scan using payouts_due_at on payouts');
    expect(await plan(listTenantsWithDuePayouts.text)).not.toContain('Seq Scan');
    // Of a chunk its items, and not the whole batch for each; what is found of a payout by its key.
    const digest = await plan(digestChunks.text);
    expect(digest).toMatch(/batch_items_batch on batch_items i[^>]*"position" >= chunk\.first_position/);
    expect(digest).not.toContain('Materialize');
    const documents = /search_documents_pk on search_documents[^>]*subject_id = wanted\.subject_id/;
    expect(await plan(listDocuments.text)).toMatch(documents);
    const keys = /dedupe_keys_taken on dedupe_keys k[^>]*value = rows\.value/;
    expect(await plan(findTakenKeys.text)).toMatch(keys);
    client.release();
    await empty.close();
  });
});
