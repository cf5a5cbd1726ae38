import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet } from './directory.ts';
import { listOpenNumbers, type VirtualAccountNumberRow } from './virtual-account-queries.ts';

/**
 * Wallets as whoever pays to them sees them: with the first account number at their provider. A sandbox wallet without one
 * has its generated number, which the sandbox's payer pays to. A live one has none then: nobody could pay to it.
 */
export async function payableWallets(queries: Queries, tenant: Tenant, wallets: readonly Wallet[]): Promise<Wallet[]> {
  const ids = wallets.map(({ id }) => id);
  const numbers = await queries.query(listOpenNumbers, [tenant.merchantId, tenant.mode, ids]);
  const firstOf = new Map<string, VirtualAccountNumberRow>();
  for (const number of numbers) if (!firstOf.has(number.wallet_id)) firstOf.set(number.wallet_id, number);
  return wallets.map((wallet) => asPayable(wallet, tenant, firstOf.get(wallet.id)));
}

function asPayable(wallet: Wallet, { mode }: Tenant, number: VirtualAccountNumberRow | undefined): Wallet {
  if (number !== undefined) {
    const { bank_code, bank_name: bankName, account_name: accountName, account_number: accountNumber } = number;
    return { ...wallet, bankCode: bank_code ?? '', bankName, accountName, accountNumber };
  }
  return mode === 'SANDBOX' ? wallet : { ...wallet, bankCode: '', bankName: '', accountNumber: '' };
}
