export {
  type ChildBalance,
  type ChildKind,
  type OpenChildDeps,
  type OpenChildInput,
  openChild,
  type ReadChildDeps,
  readChild,
  readChildren,
} from './child-wallet.ts';
export {
  type Child,
  createChildDirectory,
  createWalletDirectory,
  type RequireChild,
  requireWallet,
  requireWalletId,
  type TenantAccounts,
  type Wallet,
  type WalletDirectory,
} from './directory.ts';
export { walletNotFound } from './errors.ts';
export { openMerchantWallets, type WalletBank } from './open-wallet.ts';
export { payableWallets } from './payable-wallets.ts';
export { type ChildRow, childColumns, type FoundWallet, SHOWN_NUMBER } from './queries.ts';
export { createNumberReservations, isNumberTaken, numberTaking, type ReserveNumber } from './reserve-number.ts';
export { type WalletRoutesDeps, walletRoutes } from './routes.ts';
export { ChildName, childWalletFields } from './schemas.ts';
export { childWalletView, type EntryNote } from './views.ts';
export {
  closeReceivingNumbers,
  closeVirtualAccountNumbers,
  eraseVirtualAccountIdentities,
  findDefaultWalletProvider,
  findLatestVirtualAccount,
  insertMissingVirtualAccounts,
  insertVirtualAccountNumbers,
  insertVirtualAccounts,
  leaseVirtualAccount,
  listDueVirtualAccounts,
  listNumbersOfAccounts,
  listOpenNumbers,
  listWalletAccounts,
  requestVirtualAccounts,
  updateDefaultWalletProvider,
  updateVirtualAccountClosedThere,
  updateVirtualAccountDue,
  updateVirtualAccountsEnded,
  updateVirtualAccountWaiting,
  type VirtualAccountNumberRow,
  type VirtualAccountRow,
  type VirtualAccountStatus,
  virtualAccountStates,
  type WalletProviderRow,
} from './virtual-account-queries.ts';
export { type AskedNumber, requireWalletByNumber } from './wallet-by-number.ts';
