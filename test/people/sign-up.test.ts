import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { addPerson, browser, signedInMember, TEST_PASSWORD } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import { mailsTo, newestLink } from './mails.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
// Each test is another day: what was throttled is forgotten.
beforeEach(() => t.clock.advance(60 * 60_000));

let made = 0;
function newcomer() {
  made += 1;
  return {
    email: `Kemi${made}@suya.example`,
    password: TEST_PASSWORD,
    businessName: `Suya Spot ${made}`,
    firstName: 'Kemi',
    lastName: 'Bello',
    phoneNumber: '0808 765 4321',
  };
}

const said = ({ status, text }: { status: number; text: string }) => `${status} ${text}`;
const mail = (email: string) => mailsTo(t, email.toLowerCase());

async function signUp({ email }: { email: unknown } = newcomer()) {
  const page = browser(t);
  return { page, reply: await page.call('POST', '/sign-up', { email }) };
}

/** What is sent from the page that the link opens. */
const opened = (token: string, { email: _email, ...fields }: Record<string, unknown> = newcomer()) => ({
  token,
  ...fields,
});

const confirm = (page: ReturnType<typeof browser>, token: string, fields?: Record<string, unknown>) =>
  page.call('POST', '/sign-up/confirm', opened(token, fields));

describe('signing a business up', () => {
  it('makes nothing until the address is confirmed, and then a business whose sandbox is open', async () => {
    const fields = newcomer();
    const { page, reply } = await signUp(fields);
    expect(said(reply)).toBe('200 {"status":true,"message":"Check your e-mail.","data":null}');
    expect((await page.call('POST', '/session', fields)).status).toBe(400);
    const early = await page.call('POST', '/session', { email: fields.email, password: fields.password });
    expect(early.body.code).toBe('SIGN_IN_REFUSED');

    const token = await newestLink(t, fields.email);
    const look = await browser(t).call('POST', '/sign-up/look', { token });
    expect(look.body.data).toEqual({ email: fields.email.toLowerCase() });
    const confirmed = await confirm(page, token, fields);
    expect(confirmed.status, confirmed.text).toBe(200);
    const { data } = (await page.call('GET', '/session')).body;
    expect(data.person).toMatchObject({ email: fields.email.toLowerCase(), firstName: 'Kemi', role: 'OWNER' });
    expect(data.merchant).toMatchObject({ businessName: fields.businessName, status: 'PENDING', approved: false });
    expect(new Set(data.merchant.services)).toEqual(new Set(['BRANCH', 'CHILD_ACCOUNT', 'PAYOUT']));
    expect((await page.call('GET', '/merchant/info')).body.data.phoneNumber).toBe('2348087654321');
    const wallet = await page.call('GET', '/wallet/merchant');
    expect([wallet.status, wallet.body.data?.wallet.bookedBalance]).toEqual([200, 0]);
    const again = await page.call('POST', '/session', { email: fields.email, password: fields.password });
    expect(again.body.data).toEqual({ next: 'DONE' });
  });

  it('answers an address that is taken as one that is free, and tells its owner alone', async () => {
    const taken = newcomer();
    const { page } = await signUp(taken);
    await confirm(page, await newestLink(t, taken.email), taken);
    const free = await signUp();
    const again = await signUp(taken);
    expect(said(again.reply)).toBe(said(free.reply));
    const [newest] = await mail(taken.email);
    expect(newest?.subject).toBe('You have an account already');
    expect(newest?.text).not.toContain('token=');
  });

  it('answers the address of somebody who was removed alike, and tells them how they may come back', async () => {
    const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const removed = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    expect((await owner.call('DELETE', `/member/${removed.personId}`)).status).toBe(200);
    const { reply } = await signUp({ ...newcomer(), email: removed.email });
    expect(said(reply)).toBe('200 {"status":true,"message":"Check your e-mail.","data":null}');
    const [newest] = await mail(removed.email);
    expect([newest?.subject, newest?.link]).toEqual(['Your account was closed', null]);
    expect(newest?.text).toContain('invite you again');
  });

  it('uses a link once, of six at once', async () => {
    const fields = newcomer();
    const { page } = await signUp(fields);
    const token = await newestLink(t, fields.email);
    const replies = await Promise.all(Array.from({ length: 6 }, () => confirm(browser(t), token, fields)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'LINK_INVALID')).toHaveLength(5);
    const merchants = await rowsOf(t.connectionString, 'select 1 from merchants where business_name = $1', [
      fields.businessName,
    ]);
    expect(merchants).toHaveLength(1);
    expect((await confirm(page, token)).body.code).toBe('LINK_INVALID');
  });

  it('ends the session that the browser had before', async () => {
    const [first, second] = [newcomer(), newcomer()];
    const { page } = await signUp(first);
    await confirm(page, await newestLink(t, first.email), first);
    const before = page.cookie();
    await signUp(second);
    await confirm(page, await newestLink(t, second.email), second);
    const late = await browser(t).call('GET', '/session', undefined, { cookie: before });
    expect([late.status, late.body.code]).toEqual([401, 'SESSION_EXPIRED']);
  });

  it('takes a link for a day, for its own purpose, and no other text', async () => {
    const fields = newcomer();
    const { page } = await signUp(fields);
    const token = await newestLink(t, fields.email);
    for (const url of ['/password/reset', '/invitation/accept']) {
      const body = { token, password: TEST_PASSWORD, ...(url.startsWith('/inv') && { firstName: 'A', lastName: 'B' }) };
      expect((await page.call('POST', url, body)).body.code).toBe('LINK_INVALID');
    }
    t.clock.advance(24 * 60 * 60_000);
    for (const wrong of [token, 'x'.repeat(43)]) {
      expect((await confirm(page, wrong)).body.code).toBe('LINK_INVALID');
      expect((await page.call('POST', '/sign-up/look', { token: wrong })).body.code).toBe('LINK_INVALID');
    }
  });

  it('takes no password before the address is confirmed, so somebody else’s never counts', async () => {
    const fields = newcomer();
    const early = await browser(t).call('POST', '/sign-up', {
      email: fields.email,
      password: 'the stranger knows it 1',
    });
    expect([early.status, early.body.errors?.[0].field]).toEqual([400, 'password']);
    // A stranger begins with somebody's address; whose it is opens the link, and chooses.
    await signUp(fields);
    const page = browser(t);
    expect((await confirm(page, await newestLink(t, fields.email), fields)).status).toBe(200);
    const signIn = (password: string) => browser(t).call('POST', '/session', { email: fields.email, password });
    expect((await signIn('the stranger knows it 1')).body.code).toBe('SIGN_IN_REFUSED');
    expect((await signIn(fields.password)).status).toBe(200);
  });

  it('ends every other sign-up of an address when one is confirmed', async () => {
    const fields = newcomer();
    const links: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      await signUp(fields);
      links.push(await newestLink(t, fields.email));
    }
    const [first = '', second = '', third = ''] = links;
    expect((await confirm(browser(t), second, fields)).status).toBe(200);
    for (const late of [first, third]) {
      expect((await confirm(browser(t), late, fields)).body.code).toBe('LINK_INVALID');
    }
    const left = await rowsOf(t.connectionString, 'select 1 from sign_ups where email = $1', [
      fields.email.toLowerCase(),
    ]);
    expect(left).toEqual([]);
  });

  it('does not give an address away that became somebody’s meanwhile, and says so to who reads it', async () => {
    const fields = newcomer();
    await signUp(fields);
    const token = await newestLink(t, fields.email);
    await addPerson(t, { kind: 'OPERATOR', email: fields.email.toLowerCase() });
    const late = await confirm(browser(t), token, fields);
    expect([late.status, late.body.code]).toEqual([409, 'EMAIL_TAKEN']);
  });

  it.each(['not an address', 'a@b.example, c@d.example', `${'a'.repeat(250)}@b.example`])(
    'says that an address is wrong: %s',
    async (email) => {
      const { reply } = await signUp({ email });
      expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual(['email']);
    },
  );

  it.each([
    ['password', 'short'],
    ['password', 'x'.repeat(257)],
    ['businessName', ' '],
    ['businessName', 'Win money at https://evil.example'],
    ['businessName', 'Win money at Www.evil.example'],
    ['firstName', 'Kemi\u202e'],
    ['lastName', ''],
    ['phoneNumber', 'call me'],
  ])('says that %s is wrong next to it, and leaves the link good: %s', async (field, value) => {
    const fields = newcomer();
    const { page } = await signUp(fields);
    const token = await newestLink(t, fields.email);
    const reply = await confirm(page, token, { ...fields, [field]: value });
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
    expect((await confirm(page, token, fields)).status).toBe(200);
  });

  it.each([
    'password1234',
    'PASSWORDPASSWORD',
    'aaaaaaaaaaaaaa',
    '123456789012345',
    'Suya Spot Ltd 1',
    'qwertyuiop123!',
    'Manilla-2026!',
  ])('refuses the password %s, which is guessed first', async (password) => {
    const fields = newcomer();
    const { page } = await signUp(fields);
    const token = await newestLink(t, fields.email);
    const reply = await confirm(page, token, { ...fields, businessName: 'Suya Spot Ltd', password });
    expect([reply.status, reply.body.code]).toEqual([422, 'PASSWORD_TOO_COMMON']);
    expect(reply.body.errors[0].field).toBe('password');
  });

  it('mails five times to one address in a quarter of an hour, whether it is taken or not, and then says so', async () => {
    const free = newcomer();
    const codes: string[] = [];
    for (let at = 0; at < 7; at += 1) codes.push(String((await signUp(free)).reply.body.code ?? 'ok'));
    expect(codes).toEqual([...Array(5).fill('ok'), 'SIGN_IN_LOCKED', 'SIGN_IN_LOCKED']);
    expect(await mail(free.email)).toHaveLength(5);
  });

  it('mails thirty times for one network in a quarter of an hour, of fifty at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => signUp()));
    expect(replies.filter(({ reply }) => reply.status === 200)).toHaveLength(30);
    expect(replies.filter(({ reply }) => reply.body.code === 'SIGN_IN_LOCKED')).toHaveLength(20);
  });
});
