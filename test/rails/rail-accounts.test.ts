import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { newReference } from './harness.ts';
import { ACCOUNTS, SECRET_KEY } from './providers/paystack-server.ts';
import { createRailFixture, LIVE_KEY, liveKey, type RailFixture, sandboxKey } from './rail-fixture.ts';

let fixture: RailFixture;

beforeAll(async () => {
  fixture = await createRailFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.empty());

describe('a rail account', () => {
  const payment = (tenant: Tenant) => ({
    tenant,
    railReference: newReference(),
    amountMinor: 500_000n,
    currency: 'NGN',
    accountName: 'ADAEZE OBI',
    narration: 'Rent',
    bankCode: '058',
    accountNumber: ACCOUNTS.plain,
  });

  it('pays through its provider, under its own name, and keeps its caller with the breaker', async () => {
    await fixture.addPaystack('paystack-test');
    const { tenant, call } = await fixture.addMerchant();
    await call('PATCH', { first: 'paystack-test' });
    const [rail] = await fixture.rails.listRails(tenant);
    expect(rail?.name).toBe('paystack-test');
    expect(await rail?.send(payment(tenant))).toMatchObject({ outcome: 'succeeded', sent: true });
    fixture.later();
    expect((await fixture.rails.listRails(tenant))[0]).toBe(rail);
    expect(await fixture.rails.listNamed()).toMatchObject([
      { name: 'sandbox', mode: 'SANDBOX', circuit: 'closed' },
      { name: 'paystack-test', provider: 'paystack', mode: 'SANDBOX', active: true, circuit: 'closed' },
    ]);
    const health = { name: 'paystack-test', mode: 'SANDBOX', circuit: 'closed', opens: true };
    expect(fixture.rails.railHealth()).toContainEqual(health);
  });

  it('that does not answer is said in the log once, with its name, when nothing is sent to it any more', async () => {
    const address = '--base-url http://127.0.0.1:1 --open-to-merchants --no-check';
    expect(await fixture.admin(`add-rail --name away --provider paystack --mode SANDBOX ${address}`, sandboxKey)).toBe(
      0,
    );
    fixture.later();
    const { tenant } = await fixture.addMerchant();
    const rail = await fixture.rails.findRail('SANDBOX', 'away');
    if (rail === undefined) throw new Error('the rail is not there');
    const sent = await Promise.all(Array.from({ length: 60 }, () => rail.send(payment(tenant))));
    expect(sent.map((answer) => answer.sent)).not.toContain(true);
    expect(rail.circuit()).toBe('open');
    const lines = fixture.logged.filter((line) => line.includes('a rail is not called for now'));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { rail: 'away', mode: 'SANDBOX', reason: 'RAIL_UNREACHABLE' },
    ]);
  });

  it('that is switched off is in no metric any more, whatever its last state was', async () => {
    await fixture.addPaystack('paystack-test');
    const { call, tenant } = await fixture.addMerchant();
    await call('PATCH', { first: 'paystack-test' });
    await fixture.rails.listRails(tenant);
    const metrics = createMetrics(fixture.database.pool);
    metrics.watchRails(fixture.rails.railHealth);
    expect(await metrics.read()).toContain('rail_circuit_closed{rail="paystack-test"');
    expect(await fixture.admin('disable-rail --name paystack-test')).toBe(0);
    fixture.later();
    await metrics.read();
    await expect.poll(() => metrics.read()).not.toContain('paystack-test');
  });

  it('that nothing here has used yet is in the metrics too, and is 0 there where it does not open', async () => {
    await fixture.addPaystack('paystack-test');
    fixture.later();
    const metrics = createMetrics(fixture.database.pool);
    metrics.watchRails(fixture.rails.railHealth);
    const series = 'rail_account_opens{rail="paystack-test",mode="SANDBOX"}';
    await expect.poll(() => metrics.read()).toContain(`${series} 1`);
    await fixture.database.pool.query("update rail_accounts set sealed_credentials = 'what nobody sealed'");
    fixture.later();
    await expect.poll(() => metrics.read()).toContain(`${series} 0`);
  });

  it('works with its new credentials within five seconds after they were replaced', async () => {
    await fixture.addPaystack('paystack-test');
    const tenant = await fixture.sandboxTenant();
    const old = await fixture.rails.findRail('SANDBOX', 'paystack-test');
    const argv = `add-rail --name paystack-test --provider paystack --mode SANDBOX --base-url ${fixture.provider.baseUrl} --replace`;
    const wrong = JSON.stringify({ secretKey: 'sk_test_00000000000000000000000000000000' });
    expect(await fixture.admin(`${argv} --no-check`, wrong)).toBe(0);
    fixture.later();
    const broken = await fixture.rails.findRail('SANDBOX', 'paystack-test');
    expect(broken).not.toBe(old);
    expect(await broken?.send(payment(tenant))).toMatchObject({ sent: false, reason: 'RAIL_CREDENTIALS_REFUSED' });
    expect(await fixture.admin(argv, sandboxKey)).toBe(0);
    fixture.later();
    const corrected = await fixture.rails.findRail('SANDBOX', 'paystack-test');
    expect(await corrected?.send(payment(tenant))).toMatchObject({ outcome: 'succeeded' });
  });

  it('is tried with a balance call before it is noted: a wrong key leaves nothing', async () => {
    const argv = `add-rail --name paystack-test --provider paystack --mode SANDBOX --base-url ${fixture.provider.baseUrl}`;
    const wrong = JSON.stringify({ secretKey: 'sk_test_00000000000000000000000000000000' });
    expect(await fixture.admin(argv, wrong)).toBe(1);
    expect(fixture.said.warned.join()).toContain('(SERVICE_UNAVAILABLE): Paystack does not accept our key');
    const nowhere = argv.replace(fixture.provider.baseUrl, 'http://127.0.0.1:1');
    expect(await fixture.admin(nowhere, wrong)).toBe(1);
    expect(fixture.said.warned.join()).toContain('ECONNREFUSED');
    expect(fixture.said.warned.join()).not.toContain('sk_test_');
    expect((await fixture.database.pool.query('select 1 from rail_accounts')).rows).toEqual([]);
    expect(await fixture.admin(argv, sandboxKey)).toBe(0);
    expect(fixture.said.warned[0]).toMatch(/^The provider says: ₦/);
    expect(await fixture.admin('rail-balance --name paystack-test')).toBe(0);
    expect(fixture.said.printed[0]).toMatch(/^₦[\d,]+\.\d{2}$/);
  });

  it.each([
    ['not JSON', 'sk_test_abc', 'paystack', 'RAIL_CREDENTIALS_INVALID'],
    ['not an object', '"sk_test_abcdefghijkl"', 'paystack', 'RAIL_CREDENTIALS_INVALID'],
    ['a field too few', '{}', 'paystack', 'RAIL_CREDENTIALS_INVALID'],
    [
      'a field too many',
      '{"secretKey":"sk_test_0123456789","x":"very-secret"}',
      'paystack',
      'RAIL_CREDENTIALS_INVALID',
    ],
    ['no key of the provider', '{"secretKey":"very-secret"}', 'paystack', 'RAIL_CREDENTIALS_INVALID'],
    ["another provider's", sandboxKey, 'monnify', 'RAIL_CREDENTIALS_INVALID'],
    ['a provider that is not there', sandboxKey, 'constructor', 'RAIL_PROVIDER_UNKNOWN'],
    ['a key of the other mode', liveKey, 'paystack', 'RAIL_CREDENTIALS_MODE'],
  ])('is refused with %s, without repeating what was given', async (_what, text, which, code) => {
    expect(await fixture.admin(`add-rail --name aa --provider ${which} --mode SANDBOX`, text)).toBe(1);
    expect(fixture.said.warned.join()).toContain(code);
    expect(fixture.said.warned.join()).not.toMatch(/very-secret|sk_test_|sk_live_|7f7f/);
  });

  it.each([
    ['http://api.paystack.co', 'RAIL_BASE_URL_INVALID'],
    ['https://user:secret@api.paystack.co', 'RAIL_BASE_URL_INVALID'],
    ['ftp://127.0.0.1', 'RAIL_BASE_URL_INVALID'],
    ['nonsense', 'RAIL_BASE_URL_INVALID'],
  ])('never sends its key to %s', async (address, code) => {
    const argv = `add-rail --name aa --provider paystack --mode SANDBOX --no-check --base-url ${address}`;
    expect(await fixture.admin(argv, sandboxKey)).toBe(1);
    expect(fixture.said.warned.join()).toContain(code);
  });

  it('keeps its name, provider, mode and address for ever', async () => {
    await fixture.addPaystack('paystack-test');
    const again = `add-rail --name paystack-test --provider paystack --no-check --mode`;
    expect(await fixture.admin(`${again} SANDBOX --base-url ${fixture.provider.baseUrl}`, sandboxKey)).toBe(1);
    expect(fixture.said.warned.join()).toContain('RAIL_NAME_TAKEN');
    expect(await fixture.admin(`${again} SANDBOX --replace`, sandboxKey)).toBe(1);
    expect(fixture.said.warned.join()).toContain('RAIL_ACCOUNT_CHANGED');
    expect(await fixture.admin(`${again} LIVE --replace --base-url ${fixture.provider.baseUrl}`, liveKey)).toBe(1);
    expect(fixture.said.warned.join()).toContain('RAIL_ACCOUNT_CHANGED');
    for (const name of ['sandbox', 'X', 'UPPER', '../etc', 'a'.repeat(41)]) {
      const argv = `add-rail --name ${name} --provider paystack --mode SANDBOX --no-check`;
      expect(await fixture.admin(argv, sandboxKey)).toBe(1);
      expect(fixture.said.warned.join()).toContain('RAIL_NAME_INVALID');
    }
  });

  it('is listed without anything of its credentials', async () => {
    await fixture.addPaystack('paystack-test');
    await fixture.admin('default-rail --mode SANDBOX --first paystack-test --second sandbox');
    expect(await fixture.admin('list-rails')).toBe(0);
    expect(fixture.said.printed).toEqual([
      `paystack-test\tpaystack\tSANDBOX\tACTIVE\topen to merchants\tdefault first\t${fixture.provider.baseUrl}`,
    ]);
  });

  it('that is not there is named as such by every command', async () => {
    for (const argv of ['disable-rail --name aa', 'enable-rail --name aa', 'rail-balance --name aa']) {
      expect(await fixture.admin(argv)).toBe(1);
      expect(fixture.said.warned.join()).toContain('RAIL_NOT_FOUND');
    }
    expect(await fixture.admin('default-rail --mode LIVE --first sandbox')).toBe(1);
    expect(fixture.said.warned.join()).toContain('RAIL_NOT_SELECTABLE');
  });
});

describe('the credentials of a rail account', () => {
  it('stand in clear nowhere: no table, no log line, no answer', async () => {
    await fixture.addPaystack('paystack-test');
    await fixture.addPaystack('paystack-live', 'LIVE');
    await fixture.admin('default-rail --mode LIVE --first paystack-live');
    const { tenant, call } = await fixture.addMerchant();
    const answers = [await call('PATCH', { first: 'paystack-test' }), await call('GET')];
    await fixture.rails.listRails(tenant);
    await fixture.rails.listRails({ ...tenant, mode: 'LIVE' });
    await fixture.admin('list-rails');
    const dump = await dumpOf(fixture.database);
    expect(dump).toContain('paystack-test');
    const everywhere = [
      dump,
      ...fixture.logged,
      ...answers.map(({ text }) => text),
      ...fixture.said.printed,
      ...fixture.said.warned,
    ];
    for (const text of everywhere) {
      expect(text).not.toContain(SECRET_KEY);
      expect(text).not.toContain(SECRET_KEY.slice('sk_test_'.length));
      expect(text).not.toContain(LIVE_KEY.slice('sk_live_'.length));
    }
  });

  it('do not open under another key-encryption key, which is said in words, once in the log', async () => {
    await fixture.addPaystack('paystack-live', 'LIVE');
    await fixture.admin('default-rail --mode LIVE --first paystack-live');
    const { tenant } = await fixture.addMerchant('LIVE');
    const other = createSecrets('another pepper of thirty-two characters', randomBytes(32).toString('base64'));
    const blind = fixture.directoryWith(other);
    fixture.logged.length = 0;
    const unreadable = {
      code: 'RAIL_CREDENTIALS_UNREADABLE',
      message: expect.stringContaining('KEY_ENCRYPTION_KEY is not the one that sealed them'),
    };
    const [named] = await blind.listRails(tenant);
    expect(named).toMatchObject({ name: 'paystack-live', fault: unreadable });
    expect((await blind.findRail('LIVE', 'paystack-live'))?.fault).toMatchObject(unreadable);
    expect(await blind.listNamed()).toMatchObject([{ opens: true }, { name: 'paystack-live', opens: false }]);
    expect(fixture.logged.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
    expect(await fixture.admin('rail-balance --name paystack-live', '', other)).toBe(1);
    expect(fixture.said.warned.join()).toContain('is another one than before');
  });

  it('that do not open leave the second rail to pay', async () => {
    await fixture.addPaystack('aa');
    const { tenant, call } = await fixture.addMerchant();
    await call('PATCH', { first: 'aa', second: 'sandbox' });
    const other = createSecrets('another pepper of thirty-two characters', randomBytes(32).toString('base64'));
    expect(await fixture.names(tenant, fixture.directoryWith(other))).toEqual(['sandbox']);
  });

  it.each([
    ['moved to another name', `update rail_accounts set name = 'bb' where name = 'aa'`, 'bb'],
    ['given another address', `update rail_accounts set base_url = 'https://evil.example' where name = 'aa'`, 'aa'],
    ['given the other mode', `update rail_accounts set mode = 'LIVE' where name = 'aa'`, 'aa'],
    ['given another provider', `update rail_accounts set provider = 'monnify' where name = 'aa'`, 'aa'],
  ])('do not open in a row that was %s by hand', async (_what, tampering, name) => {
    await fixture.addPaystack('aa');
    await fixture.database.pool.query(tampering);
    fixture.later();
    const modes = await Promise.all([fixture.rails.findRail('SANDBOX', name), fixture.rails.findRail('LIVE', name)]);
    const found = modes.filter((rail) => rail !== undefined);
    expect(found).toMatchObject([{ fault: { code: 'RAIL_CREDENTIALS_UNREADABLE' } }]);
  });
});

/** Every row of every table, as text. */
async function dumpOf(on: Database): Promise<string> {
  const { rows: tables } = await on.pool.query(`select tablename from pg_tables where schemaname = 'public'`);
  const texts: string[] = [];
  for (const { tablename } of tables) {
    const { rows } = await on.pool.query(`select t::text as line from "${tablename}" t`);
    texts.push(...rows.map(({ line }) => line));
  }
  return texts.join('\n');
}
