export { virtualAccountEvents } from './events.ts';
export { type OpenAccountsDeps, openDueAccounts } from './open-accounts.ts';
export type { NotOpenRow } from './queries.ts';
export { readNotOpen } from './read-not-open.ts';
export { retryAccount } from './retry-account.ts';
export { virtualAccountRoutes } from './routes.ts';
export { createRequestMissing, readWalletProvider, setWalletProvider } from './wallet-provider.ts';
