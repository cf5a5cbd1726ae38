import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../src/access/index.ts';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { mailsTo, newestLink } from './mails.ts';

let t: TestApp;
let merchant: TestMerchant;
let owner: TestPerson;
beforeAll(async () => {
  // One holds a row, two wait for it, and one looks whether they do.
  t = await createTestApp({ DATABASE_POOL_SIZE: '5' });
});
afterAll(() => t.close());
beforeEach(async () => {
  t.clock.advance(60 * 60_000);
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
});

let made = 0;
const newAddress = () => {
  made += 1;
  return `colleague${made}@shop.example`;
};
const join = async (email: string) =>
  browser(t).call('POST', '/invitation/accept', {
    token: await newestLink(t, email),
    password: TEST_PASSWORD,
    firstName: 'Bola',
    lastName: 'Ade',
  });
const told = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const rowOf = async (email: string) => {
  const { data } = (await owner.call('GET', '/member')).body;
  return data.find((row: { email: string }) => row.email === email);
};
const memberAs = (role: Role) => signedInMember(t, merchant.merchantId, role);

describe('inviting', () => {
  it('lets somebody join with the role that was offered, once, and signs them in', async () => {
    const email = newAddress();
    const { data } = (await owner.call('POST', '/member/invite', { email, role: 'MAKER' })).body;
    expect(await rowOf(email)).toMatchObject({ personId: data.personId, status: 'INVITED', role: 'MAKER' });
    const token = await newestLink(t, email);
    const look = await browser(t).call('POST', '/invitation/look', { token });
    expect(look.body.data).toEqual({ email, businessName: 'Adire & Co', role: 'MAKER', invitedBy: 'OWNER Person' });
    const pages = Array.from({ length: 5 }, () => browser(t));
    const body = { token, password: TEST_PASSWORD, firstName: 'Bola', lastName: 'Ade' };
    const replies = await Promise.all(pages.map((page) => page.call('POST', '/invitation/accept', body)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body: { code } }) => code === 'LINK_INVALID')).toHaveLength(4);
    const page = pages[replies.findIndex(({ status }) => status === 200)] as (typeof pages)[number];
    const session = (await page.call('GET', '/session')).body.data;
    expect(session.person).toMatchObject({ personId: data.personId, role: 'MAKER', firstName: 'Bola' });
    expect(session.merchant.merchantId).toBe(merchant.merchantId);
    expect(await rowOf(email)).toMatchObject({ status: 'ACTIVE', you: false });
  });

  it('ends the session that the browser had before, whosever it was', async () => {
    const email = newAddress();
    await owner.call('POST', '/member/invite', { email, role: 'VIEWER' });
    const page = browser(t);
    const viewer = await memberAs('VIEWER');
    await page.call('POST', '/session', { email: viewer.email, password: TEST_PASSWORD });
    const before = page.cookie();
    const body = { token: await newestLink(t, email), password: TEST_PASSWORD, firstName: 'Bola', lastName: 'Ade' };
    expect((await page.call('POST', '/invitation/accept', body)).status).toBe(200);
    const late = await browser(t).call('GET', '/session', undefined, { cookie: before });
    expect([late.status, late.body.code]).toEqual([401, 'SESSION_EXPIRED']);
    expect((await page.call('GET', '/session')).body.data.person.email).toBe(email);
  });

  it('is done fifty times by one business in a quarter of an hour, and not once more', async () => {
    const invite = () => owner.call('POST', '/member/invite', { email: newAddress(), role: 'VIEWER' });
    const replies: Awaited<ReturnType<typeof invite>>[] = [];
    while (replies.length < 60) replies.push(...(await Promise.all(Array.from({ length: 10 }, invite))));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
    const refused = replies.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.code]).toEqual([423, 'SIGN_IN_LOCKED']);
    expect(refused?.body.message).toMatch(/^Too many attempts\. Inviting people is locked until /);
    const other = await t.addMerchant();
    const elsewhere = await signedInMember(t, other.merchantId, 'OWNER');
    const invited = await elsewhere.call('POST', '/member/invite', { email: newAddress(), role: 'VIEWER' });
    expect(invited.status).toBe(200);
  });

  it('answers alike for an address that is somebody’s elsewhere, whose mail holds no link', async () => {
    const elsewhere = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const replies = [elsewhere.email, newAddress()].map((email) =>
      owner.call('POST', '/member/invite', { email, role: 'VIEWER' }),
    );
    const [taken, free] = await Promise.all(replies);
    const shape = (reply: typeof taken) => reply?.text.replace(/[0-9a-f-]{36}/, 'ID');
    expect(shape(taken)).toBe(shape(free));
    expect((await mailsTo(t, elsewhere.email))[0]?.link).toBe(null);
    const own = await owner.call('POST', '/member/invite', { email: owner.email, role: 'VIEWER' });
    expect(told(own)).toEqual([409, 'MEMBER_EXISTS']);
  });

  it('again, or as a reminder, sends a new link, and the one before is dead', async () => {
    const email = newAddress();
    const { data } = (await owner.call('POST', '/member/invite', { email, role: 'MAKER' })).body;
    const first = await newestLink(t, email);
    expect((await owner.call('POST', `/member/${data.personId}/remind`)).status).toBe(200);
    const second = await newestLink(t, email);
    expect(told(await browser(t).call('POST', '/invitation/look', { token: first }))).toEqual([422, 'LINK_INVALID']);
    await owner.call('PATCH', `/member/${data.personId}`, { role: 'VIEWER' });
    const look = await browser(t).call('POST', '/invitation/look', { token: second });
    expect(look.body.data.role).toBe('VIEWER');
    expect(told(await owner.call('POST', `/member/${owner.personId}/remind`))).toEqual([409, 'NOT_INVITED']);
    const other = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    expect(told(await other.call('POST', `/member/${data.personId}/remind`))).toEqual([404, 'PERSON_NOT_FOUND']);
  });

  it('that is taken back, or a week old, lets nobody in', async () => {
    const [back, old] = [newAddress(), newAddress()];
    const { data } = (await owner.call('POST', '/member/invite', { email: back, role: 'MAKER' })).body;
    expect((await owner.call('DELETE', `/member/${data.personId}`)).status).toBe(200);
    expect(told(await join(back))).toEqual([422, 'LINK_INVALID']);
    expect(await rowOf(back)).toBe(undefined);
    await owner.call('POST', '/member/invite', { email: old, role: 'MAKER' });
    t.clock.advance(7 * 24 * 60 * 60_000);
    expect(told(await join(old))).toEqual([422, 'LINK_INVALID']);
  });

  it.each(['PATCH', 'DELETE'] as const)(
    'is accepted before or after it is changed or taken back, never beside it: %s',
    async (method) => {
      const email = newAddress();
      const { data } = (await owner.call('POST', '/member/invite', { email, role: 'ADMIN' })).body;
      const token = await newestLink(t, email);
      const held = await t.database.pool.connect();
      const waiting = (count: number) => expect.poll(() => lockWaits(t.connectionString)).toBe(count);
      await held.query('begin');
      await held.query('select 1 from invitations where id = $1 for update', [data.personId]);
      const body = { token, password: TEST_PASSWORD, firstName: 'Bola', lastName: 'Ade' };
      const joined = browser(t).call('POST', '/invitation/accept', body);
      await waiting(1);
      const changed = owner.call(
        method,
        `/member/${data.personId}`,
        method === 'PATCH' ? { role: 'VIEWER' } : undefined,
      );
      await waiting(2);
      await held.query('commit');
      held.release();
      expect([(await joined).status, (await changed).status]).toEqual([200, 200]);
      expect(await rowOf(email)).toMatchObject(
        method === 'PATCH' ? { status: 'ACTIVE', role: 'VIEWER' } : { status: 'DISABLED' },
      );
    },
  );

  it('brings back somebody who was removed, without what they had', async () => {
    const person = await memberAs('ADMIN');
    const factor = `update people set totp_sealed = 'of a lost phone', recovery_hashes = '{"of a lost list"}' where id = $1`;
    await t.database.pool.query(factor, [person.personId]);
    await owner.call('DELETE', `/member/${person.personId}`);
    expect(await rowOf(person.email)).toMatchObject({ status: 'DISABLED' });
    await owner.call('POST', '/member/invite', { email: person.email, role: 'VIEWER' });
    expect(await rowOf(person.email)).toMatchObject({ status: 'INVITED', personId: person.personId });
    expect(told(await join(person.email))).toEqual([200, undefined]);
    expect(await rowOf(person.email)).toMatchObject({ status: 'ACTIVE', role: 'VIEWER', firstName: 'Bola' });
    const again = await browser(t).call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect(again.body.data).toMatchObject({ next: 'DONE' });
  });
});

describe('a role', () => {
  it('of an owner is an owner’s business: an admin neither makes, changes, invites, takes back nor removes one', async () => {
    const admin = await memberAs('ADMIN');
    const viewer = await memberAs('VIEWER');
    const invited = (await owner.call('POST', '/member/invite', { email: newAddress(), role: 'OWNER' })).body.data;
    const replies = [
      await admin.call('DELETE', `/member/${invited.personId}`),
      await admin.call('PATCH', `/member/${viewer.personId}`, { role: 'OWNER' }),
      await admin.call('PATCH', `/member/${owner.personId}`, { role: 'VIEWER' }),
      await admin.call('DELETE', `/member/${owner.personId}`),
      await admin.call('POST', '/member/invite', { email: newAddress(), role: 'OWNER' }),
    ];
    for (const reply of replies) expect(told(reply)).toEqual([403, 'OWNERS_ONLY']);
    expect(told(await admin.call('PATCH', `/member/${viewer.personId}`, { role: 'MAKER' }))).toEqual([200, undefined]);
  });

  it('is never changed by who has it', async () => {
    const replies = [owner, await memberAs('ADMIN')].map((person) =>
      person.call('PATCH', `/member/${person.personId}`, { role: 'MAKER' }),
    );
    for (const reply of await Promise.all(replies)) expect(told(reply)).toEqual([422, 'NOT_YOURSELF']);
  });

  it('of another merchant’s person is out of reach', async () => {
    const other = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    expect(told(await owner.call('PATCH', `/member/${other.personId}`, { role: 'MAKER' }))).toEqual([
      404,
      'PERSON_NOT_FOUND',
    ]);
    expect(told(await owner.call('DELETE', `/member/${other.personId}`))).toEqual([404, 'PERSON_NOT_FOUND']);
  });
});

describe('the last owner', () => {
  it('stays, also when two owners remove each other, or themselves, at the same moment', async () => {
    expect(told(await owner.call('DELETE', `/member/${owner.personId}`))).toEqual([422, 'LAST_OWNER']);
    for (const target of ['each other', 'themselves', 'by demotion'] as const) {
      const { merchantId } = await t.addMerchant();
      const [a, b] = [await signedInMember(t, merchantId, 'OWNER'), await signedInMember(t, merchantId, 'OWNER')];
      const replies = await Promise.all(
        [a, b].map((person, at) => {
          const other = [b, a][at] as TestPerson;
          const whom = target === 'themselves' ? person : other;
          if (target === 'by demotion') return person.call('PATCH', `/member/${whom.personId}`, { role: 'ADMIN' });
          return person.call('DELETE', `/member/${whom.personId}`);
        }),
      );
      expect(
        replies.filter(({ status }) => status === 200),
        target,
      ).toHaveLength(1);
      const left = await Promise.all([a, b].map((person) => person.call('GET', '/session')));
      expect(
        left.some(({ body }) => body.data?.person.role === 'OWNER'),
        target,
      ).toBe(true);
    }
  });
});

describe('the operator’s staff', () => {
  it('invite and remove each other, and never the last one', async () => {
    const [a, b] = [await signedInOperator(t), await signedInOperator(t)];
    const email = newAddress();
    const { changeId } = (await a.call('POST', '/operator/person/invite', { email })).body.data;
    expect((await b.call('POST', `/operator/person/change/${changeId}/approve`)).status).toBe(200);
    const token = await newestLink(t, email);
    const look = await browser(t).call('POST', '/invitation/look', { token });
    expect(look.body.data).toMatchObject({ businessName: null, role: null });
    const page = browser(t);
    const body = { token, password: TEST_PASSWORD, firstName: 'Tunde', lastName: 'Bello' };
    expect((await page.call('POST', '/invitation/accept', body)).status).toBe(200);
    expect((await page.call('GET', '/session')).body.data.person.kind).toBe('OPERATOR');
    expect(told(await a.call('DELETE', `/operator/person/${a.personId}`))).toEqual([422, 'LAST_OPERATOR']);
    expect(told(await a.call('DELETE', `/operator/person/${owner.personId}`))).toEqual([404, 'PERSON_NOT_FOUND']);
    const replies = await Promise.all([
      a.call('DELETE', `/operator/person/${b.personId}`),
      b.call('DELETE', `/operator/person/${a.personId}`),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the local outbox', () => {
  it('is open where play data run without a mail server', async () => {
    const { status, body } = await browser(t).call('GET', '/mail');
    expect(status).toBe(200);
    const { mailId } = body.data[0];
    expect((await browser(t).call('GET', `/mail/${mailId}`)).body.data).toEqual(body.data[0]);
  });
});
