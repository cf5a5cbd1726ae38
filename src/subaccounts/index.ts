export { subaccountEvents } from './events.ts';
export { type SubaccountRoutesDeps, subaccountRoutes } from './routes.ts';
export { createSubaccountDirectory, type Subaccount, type SubaccountDirectory } from './subaccount-directory.ts';
