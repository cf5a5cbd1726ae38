import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { atTerminal } from '../support/terminal.ts';
import { bearer, issueKey } from '../support/world.ts';
import { mailsTo } from './mails.ts';

let t: TestApp;
let merchant: TestMerchant;
let owner: TestPerson;
let second: TestPerson;
let admin: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  t.clock.advance(60 * 60_000);
  merchant = await t.addMerchant();
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
  second = await signedInMember(t, merchant.merchantId, 'OWNER');
  admin = await signedInMember(t, merchant.merchantId, 'ADMIN');
});

const subjects = async ({ email }: { email: string }) => (await mailsTo(t, email)).map(({ subject }) => subject);

/** The one mail that each owner got, whoever did it; nobody else got any. */
async function theMail(): Promise<string> {
  const [mine, others] = [await mailsTo(t, owner.email), await mailsTo(t, second.email)];
  expect([mine.length, others.length, (await mailsTo(t, admin.email)).length]).toEqual([1, 1, 0]);
  expect(others[0]?.text).toBe(mine[0]?.text);
  return `${mine[0]?.subject}\n${mine[0]?.text}`;
}

describe('the owners hear by mail, also the one who did it, of', () => {
  it('a new key, without the key', async () => {
    const { data } = (await owner.call('POST', '/key', { name: 'Till', kind: 'SECRET' })).body;
    const mail = await theMail();
    expect(mail).toMatch(
      /A new API key for Adire & Co\nOWNER Person made a new secret key of Adire & Co for the sandbox on /,
    );
    expect(mail).toContain(`"Till", sk_test_…${data.lastFour}`);
    expect(mail).not.toContain(data.key);
  });

  it('a key that is rotated', async () => {
    const { keyId } = await issueKey(t, merchant.merchantId, 'SANDBOX');
    expect((await admin.call('POST', `/key/${keyId}/rotate`, {})).status).toBe(200);
    expect(await theMail()).toContain('ADMIN Person made a new secret key');
  });

  it('a key of the operator’s terminal', async () => {
    await atTerminal(t, 'issue-key', '--merchant', merchant.merchantId, '--live');
    expect(await theMail()).toContain('The operator of Manilla made a new secret key of Adire & Co for live mode');
  });

  it('a new PIN, without the PIN', async () => {
    expect((await admin.call('POST', '/pin', { pin: '739518' })).status).toBe(200);
    const mail = await theMail();
    expect(mail).toContain('A new PIN for Adire & Co\nADMIN Person set a new PIN');
    expect(mail).not.toContain('739518');
  });

  it('a PIN of the operator’s terminal', async () => {
    await atTerminal(t, 'set-pin', '--merchant', merchant.merchantId, '--mode', 'SANDBOX', '--pin', '739518');
    expect(await theMail()).toContain('The operator of Manilla set a new PIN');
  });

  it('a webhook address, by its host alone, whoever changed it', async () => {
    const { key } = await issueKey(t, merchant.merchantId, 'SANDBOX');
    const body = { sandboxWebhookURL: 'https://hooks.adire.example/secret-path?token=1' };
    expect((await t.call('PATCH', '/merchant/info', body, bearer(key))).status).toBe(200);
    const mail = await theMail();
    expect(mail).toContain('Events of the sandbox go to hooks.adire.example from now on.');
    expect(mail).not.toMatch(/secret-path|token=1/);
    expect((await admin.call('PATCH', '/merchant/info', { city: 'Ibadan' })).status).toBe(200);
    expect(await subjects(owner)).toHaveLength(1);
  });

  it('limits, their own and those that the operator sets for them', async () => {
    expect((await admin.call('PATCH', '/payout/limit', { perPayout: 1000.5, perDay: null })).status).toBe(200);
    const own = await theMail();
    expect(own).toContain('One payout may be ₦1,000.50 at most, a day of any size.');
    expect(own).toContain('set it right under "Settings, Limits"');
    const operator = await signedInOperator(t);
    const limit = { merchantId: merchant.merchantId, mode: 'LIVE', perPayout: 5, reason: 'as agreed by phone' };
    expect((await operator.call('POST', '/operator/limit', limit)).status).toBe(200);
    const [newest] = await mailsTo(t, owner.email);
    expect(newest?.text).toContain('The operator of Manilla changed what Adire & Co may pay out in live mode');
    expect(newest?.text).not.toMatch(new RegExp(`${operator.email}|as agreed`));
    // No page lets a merchant put right what is the operator's.
    expect(newest?.text).toContain('Only the operator can change it');
    expect(newest?.text).not.toContain('set it right');
  });

  it('nothing once they have left', async () => {
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [second.personId]);
    await owner.call('POST', '/key', { name: 'Till', kind: 'SECRET' });
    expect([await subjects(owner), await subjects(second)]).toEqual([[expect.stringContaining('A new API key')], []]);
  });

  it('nothing that was refused', async () => {
    await admin.call('POST', '/pin', { pin: '1111' });
    await admin.call('POST', '/key', { name: 'x', kind: 'SECRET', allowedIps: ['nowhere'] });
    await admin.call('PATCH', '/merchant/info', { sandboxWebhookURL: 'https://10.0.0.1/' });
    expect(await subjects(owner)).toEqual([]);
  });
});

describe('a browser that was never seen with somebody before', () => {
  const NEW = 'A new browser signed in to Adire & Co';
  const cookieOf = (headers: Record<string, unknown>) =>
    [headers['set-cookie']].flat().map((set) => String(set).split(';')[0] as string);
  const signIn = async (email: string, headers: Record<string, string> = {}) => {
    const reply = await browser(t).call('POST', '/session', { email, password: TEST_PASSWORD }, headers);
    expect(reply.status).toBe(200);
    return cookieOf(reply.headers);
  };

  it('is mailed to the person and to the owners, and the same browser never again', async () => {
    const [, device = ''] = await signIn(admin.email, { 'user-agent': 'Firefox/1 \u202eon Linux' });
    expect(device).toMatch(/^__Host-manilla_device=[\w-]{43}$/);
    for (const person of [admin, owner, second]) expect(await subjects(person)).toEqual([NEW]);
    const [mail] = await mailsTo(t, owner.email);
    expect(mail?.text).toContain(`ADMIN Person (${admin.email}) signed in`);
    expect(mail?.text).toContain('Firefox/1 on Linux, at the address 127.0.0.1');
    expect(await signIn(admin.email, { cookie: device })).toContain(device);
    expect(await subjects(owner)).toHaveLength(1);
    // It is known with one person, and not with every other who sits down at it.
    await signIn(second.email, { cookie: device });
    expect(await subjects(owner)).toHaveLength(2);
  });

  it('with a second factor is mailed once its code was given, and not of a password alone', async () => {
    const { secret } = (await admin.call('POST', '/second-factor/start')).body.data;
    const totp = new TOTP({ secret });
    const code = () => totp.generate({ timestamp: t.clock.now().getTime() });
    expect((await admin.call('POST', '/second-factor/enable', { code: code() })).status).toBe(200);
    t.clock.advance(60_000);
    const page = browser(t);
    await page.call('POST', '/session', { email: admin.email, password: TEST_PASSWORD });
    expect(await subjects(owner)).toEqual([]);
    expect((await page.call('POST', '/session/second-factor', { code: code() })).status).toBe(200);
    expect(await subjects(owner)).toEqual([NEW]);
  });

  it('takes no secret that somebody made up, nor tells the one that it has', async () => {
    const made = await signIn(admin.email, { cookie: '__Host-manilla_device=not-one-of-ours' });
    expect(made[1]).not.toContain('not-one-of-ours');
    const { rows } = await t.database.pool.query('select d::text as row from devices d');
    expect(rows.map(({ row }) => row).join()).not.toContain(String(made[1]).split('=')[1]);
  });

  it('of one of the operator’s staff is mailed to all of them', async () => {
    const [ada, ngozi] = [await signedInOperator(t), await signedInOperator(t)];
    const gone = await signedInOperator(t);
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [gone.personId]);
    await signIn(ada.email);
    expect(await mailsTo(t, gone.email)).toEqual([]);
    for (const { email } of [ada, ngozi]) {
      expect((await mailsTo(t, email))[0]?.subject).toBe('A new browser signed in to the operator’s pages');
    }
  });
});
