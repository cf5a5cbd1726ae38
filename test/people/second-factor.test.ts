import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { rowsOf } from '../support/world.ts';
import { mailAbout, sentInOneRun } from './mails.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(() => t.clock.advance(60 * 60_000));

const HALF_MINUTE = 30_000;

interface Guarded {
  person: TestPerson;
  recoveryCodes: string[];
  /** The app's code so many half minutes from now. */
  code(steps?: number): string;
}

async function withSecondFactor(): Promise<Guarded> {
  const person = await signedInMember(t, t.merchant.merchantId, 'OWNER');
  const { secret, uri } = (await person.call('POST', '/second-factor/start')).body.data;
  expect(uri).toContain(`secret=${secret}`);
  const code = (steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() + steps * HALF_MINUTE });
  const reply = await person.call('POST', '/second-factor/enable', { code: code() });
  expect(reply.status, reply.text).toBe(200);
  t.clock.advance(HALF_MINUTE);
  return { person, recoveryCodes: reply.body.data.recoveryCodes, code };
}

/** A browser that has given the password. */
async function half({ person }: Guarded) {
  const page = browser(t);
  const reply = await page.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
  expect(reply.body.data, reply.text).toEqual({ next: 'SECOND_FACTOR' });
  return page;
}

const give = async (page: Awaited<ReturnType<typeof half>>, code: string) => {
  const reply = await page.call('POST', '/session/second-factor', { code });
  return (reply.body.code as string | undefined) ?? 'ok';
};

describe('a second factor', () => {
  it('is asked for at the door once it is on, and makes the session whole under a new secret', async () => {
    const guarded = await withSecondFactor();
    const page = await half(guarded);
    const before = page.cookie();
    expect(await give(page, '000000')).toBe('SECOND_FACTOR_INVALID');
    expect(await give(page, guarded.code())).toBe('ok');
    expect(page.cookie()).not.toBe(before);
    const { data } = (await page.call('GET', '/session')).body;
    expect(data.person).toMatchObject({ secondFactor: true, recoveryCodesLeft: 10 });
    expect((await page.call('GET', '/session', undefined, { cookie: before })).body.code).toBe('SESSION_EXPIRED');
    expect(await mailAbout(t, guarded.person.email, 'Your second factor is on')).toBeDefined();
  });

  it('that is turned on and off many times keeps nobody else’s mail waiting', async () => {
    await t.database.pool.query('delete from mails');
    const { person } = await withSecondFactor();
    for (let times = 0; times < 3; times += 1) {
      expect((await person.call('POST', '/second-factor/disable')).status).toBe(200);
      const { secret } = (await person.call('POST', '/second-factor/start')).body.data;
      const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
      expect((await person.call('POST', '/second-factor/enable', { code })).status).toBe(200);
    }
    expect((await t.call('POST', '/sign-up', { email: 'new@shop.example' })).status).toBe(200);
    expect((await sentInOneRun(t)).sort()).toEqual([person.email, 'new@shop.example'].sort());
  });

  it('takes a code once, of four at once, and none of before', async () => {
    const guarded = await withSecondFactor();
    const pages = await Promise.all(Array.from({ length: 4 }, () => half(guarded)));
    const code = guarded.code();
    const codes = await Promise.all(pages.map((page) => give(page, code)));
    expect(codes.sort()).toEqual(['SECOND_FACTOR_INVALID', 'SECOND_FACTOR_INVALID', 'SECOND_FACTOR_INVALID', 'ok']);
    const page = await half(guarded);
    expect(await give(page, guarded.code(-1))).toBe('SECOND_FACTOR_INVALID');
  });

  it('takes the code of a clock that is half a minute off, and none further off', async () => {
    const guarded = await withSecondFactor();
    expect(await give(await half(guarded), guarded.code(2))).toBe('SECOND_FACTOR_INVALID');
    expect(await give(await half(guarded), guarded.code(1))).toBe('ok');
  });

  it('looks at five guesses in a quarter of an hour, of twenty at once', async () => {
    const guarded = await withSecondFactor();
    const page = await half(guarded);
    const codes = await Promise.all(Array.from({ length: 20 }, (_, at) => give(page, String(100_000 + at))));
    expect(codes.filter((code) => code === 'SECOND_FACTOR_INVALID')).toHaveLength(5);
    expect(codes.filter((code) => code === 'SIGN_IN_LOCKED')).toHaveLength(15);
    expect(await give(page, guarded.code())).toBe('SIGN_IN_LOCKED');
  });

  it('is replaced by a recovery code once, of twenty at once', async () => {
    const guarded = await withSecondFactor();
    const pages = [];
    for (let at = 0; at < 20; at += 1) pages.push(await half(guarded));
    const [code = ''] = guarded.recoveryCodes;
    const codes = await Promise.all(pages.map((page) => give(page, code)));
    expect(codes.filter((found) => found === 'ok')).toHaveLength(1);
    const winner = pages[codes.indexOf('ok')];
    expect((await winner?.call('GET', '/session'))?.body.data.person.recoveryCodesLeft).toBe(9);
  });

  it('takes a recovery code however it is typed, and none of another person', async () => {
    const [guarded, other] = [await withSecondFactor(), await withSecondFactor()];
    const page = await half(guarded);
    expect(await give(page, other.recoveryCodes[0] as string)).toBe('SECOND_FACTOR_INVALID');
    expect(await give(page, (guarded.recoveryCodes[1] as string).toUpperCase().replace('-', ' '))).toBe('ok');
  });

  it('opens no other person’s door, also where it was copied into their row', async () => {
    const [guarded, other] = [await withSecondFactor(), await withSecondFactor()];
    const copy = 'update people set totp_sealed = (select totp_sealed from people where id = $1) where id = $2';
    await t.database.pool.query(copy, [guarded.person.personId, other.person.personId]);
    const page = await half(other);
    expect(await give(page, guarded.code())).not.toBe('ok');
    expect((await page.call('GET', '/member')).status).toBe(401);
    expect(await give(await half(guarded), guarded.code())).toBe('ok');
  });

  it('is asked for again with the password, where something asks for a step-up', async () => {
    const { person, code } = await withSecondFactor();
    const without = await person.call('POST', '/session/step-up', { password: TEST_PASSWORD });
    expect([without.status, without.body.errors[0].field]).toEqual([400, 'code']);
    const wrong = await person.call('POST', '/session/step-up', { password: TEST_PASSWORD, code: '000000' });
    expect(wrong.body.code).toBe('SECOND_FACTOR_INVALID');
    expect((await person.call('POST', '/session/step-up', { password: TEST_PASSWORD, code: code() })).status).toBe(200);
  });

  it('keeps who has the password alone from pushing its person out: twenty pending sessions, and twenty full ones', async () => {
    const guarded = await withSecondFactor();
    for (let at = 0; at < 21; at += 1) await half(guarded);
    const stages = () =>
      rowsOf<{ stage: string; count: number }>(
        t.connectionString,
        'select stage, count(*)::int as count from sessions where person_id = $1 group by 1 order by 1',
        [guarded.person.personId],
      );
    expect(await stages()).toEqual([
      { stage: 'FULL', count: 1 },
      { stage: 'MFA_PENDING', count: 20 },
    ]);
    expect((await guarded.person.call('GET', '/session')).status).toBe(200);
    for (let at = 0; at < 20; at += 1) {
      expect(await give(await half(guarded), guarded.code())).toBe('ok');
      t.clock.advance(HALF_MINUTE);
    }
    expect((await stages()).find(({ stage }) => stage === 'FULL')?.count).toBe(20);
  });

  it('is not gone round by a change of the password: what needs a fresh one stays closed without a code', async () => {
    const { person, code } = await withSecondFactor();
    t.clock.advance(6 * 60_000);
    const body = { password: TEST_PASSWORD, newPassword: 'quite another sentence 8' };
    expect((await person.call('POST', '/password/change', body)).status).toBe(200);
    expect((await person.call('GET', '/session')).body.data.stepUpUntil).toSatisfy(
      (until: string | null) => until === null || new Date(until) <= t.clock.now(),
    );
    expect((await person.call('POST', '/second-factor/disable')).body.code).toBe('STEP_UP_REQUIRED');
    const given = { password: 'quite another sentence 8', code: code() };
    expect((await person.call('POST', '/session/step-up', given)).status).toBe(200);
    expect((await person.call('POST', '/second-factor/disable')).status).toBe(200);
  });

  it('ends other sessions when it is turned on, and needs a fresh password to be started, renewed and turned off', async () => {
    const person = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    const phone = browser(t);
    await phone.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    t.clock.advance(6 * 60_000);
    for (const what of ['start', 'recovery-codes', 'disable']) {
      expect((await person.call('POST', `/second-factor/${what}`)).body.code).toBe('STEP_UP_REQUIRED');
    }
    await person.refresh();
    expect((await person.call('POST', '/second-factor/enable', { code: '123456' })).body.code).toBe(
      'SECOND_FACTOR_OFF',
    );
    expect((await person.call('POST', '/second-factor/disable')).body.code).toBe('SECOND_FACTOR_OFF');
    const { secret } = (await person.call('POST', '/second-factor/start')).body.data;
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
    const { recoveryCodes } = (await person.call('POST', '/second-factor/enable', { code })).body.data;
    expect((await phone.call('GET', '/session')).body.code).toBe('SESSION_EXPIRED');
    expect((await person.call('POST', '/second-factor/start')).body.code).toBe('SECOND_FACTOR_ON');
    const renewed = (await person.call('POST', '/second-factor/recovery-codes')).body.data.recoveryCodes;
    expect(renewed.filter((made: string) => recoveryCodes.includes(made))).toEqual([]);
    expect((await person.call('POST', '/second-factor/disable')).status).toBe(200);
    const page = browser(t);
    const reply = await page.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    expect(reply.body.data).toEqual({ next: 'DONE' });
  });
});
