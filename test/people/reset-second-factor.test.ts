import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { atTerminal, terminalEntries } from '../support/terminal.ts';
import { mailAbout, mailsTo } from './mails.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(() => t.clock.advance(60 * 60_000));

const reset = (email: string, reason = 'phone stolen, called back') =>
  atTerminal(t, 'reset-second-factor', '--email', email, '--reason', reason);
const next = async (page: ReturnType<typeof browser>, email: string) =>
  (await page.call('POST', '/session', { email, password: TEST_PASSWORD })).body.data?.next;

async function withSecondFactor(person: TestPerson) {
  const { secret } = (await person.call('POST', '/second-factor/start')).body.data;
  const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
  const reply = await person.call('POST', '/second-factor/enable', { code });
  expect(reply.status, reply.text).toBe(200);
  return { person, secret, recoveryCodes: reply.body.data.recoveryCodes as string[] };
}

const owner = async () => withSecondFactor(await signedInMember(t, t.merchant.merchantId, 'OWNER'));
/** The only one: nobody else could agree. */
async function staff() {
  await t.database.pool.query(`update people set disabled_at = now() where kind = 'OPERATOR'`);
  return withSecondFactor(await signedInOperator(t));
}

describe('the operator’s terminal, for somebody who lost phone and recovery codes', () => {
  it.each([
    ['a sole owner', owner],
    ['the only one of the operator’s staff', staff],
  ])('lets %s in with the password alone, and out everywhere else', async (_who, make) => {
    const { person, recoveryCodes } = await make();
    const half = browser(t);
    expect(await next(half, person.email)).toBe('SECOND_FACTOR');
    const { exit, printed, warned } = await reset(` ${person.email.toUpperCase()} `);
    expect([exit, printed], warned.join()).toEqual([0, [person.personId]]);
    // Another process did it: this one follows within two seconds.
    await expect.poll(async () => (await person.call('GET', '/session')).body.code).toBe('SESSION_EXPIRED');
    const code = await half.call('POST', '/session/second-factor', { code: recoveryCodes[0] });
    expect(code.body.code).toMatch(/SESSION_EXPIRED|SECOND_FACTOR_INVALID/);
    expect((await half.call('GET', '/session')).status).toBe(401);
    const page = browser(t);
    expect(await next(page, person.email)).toBe('DONE');
    expect((await page.call('GET', '/session')).body.data.person).toMatchObject({
      secondFactor: false,
      recoveryCodesLeft: 0,
    });
    const mail = await mailAbout(t, person.email, 'Your second factor is off');
    expect(mail?.text).toContain('tell the operator');
  });

  it('leaves who, whom and why in the log of that person’s business, or in the operator’s own', async () => {
    const [{ person }, { person: colleague }] = [await owner(), await staff()];
    await reset(person.email, 'met in person');
    await reset(colleague.email, 'met at the office');
    const about = (email: string, reason: string, outcome: string) => ({
      action: 'admin reset-second-factor',
      actor_name: 'root',
      outcome,
      code: null,
      subject: JSON.stringify({ reason, email }),
    });
    for (const [merchantId, email, reason] of [
      [t.merchant.merchantId, person.email, 'met in person'],
      [null, colleague.email, 'met at the office'],
    ] as const) {
      const entries = (await terminalEntries(t, merchantId)).slice(-2);
      expect(entries).toEqual([about(email, reason, 'ASKED'), about(email, reason, 'DONE')]);
    }
  });

  it('does nothing for an address that is nobody’s, for somebody who was removed, without the factor, or without a reason', async () => {
    const { person } = await owner();
    const colleague = await withSecondFactor(await signedInMember(t, t.merchant.merchantId, 'VIEWER'));
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [colleague.person.personId]);
    const without = await signedInMember(t, t.merchant.merchantId, 'VIEWER');
    for (const [email, code] of [
      ['nobody@shop.example', 'PERSON_NOT_FOUND'],
      ['no address', 'PERSON_NOT_FOUND'],
      [colleague.person.email, 'PERSON_NOT_FOUND'],
      [without.email, 'SECOND_FACTOR_OFF'],
    ] as const) {
      const { exit, warned } = await reset(email);
      expect([exit, warned.join()]).toEqual([1, expect.stringContaining(code)]);
    }
    expect((await without.call('GET', '/session')).status).toBe(200);
    for (const reason of ['', '   ']) {
      const { exit, warned } = await reset(person.email, reason);
      expect([exit, warned.join()]).toEqual([1, expect.stringContaining('--reason')]);
    }
    expect(await next(browser(t), person.email)).toBe('SECOND_FACTOR');
  });

  it('has one effect when two commands come at once', async () => {
    const { person } = await owner();
    const exits = (await Promise.all([reset(person.email), reset(person.email)])).map(({ exit }) => exit);
    expect(exits.sort((a, b) => a - b)).toEqual([0, 1]);
    expect(
      (await mailsTo(t, person.email)).filter(({ subject }) => subject === 'Your second factor is off'),
    ).toHaveLength(1);
  });
});
