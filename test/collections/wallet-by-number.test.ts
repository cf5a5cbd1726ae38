import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { proposeForCredit, proposeForPayment, readSuspense } from '../../src/suspense/index.ts';
import { requireWalletByNumber } from '../../src/wallets/index.ts';
import { brokenChecks } from '../support/proof.ts';
import { codeOf, createSuspenseFixture, type SuspenseFixture } from './suspense-fixture.ts';

let fixture: SuspenseFixture;

beforeAll(async () => {
  fixture = await createSuspenseFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});
afterEach(() =>
  fixture.database.pool.query(
    `with given as (delete from receiving_numbers where rail = 'other-bank' returning virtual_account_id)
     delete from virtual_account_numbers v using given g where v.virtual_account_id = g.virtual_account_id`,
  ),
);

/** Another provider gives the number to a wallet of somebody else, at Sterling Bank. */
async function giveToo(accountNumber: string) {
  const other = await fixture.payee();
  const { merchantId, tenant, wallet } = other;
  const account = newId();
  const key = [merchantId, tenant.mode, wallet.id, account, accountNumber];
  await fixture.database.pool.query(
    `insert into receiving_numbers (merchant_id, mode, wallet_id, virtual_account_id, account_number, rail, opened_at)
     values ($1, $2, $3, $4, $5, 'other-bank', now())`,
    key,
  );
  await fixture.database.pool.query(
    `insert into virtual_account_numbers (merchant_id, mode, wallet_id, virtual_account_id, account_number, bank_code,
                                          bank_name, account_name, opened_at)
     values ($1, $2, $3, $4, $5, '232', 'Sterling Bank', 'Other', now())`,
    key,
  );
  return other;
}

/** Of the wallet's two numbers, the one at this bank. */
async function numberAt(walletId: string, bankCode: string): Promise<string> {
  const { rows } = await fixture.database.pool.query(
    'select account_number from virtual_account_numbers where wallet_id = $1 and bank_code = $2',
    [walletId, bankCode],
  );
  return rows[0].account_number;
}

describe('a live account number that a provider gave', () => {
  it('names the wallet to which a credit without an owner is attributed', async () => {
    const merchant = await fixture.payee();
    const credit = await fixture.ownerlessCredit();
    const { accountNumber } = merchant;
    expect(await fixture.decideCredit(credit, { action: 'ATTRIBUTE', accountNumber })).toEqual({ result: 'CREDITED' });
    expect(await merchant.balance()).toBe(30_00n);
  });

  it('is what the second person is shown of the wallet, not a number that nobody knows', async () => {
    const { accountNumber } = await fixture.payee();
    const credit = await fixture.ownerlessCredit();
    await proposeForCredit(fixture.deps, { ...fixture.terms, ...credit, action: 'ATTRIBUTE', accountNumber });
    const { rows } = await readSuspense(fixture.database, {}, { page: 1, size: 50 });
    const entry = rows.find(({ money }) => money.credit_key === credit.creditKey);
    expect(entry?.proposal?.wallet_account_number).toBe(accountNumber);
  });

  it('names the wallet of the merchant to which a held payment is attributed, and no other merchant’s', async () => {
    const held = await fixture.heldPayment();
    const { accountNumber } = held;
    const other = await fixture.payee();
    const propose = (number: string) =>
      proposeForPayment(fixture.deps, { ...fixture.terms, ...held, action: 'ATTRIBUTE', accountNumber: number });
    expect(await codeOf(propose(other.accountNumber))).toBe('WALLET_NOT_FOUND');
    await fixture.decidePayment(held, { action: 'ATTRIBUTE', accountNumber });
    expect(await held.balance()).toBe(40_00n);
  });

  it('leads to its wallet in its own mode, and to nobody in the other one or once it is closed', async () => {
    const { accountNumber, wallet, merchantId } = await fixture.payee();
    const find = (mode: 'LIVE' | 'SANDBOX') => requireWalletByNumber(fixture.database, { accountNumber, mode });
    expect(await find('LIVE')).toMatchObject({ id: wallet.id, merchant_id: merchantId });
    expect(await codeOf(find('SANDBOX'))).toBe('WALLET_NOT_FOUND');
    const generated = (mode: 'LIVE' | 'SANDBOX') =>
      requireWalletByNumber(fixture.database, { accountNumber: wallet.accountNumber, mode });
    expect(await generated('LIVE')).toMatchObject({ id: wallet.id });
    expect(await codeOf(generated('SANDBOX'))).toBe('WALLET_NOT_FOUND');
    const close = (at: string) =>
      fixture.database.pool.query(`update receiving_numbers set closed_at = ${at} where account_number = $1`, [
        accountNumber,
      ]);
    await close('now()');
    expect(await codeOf(find('LIVE'))).toBe('WALLET_NOT_FOUND');
    await close('null');
  });
});

describe('an account number that two banks gave to two wallets', () => {
  it('is refused without its bank, and leads to the wallet of the bank that is named', async () => {
    const merchant = await fixture.payee();
    const accountNumber = await numberAt(merchant.wallet.id, '035');
    const other = await giveToo(accountNumber);
    const credit = await fixture.ownerlessCredit();
    const propose = (bankCode?: string) =>
      proposeForCredit(fixture.deps, { ...fixture.terms, ...credit, action: 'ATTRIBUTE', accountNumber, bankCode });
    expect(await codeOf(propose())).toBe('ACCOUNT_NUMBER_AMBIGUOUS');
    expect(await codeOf(propose('058'))).toBe('WALLET_NOT_FOUND');
    const find = (bankCode: string) =>
      requireWalletByNumber(fixture.database, { accountNumber, mode: 'LIVE', bankCode });
    expect((await find('035')).id).toBe(merchant.wallet.id);
    expect((await find('232')).id).toBe(other.wallet.id);
    expect(await codeOf(propose('232'))).toBe('DONE');
  });

  it('leads to the wallet of the merchant whose payment is held', async () => {
    const held = await fixture.heldPayment();
    await giveToo(held.accountNumber);
    await fixture.decidePayment(held, { action: 'ATTRIBUTE', accountNumber: held.accountNumber });
    expect(await held.balance()).toBe(40_00n);
  });
});
