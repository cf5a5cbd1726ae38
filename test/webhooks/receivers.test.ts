import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { createWebhookWorker } from '../../src/webhooks/index.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type FixtureMerchant, type WebhookFixture } from './webhook-fixture.ts';

/** Far shorter than the real limit, which is the same code. */
const TIMEOUT_MS = 300;
/** Far below what is waited for outside of tests, and long for a busy machine. */
const BUSY_MS = 10_000;

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

async function tellOne(): Promise<{ status: string; lastAttempt: Record<string, unknown> }> {
  merchant = await fixture.addMerchant();
  await merchant.setAddress(receiver.url);
  await fixture.worker.runOnce();
  const [delivery] = await merchant.deliveries();
  return delivery;
}

describe('the order', () => {
  it('is kept over 1,000 events, each sent once, on one connection', async () => {
    merchant = await fixture.addMerchant();
    const before = receiver.connections();
    await merchant.setAddress(receiver.url);
    await Promise.all([merchant.happen(300), merchant.happen(600), merchant.happen(99)]);
    expect(await fixture.worker.runOnce()).toBe(1_000);
    expect(receiver.sequences()).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1_000);
    expect(receiver.connections() - before).toBe(1);
    expect(await merchant.endpoint()).toMatchObject({ sentSequence: 1_000, lastSequence: 1_000, behind: 0 });
  });

  it('is kept while events go on happening and the worker runs', async () => {
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    const other = fixture.otherWorker({ pollMs: 10 });
    other.start();
    for (let n = 0; n < 40; n += 1) await merchant.happen(5);
    await expect.poll(() => receiver.received.length).toBe(201);
    await other.stop();
    await other.close();
    expect(receiver.sequences()).toEqual(Array.from({ length: 201 }, (_, at) => at + 1));
  });
});

describe('a slow receiver', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('has not its whole backlog read for each call', async () => {
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(400);
    let read = 0;
    const { query } = fixture.database;
    const database: Database = {
      ...fixture.database,
      async query(asked, values) {
        const rows = await query(asked, values);
        if (asked.name === 'list-events-after') read += rows.length;
        return rows;
      },
    };
    const now = performance.now.bind(performance);
    let later = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now() + later);
    receiver.behave((_, response, next) => {
      later += 1_000;
      response.statusCode = next === 9 ? 410 : 200;
      response.end();
    });
    await createWebhookWorker({ ...fixture.deps, database }, { allowLoopback: true }).runOnce();
    expect(receiver.sequences()).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
    expect(read).toBeLessThan(10 * 100);
  });
});

describe('an answer', () => {
  it.each([200, 201, 202, 204, 299])('%i takes the event', async (status) => {
    receiver.answer(status, '');
    expect(await tellOne()).toMatchObject({ status: 'DELIVERED', lastAttempt: { statusCode: status, error: null } });
  });

  it.each([400, 401, 404, 409, 429, 500, 503])('%i is repeated', async (status) => {
    receiver.answer(status, 'no');
    const delivery = await tellOne();
    expect(delivery).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: status, answer: 'no' } });
    expect(delivery.lastAttempt['error']).toContain(String(status));
  });

  it.each([301, 302, 303, 307, 308])('%i is a failure, and nobody goes where it points', async (status) => {
    const elsewhere = await startReceiver();
    receiver.behave((_, response) => {
      response.writeHead(status, { location: elsewhere.url });
      response.end();
    });
    expect(await tellOne()).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: status } });
    expect(elsewhere.connections()).toBe(0);
    await elsewhere.close();
  });

  it('that never comes is waited for until the time limit of the whole call', async () => {
    receiver.behave(() => undefined);
    const delivery = await tellOne();
    expect(delivery).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: null, answer: null } });
    expect(delivery.lastAttempt['error']).toMatch(/^No answer within/);
    expect(delivery.lastAttempt['durationMs']).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
    expect(delivery.lastAttempt['durationMs']).toBeLessThan(BUSY_MS);
  });

  it('that dribbles its headers is cut off at the same limit', async () => {
    receiver.behave((_, response) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket?.write('x-a: b\r\n'), 20);
      socket?.on('close', () => clearInterval(timer));
    });
    const delivery = await tellOne();
    expect(delivery.status).toBe('PENDING');
    expect(delivery.lastAttempt['durationMs']).toBeLessThan(BUSY_MS);
  });

  it('of 2xx counts, also when its body never ends, and the next event is sent', async () => {
    receiver.behave((_, response, next) => {
      response.writeHead(200);
      if (next === 0) response.write('I am thinking');
      else response.end();
    });
    const delivery = await tellOne();
    expect(delivery).toMatchObject({ status: 'DELIVERED', lastAttempt: { answer: 'I am thinking' } });
    await merchant.happen(1);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2]);
  });

  it('without end is read no further than 64 KB, and the first 2 KB are kept', async () => {
    let written = 0;
    receiver.behave((_, response) => {
      response.writeHead(200);
      const more = () => {
        while (written < 50_000_000 && response.write('₦'.repeat(10_000))) written += 30_000;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const delivery = await tellOne();
    expect(delivery.status).toBe('DELIVERED');
    const answer = String(delivery.lastAttempt['answer']);
    expect(answer).toBe('₦'.repeat(682));
    expect(written).toBeLessThan(10_000_000);
  });

  it('may hold bytes that are no text', async () => {
    receiver.behave((_, response) => response.end(Buffer.from([0, 255, 65, 0, 66])));
    expect((await tellOne()).lastAttempt['answer']).toBe('\u{fffd}\u{fffd}A\u{fffd}B');
  });

  it('that is cut off before it begins is a failure', async () => {
    receiver.behave((_, response) => response.socket?.destroy());
    const delivery = await tellOne();
    expect(delivery).toMatchObject({ status: 'PENDING', lastAttempt: { statusCode: null } });
    expect(delivery.lastAttempt['error']).toBe('The connection was closed before an answer came.');
  });

  it('that is not HTTP is a failure', async () => {
    receiver.behave((_, response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'));
    expect((await tellOne()).lastAttempt['error']).toBe('The answer is not valid HTTP.');
  });

  it('of a receiver that closes idle connections costs no failure', async () => {
    receiver.behave((_, response) => {
      // Closed right behind the answer, without saying so.
      response.end('ok', () => response.socket?.destroySoon());
    });
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(200);
    await fixture.worker.runOnce();
    const deliveries = await merchant.deliveries('&status=PENDING');
    expect(deliveries).toEqual([]);
    expect(new Set(receiver.sequences()).size).toBe(201);
  });

  it('is not there when nobody listens, which is said in words', async () => {
    const gone = await startReceiver();
    await gone.close();
    merchant = await fixture.addMerchant();
    await merchant.setAddress(gone.url);
    await fixture.worker.runOnce();
    const [delivery] = await merchant.deliveries();
    expect(delivery.lastAttempt).toMatchObject({ statusCode: null, error: 'The connection was refused.' });
  });
});

describe('410', () => {
  it('disables the address, tells so in the log, and sends nothing more until it is enabled', async () => {
    receiver.behave((_, response, next) => {
      response.statusCode = next === 2 ? 410 : 200;
      response.end();
    });
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(5);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2, 3]);
    expect(await merchant.endpoint()).toMatchObject({ status: 'DISABLED', reason: 'RECEIVER_GONE', behind: 4 });
    const log = await merchant.must('GET', '/event?type=webhook.endpoint_disabled');
    expect(log.records).toMatchObject([{ data: { url: receiver.url, reason: 'RECEIVER_GONE' } }]);
    await merchant.happen(1);
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(3);

    const refused = await merchant.call('POST', '/webhook/endpoint/enable', { after: 1 });
    expect([refused.status, refused.body.code]).toEqual([422, 'WEBHOOK_SEQUENCE_OUT_OF_RANGE']);
    expect(await merchant.must('POST', '/webhook/endpoint/enable', {})).toMatchObject({ status: 'ENABLED' });
    const again = await merchant.call('POST', '/webhook/endpoint/enable', {});
    expect([again.status, again.body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_ENABLED']);
    await fixture.worker.runOnce();
    // Nothing was left out, and the call that was refused is repeated.
    expect(
      receiver
        .sequences()
        .slice(3)
        .toSorted((a, b) => a - b),
    ).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(await merchant.endpoint()).toMatchObject({ status: 'ENABLED', reason: null, behind: 0 });
  });

  it('can be followed by a beginning further on', async () => {
    receiver.answer(410);
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await fixture.worker.runOnce();
    await merchant.happen(30);
    receiver.answer(200);
    const { lastSequence } = await merchant.endpoint();
    const resumed = await merchant.must('POST', '/webhook/endpoint/enable', { after: lastSequence });
    expect(resumed).toMatchObject({ behind: 0, status: 'ENABLED' });
    await merchant.happen(1);
    await fixture.worker.runOnce();
    expect(receiver.sequences().slice(1)).toEqual([lastSequence + 1, lastSequence + 2]);
  });

  it('of an address that was changed meanwhile does not disable the new one', async () => {
    const other = await startReceiver();
    merchant = await fixture.addMerchant();
    receiver.behave((_, response) => {
      void merchant.setAddress(other.url).then(() => {
        response.statusCode = 410;
        response.end();
      });
    });
    await merchant.setAddress(receiver.url);
    await fixture.worker.runOnce();
    expect(await merchant.endpoint()).toMatchObject({ status: 'ENABLED', url: other.url });
    expect(other.sequences()).toEqual([2]);
    await other.close();
  });
});

describe('an address', () => {
  it('that is changed while events are sent is served from the next event: none is lost and none is out of order', async () => {
    const second = await startReceiver();
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(1_500);
    let changed: Promise<unknown> | undefined;
    receiver.behave((_, response, next) => {
      if (next === 100) changed = merchant.setAddress(second.url);
      response.end();
    });
    await fixture.worker.runOnce();
    await changed;
    const told = [...receiver.sequences(), ...second.sequences()];
    expect(second.received.length).toBeGreaterThan(0);
    expect(told).toEqual(Array.from({ length: 1_502 }, (_, at) => at + 1));
    await second.close();
  });

  it('that is taken away is sent nothing more, and one that is set later begins with its own time', async () => {
    merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await fixture.worker.runOnce();
    await merchant.setAddress('');
    await merchant.happen(10);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1]);
    expect(await merchant.endpoint()).toMatchObject({ url: '', status: 'NONE', behind: 0 });
    await merchant.setAddress(receiver.url);
    await merchant.happen(1);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 13, 14]);
  });

  it('is served from the first event on when the merchant was made with it', async () => {
    const own = await createWebhookFixture();
    merchant = await own.addMerchant('SANDBOX', { sandboxWebhookUrl: receiver.url });
    await merchant.happen(2);
    await own.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2]);
    await own.close();
    merchant = await fixture.addMerchant();
  });

  it('of one merchant that hangs keeps no other waiting', async () => {
    const hanging = await startReceiver();
    hanging.behave(() => undefined);
    const slow = await fixture.addMerchant();
    merchant = await fixture.addMerchant();
    await slow.setAddress(hanging.url);
    await slow.happen(3);
    await merchant.setAddress(receiver.url);
    await merchant.happen(100);
    const all = fixture.worker.runOnce();
    await expect.poll(() => receiver.received.length).toBe(101);
    expect(hanging.received.length).toBeLessThan(5);
    await all;
    await slow.setAddress('');
    await hanging.close();
  });
});
