export { chooseRails, readRailChoice, requireWalletProvider } from './choose-rails.ts';
export { RAIL_ERRORS } from './errors.ts';
export { PROVIDER_NAMES } from './providers.ts';
export {
  addRail,
  listRailAccounts,
  type RailAccountSummary,
  readRailBalance,
  setDefaultRails,
  setRailActive,
} from './rail-account.ts';
export { createRailDirectory, type NamedRail, type RailDirectory } from './rail-directory.ts';
export { providerWebhookRoutes, railRoutes } from './routes.ts';
export { RailChoiceSchema, railEvents } from './schemas.ts';
