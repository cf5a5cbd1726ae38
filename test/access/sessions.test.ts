import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessionGate } from '../../src/people/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { rowsOf, saidBy } from '../support/world.ts';

const MINUTE = 60_000;
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const owner = () => signedInMember(t, t.merchant.merchantId, 'OWNER');
const stateOf = async (person: TestPerson, headers = {}) => {
  const reply = await person.call('GET', '/session', undefined, headers);
  return reply.status === 200 ? 'open' : reply.body.code;
};
const secretOf = (person: { cookie(): string }) => person.cookie().split('=')[1] as string;

describe('a session', () => {
  it('stands in place of a key, in the mode that X-Mode names', async () => {
    const person = await owner();
    const walletIn = async (headers: Record<string, string>) =>
      (await person.call('GET', '/wallet/merchant', undefined, headers)).body.data.wallet.id;
    expect(await walletIn({})).toBe(t.merchant.walletId);
    expect(await walletIn({ 'x-mode': 'LIVE' })).not.toBe(t.merchant.walletId);
    const wrong = await person.call('GET', '/wallet/merchant', undefined, { 'x-mode': 'live' });
    expect([wrong.status, wrong.body.errors]).toEqual([400, [{ field: 'X-Mode', message: 'must be SANDBOX or LIVE' }]]);
  });

  it('says who is signed in and what they may do', async () => {
    const person = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    const { data } = (await person.call('GET', '/session')).body;
    expect(data.person).toMatchObject({
      personId: person.personId,
      email: person.email,
      role: 'VIEWER',
      kind: 'MEMBER',
    });
    const isPinSet = { SANDBOX: true, LIVE: true };
    expect(data.merchant).toMatchObject({ merchantId: t.merchant.merchantId, approved: true, isPinSet });
    expect(data.permissions).toEqual(['approval:read']);
    expect(data.scopes.LIVE).not.toContain('payout:write');
  });

  it('ends after half an hour without use, and not while it is used', async () => {
    const person = await owner();
    for (let at = 0; at < 3; at += 1) {
      t.clock.advance(28 * MINUTE);
      expect(await stateOf(person)).toBe('open');
    }
    t.clock.advance(30 * MINUTE);
    expect(await stateOf(person)).toBe('SESSION_EXPIRED');
  });

  it('ends after twelve hours, however busy', async () => {
    const person = await owner();
    for (let at = 0; at < 35; at += 1) {
      t.clock.advance(20 * MINUTE);
      expect(await stateOf(person), `after ${at}`).toBe('open');
    }
    t.clock.advance(20 * MINUTE);
    expect(await stateOf(person)).toBe('SESSION_EXPIRED');
  });

  it('is in use though the note of that is late, also where its row is read anew', async () => {
    const person = await owner();
    const { database, secrets, clock } = t;
    const withoutNotes: Database = {
      ...database,
      query: (asked, values) =>
        asked.name === 'update-session-seen' ? new Promise(() => undefined) : database.query(asked, values),
    };
    const gate = createSessionGate({ database: withoutNotes, secrets, clock, logger: createLogger('silent') });
    for (let at = 0; at < 3; at += 1) {
      clock.advance(20 * MINUTE);
      await gate.authenticate(secretOf(person));
      gate.forgetSecret(secretOf(person));
      expect((await gate.authenticate(secretOf(person))).personId, `after ${at}`).toBe(person.personId);
      gate.forget(person.personId);
    }
    clock.advance(30 * MINUTE);
    await expect(async () => gate.authenticate(secretOf(person))).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
  });

  it('takes a new secret when the password is given again; the old one lives ten seconds and is never fresh', async () => {
    const person = await owner();
    const before = person.cookie();
    t.clock.advance(6 * MINUTE);
    await person.refresh();
    expect(person.cookie()).not.toBe(before);
    const old = await person.call('GET', '/session', undefined, { cookie: before });
    expect([old.status, old.body.data?.stepUpUntil]).toEqual([200, null]);
    expect((await person.call('GET', '/session')).body.data.stepUpUntil).not.toBe(null);
    t.clock.advance(10_000);
    expect(await stateOf(person, { cookie: before })).toBe('SESSION_EXPIRED');
    expect(await stateOf(person)).toBe('open');
  });

  it('is a new one with every sign-in, and the one that the browser had ends', async () => {
    const person = await owner();
    const before = person.cookie();
    const reply = await person.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect([reply.status, reply.body.data]).toEqual([200, { next: 'DONE' }]);
    expect(person.cookie()).not.toBe(before);
    t.clock.advance(2_000);
    expect(await stateOf(person, { cookie: before })).toBe('SESSION_EXPIRED');
  });

  it('comes in a cookie that no script reads, no other site sends along with a change, and no subdomain plants', async () => {
    const page = browser(t);
    const person = await owner();
    const reply = await page.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect(reply.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-manilla_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Expires=[^;]+$/,
      ),
      expect.stringMatching(
        /^__Host-manilla_device=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=34560000$/,
      ),
    ]);
  });

  it('is kept as a hash', async () => {
    const person = await owner();
    const rows = await rowsOf<{ row: string }>(t.connectionString, 'select s::text as row from sessions s');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toContain(secretOf(person));
  });

  it('is not looked at where a key or token is sent', async () => {
    const person = await owner();
    expect(await stateOf(person, { authorization: 'Bearer nonsense' })).toBe('PERSON_REQUIRED');
    const reply = await person.call('GET', '/wallet/merchant', undefined, { authorization: 'Bearer nonsense' });
    expect(reply.body.code).toBe('TOKEN_INVALID');
  });

  it('of nobody, or malformed, is refused in the same words', async () => {
    const texts = new Set<string>();
    for (const secret of ['x'.repeat(43), 'short', `${'x'.repeat(43)}; __Host-manilla_session=y`, 'ü'.repeat(20)]) {
      const reply = await browser(t).call('GET', '/session', undefined, { cookie: `__Host-manilla_session=${secret}` });
      texts.add(`${reply.status} ${saidBy(reply)}`);
    }
    expect([...texts]).toEqual([expect.stringContaining('401 {"status":false,"message":"You have been signed out.')]);
    expect((await browser(t).call('GET', '/session')).body.code).toBe('SESSION_MISSING');
    expect((await browser(t).call('GET', '/wallet/merchant')).body.code).toBe('SESSION_MISSING');
  });
});

describe('an end of a session, or of what it may do', () => {
  /** A second process: its own connections, its own memory. */
  function otherProcess() {
    const logger = createLogger('silent');
    const database = openDatabase({ connectionString: t.connectionString, maxConnections: 2, logger });
    const gate = createSessionGate({ database, secrets: t.secrets, clock: t.clock, logger });
    return {
      ask: async (person: { cookie(): string }) => gate.authenticate(secretOf(person)),
      close: () => database.close(),
    };
  }

  it('is felt within two seconds in every process', async () => {
    const other = otherProcess();
    const people = [await owner(), await owner(), await owner()] as const;
    const [revoked, removed, demoted] = people;
    for (const person of people) expect((await other.ask(person)).role).toBe('OWNER');
    const admin = await owner();
    const kept = { cookie: revoked.cookie() };
    expect((await revoked.call('DELETE', '/session')).status).toBe(200);
    expect((await admin.call('DELETE', `/member/${removed.personId}`)).status).toBe(200);
    expect((await admin.call('PATCH', `/member/${demoted.personId}`, { role: 'VIEWER' })).status).toBe(200);
    // This process knows at once.
    expect([await stateOf(revoked, kept), await stateOf(removed)]).toEqual(['SESSION_EXPIRED', 'SESSION_EXPIRED']);
    expect((await demoted.call('GET', '/member')).body.code).toBe('PERMISSION_NOT_GRANTED');
    t.clock.advance(2_000);
    for (const cookie of [kept.cookie, removed.cookie()]) {
      await expect(other.ask({ cookie: () => cookie })).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
    }
    expect((await other.ask(demoted)).role).toBe('VIEWER');
    await other.close();
  });

  it('comes from the list of one’s own sessions, and never ends another person’s', async () => {
    const person = await owner();
    const phone = browser(t);
    await phone.call('POST', '/session', { email: person.email, password: TEST_PASSWORD }, { 'user-agent': 'Phone/1' });
    const list = (await person.call('GET', '/session/list')).body.data;
    expect(list.map((row: { current: boolean; userAgent: string }) => [row.current, row.userAgent])).toEqual([
      [false, 'Phone/1'],
      [true, 'lightMyRequest'],
    ]);
    const stranger = await owner();
    expect((await stranger.call('DELETE', `/session/${list[0].sessionId}`)).body.code).toBe('SESSION_NOT_FOUND');
    expect((await phone.call('GET', '/session')).status).toBe(200);
    expect((await person.call('DELETE', `/session/${list[0].sessionId}`)).status).toBe(200);
    expect((await phone.call('GET', '/session')).body.code).toBe('SESSION_EXPIRED');
    const tablet = browser(t);
    await tablet.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect((await person.call('POST', '/session/revoke-others')).body.message).toBe('One session has ended.');
    expect([(await tablet.call('GET', '/session')).status, await stateOf(person)]).toEqual([401, 'open']);
  });
});

describe('a pending session, whose second factor is still to come', () => {
  it('opens nothing but the second factor and the way out, and lasts ten minutes', async () => {
    const person = await owner();
    const { secret } = (await person.call('POST', '/second-factor/start')).body.data;
    const code = () => new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
    expect((await person.call('POST', '/second-factor/enable', { code: code() })).status).toBe(200);
    const page = browser(t);
    const signedIn = await page.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect(signedIn.body.data).toEqual({ next: 'SECOND_FACTOR' });
    const { paths } = t.app.server.swagger() as unknown as { paths: Record<string, Record<string, unknown>> };
    const opened: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        if (method === 'delete' && path === '/session') continue;
        const url = path.replaceAll(/\{[^}]+\}/g, '01930000-0000-7000-8000-00000000dead');
        const reply = await page.call(method.toUpperCase() as 'GET', url, method === 'get' ? undefined : []);
        if (reply.body.code !== 'SECOND_FACTOR_NEEDED') opened.push(`${method.toUpperCase()} ${path}`);
      }
    }
    expect(opened.sort()).toEqual([
      'GET /mail',
      'GET /mail/{mailId}',
      'POST /invitation/accept',
      'POST /invitation/look',
      'POST /password/forgot',
      'POST /password/look',
      'POST /password/reset',
      'POST /session',
      'POST /session/second-factor',
      'POST /sign-up',
      'POST /sign-up/confirm',
      'POST /sign-up/look',
    ]);
    expect((await page.call('DELETE', '/session')).status).toBe(200);
    const again = browser(t);
    await again.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    t.clock.advance(10 * MINUTE);
    const late = await again.call('POST', '/session/second-factor', { code: code() });
    expect(late.body.code).toBe('SESSION_EXPIRED');
  });
});

describe('a change that another site’s page asks for', () => {
  const own = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000', host: 'localhost:3000' };
  const wrong: [string, Record<string, string>][] = [
    ['comes from another site', { 'sec-fetch-site': 'cross-site' }],
    ['comes from a sister subdomain', { 'sec-fetch-site': 'same-site' }],
    ['comes from no page', { 'sec-fetch-site': 'none' }],
    ['names another origin', { origin: 'https://evil.example' }],
    ['names no origin on purpose', { origin: 'null' }],
    ['names another port', { origin: 'http://localhost:3001', host: 'localhost:3000' }],
  ];
  const wrongTokens: [string, Record<string, string>][] = [
    ['has no token', { 'x-csrf-token': '' }],
    ['has a token of nobody', { 'x-csrf-token': 'x'.repeat(43) }],
  ];

  it.each([...wrong, ...wrongTokens])('is refused when it %s', async (_label, headers) => {
    const person = await owner();
    const operator = await signedInOperator(t);
    const changes = [
      await person.call('POST', '/branch/store', { name: 'Ajah' }, headers),
      await person.call('POST', '/session/revoke-others', undefined, headers),
      await operator.call('POST', '/operator/person/invite', { email: 'a@b.example' }, headers),
    ];
    for (const reply of changes) expect([reply.status, reply.body.code]).toEqual([403, 'CSRF_REFUSED']);
    expect((await person.call('GET', '/branch/store', undefined, headers)).status).toBe(200);
  });

  it.each(wrong)(
    'also needs no session to be refused when it %s: nobody is signed in behind their back',
    async (_label, headers) => {
      const person = await owner();
      const reply = await browser(t).call(
        'POST',
        '/session',
        { email: person.email, password: TEST_PASSWORD },
        headers,
      );
      expect([reply.status, reply.body.code, reply.headers['set-cookie']]).toEqual([403, 'CSRF_REFUSED', undefined]);
    },
  );

  it('is refused with the token of somebody else’s session, and taken from our own page', async () => {
    const person = await owner();
    const other = await owner();
    const foreign = { 'x-csrf-token': await other.csrfToken() };
    expect((await person.call('POST', '/branch/store', { name: 'Ajah' }, foreign)).body.code).toBe('CSRF_REFUSED');
    expect((await person.call('POST', '/branch/store', { name: 'Ajah' }, own)).status).toBe(200);
  });

  it('needs no token where a key comes with it: no browser sends that by itself', async () => {
    expect((await t.call('POST', '/branch/store', { name: 'Epe' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(
      200,
    );
  });
});

describe('what needs a fresh password', () => {
  it('is refused five minutes after it was given, and open again once it is given again', async () => {
    const person = await owner();
    const invite = () => person.call('POST', '/member/invite', { email: 'new@shop.example', role: 'VIEWER' });
    expect((await invite()).status).toBe(200);
    t.clock.advance(5 * MINUTE);
    const stale = await invite();
    expect([stale.status, stale.body.code]).toEqual([403, 'STEP_UP_REQUIRED']);
    const wrong = await person.call('POST', '/session/step-up', { password: 'not this one at all' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'PASSWORD_WRONG']);
    await person.refresh();
    expect((await invite()).status).toBe(200);
  });
});
