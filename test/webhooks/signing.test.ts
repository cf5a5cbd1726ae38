import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createWebhookWorker } from '../../src/webhooks/index.ts';
import { makeSecret, secondOf, signedHeaders, signingKey } from '../../src/webhooks/signing.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createWebhookFixture, type WebhookFixture } from './webhook-fixture.ts';

const HOUR_MS = 3_600_000;

let fixture: WebhookFixture;
let receiver: Receiver;
beforeAll(async () => {
  fixture = await createWebhookFixture();
  receiver = await startReceiver();
});
afterEach(() => receiver.received.splice(0));
afterAll(async () => {
  await receiver.close();
  await fixture.close();
});

const sha512 = (secret: string, body: string) => createHmac('sha512', secret).update(body).digest('hex');

describe('the signature', () => {
  it('is the one that the examples of Standard Webhooks have', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', type: 'test', payload: '{"test": 2432232314}' };
    const headers = signedHeaders([signingKey(secret)], signed, 1614265330);
    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('holds for any secret and any text, by the reference library', () => {
    for (const payload of ['{}', '{"name":"Adé — ₦1,500"}', JSON.stringify({ text: '\u{1f4b8}'.repeat(500) })]) {
      const secret = makeSecret();
      const headers = signedHeaders(
        [signingKey(secret)],
        { id: 'e-1', type: 'test', payload },
        secondOf(fixture.clock),
      );
      expect(new Webhook(secret).verify(payload, headers)).toEqual(JSON.parse(payload));
      expect(() => new Webhook(secret).verify(`${payload} `, headers)).toThrow();
      expect(() => new Webhook(makeSecret()).verify(payload, headers)).toThrow();
      expect(headers['x-manilla-signature']).toBe(sha512(secret, payload));
    }
  });

  it('makes secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, makeSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(signingKey(secret).bytes.symmetricKeySize).toBe(32);
  });
});

const ENVELOPE = ['id', 'type', 'sequence', 'mode', 'createdAt', 'requestId', 'idempotencyKey', 'data'];

describe('a webhook on its way', () => {
  it('carries the event, and both signatures over exactly its bytes', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const secret = await merchant.secret();
    const [, call] = receiver.received;
    const { headers, body, event } = call!;
    expect(Object.keys(event)).toEqual(ENVELOPE);
    expect(event).toMatchObject({ type: 'test.happened', sequence: 2, mode: 'SANDBOX', data: { naira: '₦1,500' } });
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    expect(headers['webhook-id']).toBe(event.id);
    expect(headers['x-manilla-signature']).toBe(sha512(secret, body));
    expect(headers['x-manilla-signature-previous']).toBeUndefined();
    expect(headers['x-manilla-event']).toBe('test.happened');
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toMatch(/^Manilla-Webhooks\//);
    await merchant.setAddress('');
  });
});

describe('rotating the secret', () => {
  const signsFor = (secret: string) => {
    const { body, headers } = receiver.received.at(-1)!;
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('lets the old secret sign along for 24 hours and no longer', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    const old = await merchant.secret();
    const { secret: fresh, previousExpiresAt } = await merchant.must('POST', '/webhook/secret/rotate');
    expect(fresh).not.toBe(old);
    expect(new Date(previousExpiresAt).getTime() - fixture.clock.now().getTime()).toBeGreaterThan(23.9 * HOUR_MS);
    expect(await merchant.must('GET', '/webhook/secret')).toMatchObject({ secret: fresh, previousExpiresAt });

    // The reference library looks at the real time, so the clock stands still until here.
    await fixture.worker.runOnce();
    expect([signsFor(fresh), signsFor(old)]).toEqual([true, true]);
    const { headers, body } = receiver.received.at(-1)!;
    expect(headers['x-manilla-signature']).toBe(sha512(fresh, body));
    expect(headers['x-manilla-signature-previous']).toBe(sha512(old, body));

    fixture.clock.advance(24 * HOUR_MS);
    await merchant.happen(1);
    await fixture.worker.runOnce();
    const last = receiver.received.at(-1)!.headers;
    expect(String(last['webhook-signature']).split(' ')).toHaveLength(1);
    expect(last['x-manilla-signature-previous']).toBeUndefined();
    expect((await merchant.must('GET', '/webhook/secret')).previousExpiresAt).toBeNull();
    await merchant.setAddress('');
  });

  it('promises nothing of an old secret where there was none', async () => {
    const merchant = await fixture.addMerchant();
    const { secret, previousExpiresAt } = await merchant.must('POST', '/webhook/secret/rotate');
    expect(previousExpiresAt).toBeNull();
    expect(await merchant.must('GET', '/webhook/secret')).toMatchObject({ secret, previousExpiresAt: null });
    const { records } = await merchant.must('GET', '/event?type=webhook.secret_rotated');
    expect(records.map(({ data }: { data: object }) => data)).toMatchObject([{ previousExpiresAt: null }]);
  });

  it('ends each secret at its own time, also where it is changed again before that', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.secret();
    await merchant.must('POST', '/webhook/secret/rotate');
    fixture.clock.advance(23 * HOUR_MS);
    await merchant.must('POST', '/webhook/secret/rotate');
    const signatures = async () => {
      await merchant.happen(1);
      await fixture.worker.runOnce();
      return String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ').length;
    };
    expect(await signatures()).toBe(3);
    fixture.clock.advance(2 * HOUR_MS);
    expect(await signatures()).toBe(2);
    fixture.clock.advance(22 * HOUR_MS);
    expect(await signatures()).toBe(1);
    await merchant.setAddress('');
  });

  it('changes it once when it is asked for fifty times at once, and shows a repeated request the same secret', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.secret();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        merchant.call('POST', '/webhook/secret/rotate', undefined, { 'idempotency-key': `rotate-${n % 25}` }),
      ),
    );
    const changed = replies.filter(({ status }) => status === 200);
    expect(new Set(changed.map(({ text }) => text)).size).toBe(1);
    expect(changed.length).toBe(2);
    expect(changed[0]!.body.data.secret).toBe(await merchant.secret());
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(48);
    const kept = await fixture.database.pool.query(
      'select count(*)::int as n from webhook_secrets where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(kept.rows[0].n).toBe(2);
  });

  it('reaches a worker in another process that is sending', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(2_000);
    // Slow enough to be under way when the secret changes.
    receiver.behave((_, response) => setTimeout(() => response.end('ok'), 2));
    const elsewhere = fixture.otherWorker();
    const sending = elsewhere.runOnce();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(50);
    const { secret } = await merchant.must('POST', '/webhook/secret/rotate');
    const isNew = () => {
      const { headers, body } = receiver.received.at(-1)!;
      return headers['x-manilla-signature'] === sha512(secret, body);
    };
    await expect.poll(isNew, { interval: 20 }).toBe(true);
    await elsewhere.stop();
    await sending;
    await elsewhere.close();
    receiver.answer(200);
    await merchant.setAddress('');
  });

  it('gives each mode and each merchant a secret of its own, made once', async () => {
    const merchants = await Promise.all([fixture.addMerchant(), fixture.addMerchant('LIVE'), fixture.addMerchant()]);
    const secrets = await Promise.all(
      merchants.flatMap((merchant) => Array.from({ length: 10 }, () => merchant.secret())),
    );
    expect(new Set(secrets).size).toBe(3);
  });

  it('signs with no secret of another merchant, copied into the row of its own', async () => {
    const merchant = await fixture.addMerchant();
    const others = [await fixture.addMerchant(), await fixture.addMerchant('LIVE')];
    const secret = await merchant.secret();
    const { pool } = fixture.database;
    const { rows } = await pool.query('select sealed from webhook_secrets where merchant_id = $1', [
      merchant.merchantId,
    ]);
    for (const other of others) {
      await other.secret();
      const copied = [other.merchantId, rows[0].sealed];
      await pool.query('update webhook_secrets set sealed = $2 where merchant_id = $1', copied);
      const reply = await other.call('GET', '/webhook/secret');
      expect([reply.status, reply.text.includes(secret)]).toEqual([500, false]);
    }
    expect(await merchant.secret()).toBe(secret);
  });

  it('never leaves a secret in clear in the database', async () => {
    const merchant = await fixture.addMerchant();
    const first = await merchant.secret();
    const key = { 'idempotency-key': 'once' };
    const { secret: second } = (await merchant.call('POST', '/webhook/secret/rotate', undefined, key)).body.data;
    const { rows: tables } = await fixture.database.pool.query(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const { rows } = await fixture.database.pool.query(`select t::text as row from ${name} t`);
      const dump = rows.map(({ row }) => row).join('\n');
      expect(dump.includes('whsec_'), name).toBe(false);
      for (const secret of [first, second]) expect(dump.includes(secret.slice(6)), name).toBe(false);
    }
  });

  it('never writes a secret or what it sends into a log, also when the worker fails', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const merchant = await fixture.addMerchant();
    await merchant.setAddress(receiver.url);
    await merchant.happen(1, 'test.happened', 'nobody else should read this');
    const database = { ...fixture.database, transaction: () => Promise.reject(new Error('lost')) };
    const jobs = createJobMonitor({ ...fixture.deps, logger });
    const failing = createWebhookWorker({ ...fixture.deps, database, logger, jobs }, { allowLoopback: true });
    await failing.runOnce();
    const log = lines.join('');
    expect(log).toContain('could not be served');
    const secret = await merchant.secret();
    for (const hidden of [secret, secret.slice(6), 'nobody else', '₦1,500', receiver.url])
      expect(log).not.toContain(hidden);
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
    await merchant.setAddress('');
  });
});
