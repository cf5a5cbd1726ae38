import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addCustomer } from '../../src/customers/change-customer.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { closeAccount } from '../../src/virtual-accounts/close-account.ts';
import { openDueAccounts } from '../../src/virtual-accounts/index.ts';
import { readAccount, readAccounts, readWalletAccounts } from '../../src/virtual-accounts/read-accounts.ts';
import { requestAccount } from '../../src/virtual-accounts/request-account.ts';
import { payableWallets } from '../../src/wallets/index.ts';
import { brokenChecks } from '../support/proof.ts';
import { type CollectionFixture, createCollectionFixture } from './fixture.ts';

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
  fixture.script.nextClose.length = 0;
});

const BVN = '22212345999';

interface AccountView {
  virtualAccountId: string;
  status: string;
  reason: string | null;
  customerId: string | null;
  accounts: { accountNumber: string; accountName: string }[];
}

const dataOf = (result: { answer: { body: string } }): AccountView => JSON.parse(result.answer.body).data;

async function newCustomer(
  tenant: Tenant,
  name = 'Ada Obi',
  phoneNumber: string | null = '08031234567',
): Promise<string> {
  const fields = { name, email: 'ada@b.example', ...(phoneNumber !== null && { phoneNumber }) };
  const { deps } = fixture;
  await addCustomer(deps, { tenant, fields, metadata: null, idempotency: undefined });
  const { rows } = await fixture.database.pool.query(
    'select id from customers where merchant_id = $1 order by id desc',
    [tenant.merchantId],
  );
  return rows[0].id;
}

interface Asked {
  walletId?: string;
  bvn?: string | null;
  nin?: string | null;
  deps?: CollectionFixture['deps'];
}

const ask = (tenant: Tenant, id: string, { walletId, bvn = BVN, nin = null, deps = fixture.deps }: Asked = {}) =>
  requestAccount(deps, { tenant, walletId, customer: { id, identity: { bvn, nin } }, idempotency: undefined });

async function work(deps = fixture.deps) {
  for (let round = 0; round < 8; round += 1) {
    await openDueAccounts(deps, 'LIVE');
    fixture.clock.advance(1_000);
  }
}

/** A merchant with its own numbers open, and a customer with theirs. */
async function withAccount() {
  const merchant = await fixture.addMerchant();
  const customerId = await newCustomer(merchant.tenant);
  await ask(merchant.tenant, customerId);
  await work();
  const { records } = await readAccounts(fixture.database, merchant.tenant, { customerId }, { page: 1, size: 10 });
  const [account] = records as AccountView[];
  const accountNumber = account?.accounts[0]?.accountNumber ?? 'none';
  return { ...merchant, customerId, account: account as AccountView, accountNumber };
}

const paymentsOf = async ({ merchantId }: Tenant) =>
  (
    await fixture.database.pool.query(
      'select status, reason, customer_id, wallet_id, amount_minor from inbound_payments where merchant_id = $1 order by id',
      [merchantId],
    )
  ).rows;

const eventsOf = async ({ merchantId }: Tenant) =>
  (
    await fixture.database.pool.query(
      "select type, data from events where merchant_id = $1 and type like 'virtual_account.%' order by sequence",
      [merchantId],
    )
  ).rows as { type: string; data: string }[];

describe('the account number of a customer', () => {
  it('is opened by a worker in the customer’s name, beside the wallet’s own, and not shown among them', async () => {
    const { tenant, wallet, account, customerId } = await withAccount();
    expect(account).toMatchObject({ status: 'OPEN', customerId, customerName: 'Ada Obi', walletId: wallet.id });
    expect(account.accounts.map(({ accountName }) => accountName)).toContain('BANK/Ada Obi');
    const own = await readWalletAccounts(fixture.deps, tenant, wallet.id);
    expect(own.accounts.map(({ accountName }) => accountName)).toContain('BANK/Adire');
    expect(own.requests).toHaveLength(1);
    const [payable] = await payableWallets(fixture.deps.wallets, tenant, [wallet]);
    expect(account.accounts.map(({ accountNumber }) => accountNumber)).not.toContain(payable?.accountNumber);
  });

  it('is one where ten ask at once, of two processes, and the same where somebody asks again', async () => {
    const { tenant, wallet } = await fixture.addMerchant();
    const customerId = await newCustomer(tenant);
    const other = fixture.another();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => ask(tenant, customerId, { deps: at % 2 === 0 ? fixture.deps : other })),
    );
    expect(new Set(answers.map((answer) => dataOf(answer).virtualAccountId)).size).toBe(1);
    await Promise.all([work(), work(other)]);
    const again = dataOf(await ask(tenant, customerId, { walletId: wallet.id, bvn: null }));
    expect(again).toMatchObject({ status: 'OPEN', virtualAccountId: dataOf(answers[0] as never).virtualAccountId });
    expect(again.accounts).toHaveLength(2);
    const { rows } = await fixture.database.pool.query('select id from virtual_accounts where customer_id = $1', [
      customerId,
    ]);
    expect(rows).toHaveLength(1);
    const requested = (await eventsOf(tenant)).filter(({ type }) => type === 'virtual_account.requested');
    expect(requested).toHaveLength(1);
  });

  it('is the first one where the worker died between the provider’s answer and its commit', async () => {
    const { tenant } = await fixture.addMerchant();
    await work();
    const customerId = await newCustomer(tenant);
    const { virtualAccountId } = dataOf(await ask(tenant, customerId));
    const dying = fixture.another();
    const commit = () => Promise.reject(new Error('killed'));
    await openDueAccounts({ ...dying, ledger: { ...dying.ledger, commit } }, 'LIVE');
    const given = fixture.script.accounts.get(virtualAccountId.replaceAll('-', '')) ?? [];
    expect(given).toHaveLength(2);
    fixture.clock.advance(70_000);
    await work();
    const { accounts } = await readAccount(fixture.database, tenant, virtualAccountId);
    expect(accounts.map(({ accountNumber }) => accountNumber).sort()).toEqual(
      given.map(({ accountNumber }) => accountNumber).sort(),
    );
  });

  it('is asked for with the name and address of its first request, however the customer is changed meanwhile', async () => {
    const { tenant } = await fixture.addMerchant();
    const customerId = await newCustomer(tenant);
    const { virtualAccountId } = dataOf(await ask(tenant, customerId));
    await fixture.database.pool.query("update customers set email = 'new@b.example' where id = $1", [customerId]);
    await work();
    await fixture.database.pool.query("update customers set email = 'ada@b.example' where id = $1", [customerId]);
    const holder = fixture.script.holders.get(virtualAccountId.replaceAll('-', ''));
    expect(holder).toMatchObject({ name: 'Ada Obi', email: 'ada@b.example', bvn: BVN, nin: null });
  });

  it('is refused at once, with the field, where the provider needs what nobody gave; a NIN does where it says so', async () => {
    const { tenant } = await fixture.addMerchant();
    const customerId = await newCustomer(tenant);
    await expect(ask(tenant, customerId, { bvn: null })).rejects.toMatchObject({
      kind: 'refused',
      code: 'CUSTOMER_DETAILS_MISSING',
      errors: [{ field: 'bvn' }],
    });
    const { virtualAccountId } = dataOf(await ask(tenant, customerId, { bvn: null, nin: '33333333331' }));
    await work();
    expect(fixture.script.holders.get(virtualAccountId.replaceAll('-', ''))).toMatchObject({ nin: '33333333331' });
  });

  it('keeps a BVN sealed and only until it is open, and says it in no event', async () => {
    const { tenant } = await fixture.addMerchant();
    await work();
    const customerId = await newCustomer(tenant);
    await ask(tenant, customerId);
    const kept = async () =>
      (await fixture.database.pool.query('select * from virtual_accounts where customer_id = $1', [customerId]))
        .rows[0];
    expect((await kept()).identity_sealed).toMatch(/^v1\./);
    expect(JSON.stringify(await kept())).not.toContain(BVN);
    await work();
    expect(await kept()).toMatchObject({ status: 'OPEN', identity_sealed: null });
    expect(JSON.stringify(await eventsOf(tenant))).not.toContain(BVN);
  });

  it('is opened with nobody else’s BVN: one that was put into another row opens nothing there', async () => {
    const { tenant } = await fixture.addMerchant();
    await work();
    const bvns = [BVN, '22222222222'];
    const asked: string[] = [];
    for (const bvn of bvns) asked.push(dataOf(await ask(tenant, await newCustomer(tenant), { bvn })).virtualAccountId);
    await fixture.database.pool.query(
      `update virtual_accounts v set identity_sealed = other.identity_sealed from virtual_accounts other
        where v.id = any ($1::uuid[]) and other.id = any ($1::uuid[]) and other.id <> v.id
          and other.merchant_id = v.merchant_id`,
      [asked],
    );
    await work();
    for (const id of asked) {
      expect(fixture.script.holders.get(id.replaceAll('-', ''))).toBeUndefined();
      expect((await readAccount(fixture.database, tenant, id)).status).not.toBe('OPEN');
    }
  });

  it('is asked for anew after a refusal, and what was kept of the refused request is erased', async () => {
    const { tenant } = await fixture.addMerchant();
    await work();
    const customerId = await newCustomer(tenant);
    const first = dataOf(await ask(tenant, customerId));
    const said = { code: '99', reason: 'ACCOUNT_LIMIT_REACHED', message: 'No more', at: fixture.clock.now() };
    fixture.script.nextOpen.push(async () => ({ ...said, outcome: 'refused' }));
    await work();
    expect(await readAccount(fixture.database, tenant, first.virtualAccountId)).toMatchObject({
      status: 'FAILED',
      reason: 'ACCOUNT_LIMIT_REACHED',
    });
    const second = dataOf(await ask(tenant, customerId));
    expect(second.virtualAccountId).not.toBe(first.virtualAccountId);
    await work();
    const { rows } = await fixture.database.pool.query(
      'select status, identity_sealed from virtual_accounts where customer_id = $1 order by requested_at',
      [customerId],
    );
    expect(rows).toEqual([
      { status: 'FAILED', identity_sealed: null },
      { status: 'OPEN', identity_sealed: null },
    ]);
  });

  it('credits the wallet that it was asked for, and every payment says whose it is', async () => {
    const { tenant, accountNumber, customerId, balance } = await withAccount();
    await fixture.takeWebhook(fixture.script.receive({ accountNumber, amountMinor: 5_000n }));
    expect(await paymentsOf(tenant)).toMatchObject([
      { status: 'CREDITED', customer_id: customerId, amount_minor: 5_000n },
    ]);
    expect(await balance()).toBe(5_000n);
  });

  it('is another’s for nobody: a customer of another merchant is not found', async () => {
    const { tenant } = await fixture.addMerchant();
    const other = await fixture.addMerchant();
    const customerId = await newCustomer(other.tenant);
    await expect(ask(tenant, customerId)).rejects.toMatchObject({ kind: 'not_found', code: 'CUSTOMER_NOT_FOUND' });
  });
});

describe('the account number of a wallet itself', () => {
  it('is asked for once more after a refusal, also where ten ask at once, and answers with itself', async () => {
    await work();
    const { tenant, wallet } = await fixture.addMerchant();
    const said = { code: '99', reason: 'ACCOUNT_LIMIT_REACHED', message: 'No more', at: fixture.clock.now() };
    fixture.script.nextOpen.push(async () => ({ ...said, outcome: 'refused' }));
    await work();
    const again = () =>
      requestAccount(fixture.deps, { tenant, walletId: wallet.id, customer: undefined, idempotency: undefined });
    const answers = await Promise.all(Array.from({ length: 10 }, again));
    expect(new Set(answers.map((answer) => dataOf(answer).virtualAccountId)).size).toBe(1);
    await work();
    expect(dataOf(await again())).toMatchObject({ status: 'OPEN', customerId: null });
    expect((await eventsOf(tenant)).map(({ type }) => type)).toEqual([
      'virtual_account.failed',
      'virtual_account.requested',
      'virtual_account.opened',
    ]);
  });
});

describe('a closed account number of a customer', () => {
  const close = (tenant: Tenant, virtualAccountId: string, deps = fixture.deps) =>
    closeAccount(deps, { tenant, virtualAccountId, idempotency: undefined });

  it('is closed at the provider too, by a worker that asks until it is', async () => {
    const { tenant, account } = await withAccount();
    const { virtualAccountId } = account;
    const reference = virtualAccountId.replaceAll('-', '');
    const said = { code: null, message: 'Wait', at: fixture.clock.now() };
    fixture.script.nextClose.push(async () => ({ ...said, outcome: 'unknown', reason: 'RAIL_TIMEOUT' }));
    expect(dataOf(await close(tenant, virtualAccountId))).toMatchObject({ status: 'CLOSED' });
    await openDueAccounts(fixture.deps, 'LIVE');
    expect(await readAccount(fixture.database, tenant, virtualAccountId)).toMatchObject({ reason: 'RAIL_TIMEOUT' });
    expect(fixture.script.closed).not.toContain(reference);
    fixture.clock.advance(30_000);
    await work();
    expect(fixture.script.closed.filter((one) => one === reference)).toHaveLength(1);
    expect(await readAccount(fixture.database, tenant, virtualAccountId)).toMatchObject({
      status: 'CLOSED',
      reason: null,
    });
    expect((await eventsOf(tenant)).map(({ type }) => type)).toContain('virtual_account.closed');
  });

  it('is closed once where many close it at once', async () => {
    const { tenant, account } = await withAccount();
    const other = fixture.another();
    const closed = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) =>
        close(tenant, account.virtualAccountId, at % 2 === 0 ? fixture.deps : other),
      ),
    );
    expect(closed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of closed) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'VIRTUAL_ACCOUNT_ENDED' });
    }
  });

  it('brings what is paid to it into suspense, with the merchant and the customer known', async () => {
    const { tenant, account, accountNumber, customerId, balance } = await withAccount();
    const before = fixture.script.receive({ accountNumber, amountMinor: 100n });
    fixture.clock.advance(5_000);
    await close(tenant, account.virtualAccountId);
    fixture.clock.advance(120_000);
    await fixture.takeWebhook(fixture.script.receive({ accountNumber, amountMinor: 200n }));
    await fixture.takeWebhook(
      fixture.script.receive({
        accountNumber: null as never,
        accountReference: account.virtualAccountId.replaceAll('-', ''),
        amountMinor: 300n,
        paidAt: null,
      }),
    );
    // What was paid before it was closed is the wallet's, however late we hear of it.
    await fixture.takeWebhook(before);
    const held = { status: 'SUSPENSE', reason: 'ACCOUNT_CLOSED', customer_id: customerId };
    const payments = await paymentsOf(tenant);
    expect(payments).toHaveLength(3);
    expect(payments).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...held, amount_minor: 200n }),
        expect.objectContaining({ ...held, amount_minor: 300n }),
        expect.objectContaining({ status: 'CREDITED', reason: null, amount_minor: 100n }),
      ]),
    );
    expect(await balance()).toBe(100n);
    await work();
  });

  it('has what was paid to it, where its number is another merchant’s by the time that it is reported', async () => {
    const first = await withAccount();
    const before = fixture.script.receive({ accountNumber: first.accountNumber, amountMinor: 100n });
    fixture.clock.advance(5_000);
    await close(first.tenant, first.account.virtualAccountId);
    await work();
    const second = await fixture.addMerchant();
    const customerId = await newCustomer(second.tenant);
    await work();
    fixture.script.nextOpen.push(async () => ({
      ...{ code: '00', reason: null, message: 'Done' },
      outcome: 'opened',
      accounts: first.account.accounts.map((one) => ({ ...one, bankCode: '035', bankName: 'Wema Bank' })),
      providerAccountId: 'again',
      at: fixture.clock.now(),
    }));
    await ask(second.tenant, customerId);
    await work();
    const after = fixture.script.receive({ accountNumber: first.accountNumber, amountMinor: 200n });
    await fixture.takeWebhook(before);
    await fixture.takeWebhook(after);
    expect(await first.balance()).toBe(100n);
    expect(await second.balance()).toBe(200n);
  });

  it('may be asked for again: the customer gets another number', async () => {
    const { tenant, account, customerId } = await withAccount();
    await close(tenant, account.virtualAccountId);
    const next = dataOf(await ask(tenant, customerId));
    await work();
    const { accounts, status } = await readAccount(fixture.database, tenant, next.virtualAccountId);
    expect(status).toBe('OPEN');
    expect(accounts[0]?.accountNumber).not.toBe(account.accounts[0]?.accountNumber);
  });

  it('is a customer’s: the number of a wallet itself is not closed, nor what is still being opened, nor another’s', async () => {
    const { tenant, wallet } = await fixture.addMerchant();
    await work();
    const { requests } = await readWalletAccounts(fixture.deps, tenant, wallet.id);
    const own = requests[0]?.virtualAccountId ?? '';
    await expect(close(tenant, own)).rejects.toMatchObject({ kind: 'refused', code: 'VIRTUAL_ACCOUNT_OF_WALLET' });
    const customerId = await newCustomer(tenant);
    const { virtualAccountId } = dataOf(await ask(tenant, customerId));
    await expect(close(tenant, virtualAccountId)).rejects.toMatchObject({ code: 'VIRTUAL_ACCOUNT_NOT_OPEN' });
    const other = await fixture.addMerchant();
    await expect(close(other.tenant, virtualAccountId)).rejects.toMatchObject({ code: 'VIRTUAL_ACCOUNT_NOT_FOUND' });
    await expect(close(tenant, newId())).rejects.toMatchObject({ code: 'VIRTUAL_ACCOUNT_NOT_FOUND' });
    await work();
  });
});
