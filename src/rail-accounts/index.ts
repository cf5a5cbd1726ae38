export { addRail, type NewRail, setDefaultRails, setRailActive } from './add-rail.ts';
export { type ChooseRailsDeps, chooseRails, readRailChoice } from './choose-rails.ts';
export { RAIL_ERRORS } from './errors.ts';
export { railEvents } from './events.ts';
export {
  listRailAccounts,
  type RailAccountSummary,
  readRailBalance,
} from './list-rail-accounts.ts';
export { providerWebhookRoutes } from './provider-webhook-routes.ts';
export { PROVIDER_NAMES } from './providers.ts';
export { createRailDirectory, type NamedRail, type RailDirectory, type RailDirectoryDeps } from './rail-directory.ts';
export { railRoutes } from './routes.ts';
export { RailChoiceSchema } from './schemas.ts';
export { requireWalletProvider } from './usable-rails.ts';
