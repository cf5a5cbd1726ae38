import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type AccountKind,
  findLateAccount,
  insertAccounts,
  insertBooks,
  insertLateAccount,
  type LateAccountKind,
  listSystemAccounts,
} from './queries.ts';

export interface NewAccount {
  id: string;
  kind: AccountKind;
  /** The merchant, store or subaccount whose account it is. */
  ownerId: string;
}

/** The row of an empty account in naira, for a movement that opens a wallet. */
export function accountWrite(tenant: Tenant, account: NewAccount, openedAt: string): Write {
  return write(insertAccounts, {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: account.id,
    kind: account.kind,
    owner_id: account.ownerId,
    currency: DEFAULT_CURRENCY,
    debits_posted_minor: 0n,
    credits_posted_minor: 0n,
    debits_pending_minor: 0n,
    credits_pending_minor: 0n,
    sequence: 0n,
    created_at: openedAt,
  });
}

/** The accounts that every tenant has besides wallets, so that no movement ever leaves its merchant. */
export interface SystemAccounts {
  payoutClearing: string;
  providerFloat: string;
  feeIncome: string;
  taxPayable: string;
  suspense: string;
}

const SYSTEM_ACCOUNTS: Record<keyof SystemAccounts, AccountKind> = {
  payoutClearing: 'PAYOUT_CLEARING',
  providerFloat: 'PROVIDER_FLOAT',
  feeIncome: 'FEE_INCOME',
  taxPayable: 'TAX_PAYABLE',
  suspense: 'SUSPENSE',
};

/** Opens a tenant's books and system accounts, once, in the transaction that creates the merchant. */
export async function openBooks(tx: Queries, tenant: Tenant, openedAt: string): Promise<void> {
  const books = write(insertBooks, { merchant_id: tenant.merchantId, mode: tenant.mode, event_sequence: 0n });
  await tx.run(books.into, [books.row]);
  const accounts = Object.values(SYSTEM_ACCOUNTS).map((kind) =>
    accountWrite(tenant, { id: newId(), kind, ownerId: tenant.merchantId }, openedAt),
  );
  await tx.run(
    insertAccounts,
    accounts.map(({ row }) => row),
  );
}

export async function findSystemAccounts(queries: Queries, tenant: Tenant): Promise<SystemAccounts> {
  const rows = await queries.query(listSystemAccounts, [tenant.merchantId, tenant.mode]);
  const ids = new Map(rows.map((row) => [row.kind, row.id]));
  const accounts = Object.entries(SYSTEM_ACCOUNTS).map(([name, kind]) => {
    const id = ids.get(kind);
    if (id === undefined) throw new Error(`${tenant.merchantId} has no ${kind} account in ${tenant.mode}`);
    return [name, id];
  });
  return Object.fromEntries(accounts) as SystemAccounts;
}

/**
 * Opens an account of a tenant that is made when it is first needed: what one provider account owes for the merchant,
 * what of the merchant's money waits for its settlement, or what providers keep. It is empty at first; two callers that
 * need it at once get the same one.
 * @param ownerId the provider account whose receivable it is; for the others, the merchant
 */
export async function openLateAccount(
  queries: Queries,
  tenant: Tenant,
  { kind, ownerId }: { kind: LateAccountKind; ownerId: string },
  openedAt: Date,
): Promise<string> {
  const key = [tenant.merchantId, tenant.mode, kind, ownerId];
  const [found] = await queries.query(findLateAccount, key);
  if (found !== undefined) return found.id;
  await queries.query(insertLateAccount, [...key, newId(), openedAt]);
  const [account] = await queries.query(findLateAccount, key);
  if (account === undefined) throw new Error(`${tenant.merchantId} has no ${kind} account in ${tenant.mode}`);
  return account.id;
}
