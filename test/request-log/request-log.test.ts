import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger, type Logger } from '../../src/platform/logger.ts';
import { createRequestLog, forgetRequests, MAX_PER_SECOND, type RequestLog } from '../../src/request-log/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
let developer: TestPerson;

beforeAll(async () => {
  t = await createTestApp();
  developer = await signedInMember(t, t.merchant.merchantId, 'DEVELOPER');
});
afterAll(() => t.close());

interface Logged {
  requestId: string;
  method: string;
  path: string;
  url: string;
  status: number;
  code: string | null;
  keyId: string;
  durationMs: number;
}

/** One request of the log, written now: by itself the log is written each second. */
async function loggedAs(requestId: unknown, query = '', person = developer): Promise<Logged | undefined> {
  for (let tries = 0; tries < 60; tries += 1) {
    await t.app.requestLog.flush();
    const { body } = await person.call('GET', `/request-log?size=200${query}`);
    const found = (body.data.records as Logged[]).find((each) => each.requestId === requestId);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

/** Every row of every table of the log, as text. */
async function everythingLogged(): Promise<string> {
  const rows = await rowsOf<{ row: string }>(
    t.connectionString,
    `select r::text as row from request_log r union all select b::text from request_log_bodies b
     union all select c::text from request_log_counts c`,
  );
  return rows.map(({ row }) => row).join('\n');
}

describe('the request log', () => {
  it('shows what a key asked and was answered, with the operation and without the PIN', async () => {
    const body = { pin: '917364', amount: 12.5, storeId: t.merchant.storeIds[0], narration: 'with 917364 it works' };
    const reply = await t.call('POST', '/branch/store/debit', body);
    expect(reply.body.code).toBe('PIN_INVALID');
    const logged = await loggedAs(reply.headers['x-request-id']);
    expect(logged).toMatchObject({
      method: 'POST',
      path: '/branch/store/debit',
      url: '/branch/store/debit',
      status: 422,
      code: 'PIN_INVALID',
      keyLastFour: t.merchant.secretKey.slice(-4),
    });
    // Ids and hashes have all digits in any order.
    expect(await everythingLogged()).not.toMatch(/(?<![0-9a-f])917364(?![0-9a-f])|sk_test_/);
  });

  it('is written by itself, once a second', async () => {
    const reply = await t.call('GET', '/branch/store');
    const logged = () =>
      rowsOf(t.connectionString, 'select 1 from request_log where request_id = $1', [reply.headers['x-request-id']]);
    await expect.poll(logged).toHaveLength(1);
  });

  it('shows a refusal at the door: a scope that the key does not have', async () => {
    const { key } = await issueKey(t, t.merchant.merchantId, 'SANDBOX', { scopes: ['wallet:read'] });
    const reply = await t.call('GET', '/transaction', undefined, bearer(key));
    expect(await loggedAs(reply.headers['x-request-id'])).toMatchObject({ status: 403, code: 'SCOPE_NOT_GRANTED' });
  });

  it('keeps the fields of an address and no value that may be a secret', async () => {
    const reply = await t.call('GET', `/transaction?page=2&reference=a-secret-reference`);
    const logged = await loggedAs(reply.headers['x-request-id']);
    expect(logged?.url).toBe('/transaction?page=2&reference=…');
  });

  it('is searched by status, by key and by day', async () => {
    const { keyId, key } = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
    const right = await t.call('GET', '/branch/store', undefined, bearer(key));
    const wrong = await t.call('GET', `/branch/store/${newId()}`, undefined, bearer(key));
    await loggedAs(wrong.headers['x-request-id']);
    const ids = async (query: string) => {
      const { body } = await developer.call('GET', `/request-log?keyId=${keyId}${query}`);
      return (body.data.records as Logged[]).map(({ requestId }) => requestId);
    };
    expect(await ids('')).toEqual([wrong.headers['x-request-id'], right.headers['x-request-id']]);
    expect(await ids('&status=4xx')).toEqual([wrong.headers['x-request-id']]);
    expect(await ids('&status=404')).toEqual([wrong.headers['x-request-id']]);
    expect(await ids('&status=422')).toEqual([]);
    expect(await ids('&to=2020-01-01')).toEqual([]);
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    expect(await ids(`&from=${hours(-1)}&to=${hours(1)}`)).toHaveLength(2);
    expect(await ids(`&from=0001-01-01&to=9999-12-31`)).toHaveLength(2);
    expect(await ids(`&from=${hours(1)}`)).toEqual([]);
    expect((await developer.call('GET', '/request-log?status=many')).status).toBe(400);
  });

  it('leaves out what people do in their pages', async () => {
    const page = await developer.call('GET', '/branch/store');
    const program = await t.call('GET', '/branch/store');
    await loggedAs(program.headers['x-request-id']);
    const { text } = await developer.call('GET', '/request-log?size=200');
    expect(text).not.toContain(String(page.headers['x-request-id']));
  });

  it('shows each merchant and each mode its own, and only to roles that may', async () => {
    const other = await t.addMerchant();
    const stranger = await signedInMember(t, other.merchantId, 'OWNER');
    const reply = await t.call('GET', '/branch/store');
    await loggedAs(reply.headers['x-request-id']);
    expect((await stranger.call('GET', '/request-log')).text).not.toContain(String(reply.headers['x-request-id']));
    const live = await developer.call('GET', '/request-log', undefined, { 'x-mode': 'LIVE' });
    expect(live.body.data.records).toEqual([]);
    const maker = await signedInMember(t, t.merchant.merchantId, 'MAKER');
    expect((await maker.call('GET', '/request-log')).body.code).toBe('PERMISSION_NOT_GRANTED');
  });

  it('forgets what is from before a moment', async () => {
    const reply = await t.call('GET', '/branch/store');
    await loggedAs(reply.headers['x-request-id']);
    expect(await forgetRequests(t, new Date(Date.now() - 24 * 60 * 60_000))).toBe(0);
    expect(await forgetRequests(t, new Date(Date.now() + 24 * 60 * 60_000))).toBeGreaterThan(0);
    expect((await developer.call('GET', '/request-log')).body.data.records).toEqual([]);
  });
});

describe('a flood of requests', () => {
  const note = (log: RequestLog, merchantId: string, describeCalls: { count: number }) => {
    const tenant = { merchantId, mode: 'SANDBOX' } as const;
    log.note(tenant, () => {
      describeCalls.count += 1;
      const where = { method: 'GET', route: '/bank', url: '/bank', status: 200, code: null, durationMs: 1 };
      const nothing = { idempotencyKey: null, replayed: false, about: null };
      return { tenant, requestId: 'r', keyId: newId(), ip: '127.0.0.1', ...where, ...nothing };
    });
  };

  it('is kept up to fifty a second of each merchant, and the rest is counted', async () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    const [busy, quiet] = [newId(), newId()];
    const calls = { count: 0 };
    for (let at = 0; at < 8_000; at += 1) note(log, busy, calls);
    note(log, quiet, calls);
    expect(calls.count).toBe(MAX_PER_SECOND + 1);
    await log.stop();
    const count = async (sql: string, id: string) => (await rowsOf<{ n: number }>(t.connectionString, sql, [id]))[0]?.n;
    expect(await count('select count(*)::int as n from request_log where merchant_id = $1', busy)).toBe(MAX_PER_SECOND);
    expect(await count('select count(*)::int as n from request_log where merchant_id = $1', quiet)).toBe(1);
    expect(await count('select sum(left_out)::int as n from request_log_gaps where merchant_id = $1', busy)).toBe(
      7_950,
    );
  });

  it('has written every count that is not due yet when its process stops in order', async () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    const merchantId = newId();
    const counted = async () => {
      const sql =
        'select coalesce(sum(requests), 0)::int as n from request_log_counts where merchant_id = $1 and minutes = 60';
      return (await rowsOf<{ n: number }>(t.connectionString, sql, [merchantId]))[0]?.n;
    };
    await log.flush();
    for (let at = 0; at < 3; at += 1) note(log, merchantId, { count: 0 });
    await log.stop();
    expect(await counted()).toBe(3);
  });

  it('is written whole where a flush is asked for while another one runs', async () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    const merchantId = newId();
    const running = log.flush();
    note(log, merchantId, { count: 0 });
    await log.flush();
    const asked = ['request_log', 'request_log_counts'].map((name) =>
      rowsOf(t.connectionString, `select 1 from ${name} where merchant_id = $1 limit 1`, [merchantId]),
    );
    expect((await Promise.all(asked)).map((rows) => rows.length)).toEqual([1, 1]);
    await running;
    await log.stop();
  });

  it('is written merchant by merchant, and of each in the order of its requests', async () => {
    const written: { merchant_id: string; id: string }[] = [];
    const run: typeof t.database.run = (into, rows) => {
      if (into.name === 'insert-request-log') written.push(...(rows as unknown as typeof written));
      return t.database.run(into, rows);
    };
    const database = { ...t.database, run };
    const log = createRequestLog({ database, clock: systemClock, logger: createLogger('silent') });
    const merchants = Array.from({ length: 60 }, () => newId()).toSorted(() => Math.random() - 0.5);
    for (let at = 0; at < 30; at += 1) for (const merchantId of merchants) note(log, merchantId, { count: 0 });
    await log.stop();
    const inTurn = written.filter(({ merchant_id }, at) => merchant_id !== written[at - 1]?.merchant_id);
    expect([written.length, inTurn.length]).toEqual([1_800, merchants.length]);
    for (const own of Map.groupBy(written, ({ merchant_id }) => merchant_id).values()) {
      expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).toSorted());
    }
  });

  it('costs a request a microsecond or two', () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    const merchantId = newId();
    const before = process.cpuUsage();
    for (let at = 0; at < 100_000; at += 1) note(log, merchantId, { count: 0 });
    // A hundredth of a request's share of 8,000 a second is 1.25 µs: this finds what costs ten times as much.
    expect(process.cpuUsage(before).user / 100_000).toBeLessThan(10);
  });

  it('loses the requests that the database does not take, of 20 merchants, and none of 50 others', async () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    await t.database.pool.query(
      `alter table request_log add constraint poison check (merchant_id::text not like 'deadbeef-%') not valid`,
    );
    const others = Array.from({ length: 50 }, () => newId());
    for (let at = 0; at < 20; at += 1) note(log, `deadbeef-0000-7000-8000-0000000000${10 + at}`, { count: 0 });
    for (const merchantId of others) note(log, merchantId, { count: 0 });
    await log.stop();
    await t.database.pool.query('alter table request_log drop constraint poison');
    const [logged] = await rowsOf<{ n: number }>(
      t.connectionString,
      'select count(*)::int as n from request_log where merchant_id = any($1::uuid[])',
      [others],
    );
    expect(logged?.n).toBe(50);
  });

  it('loses nothing of what a table takes where another table does not take its rows, and counts what waited later', async () => {
    const refused = new Set<string>();
    const run: typeof t.database.run = (into, rows) =>
      refused.has(into.name) ? Promise.reject(new Error(into.name)) : t.database.run(into, rows);
    const warned: string[] = [];
    const logger = { debug: () => undefined, warn: (_about: unknown, message: string) => warned.push(message) };
    const log = createRequestLog({
      database: { ...t.database, run },
      clock: systemClock,
      logger: logger as unknown as Logger,
    });
    const written = async (merchantId: string) => {
      const [row] = await rowsOf<{ requests: number; left_out: number; counted: number }>(
        t.connectionString,
        `select (select count(*)::int from request_log where merchant_id = $1) as requests,
                (select coalesce(sum(left_out), 0)::int from request_log_gaps where merchant_id = $1) as left_out,
                (select coalesce(sum(requests), 0)::int from request_log_counts
                  where merchant_id = $1 and minutes = 5) as counted`,
        [merchantId],
      );
      return row;
    };
    const flood = async (...tables: string[]) => {
      for (const table of tables) refused.add(table);
      const merchantId = newId();
      for (let at = 0; at < MAX_PER_SECOND + 7; at += 1) note(log, merchantId, { count: 0 });
      await log.flush();
      refused.clear();
      return written(merchantId);
    };
    await log.flush();
    expect(await flood('insert-request-log')).toEqual({ requests: 0, left_out: 7, counted: MAX_PER_SECOND });
    expect(await flood('insert-request-log-gaps')).toEqual({
      requests: MAX_PER_SECOND,
      left_out: 0,
      counted: MAX_PER_SECOND,
    });
    expect(await flood('add-request-counts')).toEqual({ requests: MAX_PER_SECOND, left_out: 7, counted: 0 });
    expect(new Set(warned)).toEqual(new Set(['a gap of the request log is lost', 'a count of requests is lost']));
    await log.stop();
  });

  it('has its counts once the database is there again, each once', async () => {
    let isAway = false;
    const run: typeof t.database.run = (into, rows) =>
      isAway ? Promise.reject(databaseAway('away')) : t.database.run(into, rows);
    const database = { ...t.database, run };
    const log = createRequestLog({ database, clock: systemClock, logger: createLogger('silent') });
    const merchantId = newId();
    await log.flush();
    isAway = true;
    for (let at = 0; at < 3; at += 1) {
      note(log, merchantId, { count: 0 });
      await log.flush();
    }
    isAway = false;
    await log.stop();
    const counted = await rowsOf(
      t.connectionString,
      'select minutes, sum(requests)::int as n from request_log_counts where merchant_id = $1 group by 1 order by 1',
      [merchantId],
    );
    expect(counted).toEqual([
      { minutes: 5, n: 3 },
      { minutes: 60, n: 3 },
    ]);
  });

  it('is lost in silence where the database is away, and the service goes on', async () => {
    const broken = { ...t.database, run: () => Promise.reject(new Error('away')) };
    const log = createRequestLog({ database: broken, clock: systemClock, logger: createLogger('silent') });
    note(log, newId(), { count: 0 });
    await expect(log.stop()).resolves.toBeUndefined();
  });
});
