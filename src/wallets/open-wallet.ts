import { randomInt } from 'node:crypto';
import { nubanCheckDigit } from '../banks/index.ts';
import { type AccountKind, accountWrite, type LockedCheck, lockedCheck, openBooks } from '../ledger/index.ts';
import { type Database, type Queries, violatedUnique } from '../platform/db/database.ts';
import { columnArrays, rowsFor, type Write, write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { createGroupReader } from '../platform/group-reader.ts';
import { newId } from '../platform/ids.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import { accountNumberTaken } from './errors.ts';
import { insertAccountNumber, insertWallets, type WalletRow } from './queries.ts';
import {
  closeOneTimeNumber,
  findDefaultWalletProvider,
  findReceivingNumber,
  findTakenNumbers,
  insertFreeNumbers,
  type ReceivingNumber,
  requestVirtualAccounts,
  reserveReceivingNumbers,
} from './virtual-account-queries.ts';

/** The bank of the wallets' account numbers. */
export interface WalletBank {
  code: string;
  name: string;
}

/** Free numbers are found at the first attempt until hundreds of millions are taken. */
const MAX_NUMBER_ATTEMPTS = 20;

export interface NewWallet {
  tenant: Tenant;
  kind: Extract<AccountKind, 'MERCHANT_WALLET' | 'STORE_WALLET' | 'SUBACCOUNT_WALLET'>;
  ownerId: string;
  accountName: string;
  openedAt: Date;
}

/**
 * Reserves an account number and prepares the rows of a wallet and its empty account. The number is reserved at once,
 * in the directory; the rows commit with the movement or transaction that opens the wallet.
 */
export async function prepareWallet(
  queries: Queries,
  bank: WalletBank,
  wallet: NewWallet,
): Promise<{ row: WalletRow; writes: Write[] }> {
  const { tenant, kind, ownerId, openedAt } = wallet;
  const id = newId();
  const row: WalletRow = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id,
    owner_id: ownerId,
    bank_code: bank.code,
    bank_name: bank.name,
    account_name: wallet.accountName,
    account_number: await reserveAccountNumber(queries, bank, tenant, id, openedAt),
    created_at: openedAt,
  };
  const account = accountWrite(tenant, { id, kind, ownerId }, openedAt.toISOString());
  const request = await accountRequest(queries, tenant, id, openedAt);
  return { row, writes: [account, write(insertWallets, row), ...request] };
}

/** Where the operator chose a provider, a new wallet requests an account number from it that can be paid to. */
async function accountRequest(queries: Queries, tenant: Tenant, walletId: string, at: Date): Promise<Write[]> {
  const [provider] = await queries.query(findDefaultWalletProvider, [tenant.mode]);
  if (provider === undefined) return [];
  const { rail, preferred_bank } = provider;
  const request = {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id: newId(),
    wallet_id: walletId,
    rail,
    preferred_bank,
    requested_at: at,
  };
  return [write(requestVirtualAccounts, request)];
}

async function reserveAccountNumber(
  queries: Queries,
  bank: WalletBank,
  tenant: Tenant,
  walletId: string,
  openedAt: Date,
): Promise<string> {
  for (let attempts = 0; attempts < MAX_NUMBER_ATTEMPTS; attempts += 1) {
    const serial = String(randomInt(1, 1_000_000_000)).padStart(9, '0');
    const number = `${serial}${nubanCheckDigit(bank.code, serial)}`;
    const taken = await queries.query(insertAccountNumber, [
      number,
      tenant.merchantId,
      tenant.mode,
      walletId,
      openedAt,
    ]);
    if (taken.length === 1) return number;
  }
  throw new Error('no free account number was found');
}

/**
 * Opens the books, system accounts and main wallet of a new merchant in both modes, in the transaction that creates the
 * merchant.
 */
export async function openMerchantWallets(
  tx: Queries,
  bank: WalletBank,
  merchant: { id: string; businessName: string },
  openedAt: Date,
): Promise<void> {
  for (const mode of ['SANDBOX', 'LIVE'] satisfies Mode[]) {
    const tenant: Tenant = { merchantId: merchant.id, mode };
    await openBooks(tx, tenant, openedAt.toISOString());
    const { writes } = await prepareWallet(tx, bank, {
      tenant,
      kind: 'MERCHANT_WALLET',
      ownerId: merchant.id,
      accountName: merchant.businessName,
      openedAt,
    });
    for (const { into, row } of writes) await tx.run(into, [row]);
  }
}

/** @returns false where the number is another wallet's. */
export type ReserveNumber = (wanted: ReceivingNumber) => Promise<boolean>;

type Taken = Pick<ReceivingNumber, 'rail' | 'account_number' | 'virtual_account_id'>;

const nameOf = ({ rail, account_number, virtual_account_id }: Taken) =>
  `${rail} ${account_number} ${virtual_account_id}`;

/**
 * Reserves numbers in the directory, for wallets and for single payments. Those that are asked for at once are reserved
 * by one statement. A number that was used for one payment is taken from it where the provider gives the number again.
 */
export function createNumberReservations(database: Database): ReserveNumber {
  const take = async (wanted: readonly ReceivingNumber[]): Promise<boolean[]> => {
    const values = columnArrays(...rowsFor(reserveReceivingNumbers, wanted));
    const taken = new Set((await database.query<Taken>(reserveReceivingNumbers, values)).map(nameOf));
    return wanted.map((one) => taken.has(nameOf(one)));
  };
  const reserve = createGroupReader(take);
  return async (wanted) => {
    if (await reserve(wanted)) return true;
    const key = [wanted.rail, wanted.account_number, wanted.virtual_account_id];
    // An earlier attempt for the same reserved it, and its worker died.
    if ((await database.query(findReceivingNumber, key)).length > 0) return true;
    await database.query(closeOneTimeNumber, [...key, wanted.opened_at]);
    return (await take([wanted]))[0] === true;
  };
}

/**
 * Takes a number in the directory as part of a movement: with all that the movement does, or not at all. Where somebody
 * has the number, the movement fails with an error that `isNumberTaken` recognizes.
 */
export function numberTaking(wanted: ReceivingNumber): { check: LockedCheck; write: Write } {
  const { rail, account_number } = wanted;
  const check = lockedCheck({
    question: findTakenNumbers,
    rows: [{ rail, account_number }],
    // A number belongs to no tenant: where two movements take one at the same moment, its unique index refuses one of
    // them.
    about: [],
    refusal: (found) => (found.length > 0 ? accountNumberTaken() : undefined),
  });
  return { check, write: write(insertFreeNumbers, wanted) };
}

/** Whether a movement failed because somebody has a number that it was to take. */
export function isNumberTaken(error: unknown): boolean {
  if (error instanceof AppError) return error.code === accountNumberTaken().code;
  return violatedUnique(error) === 'receiving_numbers_one_open';
}
