import type { Balance, Ledger } from '../ledger/index.ts';
import {
  listMerchantServices,
  type MerchantRow,
  type MerchantView,
  type MerchantWalletView,
  merchantView,
  requireMerchant,
} from '../merchants/index.ts';
import { toNumber } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { payableWallets, type Wallet, type WalletDirectory } from '../wallets/index.ts';

/** `wallet` of the Merchant object. */
function profileWalletView(wallet: Wallet, balance: Balance): MerchantWalletView {
  return {
    id: wallet.id,
    bankName: wallet.bankName,
    accountName: wallet.accountName,
    accountNumber: wallet.accountNumber,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
  };
}

export interface ProfileDeps {
  database: Database;
  ledger: Ledger;
  wallets: WalletDirectory;
  /** Whether collections go to the merchant's bank by themselves, in a mode. */
  readAutoSettlement(tenant: Tenant): Promise<Pick<MerchantView, 'autoSettlement' | 'autoInstantSettlement'>>;
}

/**
 * The Merchant object, with the wallet of the key's mode.
 * @param linkTo where the caller finds a document that is kept under this address
 * @param change shows it as a change in hand will leave it
 */
export async function readProfile(
  deps: ProfileDeps,
  tenant: Tenant,
  linkTo: (address: string) => string,
  change: (row: MerchantRow) => MerchantRow = (row) => row,
): Promise<MerchantView> {
  const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
  const [row, services, balance, [payable = wallet], automatic] = await Promise.all([
    requireMerchant(deps.database, tenant.merchantId),
    listMerchantServices(deps.database, tenant.merchantId),
    deps.ledger.readBalance(tenant, wallet.id),
    payableWallets(deps.wallets, tenant, [wallet]),
    deps.readAutoSettlement(tenant),
  ]);
  const shown = { ...change(row), cac_documents: row.cac_documents.map(linkTo) };
  return { ...merchantView(shown, services, profileWalletView(payable, balance)), ...automatic };
}
