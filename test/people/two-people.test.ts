import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  approve,
  type Business,
  business,
  codeOf,
  createTestApp,
  type Person,
  payment,
  personOf,
  sessionOf,
  type TestApp,
} from '../approvals/approval-fixture.ts';
import { browser, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { atTerminal } from '../support/terminal.ts';
import { mailsTo, newestLink } from './mails.ts';

const HOUR_MS = 60 * 60_000;
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(() => t.clock.advance(HOUR_MS));

let made = 0;
const newAddress = () => {
  made += 1;
  return `second${made}@shop.example`;
};
const invite = (by: Pick<Person, 'call'>, email: string, role: string) =>
  by.call('POST', '/member/invite', { email, role });
const waiting = async (who: Pick<Person, 'call'>) => (await who.call('GET', '/member/change')).body.data;
const agree = (who: Pick<Person, 'call'>, changeId: string) => who.call('POST', `/member/change/${changeId}/approve`);
const join = async (email: string) => {
  const page = browser(t);
  const token = await newestLink(t, email);
  const body = { token, password: TEST_PASSWORD, firstName: 'Bola', lastName: 'Ade' };
  return { page, reply: await page.call('POST', '/invitation/accept', body) };
};
const hasLink = async (email: string) => (await mailsTo(t, email)).some(({ link }) => link !== null);
const roleOf = async (by: Person, personId: string) =>
  (await by.call('GET', '/member')).body.data.find((each: { personId: string }) => each.personId === personId)?.role;
const emailOf = async (by: Person) =>
  (await by.call('GET', '/member')).body.data.find((each: { you: boolean }) => each.you).email as string;
const subjectsTo = async (email: string) => (await mailsTo(t, email)).map(({ subject }) => subject);

/** A payout that waits for approval. */
async function pay(by: Person) {
  const reply = await by.call('POST', '/payout/single', payment());
  expect(codeOf(reply), reply.text).toBe('DONE');
  const [newest] = (await by.call('GET', '/approval?inbox=MINE')).body.data.records;
  return newest as { approvalId: string; digest: string };
}

describe('while approvals are on', () => {
  it('one person cannot make themselves two: who may decide is invited by the word of two', async () => {
    const shop = await business(t);
    const ownersAddress = await emailOf(shop.owner);
    for (const role of ['APPROVER', 'ADMIN', 'OWNER']) {
      const email = newAddress();
      const asked = await invite(shop.owner, email, role);
      const { changeId } = asked.body.data;
      expect(changeId, role).toEqual(expect.any(String));
      expect(await hasLink(email)).toBe(false);
      expect(codeOf(await agree(shop.owner, changeId))).toBe('403 SECOND_PERSON_NEEDED');
      expect(codeOf(await agree(shop.maker, changeId))).toBe('403 PERMISSION_NOT_GRANTED');
      expect((await waiting(shop.ann))[0]).toMatchObject({ changeId, email, role, mayApprove: true, whyNot: null });
      expect((await waiting(shop.owner))[0]).toMatchObject({ mayApprove: false, mayReject: true });
      expect((await agree(shop.ann, changeId)).body.data).toEqual({ status: 'APPROVED' });
      expect((await join(email)).reply.status).toBe(200);
      expect(await subjectsTo(ownersAddress)).toEqual(
        expect.arrayContaining([
          expect.stringContaining(`Waits for a second person: Invite ${email}`),
          expect.stringContaining(`Approved: Invite ${email}`),
          `${email} may decide from now on`,
        ]),
      );
    }
    const maker = newAddress();
    expect((await invite(shop.owner, maker, 'MAKER')).body.data.changeId).toBe(null);
    expect(await hasLink(maker)).toBe(true);
  });

  it('a promotion to a role that decides waits, of people and of the invited, and a lesser role does not', async () => {
    const shop = await business(t);
    const { changeId } = (await shop.owner.call('PATCH', `/member/${shop.maker.personId}`, { role: 'ADMIN' })).body
      .data;
    expect(await roleOf(shop.owner, shop.maker.personId)).toBe('MAKER');
    expect(codeOf(await agree(shop.ann, changeId))).toBe('DONE');
    expect(await roleOf(shop.owner, shop.maker.personId)).toBe('ADMIN');
    const email = newAddress();
    const { personId } = (await invite(shop.owner, email, 'VIEWER')).body.data;
    const raised = await shop.owner.call('PATCH', `/member/${personId}`, { role: 'APPROVER' });
    expect(raised.body.data.changeId).toEqual(expect.any(String));
    expect(await roleOf(shop.owner, personId)).toBe('VIEWER');
    const lowered = await shop.owner.call('PATCH', `/member/${shop.maker.personId}`, { role: 'VIEWER' });
    expect(lowered.body.data.changeId).toBe(null);
    expect(await roleOf(shop.owner, shop.maker.personId)).toBe('VIEWER');
  });

  it('it takes as many as the strictest rule, each once, and who has left counts no more', async () => {
    const shop = await business(t, [
      { fromAmount: 0, approvals: 1 },
      { fromAmount: 1_000, approvals: 2 },
    ]);
    const carol = await personOf(t, shop.merchant, 'APPROVER', 'Carol');
    const email = newAddress();
    const { changeId } = (await invite(shop.owner, email, 'ADMIN')).body.data;
    expect((await agree(shop.ann, changeId)).body.data).toEqual({ status: 'PENDING' });
    expect(codeOf(await agree(shop.ann, changeId))).toBe('409 ALREADY_DECIDED');
    expect(codeOf(await shop.owner.call('DELETE', `/member/${shop.ann.personId}`))).toBe('DONE');
    expect((await agree(shop.ben, changeId)).body.data).toEqual({ status: 'PENDING' });
    expect(await hasLink(email)).toBe(false);
    expect((await agree(carol, changeId)).body.data).toEqual({ status: 'APPROVED' });
  });

  it('of many who decide at the same moment one brings it about, once', async () => {
    const shop = await business(t);
    const email = newAddress();
    const { changeId } = (await invite(shop.owner, email, 'APPROVER')).body.data;
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => agree(shop.ann, changeId)),
      ...Array.from({ length: 4 }, () => agree(shop.ben, changeId)),
    ]);
    expect(replies.map(codeOf).filter((code) => code === 'DONE')).toHaveLength(1);
    expect((await mailsTo(t, email)).filter(({ link }) => link !== null)).toHaveLength(1);
  });

  it('what was asked for dies with who asked, with what it was about, and by being asked for anew', async () => {
    const shop = await business(t);
    const admin = await personOf(t, shop.merchant, 'ADMIN');
    const first = (await invite(admin, newAddress(), 'APPROVER')).body.data.changeId;
    expect(codeOf(await shop.owner.call('DELETE', `/member/${admin.personId}`))).toBe('DONE');
    expect(codeOf(await agree(shop.ann, first))).toBe('409 PEOPLE_CHANGE_CLOSED');
    const raise = async (role: string) =>
      (await shop.owner.call('PATCH', `/member/${shop.maker.personId}`, { role })).body.data.changeId;
    const second = await raise('ADMIN');
    const third = await raise('APPROVER');
    expect(codeOf(await agree(shop.ann, second))).toBe('409 PEOPLE_CHANGE_CLOSED');
    expect(codeOf(await shop.owner.call('DELETE', `/member/${shop.maker.personId}`))).toBe('DONE');
    expect(codeOf(await agree(shop.ann, third))).toBe('409 PEOPLE_CHANGE_CLOSED');
    const email = newAddress();
    const [fourth, fifth] = [await invite(shop.owner, email, 'ADMIN'), await invite(shop.owner, email, 'APPROVER')];
    expect(codeOf(await agree(shop.ann, fourth.body.data.changeId))).toBe('409 PEOPLE_CHANGE_CLOSED');
    expect((await shop.ann.call('POST', `/member/change/${fifth.body.data.changeId}/reject`)).body.data).toEqual({
      status: 'REJECTED',
    });
    const mine = (await invite(shop.owner, email, 'APPROVER')).body.data.changeId;
    expect((await shop.owner.call('POST', `/member/change/${mine}/reject`)).body.data).toEqual({ status: 'WITHDRAWN' });
    const late = (await invite(shop.owner, email, 'APPROVER')).body.data.changeId;
    t.clock.advance(7 * 24 * HOUR_MS);
    const ann = { call: await sessionOf(t, shop.ann.personId) };
    expect(codeOf(await agree(ann, late))).toBe('409 PEOPLE_CHANGE_CLOSED');
    expect(await waiting(ann)).toEqual([]);
    expect(await hasLink(email)).toBe(false);
  });

  it('what an owner asked for is not done once they are none, and nobody agrees who may decide no more', async () => {
    const shop = await business(t);
    const second = await personOf(t, shop.merchant, 'OWNER');
    const email = newAddress();
    const { changeId } = (await invite(second, email, 'OWNER')).body.data;
    expect(codeOf(await shop.owner.call('PATCH', `/member/${second.personId}`, { role: 'ADMIN' }))).toBe('DONE');
    expect(codeOf(await agree(shop.ann, changeId))).toBe('403 OWNERS_ONLY');
    const other = (await invite(shop.owner, newAddress(), 'APPROVER')).body.data.changeId;
    await waiting(shop.ben);
    // As another process does it: this one has not heard of it.
    await t.database.pool.query(`update people set role = 'MAKER' where id = $1`, [shop.ben.personId]);
    expect(codeOf(await agree(shop.ben, other))).not.toBe('DONE');
    expect(codeOf(await agree(shop.ann, other))).toBe('DONE');
    expect(await hasLink(email)).toBe(false);
  });

  it('an invitation that waits dies with a lesser one to the same address, and with one that is taken back', async () => {
    const shop = await business(t);
    const email = newAddress();
    const asked = async () => (await invite(shop.owner, email, 'ADMIN')).body.data.changeId as string;
    const before = await asked();
    const { personId } = (await invite(shop.owner, email, 'VIEWER')).body.data;
    expect(codeOf(await agree(shop.ann, before))).toBe('409 PEOPLE_CHANGE_CLOSED');
    const lowered = await asked();
    expect(codeOf(await shop.owner.call('PATCH', `/member/${personId}`, { role: 'DEVELOPER' }))).toBe('DONE');
    expect(codeOf(await agree(shop.ann, lowered))).toBe('409 PEOPLE_CHANGE_CLOSED');
    const removed = await asked();
    expect(codeOf(await shop.owner.call('DELETE', `/member/${personId}`))).toBe('DONE');
    expect(codeOf(await agree(shop.ann, removed))).toBe('409 PEOPLE_CHANGE_CLOSED');
    expect(await waiting(shop.ann)).toEqual([]);
  });

  it('an invitation of before they were on brings in nobody who decides, and another merchant’s change is not found', async () => {
    const shop = await business(t, []);
    const email = newAddress();
    const { personId } = (await invite(shop.owner, email, 'ADMIN')).body.data;
    await shop.owner.call('PATCH', '/approval/rules', {
      isMakerCheckerEnabled: true,
      rules: [{ fromAmount: 0, approvals: 1 }],
    });
    expect(codeOf((await join(email)).reply)).toBe('409 INVITATION_NOT_APPROVED');
    expect(codeOf(await shop.owner.call('POST', `/member/${personId}/remind`))).toBe('409 INVITATION_NOT_APPROVED');
    const { changeId } = (await invite(shop.owner, email, 'ADMIN')).body.data;
    const other = await business(t);
    expect(codeOf(await agree(other.ann, changeId))).toBe('404 PEOPLE_CHANGE_NOT_FOUND');
    expect(codeOf(await agree(shop.ann, changeId))).toBe('DONE');
    expect((await join(email)).reply.status).toBe(200);
  });
});

describe('for a day after one brought the other in', () => {
  /** Whom the owner invited with Ann's word. */
  async function newcomer(shop: Business, role: string): Promise<Person> {
    const email = newAddress();
    const { personId, changeId } = (await invite(shop.owner, email, role)).body.data;
    if (changeId !== null) expect(codeOf(await agree(shop.ann, changeId))).toBe('DONE');
    expect((await join(email)).reply.status).toBe(200);
    return { personId, call: await sessionOf(t, personId) };
  }
  const stands = async (who: Person, approvalId: string) => {
    const { mayDecide } = (await who.call('GET', `/approval/${approvalId}`)).body.data;
    const inbox = (await who.call('GET', '/approval?inbox=TO_DECIDE')).body.data.records;
    return [mayDecide, inbox.some((each: { approvalId: string }) => each.approvalId === approvalId)];
  };

  it('neither decides about what the other made, and others do', async () => {
    const shop = await business(t);
    const carol = await newcomer(shop, 'ADMIN');
    const made = await pay(shop.owner);
    expect(codeOf(await approve(carol, made))).toBe('403 SECOND_PERSON_TOO_NEW');
    expect(await stands(carol, made.approvalId)).toEqual([false, false]);
    expect(await stands(shop.ann, made.approvalId)).toEqual([true, true]);
    const theirs = await pay(carol);
    expect(codeOf(await approve(shop.owner, theirs))).toBe('403 SECOND_PERSON_TOO_NEW');
    expect(codeOf(await approve(shop.ann, theirs))).toBe('DONE');
    // A maker of one's own is a second person as well.
    const maker = await newcomer(shop, 'MAKER');
    expect(codeOf(await approve(shop.owner, await pay(maker)))).toBe('403 SECOND_PERSON_TOO_NEW');
    // Nor does the newcomer bring in a third by the word of who brought them in.
    const { changeId } = (await invite(carol, newAddress(), 'APPROVER')).body.data;
    expect(codeOf(await agree(shop.owner, changeId))).toBe('403 SECOND_PERSON_TOO_NEW');
    expect((await waiting(shop.owner))[0]).toMatchObject({ changeId, mayApprove: false });

    t.clock.advance(24 * HOUR_MS);
    const later = { ...carol, call: await sessionOf(t, carol.personId) };
    expect(await stands(later, made.approvalId)).toEqual([true, true]);
    expect(codeOf(await approve(later, made))).toBe('DONE');
  });

  it('a promotion counts as bringing in', async () => {
    const shop = await business(t);
    const made = await pay(shop.owner);
    const raise = await shop.owner.call('PATCH', `/member/${shop.maker.personId}`, { role: 'APPROVER' });
    expect(codeOf(await agree(shop.ann, raise.body.data.changeId))).toBe('DONE');
    const raised = { ...shop.maker, call: await sessionOf(t, shop.maker.personId) };
    expect(codeOf(await approve(raised, made))).toBe('403 SECOND_PERSON_TOO_NEW');
    expect(codeOf(await approve(shop.ben, made))).toBe('DONE');
  });
});

describe('a second factor that the terminal switches off', () => {
  const reset = (email: string, ...more: string[]) =>
    atTerminal(t, 'reset-second-factor', '--email', email, '--reason', 'phone lost, called back', ...more);
  async function withFactor(person: Pick<TestPerson, 'call'>): Promise<void> {
    const { secret } = (await person.call('POST', '/second-factor/start')).body.data;
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
    expect(codeOf(await person.call('POST', '/second-factor/enable', { code }))).toBe('DONE');
  }

  it('waits for somebody else who decides, while approvals are on', async () => {
    const shop = await business(t);
    await withFactor(shop.ann);
    const email = await emailOf(shop.ann);
    const { exit, warned } = await reset(email);
    expect([exit, warned.join()]).toEqual([0, expect.stringContaining('waits until somebody else')]);
    const [change] = await waiting(shop.owner);
    expect(change).toMatchObject({ kind: 'SECOND_FACTOR', email, reason: 'phone lost, called back' });
    expect(codeOf(await agree(shop.ann, change.changeId))).toBe('403 SECOND_PERSON_NEEDED');
    expect((await shop.ann.call('GET', '/session')).body.data.person.secondFactor).toBe(true);
    expect(codeOf(await agree(shop.owner, change.changeId))).toBe('DONE');
    expect((await shop.ann.call('GET', '/session')).status).toBe(401);
    const [subjects, owners] = [await subjectsTo(email), await subjectsTo(await emailOf(shop.owner))];
    expect(subjects).toContain('Your second factor is off');
    expect(owners).toContain(`Approved: Switch off the second factor of ${email}`);
  });

  it('of one of several operators waits for another, unless none of them can sign in', async () => {
    const [ada, bola] = [await signedInOperator(t), await signedInOperator(t)];
    await withFactor(ada);
    expect((await reset(ada.email)).exit).toBe(0);
    expect((await ada.call('GET', '/session')).body.data.person.secondFactor).toBe(true);
    const find = async () =>
      (await bola.call('GET', '/operator/person/change')).body.data.find(
        (each: { email: string }) => each.email === ada.email,
      );
    const { changeId } = await find();
    expect(codeOf(await ada.call('POST', `/operator/person/change/${changeId}/approve`))).toBe(
      '403 SECOND_PERSON_NEEDED',
    );
    expect(codeOf(await bola.call('POST', `/operator/person/change/${changeId}/approve`))).toBe('DONE');
    expect((await ada.call('GET', '/session')).status).toBe(401);
    await withFactor(bola);
    const { warned } = await reset(bola.email, '--nobody-left');
    expect(warned.join()).toMatch(/sessions? ha(s|ve) ended/);
    expect(await subjectsTo(ada.email)).toContain(`The second factor of ${bola.email} is off`);
  });
});

describe('the operator’s staff', () => {
  const change = (who: TestPerson, changeId: string, decision = 'approve') =>
    who.call('POST', `/operator/person/change/${changeId}/${decision}`);

  it('grows by the word of two of them, and every one of them hears of it', async () => {
    const [ada, bola] = [await signedInOperator(t), await signedInOperator(t)];
    const email = newAddress();
    const { changeId } = (await ada.call('POST', '/operator/person/invite', { email })).body.data;
    expect(await hasLink(email)).toBe(false);
    expect(codeOf(await change(ada, changeId))).toBe('403 SECOND_PERSON_NEEDED');
    const owner = (await business(t)).owner;
    expect(codeOf(await owner.call('POST', `/operator/person/change/${changeId}/approve`))).toMatch(/^40[13]/);
    expect(codeOf(await change(bola, changeId))).toBe('DONE');
    expect((await join(email)).reply.status).toBe(200);
    expect(await subjectsTo(bola.email)).toEqual(
      expect.arrayContaining([
        `Waits for a second person: Invite ${email} to the operator’s staff`,
        `${email} may decide from now on`,
      ]),
    );
  });
});

describe('the operator’s staff of a new installation', () => {
  let fresh: TestApp;
  beforeAll(async () => {
    fresh = await createTestApp();
  });
  afterAll(() => fresh.close());

  it('is made at the terminal up to the second, and waits from the third on', async () => {
    const create = (email: string) => atTerminal(fresh, 'create-operator', '--email', email);
    for (const email of ['one@manilla.example', 'two@manilla.example']) expect((await create(email)).exit).toBe(0);
    const third = await create('three@manilla.example');
    expect([third.exit, third.warned.join()]).toEqual([0, expect.stringContaining('waits until one of the staff')]);
    const { rows } = await fresh.database.pool.query(`select email from people where kind = 'OPERATOR' order by email`);
    expect(rows.map(({ email }) => email)).toEqual(['one@manilla.example', 'two@manilla.example']);
  });

  it('cannot grow at the desk of its only person', async () => {
    await fresh.database.pool.query(`update people set disabled_at = now() where kind = 'OPERATOR'`);
    const alone = await signedInOperator(fresh);
    const reply = await alone.call('POST', '/operator/person/invite', { email: newAddress() });
    expect(codeOf(reply)).toBe('422 SECOND_OPERATOR_MISSING');
  });
});
