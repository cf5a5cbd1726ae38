import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator, type Role } from '../../src/access/index.ts';
import { enableService } from '../../src/merchants/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInMember, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';
import { outcome, silent } from './access-database.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

let owner: TestPerson;
beforeEach(async () => {
  owner = await fresh('OWNER');
});

async function fresh(role: Role, mode: 'SANDBOX' | 'LIVE' = 'SANDBOX', merchantId = t.merchant.merchantId) {
  const person = await signedInMember(t, merchantId, role, mode);
  await person.refresh();
  return person;
}

const told = ({ status, body }: Reply) => [status, body.code];
const SECRET = { name: 'Accounting server', kind: 'SECRET' };

async function made(person: TestPerson, body: object = SECRET) {
  const reply = await person.call('POST', '/key', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
}

const wallet = (key: string) => t.call('GET', '/wallet/merchant', undefined, bearer(key));

describe('a key that a person makes', () => {
  it('works over the API, is shown whole this once, and says who made it', async () => {
    const data = await made(owner);
    expect(data).toMatchObject({
      name: 'Accounting server',
      kind: 'SECRET',
      prefix: 'sk_test_',
      lastFour: data.key.slice(-4),
      scopes: ['*'],
      state: 'ACTIVE',
      createdBy: { personId: owner.personId, name: 'OWNER Person' },
    });
    expect((await wallet(data.key)).status).toBe(200);
    const listed = await owner.call('GET', '/key');
    expect(listed.text).not.toContain(data.key);
    const { key: _key, ...row } = data;
    expect(listed.body.data[0]).toEqual(row);
    const dump = await rowsOf<{ text: string }>(
      t.connectionString,
      'select k::text as text from api_keys k union all select a::text from audit_entries a',
    );
    expect(dump.map(({ text }) => text).join()).not.toContain(data.key);
  });

  it('carries its maker, who therefore is known to anyone who approves; a key of the operator’s terminal carries nobody', async () => {
    const authenticator = createAuthenticator({ ...t, logger: silent });
    const data = await made(owner);
    const terminal = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
    const makers = [];
    for (const key of [data.key, terminal.key]) {
      makers.push((await authenticator.authenticate(`Bearer ${key}`, '127.0.0.1')).keyCreatedBy);
    }
    authenticator.close();
    expect(makers).toEqual([owner.personId, null]);
  });

  it('is of the mode that the person is in, and no other mode sees or touches it', async () => {
    const live = await fresh('OWNER', 'LIVE');
    const data = await made(live);
    expect(data.key).toMatch(/^sk_live_/);
    const ids = (await owner.call('GET', '/key')).body.data.map(({ keyId }: { keyId: string }) => keyId);
    expect(ids).not.toContain(data.keyId);
    const notFound = [404, 'KEY_NOT_FOUND'];
    expect(told(await owner.call('POST', `/key/${data.keyId}/revoke`))).toEqual(notFound);
    expect(told(await owner.call('POST', `/key/${data.keyId}/rotate`, {}))).toEqual(notFound);
    expect(told(await owner.call('PATCH', `/key/${data.keyId}`, { name: 'x' }))).toEqual(notFound);
    expect((await wallet(data.key)).status).toBe(200);
  });

  it('of another merchant is as one that nobody has', async () => {
    const data = await made(owner);
    const stranger = await fresh('OWNER', 'SANDBOX', (await t.addMerchant()).merchantId);
    expect(told(await stranger.call('POST', `/key/${data.keyId}/revoke`))).toEqual([404, 'KEY_NOT_FOUND']);
    expect(told(await stranger.call('POST', `/key/${data.keyId}/rotate`, {}))).toEqual([404, 'KEY_NOT_FOUND']);
    expect(told(await stranger.call('PATCH', `/key/${data.keyId}`, { allowedIps: [] }))).toEqual([
      404,
      'KEY_NOT_FOUND',
    ]);
    expect((await stranger.call('GET', '/key')).text).not.toContain(data.keyId);
  });

  it('is refused in another process within two seconds of being revoked', async () => {
    const data = await made(owner);
    const elsewhere = openDatabase({ connectionString: t.connectionString, maxConnections: 2, logger: silent });
    const authenticator = createAuthenticator({ ...t, database: elsewhere, logger: silent });
    const use = () => outcome(() => authenticator.authenticate(`Bearer ${data.key}`, '127.0.0.1'));
    expect(await use()).toBe('ok');
    const revoked = await owner.call('POST', `/key/${data.keyId}/revoke`);
    expect(revoked.status).toBe(200);
    t.clock.advance(2_000);
    expect(await use()).toBe('TOKEN_EXPIRED');
    expect(told(await wallet(data.key))).toEqual([401, 'TOKEN_EXPIRED']);
    authenticator.close();
    await elsewhere.close();
    const [row] = (await owner.call('GET', '/key')).body.data;
    expect(row).toMatchObject({ keyId: data.keyId, state: 'REVOKED', revokedAt: expect.any(String) });
  });

  it('may only be used from its addresses, also after they were changed', async () => {
    const data = await made(owner, { ...SECRET, allowedIps: ['203.0.113.0/24'] });
    expect(told(await wallet(data.key))).toEqual([403, 'IP_NOT_ALLOWED']);
    const changed = await owner.call('PATCH', `/key/${data.keyId}`, { allowedIps: ['127.0.0.1'], name: 'Server 2' });
    expect(changed.body.data).toMatchObject({ allowedIps: ['127.0.0.1'], name: 'Server 2' });
    t.clock.advance(2_000);
    expect((await wallet(data.key)).status).toBe(200);
  });

  it('ends by itself at its time', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 60_000).toISOString();
    const data = await made(owner, { ...SECRET, expiresAt });
    expect(data.expiresAt).toBe(expiresAt);
    const past = await owner.call('POST', '/key', { ...SECRET, expiresAt: '2020-01-01T00:00:00Z' });
    expect([...told(past), past.body.errors[0].field]).toEqual([400, 'VALIDATION_FAILED', 'expiresAt']);
  });
});

describe('what a key may do', () => {
  it.each<[Role, 'SANDBOX' | 'LIVE', string]>([
    ['DEVELOPER', 'LIVE', 'payout:write'],
    ['DEVELOPER', 'LIVE', 'store:write'],
    ['DEVELOPER', 'SANDBOX', 'session:create'],
  ])('is no more than what its maker may: a %s in %s gives no %s', async (role, mode, scope) => {
    const person = await fresh(role, mode);
    const reply = await person.call('POST', '/key', { ...SECRET, scopes: ['payout:read', scope] });
    expect(told(reply)).toEqual([403, 'SCOPE_NOT_GRANTED']);
    expect(reply.body.message).toContain(scope);
    const all = await made(person);
    expect(all.scopes).not.toContain(scope);
    expect(all.scopes).not.toContain('*');
    expect(all.scopes).toContain('payout:read');
  });

  it('does not grow by rotating a key of somebody who may more', async () => {
    const live = await fresh('OWNER', 'LIVE');
    const data = await made(live);
    const developer = await fresh('DEVELOPER', 'LIVE');
    expect(told(await developer.call('POST', `/key/${data.keyId}/rotate`, {}))).toEqual([403, 'SCOPE_NOT_GRANTED']);
    const small = await made(live, { ...SECRET, scopes: ['payout:read'] });
    const rotated = await developer.call('POST', `/key/${small.keyId}/rotate`, {});
    expect(rotated.body.data).toMatchObject({ scopes: ['payout:read'], createdBy: { personId: developer.personId } });
  });

  it('is not opened wider, nor renamed, by somebody who may do less than the key', async () => {
    const live = await fresh('OWNER', 'LIVE');
    const data = await made(live, { ...SECRET, allowedIps: ['203.0.113.0/24'] });
    const developer = await fresh('DEVELOPER', 'LIVE');
    for (const change of [{ allowedIps: [] }, { allowedIps: ['198.51.100.7'] }, { name: 'Old, not used' }]) {
      const reply = await developer.call('PATCH', `/key/${data.keyId}`, change);
      expect([...told(reply), change]).toEqual([403, 'SCOPE_NOT_GRANTED', change]);
    }
    const [row] = (await live.call('GET', '/key')).body.data;
    expect(row).toMatchObject({ allowedIps: ['203.0.113.0/24'], name: 'Accounting server' });
    const small = await made(live, { ...SECRET, scopes: ['payout:read'], allowedIps: ['203.0.113.0/24'] });
    expect((await developer.call('PATCH', `/key/${small.keyId}`, { allowedIps: [] })).status).toBe(200);
  });

  it('keeps nobody who may manage keys from ending one, which takes power away and gives none', async () => {
    const live = await fresh('OWNER', 'LIVE');
    const data = await made(live);
    const developer = await fresh('DEVELOPER', 'LIVE');
    expect((await developer.call('POST', `/key/${data.keyId}/revoke`)).status).toBe(200);
  });

  it('of a public key is public, whoever makes it', async () => {
    const data = await made(owner, { name: 'Checkout', kind: 'PUBLIC' });
    expect(data.key).toMatch(/^pk_test_/);
    expect(told(await wallet(data.key))).toEqual([403, 'KEY_TYPE_NOT_ALLOWED']);
    const wrong = await owner.call('POST', '/key', { name: 'Checkout', kind: 'PUBLIC', scopes: ['payout:write'] });
    expect(told(wrong)).toEqual([403, 'SCOPE_NOT_GRANTED']);
  });
});

describe('rotation', () => {
  it('makes a new key like the old one, which goes on until the overlap ends', async () => {
    const old = await made(owner, { ...SECRET, scopes: ['wallet:read'], allowedIps: ['127.0.0.1'] });
    const { data } = (await owner.call('POST', `/key/${old.keyId}/rotate`, { overlapSeconds: 600 })).body;
    expect(data).toMatchObject({ name: old.name, scopes: ['wallet:read'], allowedIps: ['127.0.0.1'], expiresAt: null });
    expect((await wallet(data.key)).status).toBe(200);
    expect((await wallet(old.key)).status).toBe(200);
    expect(Date.parse(data.oldEndsAt) - t.clock.now().getTime()).toBeGreaterThan(590_000);
    const [, row] = (await owner.call('GET', '/key')).body.data;
    expect(row).toMatchObject({ keyId: old.keyId, expiresAt: data.oldEndsAt });
  });

  it('of a key that ends sooner than the overlap does not prolong it', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 60_000).toISOString();
    const old = await made(owner, { ...SECRET, expiresAt });
    const { data } = (await owner.call('POST', `/key/${old.keyId}/rotate`, { overlapSeconds: 600 })).body;
    expect(data).toMatchObject({ oldEndsAt: expiresAt, expiresAt: null });
    t.clock.advance(61_000);
    expect(told(await wallet(old.key))).toEqual([401, 'TOKEN_EXPIRED']);
    expect((await wallet(data.key)).status).toBe(200);
  });

  it('of a key that has ended is refused, and an overlap without end too', async () => {
    const data = await made(owner);
    for (const overlapSeconds of [-1, 1.5, 31 * 24 * 60 * 60, '60']) {
      const reply = await owner.call('POST', `/key/${data.keyId}/rotate`, { overlapSeconds });
      expect(told(reply)).toEqual([400, 'VALIDATION_FAILED']);
    }
    await owner.call('POST', `/key/${data.keyId}/revoke`);
    expect(told(await owner.call('POST', `/key/${data.keyId}/rotate`, {}))).toEqual([409, 'KEY_NOT_ACTIVE']);
  });
});

describe('what is refused', () => {
  it.each<[string, object]>([
    ['name', { kind: 'SECRET' }],
    ['name', { ...SECRET, name: '' }],
    ['name', { ...SECRET, name: '   ' }],
    ['name', { ...SECRET, name: 'x'.repeat(61) }],
    ['name', { ...SECRET, name: 'a\u202eb' }],
    ['kind', { ...SECRET, kind: 'LIVE' }],
    ['scopes', { ...SECRET, scopes: [] }],
    ['scopes.0', { ...SECRET, scopes: ['*'] }],
    ['allowedIps', { ...SECRET, allowedIps: ['10.0.0.0/99'] }],
    ['allowedIps', { ...SECRET, allowedIps: ['localhost'] }],
    ['expiresAt', { ...SECRET, expiresAt: 'tomorrow' }],
    ['createdBy', { ...SECRET, createdBy: 'me' }],
  ])('a new key with a wrong %s', async (field, body) => {
    const reply = await owner.call('POST', '/key', body);
    expect(told(reply), reply.text).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  it('making, rotating and opening wider without a fresh password; ending a key never waits', async () => {
    const data = await made(owner);
    const stale = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    t.clock.advance(6 * 60_000);
    const needed = [403, 'STEP_UP_REQUIRED'];
    expect(told(await stale.call('POST', '/key', SECRET))).toEqual(needed);
    expect(told(await stale.call('POST', `/key/${data.keyId}/rotate`, {}))).toEqual(needed);
    expect(told(await stale.call('PATCH', `/key/${data.keyId}`, { allowedIps: [] }))).toEqual(needed);
    expect((await stale.call('POST', `/key/${data.keyId}/revoke`)).status).toBe(200);
  });

  it('every role that may not, and every key', async () => {
    for (const role of ['MAKER', 'APPROVER', 'VIEWER'] as const) {
      const person = await fresh(role);
      expect(told(await person.call('GET', '/key')), role).toEqual([403, 'PERMISSION_NOT_GRANTED']);
      expect(told(await person.call('POST', '/key', SECRET)), role).toEqual([403, 'PERMISSION_NOT_GRANTED']);
    }
    for (const [method, path] of [
      ['GET', '/key'],
      ['POST', '/key'],
      ['POST', '/key/reference'],
      ['GET', '/pin'],
      ['POST', '/pin'],
    ] as const) {
      expect(told(await t.call(method, path, method === 'POST' ? {} : undefined)), path).toEqual([
        403,
        'PERSON_REQUIRED',
      ]);
    }
  });

  it('the hundred-and-first key in force', async () => {
    const { merchantId } = await t.addMerchant();
    const person = await fresh('OWNER', 'SANDBOX', merchantId);
    await rowsOf(
      t.connectionString,
      `insert into api_keys (merchant_id, id, mode, kind, key_hash, prefix, last_four, scopes, allowed_ips, created_at)
       select $1, gen_random_uuid(), 'SANDBOX', 'SECRET', 'h' || n, 'sk_test_', 'aaaa', '{}', '{}', now()
       from generate_series(1, 98) n`,
      [merchantId],
    );
    const reply = await person.call('POST', '/key', SECRET);
    expect(told(reply)).toEqual([422, 'KEYS_TOO_MANY']);
  });
});

describe('a key for the API reference', () => {
  it('is a sandbox key for a day with what the person may do, without a fresh password', async () => {
    const viewer = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    const { data } = (await viewer.call('POST', '/key/reference')).body;
    expect(data).toMatchObject({ name: 'API reference', createdBy: { personId: viewer.personId } });
    expect((Date.parse(data.expiresAt) - Date.parse(data.createdAt)) / 3_600_000).toBeCloseTo(24, 3);
    expect((await wallet(data.key)).status).toBe(200);
    const funding = { walletId: t.merchant.walletId, amount: 5 };
    const refused = await t.call('POST', '/sandbox/wallet/fund', funding, bearer(data.key));
    expect(told(refused)).toEqual([403, 'SCOPE_NOT_GRANTED']);
  });

  it('ends when the same person takes another, and no other key does, whatever it is called', async () => {
    const named = await made(owner, { ...SECRET, name: 'API reference' });
    const first = (await owner.call('POST', '/key/reference')).body.data;
    const others = (await (await fresh('MAKER')).call('POST', '/key/reference')).body.data;
    const second = (await owner.call('POST', '/key/reference')).body.data;
    expect(told(await wallet(first.key))).toEqual([401, 'TOKEN_EXPIRED']);
    for (const { key } of [named, others, second]) expect((await wallet(key)).status).toBe(200);
  });

  it('is never a live one', async () => {
    const live = await fresh('OWNER', 'LIVE');
    expect(told(await live.call('POST', '/key/reference'))).toEqual([403, 'SANDBOX_ONLY']);
  });

  it('is there before the operator has approved', async () => {
    const { merchantId } = await t.addMerchant({ approved: false });
    await enableService({ queries: t.database, clock: t.clock }, { merchantId, service: 'PAYOUT' });
    const person = await signedInMember(t, merchantId, 'OWNER');
    const { data } = (await person.call('POST', '/key/reference')).body;
    expect((await wallet(data.key)).status).toBe(200);
  });
});
