import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/people/password.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { addPerson, browser, signedInMember, TEST_PASSWORD } from '../support/people.ts';
import { saidBy } from '../support/world.ts';
import { mailAbout, mailsTo, newestLink } from './mails.ts';

const NEW_PASSWORD = 'quite another sentence 8';
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(() => t.clock.advance(60 * 60_000));

const owner = () => signedInMember(t, t.merchant.merchantId, 'OWNER');
const signIn = (email: string, password: string, ip = '127.0.0.1') =>
  t.app.server.inject({ method: 'POST', url: '/session', payload: { email, password }, remoteAddress: ip });
const codeOf = (reply: { body: string }) => (JSON.parse(reply.body) as { code?: string }).code ?? 'ok';
const ask = (url: string, body: object) => browser(t).call('POST', url, body);

describe('a password that is forgotten', () => {
  it('is replaced once by the link of a mail, and every session ends', async () => {
    const person = await owner();
    expect((await ask('/password/forgot', { email: person.email })).status).toBe(200);
    const token = await newestLink(t, person.email);
    const short = await ask('/password/reset', { token, password: 'short' });
    expect([short.status, short.body.errors[0].field]).toEqual([400, 'password']);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ask('/password/reset', { token, password: NEW_PASSWORD })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'LINK_INVALID')).toHaveLength(4);
    expect((await person.call('GET', '/session')).body.code).toBe('SESSION_EXPIRED');
    expect(codeOf(await signIn(person.email, TEST_PASSWORD))).toBe('SIGN_IN_REFUSED');
    expect(codeOf(await signIn(person.email, NEW_PASSWORD))).toBe('ok');
    expect(await mailAbout(t, person.email, 'Your password was changed')).toBeDefined();
  });

  it('has a link that says whose it is before it is used, as often as it is opened, and once it is used that it is dead', async () => {
    const person = await owner();
    await ask('/password/forgot', { email: person.email });
    const token = await newestLink(t, person.email);
    for (let at = 0; at < 2; at += 1) {
      const look = await ask('/password/look', { token });
      expect([look.status, look.body.data]).toEqual([200, { email: person.email }]);
    }
    expect((await ask('/password/reset', { token, password: NEW_PASSWORD })).status).toBe(200);
    const late = await ask('/password/look', { token });
    expect([late.status, late.body.code]).toEqual([422, 'LINK_INVALID']);
  });

  it('has a link that is dead for who was removed since, and a link of another purpose is none', async () => {
    const [person, removed] = [await owner(), await owner()];
    await ask('/password/forgot', { email: removed.email });
    const token = await newestLink(t, removed.email);
    await person.call('DELETE', `/member/${removed.personId}`);
    expect((await ask('/password/look', { token })).body.code).toBe('LINK_INVALID');
    await ask('/sign-up', { email: 'new@look.example' });
    const other = await newestLink(t, 'new@look.example');
    expect((await ask('/password/look', { token: other })).body.code).toBe('LINK_INVALID');
  });

  it('opens nothing any more, also where it was given at the moment that it was replaced', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await owner();
      await ask('/password/forgot', { email: person.email });
      const token = await newestLink(t, person.email);
      const pages = Array.from({ length: 4 }, () => browser(t));
      const body = { email: person.email, password: TEST_PASSWORD };
      const [reset] = await Promise.all([
        ask('/password/reset', { token, password: NEW_PASSWORD }),
        ...pages.map((page) => page.call('POST', '/session', body)),
      ]);
      expect(reset.status).toBe(200);
      for (const page of pages) expect((await page.call('GET', '/session')).status).toBe(401);
    }
  });

  it('lets in whom a guesser has locked out', async () => {
    const person = await owner();
    for (let at = 0; at < 6; at += 1) await signIn(person.email, 'a wrong one');
    expect(codeOf(await signIn(person.email, TEST_PASSWORD))).toBe('SIGN_IN_LOCKED');
    await ask('/password/forgot', { email: person.email });
    await ask('/password/reset', { token: await newestLink(t, person.email), password: NEW_PASSWORD });
    expect(codeOf(await signIn(person.email, NEW_PASSWORD))).toBe('ok');
  });

  it('is answered alike for an address that is nobody’s, and for somebody who was removed', async () => {
    const [person, removed] = [await owner(), await owner()];
    await person.call('DELETE', `/member/${removed.personId}`);
    const texts = new Set<string>();
    for (const email of [person.email, removed.email, 'nobody@shop.example']) {
      const reply = await ask('/password/forgot', { email });
      texts.add(`${reply.status} ${reply.text}`);
    }
    expect([...texts]).toEqual(['200 {"status":true,"message":"Check your e-mail.","data":null}']);
    expect((await mailsTo(t, 'nobody@shop.example'))[0]?.subject).toBe('There is no account with this address');
    const [closed] = await mailsTo(t, removed.email);
    expect([closed?.subject, closed?.link]).toEqual(['Your account was closed', null]);
  });

  it('is mailed a link that lives an hour, of which only the newest counts, to our own address', async () => {
    const person = await owner();
    const sendWith = (host: string) =>
      browser(t).call('POST', '/password/forgot', { email: person.email }, { host, origin: `http://${host}` });
    expect((await sendWith('evil.example')).status).toBe(421);
    await sendWith('127.0.0.1');
    const first = await newestLink(t, person.email);
    expect((await mailsTo(t, person.email))[0]?.link).toMatch(
      /^http:\/\/127\.0\.0\.1\/dashboard\/reset#token=[\w-]{43}$/,
    );
    await sendWith('127.0.0.1');
    const second = await newestLink(t, person.email);
    expect((await ask('/password/reset', { token: first, password: NEW_PASSWORD })).body.code).toBe('LINK_INVALID');
    expect((await ask('/password/look', { token: first })).body.code).toBe('LINK_INVALID');
    t.clock.advance(60 * 60_000);
    expect((await ask('/password/look', { token: second })).body.code).toBe('LINK_INVALID');
    expect((await ask('/password/reset', { token: second, password: NEW_PASSWORD })).body.code).toBe('LINK_INVALID');
  });
});

describe('a password that is changed', () => {
  it('ends all other sessions and keeps this one, under a new secret', async () => {
    const person = await owner();
    const phone = browser(t);
    await phone.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    const before = person.cookie();
    const wrong = await person.call('POST', '/password/change', { password: 'wrong one', newPassword: NEW_PASSWORD });
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].field]).toEqual([422, 'PASSWORD_WRONG', 'password']);
    const common = await person.call('POST', '/password/change', {
      password: TEST_PASSWORD,
      newPassword: 'password1234',
    });
    expect([common.body.code, common.body.errors[0].field]).toEqual(['PASSWORD_TOO_COMMON', 'newPassword']);
    const reply = await person.call('POST', '/password/change', { password: TEST_PASSWORD, newPassword: NEW_PASSWORD });
    expect(reply.status, reply.text).toBe(200);
    expect(person.cookie()).not.toBe(before);
    expect((await person.call('GET', '/session')).status).toBe(200);
    expect((await phone.call('GET', '/session')).body.code).toBe('SESSION_EXPIRED');
  });

  it('ends the links to choose another, so that who asked for one before has nothing by it', async () => {
    const person = await owner();
    await ask('/password/forgot', { email: person.email });
    const token = await newestLink(t, person.email);
    const body = { password: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    expect((await person.call('POST', '/password/change', body)).status).toBe(200);
    const late = await ask('/password/reset', { token, password: 'a third one, by a stranger' });
    expect([late.status, late.body.code]).toEqual([422, 'LINK_INVALID']);
    expect(codeOf(await signIn(person.email, NEW_PASSWORD))).toBe('ok');
  });

  it('leaves the one that replaced it while it was being changed', async () => {
    const person = await owner();
    const replaced = await hashPassword('what a mail let them choose');
    const client = await t.database.pool.connect();
    await client.query('begin');
    await client.query('update people set password_hash = $2 where id = $1', [person.personId, replaced]);
    const body = { password: TEST_PASSWORD, newPassword: NEW_PASSWORD };
    const changing = person.call('POST', '/password/change', body);
    await expect.poll(() => lockWaits(t.connectionString)).toBe(1);
    await client.query('commit');
    client.release();
    const late = await changing;
    expect([late.status, late.body.code]).toEqual([422, 'PASSWORD_WRONG']);
    expect(codeOf(await signIn(person.email, NEW_PASSWORD))).toBe('SIGN_IN_REFUSED');
    expect(codeOf(await signIn(person.email, 'what a mail let them choose'))).toBe('ok');
  });

  it('is the same however a keyboard writes its accents', async () => {
    const person = await owner();
    const [composed, taken] = ['quatre cafés ici', 'quatre cafe\u0301s ici'];
    const body = { password: TEST_PASSWORD, newPassword: taken };
    expect((await person.call('POST', '/password/change', body)).status).toBe(200);
    expect(codeOf(await signIn(person.email, composed))).toBe('ok');
    expect(codeOf(await signIn(person.email, 'quatre cafes ici'))).toBe('SIGN_IN_REFUSED');
  });

  it('is guessed at five times in a session, which locks neither the door nor another session', async () => {
    const person = await owner();
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        person.call('POST', '/session/step-up', { password: `guess number ${at}` }),
      ),
    );
    expect(guesses.filter(({ body }) => body.code === 'PASSWORD_WRONG')).toHaveLength(5);
    expect(guesses.filter(({ body }) => body.code === 'SIGN_IN_LOCKED')).toHaveLength(15);
    expect(codeOf(await signIn(person.email, TEST_PASSWORD))).toBe('ok');
  });
});

/** A browser in which this person has signed in. @returns what signing in with an address and a password comes to there */
async function knownBrowser(email: string) {
  const first = await browser(t).call('POST', '/session', { email, password: TEST_PASSWORD });
  expect(first.status, first.text).toBe(200);
  const cookies = [first.headers['set-cookie']].flat().map((cookie) => String(cookie).split(';')[0] ?? '');
  const cookie = cookies.find((one) => one.startsWith('__Host-manilla_device='));
  expect(cookie).toBeDefined();
  return async (address: string, password = TEST_PASSWORD): Promise<string> => {
    const reply = await browser(t).call('POST', '/session', { email: address, password }, { cookie: cookie ?? '' });
    return reply.body.code ?? 'ok';
  };
}

describe('guesses', () => {
  it('of strangers lock out no browser that signed in before, neither at the door nor in its session, and each other', async () => {
    const [person, other] = [await owner(), await owner()];
    const [known, elsewhere] = [await knownBrowser(person.email), await knownBrowser(other.email)];
    for (let at = 0; at < 6; at += 1) await signIn(person.email, 'a wrong one');
    expect(codeOf(await signIn(person.email, TEST_PASSWORD))).toBe('SIGN_IN_LOCKED');
    expect((await person.call('POST', '/session/step-up', { password: TEST_PASSWORD })).status).toBe(200);
    expect(await known(person.email)).toBe('ok');
    // A browser that signed in with another address is a stranger to this one.
    expect(await elsewhere(person.email)).toBe('SIGN_IN_LOCKED');
  });

  it('in a browser that signed in before are five in a quarter of an hour', async () => {
    const person = await owner();
    const known = await knownBrowser(person.email);
    for (let at = 0; at < 5; at += 1) expect(await known(person.email, 'a wrong one')).toBe('SIGN_IN_REFUSED');
    expect(await known(person.email)).toBe('SIGN_IN_LOCKED');
    expect(codeOf(await signIn(person.email, TEST_PASSWORD))).toBe('ok');
    // Another browser of the same person is not this one, and nor is a session.
    expect(await (await knownBrowser(person.email))(person.email)).toBe('ok');
    expect((await person.call('POST', '/session/step-up', { password: TEST_PASSWORD })).status).toBe(200);
  });

  /** Four guesses at each lock nobody out; a wrong password is refused sooner here than an address that is nobody's. */
  const guessed: string[] = [];
  beforeAll(async () => {
    for (let at = 0; at < 15; at += 1) {
      guessed.push(`guessed${at}@shop.example`);
      await addPerson(t, {
        ...{ kind: 'MEMBER', merchantId: t.merchant.merchantId, role: 'VIEWER' },
        email: guessed[at] as string,
      });
    }
  });

  it('of one network at many addresses are looked at fifty times in a quarter of an hour', async () => {
    const person = await owner();
    const codes: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const replies = await Promise.all(guessed.map((email) => signIn(email, 'x', '198.51.100.7')));
      codes.push(...replies.map(codeOf));
    }
    expect(codes.filter((code) => code === 'SIGN_IN_REFUSED')).toHaveLength(50);
    expect(codes.filter((code) => code === 'SIGN_IN_LOCKED')).toHaveLength(10);
    expect(codeOf(await signIn(person.email, TEST_PASSWORD, '198.51.100.7'))).toBe('SIGN_IN_LOCKED');
    expect(codeOf(await signIn(person.email, TEST_PASSWORD, '198.51.100.8'))).toBe('ok');
  });

  it('of one IPv6 network count together, however many addresses it has', async () => {
    for (let at = 0; at < 50; at += 1)
      await signIn(guessed[at % guessed.length] as string, 'x', `2001:db8:1:2::${at.toString(16)}`);
    expect(codeOf(await signIn('nobody@six.example', 'x', '2001:db8:1:2:ffff::1'))).toBe('SIGN_IN_LOCKED');
    expect(codeOf(await signIn('nobody@six.example', 'x', '2001:db8:1:3::1'))).toBe('SIGN_IN_REFUSED');
  });

  it('in a flood get a refusal to come again, and nobody waits for ever', async () => {
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, at) => signIn(`flood${at}@shop.example`, 'x', `203.0.113.${at}`)),
    );
    const codes = replies.map(codeOf);
    expect(new Set(codes)).toEqual(new Set(['SIGN_IN_REFUSED', 'OVERLOADED']));
    const shed = replies.find((reply) => codeOf(reply) === 'OVERLOADED');
    expect([shed?.statusCode, shed?.headers['retry-after']]).toEqual([503, '2']);
  });

  it('learn nothing: known, unknown and removed addresses get the same answer', async () => {
    const [person, removed] = [await owner(), await owner()];
    await person.call('DELETE', `/member/${removed.personId}`);
    const replies = [
      await signIn(person.email, 'wrong', '203.0.113.201'),
      await signIn('nobody@shop.example', 'wrong', '203.0.113.201'),
      await signIn(removed.email, TEST_PASSWORD, '203.0.113.201'),
    ];
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${saidBy({ text: body })}`)).size).toBe(1);
    expect(replies.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined, undefined]);
  });
});
