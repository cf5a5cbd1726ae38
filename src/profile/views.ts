import type { Balance } from '../ledger/index.ts';
import type { MerchantWalletView } from '../merchants/index.ts';
import { toNumber } from '../money/index.ts';
import type { Wallet } from '../wallets/index.ts';

/** `wallet` of the Merchant object. */
export function profileWalletView(wallet: Wallet, balance: Balance): MerchantWalletView {
  return {
    id: wallet.id,
    bankName: wallet.bankName,
    accountName: wallet.accountName,
    accountNumber: wallet.accountNumber,
    bookedBalance: toNumber(balance.bookedMinor),
    availableBalance: toNumber(balance.availableMinor),
  };
}
