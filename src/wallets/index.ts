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
  type AskedNumber,
  type Child,
  createChildDirectory,
  createWalletDirectory,
  payableWallets,
  type RequireChild,
  requireWallet,
  requireWalletByNumber,
  requireWalletId,
  type TenantAccounts,
  type Wallet,
  type WalletDirectory,
} from './directory.ts';
export { walletNotFound } from './errors.ts';
export {
  createNumberReservations,
  isNumberTaken,
  numberTaking,
  openMerchantWallets,
  type ReserveNumber,
  type WalletBank,
} from './open-wallet.ts';
export { type ChildRow, childColumns, type FoundWallet, listWalletsWithoutAccount, SHOWN_NUMBER } from './queries.ts';
export { walletRoutes } from './routes.ts';
export { ChildName, childWalletFields } from './schemas.ts';
export { childWalletView } from './views.ts';
export {
  closeReceivingNumbers,
  closeVirtualAccountNumbers,
  DUE_VIRTUAL_ACCOUNTS,
  eraseVirtualAccountIdentities,
  findDefaultWalletProvider,
  findLatestVirtualAccount,
  insertVirtualAccountNumbers,
  insertVirtualAccounts,
  leaseVirtualAccount,
  listDueVirtualAccounts,
  listNumbersOfAccounts,
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
