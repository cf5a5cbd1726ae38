export { virtualAccountEvents } from './events.ts';
export { type OpenAccountsDeps, openDueAccounts } from './open-accounts.ts';
export { virtualAccountStates } from './queries.ts';
export { virtualAccountRoutes } from './routes.ts';
export { createRequestMissing, readWalletProvider, setWalletProvider } from './wallet-provider.ts';
