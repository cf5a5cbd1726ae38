import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { listOpenNumbers, listWalletAccounts, requireWallet, type WalletDirectory } from '../wallets/index.ts';
import { accountNumberView, virtualAccountView } from './views.ts';

/**
 * The account numbers of a wallet, and what is still being opened. In the sandbox a wallet without a provider has its
 * generated number, which the sandbox's payer pays to.
 * @throws AppError `WALLET_NOT_FOUND`
 */
export async function readWalletAccounts(
  { database, wallets }: { database: Database; wallets: WalletDirectory },
  tenant: Tenant,
  walletId: string,
) {
  const wallet = await requireWallet(wallets, tenant, walletId);
  const key = [tenant.merchantId, tenant.mode];
  const [numbers, requests] = await Promise.all([
    database.query(listOpenNumbers, [...key, [wallet.id]]),
    database.query(listWalletAccounts, [...key, wallet.id]),
  ]);
  const { bankCode, bankName, accountNumber, accountName } = wallet;
  const generated = tenant.mode === 'SANDBOX' && numbers.length === 0;
  return {
    walletId: wallet.id,
    accounts: generated ? [{ bankCode, bankName, accountNumber, accountName }] : numbers.map(accountNumberView),
    requests: requests.map((request) =>
      virtualAccountView(
        request,
        numbers.filter((number) => number.virtual_account_id === request.id),
      ),
    ),
  };
}
