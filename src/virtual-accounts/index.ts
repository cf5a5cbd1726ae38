export { openDueAccounts } from './open-accounts.ts';
export type { NotOpenRow } from './queries.ts';
export { readNotOpen } from './read-accounts.ts';
export { retryAccount } from './request-account.ts';
export { virtualAccountRoutes } from './routes.ts';
export { virtualAccountEvents } from './schemas.ts';
export { createRequestMissing, readWalletProvider, setWalletProvider } from './wallet-provider.ts';
