export { addRail, type NewRail } from './add-rail.ts';
export { setDefaultRails, setRailActive } from './change-rail.ts';
export { type ChooseRailsDeps, chooseRails } from './choose-rails.ts';
export { railEvents } from './events.ts';
export { listRailAccounts, type RailAccountSummary } from './list-rail-accounts.ts';
export { PROVIDER_NAMES } from './providers.ts';
export { createRailDirectory, type NamedRail, type RailDirectory, type RailDirectoryDeps } from './rail-directory.ts';
export { readRailBalance } from './read-rail-balance.ts';
export { railRoutes } from './routes.ts';
