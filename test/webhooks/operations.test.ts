import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { documentWebhooks, WEBHOOK_EVENTS } from '../../src/webhooks/index.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type FixtureMerchant, type WebhookFixture } from './webhook-fixture.ts';

let fixture: WebhookFixture;
let receiver: Receiver;
let merchant: FixtureMerchant;
let stranger: FixtureMerchant;
beforeAll(async () => {
  fixture = await createWebhookFixture();
  receiver = await startReceiver();
  merchant = await fixture.addMerchant();
  stranger = await fixture.addMerchant();
  await merchant.setAddress(receiver.url);
});
afterEach(() => {
  receiver.received.splice(0);
  receiver.answer(200);
});
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const UNKNOWN = '01930000-0000-7000-8000-00000000dead';
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const sequencesOf = (records: { sequence: number }[]) => records.map(({ sequence }) => sequence);

describe('GET /event', () => {
  it('gives every event once and in order, page after page, also while more happen', async () => {
    const own = await fixture.addMerchant();
    await own.happen(150);
    const seen: number[] = [];
    const happening = (async () => {
      for (let n = 0; n < 20; n += 1) await own.happen(10);
    })();
    let after = 0;
    for (let hasMore = true; hasMore || seen.length < 350; ) {
      const page = await own.must('GET', `/event?after=${after}&limit=7`);
      seen.push(...sequencesOf(page.records));
      ({ nextAfter: after, hasMore } = page);
    }
    await happening;
    expect(seen).toEqual(range(1, 350));
    expect(await own.must('GET', `/event?after=${after}`)).toEqual({ records: [], nextAfter: 350, hasMore: false });
    expect(await own.must('GET', '/event?after=9000000')).toEqual({
      records: [],
      nextAfter: 9_000_000,
      hasMore: false,
    });
  });

  it('gives exactly what was sent', async () => {
    await merchant.happen(3);
    await fixture.worker.runOnce();
    const sent = receiver.received.map(({ body }) => body);
    const { text } = await merchant.call('GET', `/event?after=${receiver.sequences()[0]! - 1}`);
    expect(sent.length).toBeGreaterThan(2);
    expect(text).toContain(`"records":[${sent.join(',')}]`);
  });

  it('finds those of a type, however many others are between, and says how far it looked', async () => {
    const own = await fixture.addMerchant();
    await own.happen(1, 'test.rare');
    for (let n = 0; n < 11; n += 1) await own.happen(1_000);
    await own.happen(2, 'test.rare');
    const first = await own.must('GET', '/event?type=test.rare');
    expect(sequencesOf(first.records)).toEqual([1]);
    expect([first.hasMore, first.nextAfter]).toEqual([true, 10_000]);
    const rest = await own.must('GET', `/event?type=test.rare&after=${first.nextAfter}`);
    expect(sequencesOf(rest.records)).toEqual([11_002, 11_003]);
    expect([rest.hasMore, rest.nextAfter]).toEqual([false, 11_003]);
    const one = await own.must('GET', `/event?type=test.rare&after=${first.nextAfter}&limit=1`);
    expect([sequencesOf(one.records), one.nextAfter, one.hasMore]).toEqual([[11_002], 11_002, true]);
  });

  it('shows nobody the events of another merchant or mode', async () => {
    await merchant.happen(1);
    expect((await stranger.must('GET', '/event')).records).toEqual([]);
    const live = await fixture.addMerchant('LIVE');
    await live.happen(1);
    expect((await live.must('GET', '/event')).records).toMatchObject([{ mode: 'LIVE', sequence: 1 }]);
  });

  it.each(['after=-1', 'after=1.5', 'after=x', 'limit=0', 'limit=1001', 'type=', 'type=DROP', 'from=2026-01-01'])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await merchant.call('GET', `/event?${query}`);
      expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    },
  );
});

describe('the modes', () => {
  it('never meet: a sandbox address gets no live event, and a live one none of the sandbox', async () => {
    await fixture.worker.runOnce();
    receiver.received.splice(0);
    const live = await fixture.addMerchant('LIVE', { sandboxWebhookUrl: receiver.url });
    await live.happen(5);
    const sandbox = await fixture.addMerchant('SANDBOX', { productionWebhookUrl: receiver.url });
    await sandbox.happen(5);
    await fixture.worker.runOnce();
    expect(receiver.received).toEqual([]);
    const both = await fixture.addMerchant('SANDBOX');
    await both.setAddress(receiver.url);
    await fixture.worker.runOnce();
    expect(receiver.received.map(({ event }) => event.mode)).toEqual(['SANDBOX']);
    await both.setAddress('');
  });
});

describe('GET /webhook/delivery', () => {
  it('lists what became of each event, newest first, by status and type, with the last answer', async () => {
    const own = await fixture.addMerchant();
    receiver.behave(({ event }, response) => {
      response.statusCode = event.type === 'test.refused' ? 422 : 200;
      response.end(`about ${event.sequence}`);
    });
    await own.setAddress(receiver.url);
    await own.happen(2);
    await own.happen(2, 'test.refused');
    await fixture.worker.runOnce();
    const page = await own.must('GET', '/webhook/delivery?size=3');
    expect(page).toMatchObject({ page: 1, size: 3, totalRecords: 5, totalPages: 2, totalIsExact: true });
    expect(sequencesOf(page.records)).toEqual([5, 4, 3]);
    expect(sequencesOf((await own.must('GET', '/webhook/delivery?size=3&page=2')).records)).toEqual([2, 1]);
    const refused = await own.deliveries('&status=PENDING&type=test.refused');
    expect(sequencesOf(refused)).toEqual([5, 4]);
    expect(refused[0].lastAttempt).toMatchObject({ statusCode: 422, answer: 'about 5' });
    expect(await own.deliveries('&type=merchant.updated')).toHaveLength(1);
    expect(await own.deliveries('&status=FAILED')).toEqual([]);
    expect(await stranger.deliveries()).toEqual([]);
    await own.setAddress('');
  });

  it('is 404 for an event of another merchant, one that was never sent, and none at all', async () => {
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [delivery] = await merchant.deliveries();
    for (const path of [`/webhook/delivery/${delivery.id}`, `/webhook/delivery/${UNKNOWN}`]) {
      const read = await stranger.call('GET', path);
      const replay = await stranger.call('POST', `${path}/replay`);
      for (const { status, body } of [read, replay])
        expect([status, body.code]).toEqual([404, 'WEBHOOK_DELIVERY_NOT_FOUND']);
    }
    expect((await merchant.call('GET', '/webhook/delivery/not-an-id')).status).toBe(400);
  });
});

describe('POST /webhook/delivery/{id}/replay', () => {
  it('sends the same bytes under the same id again, and keeps both answers', async () => {
    receiver.answer(200, 'first');
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [{ id }] = await merchant.deliveries();
    const replayed = await merchant.must('POST', `/webhook/delivery/${id}/replay`);
    expect(replayed).toMatchObject({ id, status: 'DELIVERED' });
    expect(replayed.nextAttemptAt).not.toBeNull();
    receiver.answer(200, 'second');
    await fixture.worker.runOnce();
    const calls = receiver.received.filter(({ headers }) => headers['webhook-id'] === id);
    expect(calls).toHaveLength(2);
    expect(calls[1]!.body).toBe(calls[0]!.body);
    const detail = await merchant.must('GET', `/webhook/delivery/${id}`);
    expect(detail.event).toEqual(calls[0]!.event);
    expect(detail).toMatchObject({ status: 'DELIVERED', conclusive: true, attempts: 1, nextAttemptAt: null });
    expect(detail.attemptLog).toMatchObject([
      { kind: 'REPLAY', answer: 'second', statusCode: 200, error: null },
      { kind: 'SCHEDULED', answer: 'first', statusCode: 200, error: null },
    ]);
  });

  it('takes nothing back when it fails, and ends the schedule when it succeeds', async () => {
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [{ id: told }] = await merchant.deliveries();
    receiver.answer(500);
    await merchant.must('POST', `/webhook/delivery/${told}/replay`);
    await fixture.worker.runOnce();
    expect(await merchant.must('GET', `/webhook/delivery/${told}`)).toMatchObject({
      status: 'DELIVERED',
      nextAttemptAt: null,
      lastAttempt: { statusCode: 500 },
    });

    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [{ id: open, nextAttemptAt }] = await merchant.deliveries('&status=PENDING');
    await merchant.must('POST', `/webhook/delivery/${open}/replay`);
    await fixture.worker.runOnce();
    const still = await merchant.must('GET', `/webhook/delivery/${open}`);
    expect(still).toMatchObject({ status: 'PENDING', conclusive: false, attempts: 1, nextAttemptAt });
    receiver.answer(200);
    await merchant.must('POST', `/webhook/delivery/${open}/replay`);
    await fixture.worker.runOnce();
    const done = await merchant.must('GET', `/webhook/delivery/${open}`);
    expect(done).toMatchObject({ status: 'DELIVERED', attempts: 1, nextAttemptAt: null });
    fixture.clock.advance(10_000);
    await fixture.worker.runOnce();
    expect(receiver.received.filter(({ headers }) => headers['webhook-id'] === open)).toHaveLength(3);
  });

  it('has one effect under one idempotency key, and one for many requests at once', async () => {
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [{ id }] = await merchant.deliveries();
    receiver.received.splice(0);
    const key = { 'idempotency-key': `again-${id}` };
    const first = await merchant.call('POST', `/webhook/delivery/${id}/replay`, undefined, key);
    await fixture.worker.runOnce();
    const second = await merchant.call('POST', `/webhook/delivery/${id}/replay`, undefined, key);
    await fixture.worker.runOnce();
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(receiver.received).toHaveLength(1);
    await Promise.all(range(1, 20).map(() => merchant.must('POST', `/webhook/delivery/${id}/replay`)));
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(2);
  });

  it('is not forgotten when it is asked for while the event is being sent', async () => {
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const [{ id }] = await merchant.deliveries();
    receiver.received.splice(0);
    receiver.behave((_, response, next) => {
      fixture.clock.advance(5);
      const again = next === 0 ? merchant.must('POST', `/webhook/delivery/${id}/replay`) : Promise.resolve();
      void again.then(() => response.end());
    });
    await merchant.must('POST', `/webhook/delivery/${id}/replay`);
    await fixture.worker.runOnce();
    expect(receiver.received).toHaveLength(2);
  });

  it('is refused where there is no address, or a disabled one', async () => {
    const own = await fixture.addMerchant();
    await own.setAddress(receiver.url);
    await fixture.worker.runOnce();
    const [{ id }] = await own.deliveries();
    receiver.answer(410);
    await own.happen(1);
    await fixture.worker.runOnce();
    const disabled = await own.call('POST', `/webhook/delivery/${id}/replay`);
    expect([disabled.status, disabled.body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_DISABLED']);
    await own.setAddress('');
    const missing = await own.call('POST', `/webhook/delivery/${id}/replay`);
    expect([missing.status, missing.body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_MISSING']);
  });
});

describe('POST /webhook/test', () => {
  it('sends a signed call now, says what the receiver answered, and leaves the order of events alone', async () => {
    const own = await fixture.addMerchant();
    await own.setAddress(receiver.url);
    receiver.answer(202, 'thank you');
    const result = await own.must('POST', '/webhook/test');
    expect(result).toMatchObject({ delivered: true, statusCode: 202, answer: 'thank you', error: null });
    const [call] = receiver.received;
    expect(call!.event).toMatchObject({ id: result.eventId, type: 'webhook.test', sequence: 0, mode: 'SANDBOX' });
    expect(call!.headers['webhook-signature']).toMatch(/^v1,/);
    expect((await own.endpoint()).lastSequence).toBe(1);
    expect(await own.deliveries()).toEqual([]);
    await own.setAddress('');
  });

  it('may be asked for once in five seconds, also by twenty at once', async () => {
    const own = await fixture.addMerchant();
    await own.setAddress(receiver.url);
    const replies = await Promise.all(range(1, 20).map(() => own.call('POST', '/webhook/test')));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status !== 200)!;
    expect([refused.status, refused.body.code]).toEqual([429, 'WEBHOOK_TESTED_TOO_SOON']);
    expect(refused.headers['retry-after']).toBe('5');
    expect(receiver.received).toHaveLength(1);
    fixture.clock.advance(5_000);
    expect((await own.call('POST', '/webhook/test')).status).toBe(200);
    await own.setAddress('');
  });

  it('may be asked for when a clock that was ahead is put right, although it was asked for by it', async () => {
    const own = await fixture.addMerchant();
    await own.setAddress(receiver.url);
    fixture.clock.advance(10 * 60_000);
    expect((await own.call('POST', '/webhook/test')).status).toBe(200);
    fixture.clock.advance(-10 * 60_000);
    expect((await own.call('POST', '/webhook/test')).status).toBe(200);
    expect((await own.call('POST', '/webhook/test')).status).toBe(429);
    await own.setAddress('');
  });

  it('ends the pause of an address that was down', async () => {
    const own = await fixture.addMerchant();
    receiver.answer(500);
    await own.setAddress(receiver.url);
    await own.happen(8);
    await fixture.worker.runOnce();
    expect((await own.endpoint()).pausedUntil).not.toBeNull();
    receiver.answer(200);
    await own.must('POST', '/webhook/test');
    expect((await own.endpoint()).pausedUntil).toBeNull();
    await fixture.worker.runOnce();
    expect((await own.endpoint()).behind).toBe(0);
    await own.setAddress('');
  });

  it('is refused where there is no address', async () => {
    const { status, body } = await stranger.call('POST', '/webhook/test');
    expect([status, body.code]).toEqual([409, 'WEBHOOK_ENDPOINT_MISSING']);
  });
});

describe('changing the address', () => {
  it('has one outcome when many change it at once', async () => {
    const own = await fixture.addMerchant();
    const urls = range(1, 20).map((n) => `${receiver.url}/${n}`);
    await Promise.all(urls.map((url) => own.setAddress(url)));
    const { url } = await own.endpoint();
    expect(urls).toContain(url);
    expect((await own.must('GET', '/merchant/info')).sandboxWebhookURL).toBe(url);
    await own.setAddress('');
  });

  it('keeps its place when the same address is set again', async () => {
    const own = await fixture.addMerchant();
    await own.setAddress(receiver.url);
    await own.happen(3);
    await own.setAddress(receiver.url);
    await fixture.worker.runOnce();
    expect(receiver.sequences()).toEqual([1, 2, 3, 4, 5]);
    await own.setAddress('');
  });
});

describe('the API document', () => {
  it('describes each webhook with its envelope and headers', () => {
    const webhooks = documentWebhooks(WEBHOOK_EVENTS) as Record<string, { post: Record<string, never> }>;
    expect(Object.keys(webhooks)).toEqual(Object.keys(WEBHOOK_EVENTS));
    const { post } = webhooks['webhook.endpoint_disabled']!;
    const schema = JSON.parse(JSON.stringify(post['requestBody']))['content']['application/json'].schema;
    const cause = ['requestId', 'idempotencyKey'];
    expect(schema.required).toEqual(['id', 'type', 'sequence', 'mode', 'createdAt', ...cause, 'data']);
    expect(schema.properties.type).toEqual({ type: 'string', const: 'webhook.endpoint_disabled' });
    expect(schema.properties.data.required).toEqual(['url', 'status', 'reason', 'disabledAt']);
  });
});
