import { TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPinGuard, type Principal } from '../../src/access/index.ts';
import { slowHashUnder } from '../../src/access/pin-hash.ts';
import { type App, createApp } from '../../src/app.ts';
import { sealAudit } from '../../src/audit/index.ts';
import {
  forgetPepper,
  type PepperState,
  readPeppers,
  rehashAll,
  requirePeppers,
  requireSecrets,
} from '../../src/peppers/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Runtime } from '../../src/runtime.ts';
import { createService } from '../../src/service.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { pdf, upload } from '../onboarding/upload.ts';
import { newestLink } from '../people/mails.ts';
import { createTestApp, type Reply, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { browser, signedInMember, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { atTerminal } from '../support/terminal.ts';
import { bearer, rowsOf } from '../support/world.ts';

const KEK = Buffer.alloc(32, 7).toString('base64');
const OLD = 'a pepper of thirty-two characters';
const NEW = 'the pepper that is laid over the one before';
const NEWEST = 'and the one after that, of a later year';
const old = createSecrets(OLD, KEK);

let t: TestApp;
let first: App;
let others: App[];
let merchant: TestMerchant;
let owner: TestPerson;

beforeEach(async () => {
  t = await createTestApp();
  first = t.app;
  others = [];
  await requirePeppers({ queries: t.database, secrets: old, clock: t.clock });
  merchant = t.merchant;
  owner = await signedInMember(t, merchant.merchantId, 'OWNER');
});
afterEach(async () => {
  for (const app of others) await app.close();
  t.app = first;
  await t.close();
});

/** Another process with other peppers follows; browsers stay open. */
async function restartUnder(secrets: Secrets): Promise<void> {
  const { config, database, clock } = t;
  t.app = await createApp({ config, database, secrets, clock, logger: createLogger('silent') });
  t.secrets = secrets;
  others.push(t.app);
}

const start = (secrets: Secrets) => requirePeppers({ queries: t.database, secrets, clock: t.clock });

const told = ({ status, body }: Reply) => [status, body.code ?? 'ok'];
const asKey = (method: 'GET' | 'POST', path: string, body?: unknown, key = merchant.secretKey) =>
  browser(t).call(method, path, body, bearer(key));
const debit = (pin = TEST_PIN) =>
  asKey('POST', '/branch/store/debit', { pin, amount: 1, storeId: merchant.storeIds[0], narration: 'Sweep' });

async function peppers(): Promise<Map<string, PepperState>> {
  const states = await readPeppers({ queries: t.database, secrets: t.secrets, clock: t.clock });
  return new Map(states.map((state) => [state.id, state]));
}

async function storedPins(): Promise<{ hash: string; pepper_ids: string[] }[]> {
  return rowsOf(t.connectionString, 'select hash, pepper_ids from pins where merchant_id = $1', [merchant.merchantId]);
}

/** Every four-digit PIN, as whoever has the dump and these peppers would try them. */
function guessAll(secrets: Secrets): Set<string> {
  const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' };
  return new Set(
    Array.from({ length: 10_000 }, (_, at) => String(at).padStart(4, '0')).flatMap((pin) =>
      secrets.hmacs('pin', `${tenant.merchantId}:${tenant.mode}:${pin}`),
    ),
  );
}

describe('a new pepper', () => {
  it('leaves every key, session, page, link and recovery code good', async () => {
    await owner.refresh();
    const { secret } = (await owner.call('POST', '/second-factor/start')).body.data;
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
    const { recoveryCodes } = (await owner.call('POST', '/second-factor/enable', { code })).body.data;
    const opened = await owner.csrfToken();
    const member = await signedInMember(t, merchant.merchantId, 'ADMIN');
    await browser(t).call('POST', '/password/forgot', { email: member.email });
    const token = await newestLink(t, member.email);
    const file = pdf();
    const document = (await upload(t, owner, 'OTHER', file)).body.data;

    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await rehashAll(t);
    expect(told(await asKey('GET', '/wallet/merchant'))).toEqual([200, 'ok']);
    expect(told(await owner.call('GET', '/session'))).toEqual([200, 'ok']);
    expect(told(await owner.call('PATCH', '/merchant/info', { city: 'Ikeja' }, { 'x-csrf-token': opened }))).toEqual([
      200,
      'ok',
    ]);
    expect((await upload(t, owner, 'OTHER', file)).body.data.documentId).toBe(document.documentId);
    const reset = await browser(t).call('POST', '/password/reset', { token, password: 'another four words 8' });
    expect(told(reset)).toEqual([200, 'ok']);
    const page = browser(t);
    await page.call('POST', '/session', { email: owner.email, password: TEST_PASSWORD });
    expect(told(await page.call('POST', '/session/second-factor', { code: recoveryCodes[0] }))).toEqual([200, 'ok']);
    const again = browser(t);
    await again.call('POST', '/session', { email: owner.email, password: TEST_PASSWORD });
    const used = await again.call('POST', '/session/second-factor', { code: recoveryCodes[0] });
    expect(told(used)).toEqual([422, 'SECOND_FACTOR_INVALID']);
  });

  it('moves a key under itself when it is next used, and the key needs the old one no more', async () => {
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    const needed = async () => (await peppers()).get(old.pepperId)?.keys.rows ?? 0;
    const before = await needed();
    expect(told(await asKey('GET', '/wallet/merchant'))).toEqual([200, 'ok']);
    await expect.poll(needed).toBe(before - 1);
    await restartUnder(createSecrets(NEW, KEK));
    expect(told(await asKey('GET', '/wallet/merchant'))).toEqual([200, 'ok']);
    const { rows } = await t.database.pool.query('select 1 from api_key_directory where merchant_id = $1', [
      merchant.merchantId,
    ]);
    expect(rows.length).toBe(2);
  });

  it('is laid over every PIN at once: with the old one alone a dump tells none, and each PIN is right as ever', async () => {
    const byOldAlone = guessAll(old);
    expect(byOldAlone.has((await storedPins())[0]?.hash ?? '')).toBe(true);
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await rehashAll(t);
    const mine = t.secrets;
    const layered = await storedPins();
    expect(layered.map(({ pepper_ids }) => pepper_ids)).toEqual([
      [old.pepperId, mine.pepperId],
      [old.pepperId, mine.pepperId],
    ]);
    for (const { hash } of layered) expect(byOldAlone.has(hash)).toBe(false);
    expect((await peppers()).get(old.pepperId)?.pins.alone).toBe(0);

    expect(told(await debit('9173'))).toEqual([422, 'PIN_INVALID']);
    expect(told(await debit())).toEqual([200, 'ok']);
    const plain = (await storedPins()).filter(({ pepper_ids }) => pepper_ids.length === 1);
    expect(plain.map(({ pepper_ids }) => pepper_ids)).toEqual([[mine.pepperId]]);
  });

  it('may be laid over another one, and over the slow hash of an earlier release', async () => {
    const settings = '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA';
    const slow = await slowHashUnder(settings, old.hmac('pin', `${merchant.merchantId}:${TEST_PIN}`));
    const { pool } = t.database;
    const row = [merchant.merchantId, slow, settings];
    await pool.query(`update pins set hash = $2, slow = $3, pepper_ids = null where merchant_id = $1`, row);
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await rehashAll(t);
    await restartUnder(createSecrets(NEWEST, KEK, [NEW, OLD]));
    await rehashAll(t);
    const ids = [NEWEST, NEW, OLD].map((pepper) => createSecrets(pepper, KEK).pepperId).reverse();
    expect((await storedPins()).map(({ pepper_ids }) => pepper_ids)).toEqual([ids, ids]);
    expect(told(await debit('9173'))).toEqual([422, 'PIN_INVALID']);
    expect(told(await debit())).toEqual([200, 'ok']);
  });

  it('is laid over no PIN and no recovery codes of before, where new ones are made meanwhile', async () => {
    await owner.refresh();
    const { secret } = (await owner.call('POST', '/second-factor/start')).body.data;
    const code = new TOTP({ secret }).generate({ timestamp: t.clock.now().getTime() });
    await owner.call('POST', '/second-factor/enable', { code });
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    const codes: string[][] = [];
    const before: Record<string, () => Promise<void>> = {
      'update-pins-hashed-over': () =>
        createPinGuard(t).setPin({ merchantId: merchant.merchantId, mode: 'SANDBOX' }, '730194'),
      'update-recovery-codes-hashed-over': async () => {
        codes.push((await owner.call('POST', '/second-factor/recovery-codes')).body.data.recoveryCodes);
      },
    };
    const database: Database = {
      ...t.database,
      run: async (into, rows, options) => {
        await before[into.name]?.();
        return t.database.run(into, rows, options);
      },
    };
    await rehashAll({ ...t, database });
    expect(told(await debit())).toEqual([422, 'PIN_INVALID']);
    expect(told(await debit('730194'))).toEqual([200, 'ok']);
    const page = browser(t);
    await page.call('POST', '/session', { email: owner.email, password: TEST_PASSWORD });
    expect(told(await page.call('POST', '/session/second-factor', { code: codes[0]?.[0] }))).toEqual([200, 'ok']);
  });

  it('keeps a PIN that is set while the one before is given for the last time', async () => {
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    const tenant = { merchantId: merchant.merchantId, mode: 'SANDBOX' } as const;
    const database: Database = {
      ...t.database,
      query: async (asked, values) => {
        if (asked.name === 'update-pin-hash') await createPinGuard(t).setPin(tenant, '730194');
        return t.database.query(asked, values);
      },
    };
    const asked = { tenant, pin: { version: 1, lockedUntil: null } } as Principal;
    await createPinGuard({ ...t, database }).verifyPin(asked, TEST_PIN);
    expect(told(await debit())).toEqual([422, 'PIN_INVALID']);
    expect(told(await debit('730194'))).toEqual([200, 'ok']);
  });

  it('seals the audit log from then on, and old seals are proved under the pepper that made them', async () => {
    await owner.refresh();
    await owner.call('POST', '/pin', { pin: '730194' });
    await sealAudit({ ...t, secrets: old });
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await owner.refresh();
    await owner.call('POST', '/pin', { pin: '730195' });
    await sealAudit(t);
    const log = async (secrets: Secrets) =>
      (await verifyAll({ database: t.database, secrets })).checks.find(({ name }) => name === 'audit-log-is-whole');
    expect(await log(t.secrets)).toMatchObject({ ok: true });
    const without = await log(createSecrets(NEW, KEK));
    expect(without?.ok).toBe(false);
    expect(without?.examples[0]?.detail).toContain(
      `under the pepper ${old.pepperId}, which is not in PIN_PEPPER_PREVIOUS`,
    );
    const { rows } = await t.database.pool.query('select distinct pepper_id from audit_seals');
    expect(rows.map(({ pepper_id }) => pepper_id)).toEqual(expect.arrayContaining([old.pepperId, t.secrets.pepperId]));
  });
});

describe('a start', () => {
  it('without a pepper that something stored still needs is refused in words, also of a command, and changes nothing', async () => {
    const refused = start(createSecrets(NEW, KEK));
    await expect(refused).rejects.toThrow(/PIN_PEPPER \(or pinPepper of secrets\.json\) is another one than before/);
    await expect(refused).rejects.toThrow(`${old.pepperId}: 2 PINs, 2 API keys`);
    await expect(refused).rejects.toThrow('PIN_PEPPER_PREVIOUS');
    const issue = ['issue-key', '--merchant', merchant.merchantId];
    const { exit, warned } = await atTerminal({ ...t, secrets: createSecrets(NEW, KEK) }, ...issue);
    expect([exit, warned.join()]).toEqual([1, expect.stringContaining('is another one than before')]);
    expect([...(await peppers()).keys()]).toEqual([old.pepperId]);
  });

  it('that is stopped before it has looked says nothing of a database that is away', async () => {
    const database = { query: () => Promise.reject(new Error('the pool is closed')) };
    const warn = vi.fn();
    const runtime = { ...t, database, logger: { warn } } as unknown as Runtime;
    const service = createService(t.config, runtime, { api: false, workers: false, prepares: false });
    await service.close();
    await expect(service.start()).rejects.toThrow('the pool is closed');
    expect(warn).not.toHaveBeenCalled();
  });

  it('does without the old one once every PIN was given, every key used and every list of codes made anew', async () => {
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await start(t.secrets);
    await rehashAll(t);
    const alone = createSecrets(NEW, KEK);
    await expect(start(alone)).rejects.toThrow(`${old.pepperId}: 2 PINs, 2 API keys`);
    expect(told(await debit())).toEqual([200, 'ok']);
    await asKey('GET', '/bank', undefined, merchant.publicKey);
    await createPinGuard(t).setPin({ merchantId: merchant.merchantId, mode: 'LIVE' }, '730194');
    await expect.poll(async () => (await peppers()).get(old.pepperId)?.keys.rows).toBe(0);
    await expect(start(alone)).resolves.toBeUndefined();
  });

  it('on a database that has noted no pepper yet takes the oldest that is given for the first', async () => {
    await t.database.pool.query('delete from peppers');
    await t.database.pool.query('update api_keys set pepper_id = null');
    await start(createSecrets(NEW, KEK, [OLD]));
    t.secrets = createSecrets(NEW, KEK, [OLD]);
    expect([...(await peppers()).keys()]).toEqual([old.pepperId, t.secrets.pepperId]);
    expect((await peppers()).get(old.pepperId)?.keys.rows).toBe(2);
  });
});

describe('a pepper that is lost', () => {
  it('is abandoned with what needs it, and with nothing else', async () => {
    const lost = await t.addMerchant();
    await restartUnder(createSecrets(NEW, KEK, [OLD]));
    await start(t.secrets);
    const kept = merchant;
    const needed = async () => (await peppers()).get(old.pepperId)?.keys.rows ?? 0;
    const before = await needed();
    expect(told(await debit())).toEqual([200, 'ok']);
    await expect.poll(needed).toBe(before - 1);
    await forgetPepper(t, old.pepperId);
    const pinOf = ({ merchantId }: TestMerchant) => createPinGuard(t).readPin({ merchantId, mode: 'SANDBOX' });
    expect(await pinOf(lost)).toBeUndefined();
    expect(await pinOf(kept)).toBeDefined();
    expect(told(await asKey('GET', '/wallet/merchant', undefined, lost.secretKey))).toEqual([401, 'TOKEN_EXPIRED']);
    expect(told(await asKey('GET', '/wallet/merchant', undefined, kept.secretKey))).toEqual([200, 'ok']);
    await expect(start(createSecrets(NEW, KEK))).resolves.toBeUndefined();
  });

  it('is taken out of the file by the next run, where the first was killed behind the database', async () => {
    t.secrets = createSecrets(NEW, KEK, [OLD]);
    await start(t.secrets);
    await forgetPepper(t, old.pepperId);
    const removed: string[] = [];
    const file = { add: () => t.secrets, remove: (id: string) => void removed.push(id) };
    const withFile = { ...t, peppers: { file, settingsWithNew: () => [] } };
    expect((await atTerminal(withFile, 'forget-pepper', '--pepper', old.pepperId)).printed).toEqual([
      `${old.pepperId} is forgotten`,
    ]);
    expect(removed).toEqual([old.pepperId]);
  });
});

it('a key-encryption key of another installation is refused at the start and at the terminal, until the one of before is said to be lost', async () => {
  const other = createSecrets(OLD, Buffer.alloc(32, 8).toString('base64'));
  const starts = (secrets: Secrets) => requireSecrets({ queries: t.database, secrets, clock: t.clock });
  const under = (secrets: Secrets, ...argv: string[]) => atTerminal({ ...t, secrets }, ...argv);
  const forget = (secrets: Secrets, key: string) =>
    under(secrets, 'forget-encryption-key', '--key', key, '--reason', 'the store burned down');
  await starts(old);
  const both = `it is ${other.encryptionKeyId}, and this database is sealed under ${old.encryptionKeyId}`;
  await expect(starts(other)).rejects.toThrow(both);
  const { exit, warned } = await under(other, 'set-pin', '--merchant', merchant.merchantId, '--mode', 'LIVE');
  expect([exit, warned.join()]).toEqual([1, expect.stringContaining(both)]);
  await expect(starts(old)).resolves.toBeUndefined();
  expect([(await forget(old, old.encryptionKeyId)).exit, (await forget(other, '000000000000')).exit]).toEqual([1, 1]);
  expect((await forget(other, old.encryptionKeyId)).printed).toEqual([`${old.encryptionKeyId} is forgotten`]);
  await expect(starts(other)).resolves.toBeUndefined();
  await expect(starts(old)).rejects.toThrow('KEY_ENCRYPTION_KEY');
});
