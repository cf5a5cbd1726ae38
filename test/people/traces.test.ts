import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD } from '../support/people.ts';
import { makeDataDir, removeDataDir, type ServiceProcess, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';
import { newestLink } from './mails.ts';

const NEW_PASSWORD = 'quite another sentence 8';
const WRONG_PASSWORD = 'mistyped but nearly right 8';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

/** A day of somebody who uses all that there is. @returns every secret that passed by. */
async function dayOfSecrets(): Promise<string[]> {
  const email = 'kemi@traces.example';
  const page = browser(t);
  await page.call('POST', '/sign-up', { email });
  const confirm = await newestLink(t, email);
  const names = { businessName: 'Traces', firstName: 'Kemi', lastName: 'Bello', phoneNumber: '2348012345678' };
  await page.call('POST', '/sign-up/confirm', { token: confirm, password: TEST_PASSWORD, ...names });
  const first = page.cookie().split('=')[1] as string;
  await page.refresh();
  const second = page.cookie().split('=')[1] as string;
  const { secret } = (await page.call('POST', '/second-factor/start')).body.data;
  const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
  const { recoveryCodes } = (await page.call('POST', '/second-factor/enable', { code })).body.data;
  await page.call('POST', '/member/invite', { email: 'bola@traces.example', role: 'MAKER' });
  const invitation = await newestLink(t, 'bola@traces.example');
  await page.call('POST', '/password/change', { password: TEST_PASSWORD, newPassword: NEW_PASSWORD });
  await browser(t).call('POST', '/session', { email, password: WRONG_PASSWORD });
  const again = browser(t);
  await again.call('POST', '/session', { email, password: NEW_PASSWORD });
  await again.call('POST', '/session/second-factor', { code: recoveryCodes[0] });
  await again.call('POST', '/password/forgot', { email });
  const reset = await newestLink(t, email);
  const sessions = [first, second, again.cookie().split('=')[1] as string];
  const csrf = await again.csrfToken();
  const passwords = [TEST_PASSWORD, NEW_PASSWORD, WRONG_PASSWORD];
  return [...passwords, ...sessions, confirm, invitation, reset, secret, csrf, ...recoveryCodes];
}

describe('what opens doors', () => {
  it('is nowhere in the database as it is: no password, link, session, second factor or recovery code', async () => {
    const secrets = await dayOfSecrets();
    const tables = await rowsOf<{ name: string }>(
      t.connectionString,
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['people', 'audit_entries', 'mails']));
    for (const { name } of tables) {
      const rows = await rowsOf<{ row: string }>(t.connectionString, `select x::text as row from ${name} x`);
      const dump = rows.map(({ row }) => row).join('\n');
      for (const secret of secrets) expect(dump.includes(secret), `${secret} is in ${name}`).toBe(false);
    }
  });

  it('is in no log, whatever happens', async () => {
    const dataDir = makeDataDir();
    const { connectionString, drop } = await createTestDatabase();
    const env = { DATABASE_URL: connectionString, DEMO_DATA: 'true', LOG_LEVEL: 'trace' };
    const service: ServiceProcess = await startService({ dataDir, env });
    try {
      const post = (path: string, body: object, headers = {}) =>
        fetch(`${service.baseUrl}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const secrets = [TEST_PASSWORD, WRONG_PASSWORD, 'a-token-of-somebody'];
      await post('/session', { email: 'nobody@traces.example', password: WRONG_PASSWORD });
      await post('/session', { email: `${TEST_PASSWORD}\u0000`, password: TEST_PASSWORD });
      await post('/password/reset', { token: 'a-token-of-somebody', password: TEST_PASSWORD });
      await post('/password/forgot', { email: 'nobody@traces.example' });
      const mails = (await (await fetch(`${service.baseUrl}/mail`)).json()) as { data: { to: string }[] };
      expect(mails.data.map(({ to }) => to)).toEqual(['nobody@traces.example']);
      await service.end('SIGTERM');
      for (const secret of secrets) expect(service.output()).not.toContain(secret);
    } finally {
      await removeDataDir(dataDir, [service]);
      await drop();
    }
  });
});

describe('the audit log', () => {
  it('says who signed in, from where, and who was refused', async () => {
    const person = await signedInMember(t, t.merchant.merchantId, 'OWNER');
    const page = browser(t);
    await page.call('POST', '/session', { email: person.email, password: WRONG_PASSWORD }, { 'user-agent': 'Phone/1' });
    await page.call('POST', '/session', { email: person.email, password: TEST_PASSWORD });
    await page.call('DELETE', '/session');
    const entries = () =>
      rowsOf<{ action: string }>(
        t.connectionString,
        `select concat_ws(' ', action, outcome, code, ip, actor_role, nullif(user_agent, 'lightMyRequest')) as action
           from audit_entries where merchant_id = $1 and actor_id = $2 order by id`,
        [t.merchant.merchantId, person.personId],
      );
    await expect.poll(async () => (await entries()).length).toBeGreaterThanOrEqual(4);
    const actions = (await entries()).map(({ action }) => action);
    expect(actions).toContain('sign-in DONE 127.0.0.1 OWNER');
    expect(actions).toContain('sign-in REFUSED SIGN_IN_REFUSED 127.0.0.1 OWNER Phone/1');
    expect(actions).toContain('DELETE /session DONE 127.0.0.1 OWNER');
  });

  it('says who changed people, and what was refused', async () => {
    const [operator] = [await signedInOperator(t), await signedInOperator(t)];
    await operator.call('POST', '/operator/person/invite', { email: 'tunde@traces.example' });
    await operator.call('DELETE', `/operator/person/${operator.personId}`);
    const rows = await rowsOf<{ action: string }>(
      t.connectionString,
      `select concat_ws(' ', action, outcome, code) as action from audit_entries
        where actor_id = $1 and action like '%/operator/%' order by id`,
      [operator.personId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'POST /operator/person/invite ASKED',
      'POST /operator/person/invite DONE',
      'DELETE /operator/person/:personId ASKED',
      'DELETE /operator/person/:personId REFUSED LAST_OPERATOR',
    ]);
  });
});
