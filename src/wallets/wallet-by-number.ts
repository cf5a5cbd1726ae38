import type { Queries } from '../platform/db/database.ts';
import type { Mode } from '../platform/tenant.ts';
import { accountNumberAmbiguous, noWalletOfNumber } from './errors.ts';
import { type FoundWallet, listWalletsOfNumber } from './queries.ts';

/** An account number as the operator has it. */
export interface AskedNumber {
  accountNumber: string;
  mode: Mode;
  /** Of the bank that gave the number: needed where two wallets have it, at two banks. */
  bankCode?: string | undefined;
  /** Only among the wallets of this merchant. */
  merchantId?: string | undefined;
}

/**
 * The wallet that an account number leads to, whoever's it is: for the operator's people alone. The number is our own, or
 * one that a provider gave and that is open. Where it leads to two wallets, none is picked.
 * @throws AppError 404 `WALLET_NOT_FOUND`; 409 `ACCOUNT_NUMBER_AMBIGUOUS`.
 */
export async function requireWalletByNumber(
  queries: Queries,
  { accountNumber, mode, bankCode, merchantId }: AskedNumber,
): Promise<FoundWallet> {
  const asked = [accountNumber, mode, bankCode ?? null, merchantId ?? null];
  const [wallet, second] = await queries.query(listWalletsOfNumber, asked);
  if (wallet === undefined) throw noWalletOfNumber();
  if (second !== undefined) throw accountNumberAmbiguous();
  return wallet;
}
