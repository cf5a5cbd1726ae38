import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Authenticator,
  createAuthenticator,
  issueApiKey,
  issueToken,
  listApiKeys,
  makeApiKey,
  type NewApiKey,
  type Principal,
  revokeApiKey,
  rotateApiKey,
  storePin,
} from '../../src/access/index.ts';
import { changeMerchantStatus, disableService } from '../../src/merchants/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import { clockOf } from '../support/clock.ts';
import {
  type AccessDatabase,
  ADDRESS,
  approvedMerchant,
  authenticatorOn,
  createAccessDatabase,
  outcome,
  principalOf,
  silent,
  testSecrets,
} from './access-database.ts';

let store: AccessDatabase;
let database: Database;
const secrets: Secrets = testSecrets();
let authenticator: Authenticator;
let merchantId: string;
const clock = systemClock;

beforeAll(async () => {
  store = await createAccessDatabase();
  database = store.database;
});
afterAll(() => store.drop());
beforeEach(async () => {
  authenticator = authenticatorOn(database, secrets);
  merchantId = await approvedMerchant(database, secrets);
});
afterEach(() => authenticator.close());

function newKey(more: Partial<NewApiKey> = {}) {
  return issueApiKey({ database, secrets, clock }, { merchantId, mode: 'SANDBOX', kind: 'SECRET', ...more });
}

/** A merchant and an authenticator that no other test shares. */
async function ownMerchant() {
  return { merchantId: await approvedMerchant(database, secrets), authenticator: authenticatorOn(database, secrets) };
}

/** Asks every 50 ms, as traffic would, and returns the first outcome that is two seconds later than now, or more. */
async function outcomeInTwoSeconds(ask: () => unknown): Promise<string> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < 2_000) {
    await outcome(ask);
    await sleep(50);
  }
  return outcome(ask);
}

/** How often the database was asked, and a way to make it unreachable. */
function observed(inner: Database) {
  const seen = { asked: 0, down: false };
  const watched: Database = {
    ...inner,
    query(statement, values) {
      seen.asked += 1;
      if (seen.down) return new Promise(() => undefined);
      return inner.query(statement, values);
    },
  };
  return { seen, watched };
}

describe('an API key', () => {
  it('speaks for its merchant in its mode, and at once when it was seen before', async () => {
    const { key, keyId } = await newKey({ mode: 'LIVE' });
    const principal = await principalOf(authenticator, key);
    expect(principal).toMatchObject({
      tenant: { merchantId, mode: 'LIVE' },
      keyId,
      keyKind: 'SECRET',
      via: 'API_KEY',
      merchant: { status: 'ACTIVE', approved: true, businessName: 'Ada Foods' },
      pin: null,
    });
    expect([...principal.services]).toEqual(['PAYOUT']);
    expect(authenticator.authenticate(`Bearer ${key}`, ADDRESS)).not.toBeInstanceOf(Promise);
  });

  it('gives a public key public data and payment sessions only', async () => {
    const { key } = await newKey({ kind: 'PUBLIC' });
    expect([...(await principalOf(authenticator, key)).scopes].sort()).toEqual(['public:read', 'session:create']);
    expect(await outcome(() => newKey({ kind: 'PUBLIC', scopes: ['payout:write'] }))).toBe('SCOPE_NOT_GRANTED');
  });

  it('is nowhere in the database as text', async () => {
    const { key } = await newKey();
    const { rows } = await database.pool.query(
      'select (select json_agg(k)::text from api_keys k) || (select json_agg(d)::text from api_key_directory d) as dump',
    );
    expect(rows[0].dump).not.toContain(key);
    expect(rows[0].dump).not.toContain(key.slice(8, 51));
  });

  it('is refused at once after a revocation where it was never seen', async () => {
    const { key, keyId } = await newKey();
    await revokeApiKey({ queries: database, clock }, { merchantId, keyId });
    expect(await outcome(() => principalOf(authenticator, key))).toBe('TOKEN_EXPIRED');
  });

  it('ends at its expiry to the millisecond, also where it is remembered', async () => {
    let now = new Date();
    const moving = createAuthenticator({
      database,
      secrets,
      clock: { now: () => now, elapsedMs: () => 0 },
      logger: silent,
    });
    const { key } = await newKey({ expiresAt: new Date(now.getTime() + 3_600_000) });
    await principalOf(moving, key);
    now = new Date(now.getTime() + 3_600_000);
    expect(() => moving.authenticate(`Bearer ${key}`, ADDRESS)).toThrow(
      expect.objectContaining({ code: 'TOKEN_EXPIRED' }),
    );
    moving.close();
  });

  it('works from its own addresses and ranges only', async () => {
    const { key } = await newKey({ allowedIps: ['203.0.113.7', '10.1.0.0/16', '2001:db8::/32'] });
    const from = (ip: string) => outcome(() => authenticator.authenticate(`Bearer ${key}`, ip));
    for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', '10.1.255.1', '2001:db8::9'])
      expect(await from(ip)).toBe('ok');
    for (const ip of ['203.0.113.8', '10.2.0.1', '2001:db9::1', '']) expect(await from(ip)).toBe('IP_NOT_ALLOWED');
    expect(await outcome(() => newKey({ allowedIps: ['10.0.0.0/33'] }))).toBe('VALIDATION_FAILED');
  });

  it('is replaced by rotation before it ends, with the same rights', async () => {
    const old = await newKey({ scopes: ['wallet:read'] });
    const next = await rotateApiKey(
      { database, secrets, clock },
      { merchantId, keyId: old.keyId, overlapSeconds: 3600 },
    );
    expect([...(await principalOf(authenticator, next.key)).scopes]).toEqual(['wallet:read']);
    expect(await outcome(() => principalOf(authenticator, old.key))).toBe('ok');
    const later = clockOf(() => new Date(next.oldEndsAt.getTime()));
    const after = createAuthenticator({ database, secrets, clock: later, logger: silent });
    expect(await outcome(() => principalOf(after, old.key))).toBe('TOKEN_EXPIRED');
    expect(await outcome(() => principalOf(after, next.key))).toBe('ok');
    after.close();
    await revokeApiKey({ queries: database, clock }, { merchantId, keyId: old.keyId });
    const again = rotateApiKey({ database, secrets, clock }, { merchantId, keyId: old.keyId });
    expect(await outcome(() => again)).toBe('KEY_NOT_ACTIVE');
  });

  it('is flagged for rotation after 90 days and shows when it was last used', async () => {
    const { key } = await newKey();
    await principalOf(authenticator, key);
    const lastUsedAt = async () => (await listApiKeys({ queries: database, clock }, merchantId))[0]?.lastUsedAt;
    await expect.poll(lastUsedAt).toBeInstanceOf(Date);
    const [today] = await listApiKeys({ queries: database, clock }, merchantId);
    expect(today).toMatchObject({ state: 'ACTIVE', rotationDue: false, lastFour: key.slice(-4) });
    const in91Days = clockOf(() => new Date(Date.now() + 91 * 86_400_000));
    const [later] = await listApiKeys({ queries: database, clock: in91Days }, merchantId);
    expect(later?.rotationDue).toBe(true);
  });

  it("of another merchant is not found by this merchant's commands", async () => {
    const { keyId } = await newKey();
    const stranger = await approvedMerchant(database, secrets, 'Stranger');
    const revoked = revokeApiKey({ queries: database, clock }, { merchantId: stranger, keyId });
    expect(await outcome(() => revoked)).toBe('KEY_NOT_FOUND');
  });
});

// They wait for seconds to pass, and do so together.
describe.concurrent('a key in use', () => {
  it('stops within two seconds in every process once it is revoked, and its tokens with it', async () => {
    const { merchantId, authenticator } = await ownMerchant();
    const { key, keyId } = await newKey({ merchantId });
    const other = authenticatorOn(store.connect(), secrets);
    const { token } = await issueToken({ secrets, clock }, await principalOf(authenticator, key));
    for (const process of [authenticator, other]) {
      await principalOf(process, key);
      await principalOf(process, token);
    }
    await revokeApiKey({ queries: database, clock }, { merchantId, keyId });
    const outcomes = await Promise.all(
      [key, token].flatMap((bearer) =>
        [authenticator, other].map((process) => outcomeInTwoSeconds(() => principalOf(process, bearer))),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 4 }, () => 'TOKEN_EXPIRED'));
    for (const process of [authenticator, other]) process.close();
  });

  it('feels a suspension and a service switched off within two seconds', async () => {
    const { merchantId, authenticator } = await ownMerchant();
    const { key } = await newKey({ merchantId });
    await principalOf(authenticator, key);
    await disableService({ queries: database }, { merchantId, service: 'PAYOUT' });
    await changeMerchantStatus({ queries: database, clock }, 'suspend', { merchantId, actor: 'test' });
    await outcomeInTwoSeconds(() => principalOf(authenticator, key));
    const principal = await principalOf(authenticator, key);
    expect(principal.merchant).toMatchObject({ approved: false, status: 'SUSPENDED' });
    expect(principal.services.size).toBe(0);
    authenticator.close();
  });

  it('is known to be as it was without being read again, and anew within two seconds where anything changed', async () => {
    const set = (table: 'api_keys' | 'merchants' | 'pins', to: string) =>
      `update ${table} set ${to} where ${table === 'merchants' ? 'id' : 'merchant_id'} = $1`;
    const changes: Record<string, [sql: string, seen: (principal: Principal) => unknown, expected: unknown]> = {
      scopes: [set('api_keys', `scopes = '{wallet:read}'`), ({ scopes }) => scopes.size, 1],
      addresses: [set('api_keys', `allowed_ips = '{198.51.100.9}'`), () => null, 'IP_NOT_ALLOWED'],
      expiry: [set('api_keys', `expires_at = '2020-01-01'`), () => null, 'TOKEN_EXPIRED'],
      revocation: [set('api_keys', `revoked_at = '2020-01-01'`), () => null, 'TOKEN_EXPIRED'],
      maker: [
        set('api_keys', `created_by = '0198f000-0000-7000-8000-000000000001'`),
        ({ keyCreatedBy }) => keyCreatedBy !== null,
        true,
      ],
      name: [set('merchants', `business_name = 'Renamed'`), ({ merchant }) => merchant.businessName, 'Renamed'],
      status: [set('merchants', `status = 'SUSPENDED'`), ({ merchant }) => merchant.status, 'SUSPENDED'],
      review: [
        set('merchants', `status = 'PENDING', review_status = 'REJECTED'`),
        ({ merchant }) => merchant.approved,
        false,
      ],
      services: ['delete from merchant_services where merchant_id = $1', ({ services }) => services.size, 0],
      pin: [set('pins', 'version = version + 1'), ({ pin }) => pin?.version, 2],
      lock: [set('pins', `locked_until = '2099-01-01'`), ({ pin }) => pin?.lockedUntil?.getUTCFullYear(), 2099],
      removal: ['delete from api_keys where merchant_id = $1', () => null, 'TOKEN_INVALID'],
    };
    const read: string[] = [];
    const query: Database['query'] = (statement, values) => {
      read.push(statement.name);
      return database.query(statement, values);
    };
    const watching = authenticatorOn({ ...database, query }, secrets);
    const keys = await Promise.all(
      Object.values(changes).map(async ([sql, seen]) => {
        const owner = await approvedMerchant(database, secrets);
        await storePin({ database, secrets, clock }, { merchantId: owner, mode: 'SANDBOX' }, '4826');
        const { key } = await newKey({ merchantId: owner });
        return { sql, seen, owner, key };
      }),
    );
    const seenOf = ({ key, seen }: (typeof keys)[number]) =>
      principalOf(watching, key).then(seen, (error: { code: string }) => error.code);
    const useAll = async () => {
      const seen = [];
      for (const each of keys) seen.push(await seenOf(each));
      return seen;
    };
    await useAll();
    await outcomeInTwoSeconds(useAll);
    expect(read).toContain('list-unchanged-keys');
    expect(read.filter((name) => name === 'list-key-states').length).toBeLessThanOrEqual(keys.length);
    for (const { sql, owner } of keys) await database.pool.query(sql, [owner]);
    await outcomeInTwoSeconds(useAll);
    watching.close();
    expect(await Promise.all(keys.map(seenOf))).toEqual(Object.values(changes).map(([, , expected]) => expected));
  });

  it('is asked of the shard of its merchant, where the database is distributed, with those of that shard alone', async () => {
    const merchants = await Promise.all(Array.from({ length: 4 }, () => approvedMerchant(database, secrets)));
    const keys = await Promise.all(merchants.map((id) => newKey({ merchantId: id })));
    const asked: string[][] = [];
    const watched: Database = {
      ...database,
      query(statement, values) {
        if (/^list-(key-states|unchanged-keys)$/.test(statement.name)) asked.push(merchantsIn(values));
        return database.query(statement, values);
      },
    };
    const hexOf = (value: unknown) =>
      Buffer.isBuffer(value) ? value.toString('hex') : String(value).replaceAll('-', '');
    const merchantsIn = ([ids]: readonly unknown[] = []) =>
      merchants.filter((id) => hexOf(ids).includes(id.replaceAll('-', '')));
    const shardOf = (id: string) => ({ name: `shard ${merchants.indexOf(id) % 2}`, server: '1' });
    const distributed = createAuthenticator({ database: watched, secrets, clock, logger: silent, shardOf });
    const all = () => Promise.all(keys.map(({ key }) => outcome(() => principalOf(distributed, key))));
    expect(await all()).toEqual(['ok', 'ok', 'ok', 'ok']);
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(4);
    const [one, other] = [0, 1].map((rest) => merchants.filter((_, at) => at % 2 === rest));
    for (const some of asked) expect([one, other]).toContainEqual(some);
    distributed.close();
  });

  it('says 503 and never that a good key is wrong where the database does not answer, and lives for two seconds', async () => {
    const key = (await newKey({ merchantId: await approvedMerchant(database, secrets) })).key;
    const { seen, watched } = observed(database);
    let ahead = 0;
    const later = clockOf(() => new Date(Date.now() + ahead));
    const cutOff = createAuthenticator({ database: watched, secrets, clock: later, logger: silent });
    await principalOf(cutOff, key);
    seen.down = true;
    expect(await outcome(() => principalOf(cutOff, key))).toBe('ok');
    ahead = 2_000;
    expect(await outcome(() => principalOf(cutOff, key))).toBe('SERVICE_UNAVAILABLE');
    seen.down = false;
    expect(await outcome(() => principalOf(cutOff, key))).toBe('ok');
    cutOff.close();
  });
});

describe('a header that is no key of ours', () => {
  const key = makeApiKey('SANDBOX', 'SECRET');
  it.each([
    ['no header', undefined, 'TOKEN_MISSING'],
    ['an empty header', '', 'TOKEN_MISSING'],
    ['no token', 'Bearer ', 'TOKEN_MISSING'],
    ['another scheme', `Basic ${key}`, 'TOKEN_MISSING'],
    ['no scheme', key, 'TOKEN_MISSING'],
    ['two tokens', `Bearer ${key} ${key}`, 'TOKEN_INVALID'],
    ['a wrong checksum', `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, 'TOKEN_INVALID'],
    ['a short key', `Bearer ${key.slice(0, 20)}`, 'TOKEN_INVALID'],
    ['an unknown prefix', `Bearer rk_test_${key.slice(8)}`, 'TOKEN_INVALID'],
    ['three dots', 'Bearer a.b.c', 'TOKEN_INVALID'],
    ['quotes and SQL', `Bearer ' or 1=1 --`, 'TOKEN_INVALID'],
    ['a null byte', 'Bearer sk_test_\u0000', 'TOKEN_INVALID'],
    ['a megabyte', `Bearer ${'a'.repeat(1_000_000)}`, 'TOKEN_INVALID'],
  ])('%s is refused without asking the database', async (_name, header, code) => {
    const { seen, watched } = observed(database);
    const counting = authenticatorOn(watched, secrets);
    expect(await outcome(() => counting.authenticate(header, ADDRESS))).toBe(code);
    expect(seen.asked).toBe(0);
    counting.close();
  });

  it('differs from a well-formed unknown key by nothing in the answer', async () => {
    const refusal = async (header: string) => {
      try {
        await authenticator.authenticate(header, ADDRESS);
      } catch (error) {
        const { kind, code, message } = error as { kind: string; code: string; message: string };
        return { kind, code, message };
      }
      return undefined;
    };
    const unknown = await refusal(`Bearer ${key}`);
    expect(unknown).toMatchObject({ code: 'TOKEN_INVALID' });
    expect(await refusal('Bearer nonsense')).toEqual(unknown);
  });

  it('costs two statements at a time, however many come at once', async () => {
    const { seen, watched } = observed(database);
    const counting = authenticatorOn(watched, secrets);
    const flood = Array.from({ length: 500 }, () => outcome(() => principalOf(counting, makeApiKey('LIVE', 'SECRET'))));
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['TOKEN_INVALID']));
    expect(seen.asked).toBeLessThanOrEqual(2);
    counting.close();
  });
});

describe('a token', () => {
  async function claimsOf(token: string): Promise<Record<string, unknown>> {
    return JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
  }

  it('has the same or fewer scopes than its key, and no service of its own', async () => {
    const { key } = await newKey({ scopes: ['wallet:read', 'payout:write'] });
    const principal = await principalOf(authenticator, key);
    const { token, scopes } = await issueToken({ secrets, clock }, principal, ['wallet:read']);
    expect(scopes).toEqual(['wallet:read']);
    const viaToken = await principalOf(authenticator, token);
    expect(viaToken).toMatchObject({ via: 'JWT', tenant: { merchantId, mode: 'SANDBOX' }, keyId: principal.keyId });
    expect([...viaToken.scopes]).toEqual(['wallet:read']);
    const tooMuch = issueToken({ secrets, clock }, principal, ['wallet:read', 'store:write']);
    expect(await outcome(() => tooMuch)).toBe('SCOPE_NOT_GRANTED');
  });

  it('is for secret keys only: no public key and no token makes one', async () => {
    const publicKey = await newKey({ kind: 'PUBLIC' });
    const secretKey = await newKey();
    const { token } = await issueToken({ secrets, clock }, await principalOf(authenticator, secretKey.key));
    for (const bearer of [publicKey.key, token]) {
      const principal = await principalOf(authenticator, bearer);
      expect(await outcome(() => issueToken({ secrets, clock }, principal))).toBe('KEY_TYPE_NOT_ALLOWED');
    }
  });

  it('ends after 15 minutes, also where it is remembered', async () => {
    let now = new Date();
    const moving = createAuthenticator({
      database,
      secrets,
      clock: { now: () => now, elapsedMs: () => 0 },
      logger: silent,
    });
    const { key } = await newKey();
    const { token } = await issueToken(
      { secrets, clock: { now: () => now, elapsedMs: () => 0 } },
      await principalOf(moving, key),
    );
    expect(await outcome(() => principalOf(moving, token))).toBe('ok');
    now = new Date(now.getTime() + 15 * 60_000);
    expect(await outcome(() => principalOf(moving, token))).toBe('TOKEN_EXPIRED');
    expect(await outcome(() => principalOf(authenticator, token))).toBe('ok');
    moving.close();
  });

  it('with no algorithm, another key, another audience, a missing claim or another mode is refused', async () => {
    const { key } = await newKey();
    const { token } = await issueToken({ secrets, clock }, await principalOf(authenticator, key));
    const claims = await claimsOf(token);
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const sign = (payload: Record<string, unknown>, signingKey = secrets.tokenKey, alg = 'HS256') =>
      new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(signingKey);
    const { jti: _jti, ...withoutId } = claims;
    const { exp: _exp, ...withoutEnd } = claims;
    const forged: Record<string, string> = {
      none: `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.`,
      'none with the old signature': `${base64({ alg: 'none', typ: 'JWT' })}.${token.split('.').slice(1).join('.')}`,
      'other key': await sign(claims, testSecrets().tokenKey),
      'other algorithm': await sign(claims, new Uint8Array(64).fill(7), 'HS512'),
      'right key, other algorithm': await sign(claims, secrets.tokenKey, 'HS384').catch(() => 'a.b.c'),
      'other audience': await sign({ ...claims, aud: 'someone' }),
      'other issuer': await sign({ ...claims, iss: 'someone' }),
      'no id': await sign(withoutId),
      'no end': await sign(withoutEnd),
      'other mode': await sign({ ...claims, mode: 'LIVE' }),
      'other merchant': await sign({ ...claims, sub: newId() }),
      'no uuid': await sign({ ...claims, sub: "' or 1=1" }),
      'altered claims': `${token.split('.')[0]}.${base64({ ...claims, scope: '*' })}.${token.split('.')[2]}`,
    };
    for (const [name, bearer] of Object.entries(forged)) {
      expect([name, await outcome(() => principalOf(authenticator, bearer))]).toEqual([name, 'TOKEN_INVALID']);
    }
    expect(await outcome(() => principalOf(authenticator, token))).toBe('ok');
    expect(await outcome(() => sign(claims).then((genuine) => principalOf(authenticator, genuine)))).toBe('ok');
  });
});
