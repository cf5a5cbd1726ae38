import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Movement } from '../../src/ledger/index.ts';
import { chooseRails } from '../../src/rail-accounts/index.ts';
import { inOneGroup } from '../support/in-one-group.ts';
import { createRailFixture, type RailFixture, sandboxKey } from './rail-fixture.ts';

let fixture: RailFixture;

beforeAll(async () => {
  fixture = await createRailFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.empty());

describe('the rails of a merchant', () => {
  it('are the built-in one in the sandbox, and none for live money, until an operator adds one', async () => {
    expect(await fixture.names(await fixture.sandboxTenant())).toEqual(['sandbox']);
    const { tenant, call } = await fixture.addMerchant('LIVE');
    expect(await fixture.names(tenant)).toEqual([]);
    expect(await fixture.rails.findRail('LIVE', 'sandbox')).toBeUndefined();
    expect((await call('GET')).body.data).toEqual({
      mode: 'LIVE',
      first: null,
      second: null,
      chosenBy: 'DEFAULT',
      available: [],
    });
  });

  it("are the operator's default for the mode, in its order, for merchants that chose none", async () => {
    await fixture.addPaystack('live-one', 'LIVE');
    await fixture.addPaystack('live-two', 'LIVE');
    expect(await fixture.admin('default-rail --mode LIVE --first live-two --second live-one')).toBe(0);
    fixture.later();
    const { tenant, call } = await fixture.addMerchant('LIVE');
    expect(await fixture.names(tenant)).toEqual(['live-two', 'live-one']);
    expect(await fixture.names(await fixture.sandboxTenant())).toEqual(['sandbox']);
    expect((await call('GET')).body.data).toMatchObject({
      first: { name: 'live-two', provider: 'paystack', isActive: true },
      second: { name: 'live-one' },
      chosenBy: 'DEFAULT',
    });
  });

  it('are what the merchant chose, at once, for that merchant and mode only, with an event that says so', async () => {
    await fixture.addPaystack('paystack-test');
    const [one, other] = [await fixture.addMerchant(), await fixture.addMerchant()];
    expect(await fixture.names(one.tenant)).toEqual(['sandbox']);
    const chosen = await one.call('PATCH', { first: 'paystack-test', second: 'sandbox' });
    expect(chosen).toMatchObject({
      status: 200,
      body: { message: 'Rails chosen', data: { first: { name: 'paystack-test' }, chosenBy: 'MERCHANT' } },
    });
    expect(await fixture.names(one.tenant)).toEqual(['paystack-test', 'sandbox']);
    expect(await fixture.names(other.tenant)).toEqual(['sandbox']);
    expect(await fixture.names({ ...one.tenant, mode: 'LIVE' })).toEqual([]);
    const { rows } = await fixture.database.pool.query(
      `select data::jsonb as data from events where merchant_id = $1 and type = 'merchant.rails_chosen'`,
      [one.merchantId],
    );
    expect(rows).toMatchObject([
      { data: { first: { name: 'paystack-test' }, second: { name: 'sandbox' }, chosenBy: 'MERCHANT' } },
    ]);
  });

  it('change with a choice once, however often its key comes again', async () => {
    await fixture.addPaystack('paystack-test');
    const { call } = await fixture.addMerchant();
    const key = { 'idempotency-key': 'choose-1' };
    const first = await call('PATCH', { first: 'paystack-test' }, key);
    await call('PATCH', { first: 'sandbox' });
    const again = await call('PATCH', { first: 'paystack-test' }, key);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await call('GET')).body.data.first.name).toBe('sandbox');
  });

  it('end as one of the choices, whole, when many are made at once', async () => {
    await fixture.addPaystack('aa');
    await fixture.addPaystack('bb');
    const { call } = await fixture.addMerchant();
    const orders = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? ['aa', 'bb'] : ['bb', 'aa']));
    fixture.logged.length = 0;
    const answers = await Promise.all(orders.map(([first, second]) => call('PATCH', { first, second })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Those that met in one group were one statement: none of them broke it.
    expect(fixture.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    const { first, second } = (await call('GET')).body.data;
    expect(new Set([first.name, second.name])).toEqual(new Set(['aa', 'bb']));
  });

  it.each([false, true])('are the later of two choices that meet in one group, turned: %s', async (isTurned) => {
    await fixture.addPaystack('aa');
    await fixture.addPaystack('bb');
    const { tenant } = await fixture.addMerchant();
    const movements: Movement[] = [];
    const grouped = inOneGroup(fixture.ledger, isTurned);
    const deps = {
      ...fixture,
      ledger: {
        ...grouped,
        commit(movement: Movement) {
          movements.push(movement);
          return grouped.commit(movement);
        },
      },
    };
    const by = { tenant, by: 'MERCHANT' as const };
    await Promise.all(['aa', 'bb'].map((first) => chooseRails(deps, { ...by, first })));
    const [later] = movements.toSorted((one, other) => (one.id < other.id ? 1 : -1));
    const { first } = JSON.parse(later?.events?.[0]?.data ?? '');
    expect(await fixture.names(tenant)).toEqual([first.name]);
  });

  it("go back to the operator's default when the choice is taken back", async () => {
    await fixture.addPaystack('paystack-test');
    const { tenant, call } = await fixture.addMerchant();
    await call('PATCH', { first: 'paystack-test' });
    expect((await call('PATCH', { first: null })).body.data).toMatchObject({
      first: { name: 'sandbox' },
      chosenBy: 'DEFAULT',
    });
    expect(await fixture.names(tenant)).toEqual(['sandbox']);
  });

  it.each([
    ['one that is not open to merchants', { first: 'closed' }],
    ['one of the other mode', { first: 'live-one' }],
    ['one that is switched off', { first: 'off' }],
    ['one that there is not', { first: 'nowhere' }],
    ['such a one as the second', { first: 'sandbox', second: 'closed' }],
  ])('cannot be chosen by a merchant: %s', async (_what, order) => {
    await fixture.addPaystack('closed', 'SANDBOX', '');
    await fixture.addPaystack('off');
    await fixture.addPaystack('live-one', 'LIVE');
    await fixture.admin('disable-rail --name off');
    const { tenant, call } = await fixture.addMerchant();
    expect(await call('PATCH', order)).toMatchObject({ status: 422, body: { code: 'RAIL_NOT_SELECTABLE' } });
    expect(await fixture.names(tenant)).toEqual(['sandbox']);
    expect((await call('GET')).body.data.available).toEqual([{ name: 'sandbox', provider: 'sandbox' }]);
  });

  it('cannot be the same twice, nor a second without a first', async () => {
    const { call } = await fixture.addMerchant();
    expect((await call('PATCH', { first: 'sandbox', second: 'sandbox' })).body).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ field: 'second' }],
    });
    expect((await call('PATCH', { first: null, second: 'sandbox' })).status).toBe(400);
    expect((await call('PATCH', { second: 'sandbox' })).status).toBe(400);
  });

  it('may be chosen by the operator also where merchants may not', async () => {
    await fixture.addPaystack('closed', 'SANDBOX', '');
    const { tenant, merchantId, call } = await fixture.addMerchant();
    const argv = `choose-rail --merchant ${merchantId} --mode SANDBOX`;
    expect(await fixture.admin(`${argv} --first closed --second sandbox`)).toBe(0);
    fixture.later();
    expect(await fixture.names(tenant)).toEqual(['closed', 'sandbox']);
    expect((await call('GET')).body.data.chosenBy).toBe('OPERATOR');
    expect(await fixture.admin(`${argv} --default`)).toBe(0);
    fixture.later();
    expect(await fixture.names(tenant)).toEqual(['sandbox']);
  });

  it('lose one that is switched off for new payouts, while open ones still find it', async () => {
    await fixture.addPaystack('paystack-test');
    const { tenant, call } = await fixture.addMerchant();
    await call('PATCH', { first: 'paystack-test', second: 'sandbox' });
    expect(await fixture.admin('disable-rail --name paystack-test')).toBe(0);
    fixture.later();
    expect(await fixture.names(tenant)).toEqual(['sandbox']);
    expect((await fixture.rails.findRail('SANDBOX', 'paystack-test'))?.name).toBe('paystack-test');
    expect(await fixture.rails.findRail('LIVE', 'paystack-test')).toBeUndefined();
    expect((await call('GET')).body.data.first).toEqual({
      name: 'paystack-test',
      provider: 'paystack',
      isActive: false,
    });
    await fixture.admin('enable-rail --name paystack-test');
    fixture.later();
    expect(await fixture.names(tenant)).toEqual(['paystack-test', 'sandbox']);
  });

  it('never pay across modes, whatever the tables say', async () => {
    await fixture.addPaystack('live-one', 'LIVE');
    await fixture.addPaystack('test-one');
    await fixture.database.pool.query(
      `insert into default_rails (mode, first_rail, second_rail, updated_at)
       values ('SANDBOX', 'live-one', 'test-one', now()), ('LIVE', 'sandbox', 'test-one', now())`,
    );
    fixture.later();
    const tenant = await fixture.sandboxTenant();
    expect(await fixture.names(tenant)).toEqual(['test-one']);
    expect(await fixture.names({ ...tenant, mode: 'LIVE' })).toEqual([]);
  });

  it('reach every process within five seconds, and a payout of a rail that was just added finds it at once', async () => {
    const own = fixture.open(2);
    const elsewhere = fixture.directoryWith(fixture.secrets, own);
    const { tenant, call } = await fixture.addMerchant();
    expect(await fixture.names(tenant, elsewhere)).toEqual(['sandbox']);
    expect(
      await fixture.admin(
        `add-rail --name fresh --provider paystack --mode SANDBOX --base-url ${fixture.provider.baseUrl} --open-to-merchants`,
        sandboxKey,
      ),
    ).toBe(0);
    expect((await elsewhere.findRail('SANDBOX', 'fresh'))?.name).toBe('fresh');
    await call('PATCH', { first: 'fresh' });
    fixture.later();
    expect(await fixture.names(tenant, elsewhere)).toEqual(['fresh']);
    await own.close();
  });
});

describe('the provider of account numbers of a mode', () => {
  const asked = (mode: string, name: string) => fixture.admin(`wallet-provider --mode ${mode} --name ${name}`);
  const chosen = async () => {
    const { rows } = await fixture.database.pool.query('select mode, rail from default_wallet_providers order by mode');
    return rows;
  };

  it('is an account of that mode that is switched on, and stays where another one is named', async () => {
    await fixture.addPaystack('on');
    await fixture.addPaystack('off');
    await fixture.addPaystack('live-one', 'LIVE');
    await fixture.admin('disable-rail --name off');
    expect([await asked('SANDBOX', 'on'), fixture.said.printed]).toEqual([0, ['done']]);
    const before = await chosen();
    expect(before).toContainEqual({ mode: 'SANDBOX', rail: 'on' });
    for (const [mode, name] of [
      ['SANDBOX', 'live-one'],
      ['LIVE', 'on'],
      ['SANDBOX', 'off'],
      ['SANDBOX', 'nowhere'],
    ] as const) {
      expect(await asked(mode, name), name).toBe(1);
      expect(fixture.said.warned.join()).toContain(name);
    }
    expect(await chosen()).toEqual(before);
  });
});
