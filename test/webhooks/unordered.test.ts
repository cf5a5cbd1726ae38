import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CALLS_AT_ONCE, overConnections } from '../../src/webhooks/connection.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type FixtureMerchant, type WebhookFixture } from './webhook-fixture.ts';

/** Longer than a busy machine takes for an answer. */
const TIMEOUT_MS = 3_000;

let fixture: WebhookFixture;
let receiver: Receiver;
let merchant: FixtureMerchant;
beforeAll(async () => {
  fixture = await createWebhookFixture({ timeoutMs: TIMEOUT_MS });
  receiver = await startReceiver();
});
afterEach(async () => {
  await merchant.setAddress('');
  receiver.received.splice(0);
  receiver.answer(200);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const ascending = (sequences: readonly number[]) => sequences.toSorted((one, other) => one - other);

async function addUnordered(): Promise<void> {
  merchant = await fixture.addMerchant();
  await merchant.setAddress(receiver.url);
  await merchant.must('PATCH', '/webhook/endpoint', { ordered: false });
}

/** Answers all calls that wait, once so many do; each call is held until then. */
function answerTogether(count: number): { most(): number } {
  const held: ServerResponse[] = [];
  let most = 0;
  receiver.behave((_, response) => {
    held.push(response);
    most = Math.max(most, held.length);
    if (held.length === count) for (const each of held.splice(0)) each.end();
  });
  return { most: () => most };
}

describe('an address that its merchant marks as unordered', () => {
  it('is called eight times at once, with each event once', async () => {
    await addUnordered();
    // With those of the address and of its order, so many that every turn of eight is full.
    await merchant.happen(8 * CALLS_AT_ONCE - 2);
    const together = answerTogether(CALLS_AT_ONCE);
    expect(await fixture.worker.runOnce()).toBe(8 * CALLS_AT_ONCE);
    expect(together.most()).toBe(CALLS_AT_ONCE);
    expect(ascending(receiver.sequences())).toEqual(upTo(8 * CALLS_AT_ONCE));
    expect(await merchant.endpoint()).toMatchObject({ ordered: false, sentSequence: 64, behind: 0, failuresInARow: 0 });
  });

  it('gets what failed again by its schedule, and nothing is left out or delivered as what it was not', async () => {
    await addUnordered();
    await merchant.happen(30);
    receiver.behave(({ event }, response) => {
      response.statusCode = event.sequence % 7 === 0 ? 500 : 200;
      response.end();
    });
    await fixture.worker.runOnce();
    expect(ascending(receiver.sequences())).toEqual(upTo(32));
    const waiting = (await merchant.deliveries('&status=PENDING')).map(
      ({ sequence }: { sequence: number }) => sequence,
    );
    expect(ascending(waiting)).toEqual([7, 14, 21, 28]);
    receiver.answer(200);
    fixture.clock.advance(10_000);
    expect(await fixture.worker.runOnce()).toBe(4);
    expect(await merchant.deliveries('&status=PENDING')).toEqual([]);
  });

  it('is called again from the first event without an answer, where its worker is cut off in the middle', async () => {
    await addUnordered();
    await merchant.happen(98);
    let cut = (): void => undefined;
    const isCut = new Promise<void>((resolve) => (cut = resolve));
    receiver.behave(({ event }, response) => {
      if (event.sequence === 20) cut();
      else response.end();
    });
    const other = fixture.otherWorker({ pollMs: 10, timeoutMs: 60_000 });
    other.start();
    await isCut;
    await other.stop();
    await other.close();
    expect((await merchant.endpoint()).sentSequence).toBe(19);
    receiver.answer(200);
    await fixture.worker.runOnce();
    expect(ascending([...new Set(receiver.sequences())])).toEqual(upTo(100));
    const ids = receiver.received.map(({ event, headers }) => `${event.sequence} ${String(headers['webhook-id'])}`);
    expect(new Set(ids).size).toBe(100);
    expect(await merchant.endpoint()).toMatchObject({ sentSequence: 100, behind: 0 });
  });

  it('is disabled by one 410 of many answers', async () => {
    await addUnordered();
    await merchant.happen(30);
    receiver.behave(({ event }, response) => {
      response.statusCode = event.sequence === 10 ? 410 : 200;
      response.end();
    });
    await fixture.worker.runOnce();
    expect(await merchant.endpoint()).toMatchObject({ status: 'DISABLED', reason: 'RECEIVER_GONE' });
  });

  it('is called in order again when its merchant says so, and so is another address', async () => {
    await addUnordered();
    await merchant.must('PATCH', '/webhook/endpoint', { ordered: true });
    await merchant.happen(20);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual(upTo(23));
    await merchant.must('PATCH', '/webhook/endpoint', { ordered: false });
    await merchant.setAddress(`${receiver.url}/elsewhere`);
    expect((await merchant.endpoint()).ordered).toBe(true);
  });

  it('changes over between two calls while it is being served', async () => {
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    const other = fixture.otherWorker({ pollMs: 10 });
    other.start();
    for (const ordered of [false, true, false]) {
      await merchant.happen(20);
      await merchant.must('PATCH', '/webhook/endpoint', { ordered });
    }
    await expect.poll(async () => (await merchant.endpoint()).sentSequence).toBe(64);
    await other.stop();
    await other.close();
    expect(ascending(receiver.sequences())).toEqual(upTo(64));
  });

  it('can only be one that there is', async () => {
    merchant = await fixture.addMerchant();
    const { status, body } = await merchant.call('PATCH', '/webhook/endpoint', { ordered: false });
    expect([status, body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_MISSING']);
  });
});

describe('work over several connections', () => {
  it('gives nothing of what lies behind an item without a result', async () => {
    const connection = { post: () => Promise.resolve(undefined), close: () => undefined };
    const connections = { each: [connection, connection, connection], close: () => undefined };
    const { results, goesOn } = await overConnections(connections, upTo(20), async (_, item) => {
      if (item === 4) await new Promise((resolve) => setImmediate(resolve));
      return { result: item === 4 ? undefined : item, goesOn: item !== 4 };
    });
    expect([results, goesOn]).toEqual([[1, 2, 3], false]);
  });
});
