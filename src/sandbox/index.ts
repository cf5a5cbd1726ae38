export { accountNumberNotFound, sandboxOnly } from './errors.ts';
export { type PayAccountDeps, payAccount } from './fund-wallet.ts';
export { sandboxRoutes } from './routes.ts';
export { sandboxEvents } from './schemas.ts';
