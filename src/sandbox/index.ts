export { accountNumberNotFound, sandboxOnly } from './errors.ts';
export { sandboxEvents } from './events.ts';
export { type PayAccountDeps, payAccount } from './pay-account.ts';
export { type SandboxRoutesDeps, sandboxRoutes } from './routes.ts';
