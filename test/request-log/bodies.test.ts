import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { keptBodies, MAX_KEPT, MAX_READ, type RawBodies, redactAll } from '../../src/request-log/bodies.ts';
import { knownBodySettings } from '../../src/request-log/forget-requests.ts';
import { forgetBodies } from '../../src/request-log/index.ts';
import { createRequestLog } from '../../src/request-log/request-log.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { clockOf } from '../support/clock.ts';
import { type Operation, operationsOf, type Schema } from '../support/operations.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
let owner: TestPerson;
let developer: TestPerson;

beforeAll(async () => {
  t = await createTestApp({ RATE_LIMIT_PER_SECOND: '0' });
  owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  developer = await signedInMember(t, t.merchant.merchantId, 'DEVELOPER');
});
afterAll(() => t.close());

interface Body {
  kept: string;
  text: string | null;
  bytes: number;
}
interface Shown {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: of every shape
  data: any;
  request: Body | undefined;
  answer: Body | undefined;
}

/** One request of the log, written now: by itself the log is written each second. */
async function shown(requestId: unknown, mode = 'SANDBOX', person = developer): Promise<Shown> {
  for (let tries = 0; tries < 80; tries += 1) {
    await t.app.requestLog.flush();
    const { status, body } = await person.call('GET', `/request-log/${String(requestId)}`, undefined, {
      'x-mode': mode,
    });
    if (status === 200) {
      return { status, data: body.data, request: body.data.bodies?.request, answer: body.data.bodies?.answer };
    }
    await sleep(100);
  }
  throw new Error(`${String(requestId)} was not logged`);
}

async function everythingKept(): Promise<string> {
  const rows = await rowsOf<{ row: string }>(
    t.connectionString,
    'select r::text as row from request_log r union all select b::text from request_log_bodies b',
  );
  return rows.map(({ row }) => row).join('\n');
}

async function countLogged(ids: readonly unknown[]): Promise<number> {
  await t.app.requestLog.flush();
  const sql = 'select count(*)::int as n from request_log where request_id = any ($1::text[])';
  return (await rowsOf<{ n: number }>(t.connectionString, sql, [ids]))[0]?.n ?? 0;
}

describe('bodies in the request log', () => {
  it('show what was sent and answered, numbers as they were written, and nothing of the PIN', async () => {
    const storeId = t.merchant.storeIds[0];
    const text = `{"pin": "${TEST_PIN}", "amount": 12.50, "storeId": "${storeId}", "narration": "Sweep ${TEST_PIN}"}`;
    const reply = await t.app.server.inject({
      method: 'POST',
      url: '/branch/store/debit',
      headers: { ...bearer(t.merchant.secretKey), 'content-type': 'application/json', 'idempotency-key': 'sweep-1' },
      payload: text,
    });
    expect(reply.statusCode).toBe(200);
    const { data, request, answer } = await shown(reply.headers['x-request-id']);
    expect(request).toEqual({
      kept: 'FULL',
      text: `{"pin":"[secret]","amount":12.50,"storeId":"${storeId}","narration":"Sweep [secret]"}`,
      bytes: text.length,
    });
    const sent = JSON.parse(reply.body) as { data: Record<string, unknown> };
    const kept = JSON.parse(answer?.text ?? '') as { data: Record<string, unknown> };
    expect(Object.keys(kept.data)).toEqual(Object.keys(sent.data));
    for (const field of [
      'amount',
      'totalAmount',
      'charges',
      'status',
      'category',
      'transactionId',
      'reference',
      'paidAt',
    ])
      expect([field, kept.data[field]]).toEqual([field, sent.data[field]]);
    expect(kept.data['beneficiaryAccountNumber']).toBe(
      `••••${String(sent.data['beneficiaryAccountNumber']).slice(-4)}`,
    );
    expect(data).toMatchObject({ idempotencyKey: 'sweep-1', replayed: false, meaning: null });
    expect(data.about).toEqual({ field: 'transactionId', id: sent.data['transactionId'] });
    expect(data.events.map(({ type }: { type: string }) => type)).toEqual(['transaction.succeeded']);
  });

  it('say that an answer was that of an earlier request, and what a code means', async () => {
    const body = { name: '' };
    const headers = { 'idempotency-key': 'store-1' };
    const refused = await t.call('POST', '/branch/store', body, headers);
    const first = await t.call('POST', '/branch/store', { name: 'Mushin' }, headers);
    const again = await t.call('POST', '/branch/store', { name: 'Mushin' }, headers);
    expect((await shown(again.headers['x-request-id'])).data.replayed).toBe(true);
    expect((await shown(first.headers['x-request-id'])).data.replayed).toBe(false);
    expect((await shown(refused.headers['x-request-id'])).data).toMatchObject({
      code: 'VALIDATION_FAILED',
      meaning: 'A field is missing, wrong or unknown; `errors` says which',
    });
  });

  it('keep of what no schema knows its name, of what cannot be read its size, and of what is long its beginning', async () => {
    const unknown = await t.call('POST', '/branch/store', {
      name: 'Oshodi',
      colour: 'a-canary-colour',
      deep: { a: 1 },
    });
    const broken = await t.app.server.inject({
      method: 'POST',
      url: '/branch/store',
      headers: { ...bearer(t.merchant.secretKey), 'content-type': 'application/json' },
      payload: '{"name": "a-canary-name',
    });
    const list = await t.call('GET', '/bank');
    const { request: nothing, answer } = await shown(list.headers['x-request-id']);
    const { request } = await shown(unknown.headers['x-request-id']);
    expect(JSON.parse(request?.text ?? '')).toEqual({
      name: '[personal]',
      colour: '[unknown field]',
      deep: '[unknown field]',
    });
    expect((await shown(broken.headers['x-request-id'])).request).toEqual({ kept: 'SIZE', text: null, bytes: 23 });
    expect(nothing).toEqual({ kept: 'NONE', text: null, bytes: 0 });
    expect(answer?.bytes).toBe(Buffer.byteLength(list.text));
    expect(answer?.text?.length ?? 0).toBeLessThanOrEqual(MAX_KEPT);
    expect(await everythingKept()).not.toMatch(/a-canary-/);
  });

  it('are off in live mode until an owner switches them on, and gone as soon as they are switched off', async () => {
    const merchant = await t.addMerchant({ mode: 'LIVE' });
    const boss = await signedInMember(t, merchant.merchantId, 'OWNER');
    const live = { 'x-mode': 'LIVE' };
    const settings = async () => (await boss.call('GET', '/request-log/settings', undefined, live)).body.data;
    expect(await settings()).toEqual({ keepBodies: false, keepDays: 3 });
    const as = bearer(merchant.secretKey);
    const before = await t.call('GET', '/merchant/info', undefined, as);
    expect((await shown(before.headers['x-request-id'], 'LIVE', boss)).data.bodies).toBeNull();

    const change = (body: object, person = boss) => person.call('PATCH', '/request-log/settings', body, live);
    const dev = await signedInMember(t, merchant.merchantId, 'DEVELOPER');
    expect((await change({ keepBodies: true }, dev)).body.code).toBe('PERMISSION_NOT_GRANTED');
    for (const keepDays of [0, 8, 1.5]) expect((await change({ keepDays })).status).toBe(400);
    expect((await change({ keepBodies: true, keepDays: 1 })).body.data).toEqual({ keepBodies: true, keepDays: 1 });
    let kept: Shown | undefined;
    // Which merchants keep bodies is read again after a second and a half.
    for (let tries = 0; tries < 60 && kept?.request === undefined; tries += 1) {
      if (tries > 0) await sleep(100);
      const reply = await t.call('GET', '/merchant/info', undefined, as);
      kept = await shown(reply.headers['x-request-id'], 'LIVE', boss);
    }
    expect(kept?.answer?.text).toContain('"bvn":"[secret]"');
    expect((await boss.call('GET', '/request-log/settings')).body.data.keepBodies).toBe(true);

    await change({ keepBodies: false });
    expect((await shown(kept?.data.requestId, 'LIVE', boss)).data.bodies).toBeNull();
    const count = async (id: string) =>
      (
        await rowsOf<{ n: number }>(
          t.connectionString,
          'select count(*)::int as n from request_log_bodies where merchant_id = $1',
          [id],
        )
      )[0]?.n;
    const others = await count(t.merchant.merchantId);
    expect(await count(merchant.merchantId)).toBeGreaterThan(0);
    expect(await forgetBodies(t)).toBeGreaterThan(0);
    expect([await count(merchant.merchantId), await count(t.merchant.merchantId)]).toEqual([0, others]);
  });

  it('are kept of nobody while it cannot be read who wants them kept, and as before while the database is away', async () => {
    const tenant = { merchantId: newId(), mode: 'SANDBOX' } as const;
    let answer: () => Promise<never[]> = async () => [];
    const settings = knownBodySettings({ database: { ...t.database, query: () => answer() } as typeof t.database });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const readAnew = async (failure?: Error) => {
      now += 60_000;
      if (failure !== undefined) answer = () => Promise.reject(failure);
      await settings.refresh().catch((error: unknown) => expect(error).toBe(failure));
      return settings.keeps(tenant);
    };
    try {
      expect(settings.keeps(tenant)).toBe(false);
      expect(await readAnew()).toBe(true);
      expect(await readAnew(databaseAway('gone'))).toBe(true);
      expect(await readAnew(new Error('column keeps_bodies does not exist'))).toBe(false);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('are shown to nobody of another business', async () => {
    const reply = await t.call('GET', '/branch/store');
    await shown(reply.headers['x-request-id']);
    const other = await t.addMerchant();
    const stranger = await signedInMember(t, other.merchantId, 'OWNER');
    const path = `/request-log/${String(reply.headers['x-request-id'])}`;
    expect((await stranger.call('GET', path)).body.code).toBe('REQUEST_NOT_FOUND');
    expect((await developer.call('GET', path, undefined, { 'x-mode': 'LIVE' })).body.code).toBe('REQUEST_NOT_FOUND');
    const maker = await signedInMember(t, t.merchant.merchantId, 'MAKER');
    expect((await maker.call('GET', path)).body.code).toBe('PERMISSION_NOT_GRANTED');
  });

  it('lead on to the next and the previous request of the list that one came from', async () => {
    const { keyId, key } = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
    const as = bearer(key);
    const ids: unknown[] = [];
    for (const name of ['', 'Ojota', '', '']) {
      ids.push((await t.call('POST', '/branch/store', { name }, as)).headers['x-request-id']);
    }
    await shown(ids[3]);
    const around = async (at: number, query: string) => {
      const { data } = (await developer.call('GET', `/request-log/${String(ids[at])}?keyId=${keyId}${query}`)).body;
      return [data.older, data.newer];
    };
    expect(await around(1, '')).toEqual([ids[0], ids[2]]);
    expect(await around(2, '&status=4xx')).toEqual([ids[0], ids[3]]);
    expect(await around(3, '&method=POST&path=/branch/store&code=VALIDATION_FAILED')).toEqual([ids[2], null]);
  });

  it('are forgotten after the days of the setting, in pieces', async () => {
    const { merchantId } = t.merchant;
    expect((await owner.call('PATCH', '/request-log/settings', { keepDays: 2 })).status).toBe(200);
    await t.database.pool.query(
      `insert into request_log_bodies select $1, 'SANDBOX', gen_random_uuid(), 'NONE', null, 0, 'NONE', null, 0
         from generate_series(1, 2500)`,
      [merchantId],
    );
    // Ids that begin with their time: of long ago.
    await t.database.pool.query(
      `update request_log_bodies set id = ('0000' || substr(id::text, 5))::uuid where request_kept = 'NONE' and answer_kept = 'NONE'`,
    );
    expect(await forgetBodies(t)).toBe(2500);
    expect(await forgetBodies(t)).toBe(0);
    const kept = (days: number) => clockOf(() => new Date(Date.now() + days * 24 * 60 * 60_000));
    expect(await forgetBodies({ database: t.database, clock: kept(1.5) })).toBe(0);
    expect(await forgetBodies({ database: t.database, clock: kept(2.5) })).toBeGreaterThan(0);
  });
});

/** Something that nobody else writes, fit for a field by its name where that has a form. */
const CANARY = 'canary-7f3a9';
const DIGITS = '8765432109';

/** What a schema takes, with a canary in every text that is no word, id or time; and one field that no schema knows. */
function withCanaries(schema: Schema, depth = 0): unknown {
  const any = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema.allOf?.at(-1);
  if (any !== undefined && schema.properties === undefined) return withCanaries(any, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum.find((word) => word !== null);
  const [type] = [schema.type].flat();
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, withCanaries(field, depth + 1)]);
    return { ...Object.fromEntries(fields), [`unknown${depth}`]: CANARY };
  }
  if (type === 'array') return [withCanaries(schema.items ?? {}, depth + 1)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'string') {
    if (schema.format === 'uuid') return newId();
    if (schema.format === 'date-time') return '2026-11-20T09:30:00.000Z';
    if (schema.pattern?.includes('@') === true) return `${CANARY}@example.com`;
    if (schema.pattern?.includes('\\d') === true) return schema.pattern.includes('{10}') ? DIGITS : DIGITS.slice(0, 6);
    return CANARY;
  }
  return { [CANARY.slice(0, 3)]: CANARY };
}

describe('what a schema marks, and what none knows', () => {
  const raw = (operation: Operation, body: unknown, answer: unknown): RawBodies => {
    const of = (value: unknown) => {
      const text = value === undefined ? undefined : JSON.stringify(value);
      return { text, bytes: text?.length ?? 0 };
    };
    const response = { 200: operation.responses['200']?.content?.['application/json']?.schema };
    return { schemas: { body: operation.body, response }, isRefusal: false, request: of(body), answer: of(answer) };
  };

  it('is in no body that is kept, of any operation and its answer', async () => {
    const { kindOfField } = await import('../../src/request-log/redact.ts');
    const leaks: string[] = [];
    let hidden = 0;
    const look = (operation: Operation, value: unknown, path: string[]): void => {
      if (value !== null && typeof value === 'object') {
        for (const [name, member] of Object.entries(value)) look(operation, member, [...path, name]);
        return;
      }
      const name = path.findLast((each) => !/^\d+$/.test(each)) ?? '';
      const text = String(value);
      if (/^\[(secret|personal|not kept|unknown field)\]$|^••••/.test(text)) hidden += 1;
      const kind = kindOfField(name);
      // What a person wrote there on purpose is theirs; what looks like a secret is sought in it below.
      const isMeant = kind === 'TEXT' || kind === 'NAME';
      if ((text.includes(CANARY) || text.includes(DIGITS)) && !isMeant)
        leaks.push(`${operation.name} ${path.join('.')}`);
    };
    for (const operation of operationsOf(t.app)) {
      const answer = operation.responses['200']?.content?.['application/json']?.schema;
      const body = operation.body === undefined ? undefined : withCanaries(operation.body);
      const made = raw(operation, body, answer === undefined ? undefined : withCanaries(answer));
      const kept = keptBodies(made);
      for (const each of [kept.request, kept.answer]) {
        if (each.kept === 'FULL') look(operation, JSON.parse(each.text ?? ''), []);
        else expect([operation.name, each.kept]).toEqual([operation.name, expect.stringMatching(/NONE|CUT/)]);
      }
    }
    expect(leaks).toEqual([]);
    expect(hidden).toBeGreaterThan(500);
  });

  it('reaches no table by any request, whatever the operation answers', async () => {
    const secrets = {
      pin: '918273',
      bvn: '22398765431',
      nin: '71398765432',
      email: 'canary-mail@example.com',
      phoneNumber: '2348098765433',
      accountNumber: '9876543217',
      accountName: 'CANARY OF NOBODY',
      name: 'Canary Of Nobody',
      firstName: 'Canary',
      password: 'canary-password',
      token: 'canary-token',
      metadata: { canary: 'canary-metadata', card: '5399838383838381' },
      sandboxWebhookURL: 'https://canary.example/hooks/canary-path',
      returnUrl: 'https://canary.example/back/canary-path',
      address: 'canary street',
    };
    const inTexts = `to 9876543217 of canary-mail@example.com, card 5399 8383 8383 8381, sk_test_canaryCANARY`;
    const fill = (schema: Schema): Record<string, unknown> =>
      Object.fromEntries([
        ...Object.entries(schema.properties ?? {}).map(([field, one]) => {
          if (field in secrets) return [field, secrets[field as keyof typeof secrets]];
          if (one.properties !== undefined) return [field, fill(one)];
          if (one.items?.properties !== undefined) return [field, [fill(one.items)]];
          if (!['narration', 'description', 'title', 'cause'].includes(field)) return [field, withCanaries(one)];
          return [field, 'pin' in (schema.properties ?? {}) ? `${inTexts} ${secrets.pin}` : inTexts];
        }),
        ['canaryField', 'canary-metadata'],
      ]);
    const changing = operationsOf(t.app).filter(({ method }) => method !== 'GET');
    // At most fifty a second of each merchant are listed.
    const merchants = await Promise.all([0, 1, 2, 3, 4].map(() => t.addMerchant()));
    const asked: unknown[] = [];
    for (const [at, operation] of changing.entries()) {
      const as = bearer(merchants[at % merchants.length]?.secretKey ?? '');
      const url = operation.path.replace(/\{\w+\}/g, () => newId());
      const body = operation.body === undefined ? undefined : fill(operation.body);
      const { canaryField: _, ...without } = body ?? {};
      // The wrong field is left out the second time, so that more than the schema looks at it.
      for (const each of [body, without]) {
        asked.push((await t.call(operation.method, url, each, as)).headers['x-request-id']);
      }
    }
    for (const url of ['/transaction?accountNumber=9876543217&reference=canary-token', '/transaction/9876543217']) {
      asked.push((await t.call('GET', url)).headers['x-request-id']);
    }
    await expect.poll(() => countLogged(asked)).toBe(asked.length);
    const everything = await everythingKept();
    expect(everything).toContain('••••');
    const found = [
      ...[secrets.pin, secrets.bvn, secrets.nin, '9876543217', '2348098765433', '5399838383838381', '5399 8383'],
      ...['canary-mail', 'CANARY OF', 'Canary Of', 'canary-pass', 'canary-token', 'canary-metadata', 'canary-path'],
      ...['canaryCANARY', 'canary street'],
    ].filter((secret) => everything.includes(secret));
    expect(found).toEqual([]);
  });

  it('is bounded: a body that is too long is cut, and one that is far too long is not read', () => {
    const operation = { body: { type: 'object', properties: { reference: { type: 'string' } } }, responses: {} };
    const of = (length: number) =>
      keptBodies(raw(operation as unknown as Operation, { reference: 'x'.repeat(length) }, undefined)).request;
    expect(of(100).kept).toBe('FULL');
    expect([of(MAX_KEPT).kept, of(MAX_KEPT).text?.length, of(MAX_KEPT).bytes]).toEqual([
      'CUT',
      MAX_KEPT,
      MAX_KEPT + 16,
    ]);
    expect([of(MAX_READ).kept, of(MAX_READ).text]).toEqual(['SIZE', null]);
  });
});

describe('a flood of requests with bodies', () => {
  it('is redacted for so long of the processor, not of the clock: a busy machine leaves none of a few out', async () => {
    const waiting = Array.from({ length: 20 }, (_, at) => at);
    const body = { text: '{"name":"x"}', bytes: 12 };
    const rawOf = () => ({ schemas: {}, isRefusal: false, request: body, answer: body });
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      clock += 1_000;
      return clock;
    });
    try {
      expect((await redactAll(waiting, rawOf)).map(({ of }) => of)).toEqual(waiting);
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('keeps the bodies of two hundred at once, half of them for refusals, and no more of one merchant', async () => {
    const log = createRequestLog({ database: t.database, clock: systemClock, logger: createLogger('silent') });
    await log.flush();
    const tenant = { merchantId: newId(), mode: 'SANDBOX' } as const;
    const body = { text: '{"name":"x"}', bytes: 12 };
    const bodies = { schemas: {}, request: body, answer: body };
    for (let second = 0; second < 6; second += 1) {
      for (let at = 0; at < 50; at += 1) {
        log.note(tenant, (withBodies) => {
          const what = { method: 'GET', route: '/x', url: '/x', code: null, durationMs: 1, keyId: newId(), ip: '::1' };
          const key = { idempotencyKey: null, replayed: false, about: null, requestId: `r-${second}` };
          const isRefusal = second > 2;
          const status = isRefusal ? 400 : 200;
          return { tenant, ...what, ...key, status, bodies: withBodies ? { ...bodies, isRefusal } : undefined };
        });
      }
      await log.flush();
    }
    await log.stop();
    const rows = await rowsOf<{ status: number; n: number }>(
      t.connectionString,
      `select r.status, count(*)::int as n from request_log_bodies b join request_log r using (merchant_id, mode, id)
        where b.merchant_id = $1 group by 1 order by 1`,
      [tenant.merchantId],
    );
    // One more each second that goes by.
    expect(rows[0]?.n).toBeGreaterThanOrEqual(100);
    expect(rows[0]?.n).toBeLessThan(110);
    expect((rows[0]?.n ?? 0) + (rows[1]?.n ?? 0)).toBeLessThan(215);
    expect(rows[1]?.n).toBeGreaterThanOrEqual(95);
  });
});

interface Operated {
  method: string;
  path: string;
}
interface Bar {
  requests: number;
  refused: number;
}

describe('how often requests go wrong', () => {
  it('is counted by operation and code, with how long they took, over an hour, a day and a week', async () => {
    const merchant = await t.addMerchant();
    const dev = await signedInMember(t, merchant.merchantId, 'DEVELOPER');
    const as = bearer(merchant.secretKey);
    const before = (await dev.call('GET', '/request-log/rates?period=1h')).body.data;
    expect(before.bars).toHaveLength(12);
    for (let at = 0; at < 3; at += 1) await t.call('POST', '/branch/store', { name: '' }, as);
    const last = await t.call('GET', '/branch/store', undefined, as);
    await shown(last.headers['x-request-id'], 'SANDBOX', dev);
    for (const [period, bars] of [
      ['1h', 12],
      ['24h', 24],
      ['7d', 28],
    ] as const) {
      let rates = before;
      const isCounted = async () => {
        await t.app.requestLog.flush();
        rates = (await dev.call('GET', `/request-log/rates?period=${period}`)).body.data;
        return rates.operations.some(({ path, method }: Operated) => path === '/branch/store' && method === 'GET');
      };
      // Sums and bars are two questions, between which counts may be written.
      await expect.poll(isCounted).toBe(true);
      await isCounted();
      expect(rates.bars).toHaveLength(bars);
      const post = rates.operations.find(({ method, path }: Operated) => method === 'POST' && path === '/branch/store');
      // The fixture has opened one store itself.
      expect(post).toMatchObject({ requests: 4, refused: 3, failed: 0, refusedShare: 0.75 });
      expect(post.answers).toEqual([
        { status: 400, code: 'VALIDATION_FAILED', requests: 3, share: 0.75 },
        { status: 200, code: null, requests: 1, share: 0.25 },
      ]);
      expect(post.p95Ms).toBeGreaterThanOrEqual(post.p50Ms);
      const drawn = rates.bars.reduce((all: number, bar: Bar) => all + bar.requests, 0);
      expect(drawn).toBe(rates.requests);
      expect(rates.bars.reduce((all: number, bar: Bar) => all + bar.refused, 0)).toBe(rates.refused);
    }
    const listed = await dev.call('GET', '/request-log?method=POST&path=/branch/store&code=VALIDATION_FAILED');
    expect(listed.body.data.records).toHaveLength(3);
    expect((await dev.call('GET', '/request-log?method=POST&path=/branch/store&code=')).body.data.records).toHaveLength(
      1,
    );
    expect((await owner.call('GET', '/request-log/rates?period=1h')).body.data.requests).toBeGreaterThan(0);
  });
});
