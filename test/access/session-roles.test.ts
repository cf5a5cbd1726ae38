import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permissionsOfRole, ROLES, type Role, SCOPES, scopesOfRole } from '../../src/access/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { bearer } from '../support/world.ts';

/**
 * Every operation against every role. Who may is written down here by address and not read from the routes, so that a
 * route that asks too little is found out; a new operation has to be given its line.
 */
const t: TestApp = await createTestApp();
afterAll(() => t.close());

interface Operation {
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  hasBody: boolean;
}

const document = t.app.server.swagger() as unknown as {
  paths: Record<string, Record<string, { tags?: string[]; requestBody?: unknown }>>;
};
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { tags = [], requestBody }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase() as Operation['method'],
    path,
    tag: tags[0] ?? '',
    hasBody: requestBody !== undefined,
  })),
);

/** Needs no session, or any. */
const WITHOUT_ROLE = /^(GET \/mail|POST \/(sign-up|invitation|password)|(GET|POST|DELETE) \/(session|second-factor))/;
/** Open to anybody of a merchant, and never answered to the end: its tests are in test/stream. */
const STREAM = 'GET /stream';
const merchants = operations.filter(
  ({ name, path }) => !WITHOUT_ROLE.test(name) && !path.startsWith('/operator') && name !== STREAM,
);

/** What an operation needs, by its address: a permission, a scope, `anybody` of the merchant or `nobody` with a session. */
const NEEDS: readonly [RegExp, string][] = [
  [/^GET \/member(\/change)?$/, 'member:read'],
  [/^POST \/member\/change/, 'approval:decide'],
  [/^\w+ \/member/, 'member:manage'],
  [/^POST \/key\/reference$/, 'payout:read'],
  [/^GET \/key/, 'key:read'],
  [/^\w+ \/key/, 'key:manage'],
  [/^GET \/pin$/, 'anybody'],
  [/^POST \/pin$/, 'pin:manage'],
  [/^GET \/onboarding(\/live)?$/, 'profile:manage or member:read'],
  [/^GET \/onboarding\/document/, 'document:read'],
  [/^\w+ \/onboarding/, 'profile:manage'],
  [/^GET \/(home|announcement|support-view)$/, 'anybody'],
  [/^\w+ \/(saved-view|announcement)/, 'anybody'],
  [/^GET \/approval\/rules$/, 'payout:read'],
  [/^PATCH \/collection\/settlement\/settings$/, 'settlement:manage'],
  [/^PATCH \/collection\/settlement\/wallet\/{childWalletId}$/, 'settlement:manage'],
  [/^PATCH \/collection\/refund\/rule$/, 'rule:manage'],
  [/^POST \/collection\/settlement$/, 'payout:write'],
  [/^PATCH \/approval\/rules$/, 'rule:manage'],
  [/^POST \/approval\/[^/]+\/(approve|reject)$/, 'approval:decide'],
  [/^POST \/approval\/[^/]+\/withdraw$/, 'payout:write'],
  [/^GET \/approval/, 'payout:read'],
  [/^PATCH \/payout\/limit$/, 'limit:manage'],
  [/^GET \/audit/, 'audit:read'],
  [/^GET \/request-log/, 'request:read'],
  [/^PATCH \/request-log\/settings$/, 'request:manage'],
  [/^POST \/auth\/token$/, 'anybody'],
  [/^GET \/bank$/, 'public:read'],
  [/^POST \/bank\/resolve$/, 'bank:resolve'],
  [/^(POST|DELETE) \/transaction\/[^/]+\/receipt\/link/, 'payout:write'],
  [/^POST \/transaction\/requery$/, 'transaction:requery'],
  [/^POST \/payout\/quote$/, 'payout:read'],
  [/^POST \/collection\/session\/[^/]+\/check$/, 'collection:read'],
  [/^GET \/collection\/session\/[^/]+\/checkout$/, 'collection:write'],
  [/^GET \/search$/, 'transaction:read'],
  [/^GET \/transaction/, 'transaction:read'],
  [/^GET \/customer/, 'collection:read'],
  [/^\w+ \/customer/, 'collection:write'],
  [/^GET \/(beneficiary|rail)/, 'payout:read'],
  [/^\w+ \/beneficiary/, 'payout:write'],
  [/^GET \/branch/, 'store:read'],
  [/^\w+ \/branch/, 'store:write'],
];

function needOf({ name, method, path }: Operation): string {
  const listed = NEEDS.find(([pattern]) => pattern.test(name))?.[1];
  return listed ?? `${path.split('/')[1]}:${method === 'GET' ? 'read' : 'write'}`;
}

function may(role: Role, need: string): boolean {
  if (need === 'anybody') return true;
  return need.split(' or ').some((one) => {
    const has: ReadonlySet<string> = (SCOPES as readonly string[]).includes(one)
      ? scopesOfRole(role, 'SANDBOX')
      : permissionsOfRole(role);
    return has.has(one);
  });
}

const people = new Map<Role, TestPerson>();
let operator: TestPerson;
beforeAll(async () => {
  const { merchantId } = await t.addMerchant();
  for (const role of ROLES) people.set(role, await signedInMember(t, merchantId, role));
  operator = await signedInOperator(t);
});

/** A body that no operation takes: who is let in gets what is wrong with it, and little happens. */
function ask({ method, path, hasBody }: Operation, person: TestPerson) {
  const url = path.replaceAll(/\{[^}]+\}/g, '01930000-0000-7000-8000-00000000dead');
  return person.call(method, url, hasBody ? [] : undefined);
}

describe('what people may do', () => {
  it.each(merchants)('$name is open to exactly the roles that have what it needs', async (operation) => {
    const need = needOf(operation);
    const opened: Role[] = [];
    for (const role of ROLES) {
      const reply = await ask(operation, people.get(role) as TestPerson);
      if (reply.body?.code !== 'PERMISSION_NOT_GRANTED') opened.push(role);
      else expect(reply.body.message).toMatch(/^Your role \(\w+\) may not do this\. It takes the role [a-z, ]+\.$/);
    }
    expect(opened, `${operation.name} needs ${need}`).toEqual(ROLES.filter((role) => may(role, need)));
  });

  it.each(merchants)('$name is closed to the operator’s staff', async (operation) => {
    expect((await ask(operation, operator)).body.code).toBe('PERMISSION_NOT_GRANTED');
  });

  it('is, without a session of the operator, nothing under /operator', async () => {
    for (const operation of operations.filter(({ path }) => path.startsWith('/operator'))) {
      for (const role of ROLES) {
        const reply = await ask(operation, people.get(role) as TestPerson);
        expect([reply.status, reply.body.code], operation.name).toEqual([403, 'PERMISSION_NOT_GRANTED']);
      }
    }
  });
});

describe('what only people do', () => {
  const open = /^(GET \/mail|POST \/(sign-up|invitation|password\/(forgot|look|reset)|session$))/;
  const sessionOnly = operations.filter(({ tag, name }) => /^(Dashboard|Operator)/.test(tag) && !open.test(name));

  let token: string;
  beforeAll(async () => {
    token = (await t.call('POST', '/auth/token', {})).body.data.accessToken;
  });

  it.each(sessionOnly)('$name refuses every kind of key and token', async ({ method, path, hasBody }) => {
    const url = path.replaceAll(/\{[^}]+\}/g, '01930000-0000-7000-8000-00000000dead');
    for (const key of [t.merchant.secretKey, t.merchant.publicKey, token]) {
      const reply = await t.call(method, url, hasBody ? {} : undefined, bearer(key));
      expect([reply.status, reply.body.code]).toEqual([403, 'PERSON_REQUIRED']);
    }
  });
});
