import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApiKey } from '../../src/access/index.ts';
import { readConfig } from '../../src/config.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInMember } from '../support/people.ts';
import { bearer, issueKey } from '../support/world.ts';

/** Counted over ten seconds: two a second are twenty, and one a second are ten. */
const PER_KEY = 20;
const PER_ADDRESS = 10;

let t: TestApp;
beforeAll(async () => {
  // The app makes its first merchant with more requests than that.
  t = await createTestApp({
    RATE_LIMIT_PER_SECOND: '2',
    ADDRESS_RATE_LIMIT_PER_SECOND: '1',
    TRUSTED_PROXIES: '10.9.9.9',
  });
});
afterAll(() => t.close());

let addresses = 0;
/** A network address that nobody has asked from. */
function newAddress(): string {
  addresses += 1;
  return `192.0.2.${addresses}`;
}

interface Asked {
  method?: 'GET' | 'POST';
  url: string;
  from: string;
  headers?: Record<string, string>;
  payload?: string;
}

async function ask({ method = 'GET', url, from, headers = {}, payload }: Asked) {
  const answer = await t.app.server.inject({
    method,
    url,
    remoteAddress: from,
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, headers: answer.headers, code: code(answer.body) };
}

function code(text: string): string | undefined {
  return /"code":"(\w+)"/.exec(text)?.[1];
}

/** How many of up to `most` requests were taken before the first that was too much; all where none was. */
async function takenOf(most: number, asked: Asked): Promise<number> {
  for (let taken = 0; taken < most; taken += 1) {
    if ((await ask(asked)).status === 429) return taken;
  }
  return most;
}

const wrongKey = () => bearer(makeApiKey('SANDBOX', 'SECRET'));
const newKey = async () => bearer((await issueKey(t, t.merchant.merchantId, 'SANDBOX')).key);

describe('requests of one key', () => {
  it('are limited where nothing is set, and so are those of strangers', () => {
    const { rateLimitPerSecond, addressRateLimitPerSecond } = readConfig({});
    expect([rateLimitPerSecond, addressRateLimitPerSecond]).toEqual([100, 20]);
  });

  it('are taken up to the limit, whatever address they come from, and no more', async () => {
    const headers = await newKey();
    expect(await takenOf(5, { url: '/bank', from: newAddress(), headers })).toBe(5);
    expect(await takenOf(PER_KEY, { url: '/bank', from: newAddress(), headers })).toBe(PER_KEY - 5);
    const refused = await ask({ url: '/bank', from: newAddress(), headers });
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10);
    expect([refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']]).toEqual([
      String(PER_KEY),
      '0',
    ]);
  });

  it('say what is left', async () => {
    const headers = await newKey();
    for (const left of [19, 18]) {
      const answer = await ask({ url: '/bank', from: newAddress(), headers });
      expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([200, String(left)]);
      expect(Number(answer.headers['ratelimit-reset'])).toBeGreaterThanOrEqual(1);
    }
  });

  it('are refused in words that a page with a public key can read', async () => {
    const headers = { ...bearer(makeApiKey('SANDBOX', 'PUBLIC')), origin: 'https://shop.example' };
    const asked = { url: '/bank', from: newAddress(), headers };
    await takenOf(PER_ADDRESS + 1, asked);
    const refused = await ask(asked);
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([429, 'https://shop.example']);
  });

  it('hold up no other key, also not one of the same merchant from the same address', async () => {
    const from = newAddress();
    const [one, other] = [await newKey(), await newKey()];
    await takenOf(PER_KEY + 1, { url: '/bank', from, headers: one });
    expect((await ask({ url: '/bank', from, headers: other })).status).toBe(200);
  });

  it('count together with those of the tokens that it made', async () => {
    const headers = await newKey();
    const from = newAddress();
    const made = await t.app.server.inject({
      method: 'POST',
      url: '/auth/token',
      headers,
      remoteAddress: from,
      payload: {},
    });
    await takenOf(PER_KEY, { url: '/bank', from, headers });
    expect((await ask({ url: '/bank', from, headers: bearer(made.json().data.accessToken) })).status).toBe(429);
  });

  it('may come all at once when a process hears of the key for the first time', async () => {
    const headers = await newKey();
    const from = newAddress();
    const answers = await Promise.all(Array.from({ length: PER_KEY }, () => ask({ url: '/bank', from, headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('requests of strangers from one address', () => {
  const cases: [string, () => Omit<Asked, 'from'>, number][] = [
    ['without a key', () => ({ url: '/wallet/merchant' }), 401],
    ['with a key that nobody has', () => ({ url: '/wallet/merchant', headers: wrongKey() }), 401],
    [
      'with a session that nobody has',
      () => ({ url: '/session', headers: { cookie: `__Host-manilla_session=${'x'.repeat(43)}` } }),
      401,
    ],
    ['for the operator', () => ({ url: '/operator/merchant' }), 401],
    ['to sign in', () => ({ method: 'POST', url: '/session', payload: '{}' }), 400],
    ['to sign up', () => ({ method: 'POST', url: '/sign-up', payload: '{}' }), 400],
    ['for what is not there', () => ({ url: '/wp-login.php' }), 404],
    ['that pretend to be a bank', () => ({ method: 'POST', url: '/rail/sandbox/sandbox/webhook', payload: '{}' }), 401],
  ];

  it.each(cases)('%s are limited together', async (_what, make, status) => {
    const from = newAddress();
    expect((await ask({ ...make(), from })).status).toBe(status);
    expect(await takenOf(PER_ADDRESS + 1, { ...make(), from })).toBe(PER_ADDRESS - 1);
    const refused = await ask({ ...make(), from });
    expect([refused.status, refused.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    // Somebody elsewhere does not feel it.
    expect((await ask({ ...make(), from: newAddress() })).status).toBe(status);
  });

  it('hold up no key and no session that is good and known', async () => {
    const from = newAddress();
    const headers = await newKey();
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const asOwner = { url: '/member', from, headers: { cookie: owner.cookie() } };
    for (const good of [{ url: '/bank', from, headers }, asOwner]) expect((await ask(good)).status).toBe(200);
    expect(await takenOf(PER_ADDRESS + 1, { url: '/wallet/merchant', from })).toBe(PER_ADDRESS);
    expect((await ask({ url: '/bank', from, headers })).status).toBe(200);
    expect((await ask(asOwner)).status).toBe(200);
  });

  it('are those of a whole /64 where it is IPv6', async () => {
    expect(await takenOf(PER_ADDRESS, { url: '/member', from: '2001:db8:1:2::1' })).toBe(PER_ADDRESS);
    expect((await ask({ url: '/member', from: '2001:db8:1:2:ffff::9' })).status).toBe(429);
    expect((await ask({ url: '/member', from: '2001:db8:1:3::1' })).status).toBe(401);
  });

  it('are distinguished by X-Forwarded-For where a named proxy says it, and by nobody else', async () => {
    const through = (proxy: string, client: string) => ({
      url: '/member',
      from: proxy,
      headers: { 'x-forwarded-for': client },
    });
    expect(await takenOf(PER_ADDRESS + 1, through('10.9.9.9', '198.51.100.7'))).toBe(PER_ADDRESS);
    expect((await ask(through('10.9.9.9', '198.51.100.8'))).status).toBe(401);
    const liar = newAddress();
    await takenOf(PER_ADDRESS, through(liar, '198.51.100.9'));
    expect((await ask(through(liar, '198.51.100.10'))).status).toBe(429);
  });

  it('are those of one client where the proxy names it with a port, another one each time', async () => {
    for (const client of ['198.51.100.31:', '[2001:db8:5::1]:', '203.0.113.1, 198.51.100.32:']) {
      const statuses: number[] = [];
      for (let port = 1; port <= PER_ADDRESS + 1; port += 1) {
        const headers = { 'x-forwarded-for': `${client}${50_000 + port}` };
        statuses.push((await ask({ url: '/member', from: '10.9.9.9', headers })).status);
      }
      expect(statuses.at(-1), client).toBe(429);
    }
  });

  it('may read the files of the pages ten times as often', async () => {
    const from = newAddress();
    await takenOf(PER_ADDRESS + 1, { url: '/member', from });
    expect(await takenOf(PER_ADDRESS * 10 + 1, { url: '/docs', from })).toBe(PER_ADDRESS * 10);
    expect((await ask({ url: '/openapi.json', from })).status).toBe(429);
    expect((await ask({ url: '/healthz', from })).status).toBe(200);
  });
});
