import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey, revokeApiKey, SCOPES, type Scope } from '../../src/access/index.ts';
import { changeMerchantStatus, disableService, SERVICE_KEYS, type ServiceKey } from '../../src/merchants/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestApp, type Reply, type TestMerchant } from '../support/app.ts';
import {
  answerChecker,
  IS_ID,
  type Known,
  type Operation,
  operationsOf,
  sampleRequest,
} from '../support/operations.ts';
import { type Books, bearer, callWith, issueKey, knownOf, readBooks, saidBy } from '../support/world.ts';

/**
 * Every caller who may not, against every operation. What is expected is written down here by address and not read from
 * the routes, so that a route that asks too little is found out.
 */
const t = await createTestApp();
const operations = operationsOf(t.app);
const faults = answerChecker();
afterAll(() => t.close());

/** They end what was begun with the service, or ask what became of it. */
const ENDING = new Set([
  'POST /payout/single/schedule/cancel',
  'POST /payout/bulk/cancel',
  'DELETE /beneficiary/{beneficiaryId}',
  'POST /collection/link/{linkId}/deactivate',
  'POST /collection/session/{sessionId}/cancel',
  'POST /collection/session/{sessionId}/check',
]);

/** Which service an operation takes: none that only reads, or ends what was begun. */
function serviceOf({ name, method, path }: Operation): ServiceKey | undefined {
  if (method === 'GET' || ENDING.has(name)) return undefined;
  if (path.startsWith('/branch')) return 'BRANCH';
  if (path.startsWith('/subaccount')) return 'CHILD_ACCOUNT';
  if (path.startsWith('/payout') || path.startsWith('/beneficiary')) return 'PAYOUT';
  if (/^\/(customer|collection\/(session|settings|link))/.test(path)) return 'COLLECTION';
  // To send back what was collected, or home to the bank, takes the service.
  if (method === 'POST' && /^\/collection\/(payment|refund|settlement)/.test(path)) return 'COLLECTION';
  return undefined;
}

/** All that a public key may do, and what a token never stands for. */
const PUBLIC = new Set(['GET /bank']);
/** What pages may ask with one, and why not here: nobody allowed it, and no client secret came. */
const OF_PAGES: Readonly<Record<string, [number, string]>> = {
  'POST /collection/session': [403, 'PUBLIC_PAYMENT_SESSIONS_OFF'],
  'GET /collection/session/{sessionId}': [400, 'VALIDATION_FAILED'],
  'POST /collection/session/{sessionId}/check': [400, 'VALIDATION_FAILED'],
};
/** Open to a merchant that the operator has not approved. */
const BEFORE_APPROVAL = new Set(['GET /merchant/info', 'GET /bank', 'POST /auth/token']);
/** Any key may ask; what it gets is decided by what the key has. */
const WITHOUT_SCOPE = new Set(['POST /auth/token']);

/** What refunds take opens this too; what is no refund stays shut to it, which a test of approvals holds. */
const ALSO: Readonly<Record<string, Scope>> = { 'POST /approval/{approvalId}/withdraw': 'collection:write' };

/** A scope that fits the address: its noun, and whether it reads or writes. */
function fits(scope: Scope, { name, method, path }: Operation): boolean {
  if (ALSO[name] === scope) return true;
  const [noun = '', verb] = scope.split(':');
  const area = path.split('/')[1] ?? '';
  if (path.startsWith('/bank')) return scope === (method === 'GET' ? 'public:read' : 'bank:resolve');
  if (path === '/transaction/requery') return scope === 'transaction:requery';
  // A quote and a check write nothing of the caller's, though each is a POST; the address of a page is a secret of whoever opens it.
  const reads =
    (method === 'GET' && !path.endsWith('/checkout')) || path === '/payout/quote' || path.endsWith('/check');
  if (verb !== (reads ? 'read' : 'write')) return false;
  // What goes to the bank is a payout, so that a key that only collects starts none.
  if (method === 'POST' && path === '/collection/settlement') return noun === 'payout';
  // What is approved and who is paid are about payouts.
  if (area === 'approval' || area === 'beneficiary') return noun === 'payout';
  if (area === 'search') return noun === 'transaction';
  if (area === 'customer' || area === 'customer.csv') return noun === 'collection';
  if (area === 'transaction.csv') return noun === 'transaction';
  return noun === area || (noun === 'store' && area === 'branch');
}

let known: Known;
let before: Books;
/** Keys that the service knows well, and that have come to an end since. */
let revoked: { key: string; token: string };
let suspended: TestMerchant;
let withoutServices: { merchant: TestMerchant; known: Known };

beforeAll(async () => {
  known = await knownOf(t, t.merchant);
  const { key, keyId } = await issueKey(t, t.merchant.merchantId, 'SANDBOX');
  revoked = { key, token: await tokenOf(key) };
  suspended = await t.addMerchant();
  const merchant = await t.addMerchant();
  withoutServices = { merchant, known: await knownOf(t, merchant) };
  const { clock } = t;
  await revokeApiKey({ queries: t.database, clock }, { merchantId: t.merchant.merchantId, keyId });
  await changeMerchantStatus({ queries: t.database, clock }, 'suspend', {
    merchantId: suspended.merchantId,
    actor: 'test',
  });
  for (const service of SERVICE_KEYS)
    await disableService({ queries: t.database }, { merchantId: merchant.merchantId, service });
  // Each of these counts everywhere within two seconds.
  t.clock.advance(2_000);
});

const told = ({ status, body }: Reply) => [status, body.code];

/** The books must not have moved by anything that a refused caller sent. */
async function withoutEffect(work: () => Promise<void>): Promise<void> {
  before = await readBooks(t.connectionString);
  await work();
  expect(await readBooks(t.connectionString)).toEqual(before);
}

async function expectRefused(
  operation: Operation,
  headers: Record<string, string>,
  expected: [number, string],
  label: string,
) {
  const reply = await callWith(t, operation, known, headers);
  expect(told(reply), `${operation.name} ${label}: ${reply.text}`).toEqual(expected);
  expect(faults(operation, reply), `${operation.name} ${label}`).toEqual([]);
  return reply;
}

describe('a caller without a valid key or token', () => {
  // Every other header that is no key of ours is in test/access/authenticate.test.ts.
  const wrong: [string, () => string, [number, string]][] = [
    ['no header', () => '', [401, 'TOKEN_MISSING']],
    ['nonsense', () => 'Bearer nonsense', [401, 'TOKEN_INVALID']],
    ['a key that was never issued', () => `Bearer ${makeApiKey('SANDBOX', 'SECRET')}`, [401, 'TOKEN_INVALID']],
    [
      'the sandbox key dressed as live',
      () => `Bearer ${t.merchant.secretKey.replace('test', 'live')}`,
      [401, 'TOKEN_INVALID'],
    ],
    ['a token without a signature', () => `Bearer ${unsigned()}`, [401, 'TOKEN_INVALID']],
  ];

  it.each(wrong)('gets nowhere with %s', async (label, authorization, expected) => {
    await withoutEffect(async () => {
      for (const operation of operations) {
        await expectRefused(operation, { authorization: authorization() }, expected, label);
      }
    });
  });

  function unsigned(): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { sub: t.merchant.merchantId, key: newId(), mode: 'SANDBOX', scope: SCOPES.join(' ') };
    const times = { iss: 'manilla', aud: 'manilla', jti: newId(), iat: 1, exp: 9_999_999_999 };
    return `${part({ alg: 'none', typ: 'JWT' })}.${part({ ...claims, ...times })}.`;
  }

  it('learns nothing about the body or the ids: the refusal is the same for all', async () => {
    const texts = new Set<string>();
    for (const operation of operations) {
      for (const ids of [known, {}]) {
        texts.add(saidBy(await callWith(t, operation, ids, { authorization: 'Bearer nonsense' })));
      }
    }
    expect(texts.size).toBe(1);
  });
});

describe('a key or token that has ended', () => {
  it('is refused everywhere once revoked, and so are its tokens', async () => {
    await withoutEffect(async () => {
      for (const operation of operations) {
        await expectRefused(operation, bearer(revoked.key), [401, 'TOKEN_EXPIRED'], 'revoked key');
        await expectRefused(operation, bearer(revoked.token), [401, 'TOKEN_EXPIRED'], 'token of a revoked key');
      }
    });
  });

  it('is refused everywhere after its time', async () => {
    const expiresAt = new Date(t.clock.now().getTime() + 60_000);
    const { key } = await issueKey(t, t.merchant.merchantId, 'SANDBOX', { expiresAt });
    const token = await tokenOf(t.merchant.secretKey);
    expect((await t.call('GET', '/wallet/merchant', undefined, bearer(key))).status).toBe(200);
    t.clock.advance(16 * 60_000);
    await withoutEffect(async () => {
      for (const operation of operations) {
        await expectRefused(operation, bearer(key), [401, 'TOKEN_EXPIRED'], 'expired key');
        await expectRefused(operation, bearer(token), [401, 'TOKEN_EXPIRED'], 'expired token');
      }
    });
  });
});

async function tokenOf(key: string, scopes?: readonly string[]): Promise<string> {
  const reply = await t.call('POST', '/auth/token', scopes === undefined ? {} : { scopes }, bearer(key));
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.accessToken;
}

describe('a public key', () => {
  it('reads public data and gets 403 for all else', async () => {
    await withoutEffect(async () => {
      for (const operation of operations) {
        const reply = await callWith(t, operation, known, bearer(t.merchant.publicKey));
        const allowed = PUBLIC.has(operation.name) ? [200, undefined] : OF_PAGES[operation.name];
        const expected = allowed ?? [403, 'KEY_TYPE_NOT_ALLOWED'];
        expect(told(reply), `${operation.name}: ${reply.text}`).toEqual(expected);
        expect(faults(operation, reply)).toEqual([]);
      }
    });
  });
});

describe('a token with fewer scopes', () => {
  const all: readonly Scope[] = SCOPES;
  const tokens = new Map<Scope, string>();
  beforeAll(async () => {
    for (const scope of all) tokens.set(scope, await tokenOf(t.merchant.secretKey, [scope]));
  });

  it.each(operations.filter(({ name }) => !WITHOUT_SCOPE.has(name)))(
    '$name opens to the one scope that fits it, and to no other',
    async (operation) => {
      const opening: Scope[] = [];
      for (const scope of all) {
        // A body that no operation takes: who is let in gets what is wrong with it, and nothing happens.
        const { url } = sampleRequest(operation, operation.method === 'GET' ? known : {});
        const body = operation.body === undefined ? undefined : [];
        const reply = await t.call(operation.method, url, body, bearer(tokens.get(scope) as string));
        if (reply.status === 403) expect(reply.body.code, reply.text).toBe('SCOPE_NOT_GRANTED');
        else opening.push(scope);
        expect(faults(operation, reply)).toEqual([]);
      }
      expect(opening).toHaveLength(ALSO[operation.name] === undefined ? 1 : 2);
      const misfits = opening.filter((scope) => !fits(scope, operation));
      expect(misfits, `${operation.name} opens to ${opening.join()}`).toEqual([]);
    },
  );

  it('is refused where it lacks the scope also when it has every other', async () => {
    await withoutEffect(async () => {
      const guarded = operations.filter(({ name }) => !WITHOUT_SCOPE.has(name));
      const byScopes = Map.groupBy(guarded, (operation) => all.filter((scope) => !fits(scope, operation)).join(' '));
      for (const [others, lacking] of byScopes) {
        const token = await tokenOf(t.merchant.secretKey, others.split(' '));
        for (const operation of lacking)
          await expectRefused(operation, bearer(token), [403, 'SCOPE_NOT_GRANTED'], 'all others');
      }
    });
  });

  it('cannot make another token, nor a key a token with more than it has', async () => {
    const small = await issueKey(t, t.merchant.merchantId, 'SANDBOX', { scopes: ['wallet:read'] });
    const refused = await t.call('POST', '/auth/token', { scopes: ['store:write'] }, bearer(small.key));
    expect(told(refused)).toEqual([403, 'SCOPE_NOT_GRANTED']);
    const again = await t.call('POST', '/auth/token', {}, bearer(tokens.get('wallet:read') as string));
    expect(told(again)).toEqual([403, 'KEY_TYPE_NOT_ALLOWED']);
  });
});

describe('a merchant that may not', () => {
  /** The refusal of the merchant wallet has a documented shape of its own. */
  async function expectStanding(key: string, code: string, walletMessage: string): Promise<void> {
    await withoutEffect(async () => {
      for (const operation of operations) {
        const reply = await callWith(t, operation, known, bearer(key));
        expect(faults(operation, reply), operation.name).toEqual([]);
        if (operation.name === 'GET /wallet/merchant') {
          expect([reply.status, reply.body]).toEqual([403, { status: false, message: walletMessage }]);
        } else if (BEFORE_APPROVAL.has(operation.name)) {
          expect(reply.status, `${operation.name}: ${reply.text}`).toBe(200);
        } else {
          expect(told(reply), `${operation.name}: ${reply.text}`).toEqual([403, code]);
        }
      }
    });
  }

  it('is not approved yet: in live mode it may see itself and get a token, and nothing else', async () => {
    const pending = await t.addMerchant({ approved: false, mode: 'LIVE' });
    const message = 'Your account must be approved before you can perform this action';
    await expectStanding(pending.secretKey, 'MERCHANT_NOT_APPROVED', message);
  });

  it('is not approved yet: in the sandbox nothing is refused for that', async () => {
    const pending = await t.addMerchant({ approved: false });
    for (const operation of operations) {
      const reply = await callWith(t, operation, known, bearer(pending.secretKey));
      expect(reply.body.code, operation.name).not.toBe('MERCHANT_NOT_APPROVED');
      if (operation.name === 'GET /wallet/merchant') expect(reply.status).toBe(200);
    }
  });

  it('is suspended: refused in the sandbox and in live mode, from within two seconds on', async () => {
    const { key } = await issueKey(t, suspended.merchantId, 'LIVE');
    await expectStanding(key, 'MERCHANT_SUSPENDED', 'Your account is suspended. Please contact support.');
    await expectStanding(
      suspended.secretKey,
      'MERCHANT_SUSPENDED',
      'Your account is suspended. Please contact support.',
    );
  });

  it('lacks the service of the address: 403 that names it, and only there', async () => {
    const { merchant, known: own } = withoutServices;
    for (const operation of operations) {
      const reply = await callWith(t, operation, own, bearer(merchant.secretKey));
      const service = serviceOf(operation);
      expect(faults(operation, reply), operation.name).toEqual([]);
      expect(reply.body.code === 'SERVICE_NOT_ENABLED', `${operation.name}: ${reply.text}`).toBe(service !== undefined);
      if (service !== undefined) {
        expect(reply.status).toBe(403);
        expect(reply.body.message).toContain(service);
      }
    }
  });
});

/** All ids of the document, of which each has an example, are tried in test/access/ids-of-others.test.ts. */
describe('ids of others', () => {
  /**
   * With another's ids and with ids that nobody has: byte for byte the same answer. So nobody can tell whether an id
   * exists that is not theirs.
   */
  async function expectBlind(operation: Operation, key: string, theirs: Known): Promise<void> {
    const foreign = await callWith(t, operation, { ...known, ...theirs }, bearer(key));
    const unknown = Object.fromEntries(Object.keys(theirs).map((name) => [name, newId()]));
    const nobodys = await callWith(t, operation, { ...known, ...unknown }, bearer(key));
    expect(foreign.status, `${operation.name}: ${foreign.text}`).toBe(404);
    expect(foreign.body.code).toMatch(/_NOT_FOUND$/);
    expect([nobodys.status, saidBy(nobodys)], operation.name).toEqual([foreign.status, saidBy(foreign)]);
    expect(faults(operation, foreign)).toEqual([]);
    expect(saidBy(foreign)).not.toMatch(/[0-9a-f]{8}-/);
  }

  it('a sandbox key gets 404 for the live stores and subaccounts of its own merchant', async () => {
    const { key } = await issueKey(t, t.merchant.merchantId, 'LIVE');
    const make = async (path: string) => (await t.call('POST', path, { name: 'Live' }, bearer(key))).body.data;
    const { storeId, walletId } = await make('/branch/store');
    const { subaccountId } = await make('/subaccount');
    const live: Known = { storeId, subaccountId, walletId };
    const reach = ({ path, body }: Operation) =>
      Object.keys(live).some((name) => path.includes(`{${name}}`) || body?.properties?.[name] !== undefined);
    await withoutEffect(async () => {
      for (const operation of operations.filter(reach)) {
        await expectBlind(operation, t.merchant.secretKey, live);
      }
    });
  });

  it('a live key moves no sandbox money and a sandbox key no live money', async () => {
    const { key } = await issueKey(t, t.merchant.merchantId, 'LIVE');
    const live = await t.call('GET', '/wallet/merchant', undefined, bearer(key));
    expect(live.body.data.wallet).toMatchObject({ bookedBalance: 0, totalBalance: 0 });
    expect(live.body.data.wallet.id).not.toBe(t.merchant.walletId);
    await withoutEffect(async () => {
      const funding = { walletId: live.body.data.wallet.id, amount: 5 };
      expect(told(await t.call('POST', '/sandbox/wallet/fund', funding))).toEqual([404, 'WALLET_NOT_FOUND']);
      expect(told(await t.call('POST', '/sandbox/wallet/fund', funding, bearer(key)))).toEqual([403, 'SANDBOX_ONLY']);
    });
  });

  it('lists show nothing of others, nor of the other mode', async () => {
    const { secretKey } = await t.addMerchant({ name: 'Suya Spot' });
    const { key } = await issueKey(t, t.merchant.merchantId, 'LIVE');
    const ids = Object.entries(known).flatMap(([name, id]) => (IS_ID.test(name) && typeof id === 'string' ? [id] : []));
    expect(ids.length).toBeGreaterThan(12);
    for (const operation of operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
      for (const caller of [secretKey, key]) {
        const reply = await callWith(t, operation, {}, bearer(caller));
        // One that fails shows nothing either.
        expect(reply.status, operation.name).toBeLessThan(500);
        for (const id of ids) expect(reply.text, operation.name).not.toContain(id);
        if (caller === secretKey) expect(reply.text).not.toContain(t.merchant.merchantId);
      }
    }
  });
});

describe('HEAD', () => {
  it('is guarded as its GET is', async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const { url } = sampleRequest(operation, known);
      const answer = await t.app.server.inject({ method: 'HEAD', url });
      expect([401, 404], operation.name).toContain(answer.statusCode);
    }
  });
});
