import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { createRequestMissing, openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { listDueVirtualAccounts } from '../../src/wallets/index.ts';
import { brokenChecks } from '../support/proof.ts';
import { type CollectionFixture, createCollectionFixture, RAIL } from './fixture.ts';

let fixture: CollectionFixture;

beforeAll(async () => {
  fixture = await createCollectionFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});
beforeEach(() => {
  fixture.script.nextOpen.length = 0;
});

const open = (deps = fixture.deps) => openDueAccounts(deps, 'LIVE');

async function openAll() {
  for (let round = 0; round < 20; round += 1) {
    await open();
    fixture.clock.advance(1_000);
  }
}
const accountsOf = ({ tenant, wallet }: Awaited<ReturnType<CollectionFixture['addMerchant']>>) =>
  readWalletAccounts(fixture.deps, tenant, wallet.id);
const eventsOf = async (id: string) => {
  const { rows } = await fixture.database.pool.query(
    "select type from events where merchant_id = $1 and type like 'virtual_account.%' order by sequence",
    [id],
  );
  return rows.map(({ type }) => type);
};

describe('the account numbers of a wallet at a provider', () => {
  it('are asked for with the wallet, opened by a worker, and shown as the provider named them', async () => {
    const merchant = await fixture.addMerchant();
    expect(await accountsOf(merchant)).toMatchObject({
      accounts: [],
      requests: [{ status: 'REQUESTED', accounts: [] }],
    });
    await openAll();
    const { accounts, requests } = await accountsOf(merchant);
    expect(accounts.map(({ bankName }) => bankName)).toEqual(expect.arrayContaining(['Wema Bank', 'Sterling Bank']));
    expect(accounts.map(({ accountName }) => accountName)).toContain('BANK/Adire');
    expect(requests).toMatchObject([{ status: 'OPEN', reason: null }]);
    expect(await eventsOf(merchant.merchantId)).toEqual(['virtual_account.opened']);
  });

  it('are opened once by two workers at once, and by none of the other mode', async () => {
    const merchant = await fixture.addMerchant();
    const other = fixture.another();
    expect(await openDueAccounts(fixture.deps, 'SANDBOX')).toBe(0);
    await Promise.all([open(), open(other), open(), open(other)]);
    await openAll();
    expect((await accountsOf(merchant)).accounts).toHaveLength(2);
    expect(await eventsOf(merchant.merchantId)).toEqual(['virtual_account.opened']);
  });

  it('are the first ones where the worker died between the provider’s answer and its commit', async () => {
    const merchant = await fixture.addMerchant();
    const dying = fixture.another();
    const commit = () => Promise.reject(new Error('killed'));
    await open({ ...dying, ledger: { ...dying.ledger, commit } });
    expect((await accountsOf(merchant)).accounts).toEqual([]);
    const given = [...fixture.script.accounts.values()].at(-1) ?? [];
    fixture.clock.advance(61_000);
    await openAll();
    const numbers = (await accountsOf(merchant)).accounts.map(({ accountNumber }) => accountNumber).sort();
    expect(numbers).toEqual(given.map(({ accountNumber }) => accountNumber).sort());
  });

  it('are asked for again, less often each time, while the provider says nothing or that it is under way', async () => {
    const merchant = await fixture.addMerchant();
    const said = { code: null, message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextOpen.push(
      async () => ({ ...said, outcome: 'unknown', reason: 'RAIL_TIMEOUT' }),
      async () => ({ ...said, outcome: 'pending', reason: 'ACCOUNT_PENDING' }),
      () => Promise.reject(new Error('socket hang up')),
    );
    await open();
    expect((await accountsOf(merchant)).requests).toMatchObject([{ status: 'REQUESTED', reason: 'RAIL_TIMEOUT' }]);
    fixture.clock.advance(6_000);
    await open();
    expect((await accountsOf(merchant)).requests).toMatchObject([{ status: 'REQUESTED', reason: 'ACCOUNT_PENDING' }]);
    fixture.clock.advance(6_000);
    await open();
    expect((await accountsOf(merchant)).requests).toMatchObject([{ reason: 'ACCOUNT_PENDING' }]);
    fixture.clock.advance(11_000);
    await open();
    expect((await accountsOf(merchant)).requests).toMatchObject([{ status: 'REQUESTED', reason: 'RAIL_UNREACHABLE' }]);
    fixture.clock.advance(31_000);
    await open();
    expect((await accountsOf(merchant)).requests).toMatchObject([{ status: 'OPEN' }]);
  });

  it('are refused in words where the provider needs what the merchant has not given, and an event says so', async () => {
    const merchant = await fixture.base.addMerchant({ mode: 'LIVE', profile: { businessName: 'Ankara' } });
    const { wallet } = await fixture.deps.wallets.requireTenantAccounts(merchant.tenant);
    await openAll();
    const { accounts, requests } = await readWalletAccounts(fixture.deps, merchant.tenant, wallet.id);
    expect(accounts).toEqual([]);
    expect(requests).toMatchObject([
      { status: 'FAILED', reason: 'KYC_MISSING', message: 'The provider needs BVN of the merchant' },
    ]);
    expect(await eventsOf(merchant.merchantId)).toEqual(['virtual_account.failed']);
  });

  it('are never two wallets’: a number that somebody has is not given out again, and is an alarm', async () => {
    fixture.alarms.length = 0;
    const first = await fixture.addMerchant();
    await openAll();
    const [taken] = [...fixture.script.accounts.values()].at(-1) ?? [];
    const second = await fixture.addMerchant();
    const said = { code: '00', reason: null, message: 'Done', at: fixture.clock.now() };
    if (taken === undefined) throw new Error('no account was opened');
    fixture.script.nextOpen.push(async () => ({
      ...said,
      outcome: 'opened',
      accounts: [taken],
      providerAccountId: 'x',
    }));
    await openAll();
    expect((await accountsOf(second)).requests).toMatchObject([{ status: 'FAILED', reason: 'ACCOUNT_NUMBER_TAKEN' }]);
    expect(fixture.alarms).toEqual(['ACCOUNT_NUMBER_TAKEN']);
    expect((await accountsOf(first)).accounts).toHaveLength(2);
  });

  it('may be one that was for a single payment before, where the provider gives it again', async () => {
    const other = await fixture.addMerchant();
    await openAll();
    const number = '9012345678';
    const { database, clock, deps } = fixture;
    const owner = { merchant_id: other.merchantId, mode: 'LIVE' as const, wallet_id: other.wallet.id };
    const place = { rail: RAIL, account_number: number, opened_at: clock.now() };
    expect(await deps.reserveNumber({ ...place, ...owner, virtual_account_id: newId() })).toBe(true);
    const merchant = await fixture.addMerchant();
    const said = { code: '00', reason: null, message: 'Done', at: clock.now() };
    const account = { accountNumber: number, bankCode: '035', bankName: 'Wema Bank', accountName: 'BANK/Adire' };
    fixture.script.nextOpen.push(async () => ({
      ...said,
      outcome: 'opened',
      accounts: [account],
      providerAccountId: 'x',
    }));
    await openAll();
    expect((await accountsOf(merchant)).accounts).toMatchObject([{ accountNumber: number }]);
    const { rows } = await database.pool.query(
      'select merchant_id from receiving_numbers where account_number = $1 and closed_at is null',
      [number],
    );
    expect(rows).toEqual([{ merchant_id: merchant.merchantId }]);
    // The proof would ask which session it was for.
    await database.pool.query('delete from receiving_numbers where account_number = $1 and closed_at is not null', [
      number,
    ]);
  });

  it('wait for the approval of a live merchant', async () => {
    const merchant = await fixture.base.addMerchant({ mode: 'LIVE', approved: false, profile: { bvn: '22212345901' } });
    const { wallet } = await fixture.deps.wallets.requireTenantAccounts(merchant.tenant);
    await openAll();
    const { requests } = await readWalletAccounts(fixture.deps, merchant.tenant, wallet.id);
    expect(requests).toMatchObject([{ status: 'REQUESTED', reason: 'MERCHANT_NOT_ACTIVE' }]);
  });

  it('come to wallets from before the provider was chosen, each once', async () => {
    const merchant = await fixture.addMerchant();
    await fixture.database.pool.query('delete from virtual_accounts where merchant_id = $1', [merchant.merchantId]);
    const [here, there] = [createRequestMissing(fixture.deps, 'LIVE'), createRequestMissing(fixture.deps, 'LIVE')];
    await Promise.all([here(), there(), here()]);
    const due = await fixture.database.query(listDueVirtualAccounts, ['LIVE', fixture.clock.now(), 1_000, []]);
    expect(due.filter(({ merchant_id }) => merchant_id === merchant.merchantId)).toHaveLength(1);
    await openAll();
    expect((await accountsOf(merchant)).accounts).toHaveLength(2);
  });

  it('come to all of them where nothing can be requested for one, and to that one when it can', async () => {
    const merchants = [await fixture.addMerchant(), await fixture.addMerchant(), await fixture.addMerchant()];
    const ids = merchants.map(({ merchantId }) => merchantId);
    const { pool } = fixture.database;
    await pool.query('delete from virtual_accounts where merchant_id = any($1)', [ids]);
    await pool.query(
      `alter table virtual_accounts add constraint unwritable check (merchant_id <> '${ids[1]}') not valid`,
    );
    const request = createRequestMissing(fixture.deps, 'LIVE');
    const requested = async () => {
      await request();
      const { rows } = await pool.query('select merchant_id from virtual_accounts where merchant_id = any($1)', [ids]);
      return rows.map(({ merchant_id }) => ids.indexOf(merchant_id)).sort((a, b) => a - b);
    };
    expect(await requested()).toEqual([0, 2]);
    await pool.query('alter table virtual_accounts drop constraint unwritable');
    expect(await requested()).toEqual([0, 1, 2]);
    await openAll();
  });
});
