export { type SubaccountRoutesDeps, subaccountRoutes } from './routes.ts';
export { subaccountEvents } from './schemas.ts';
export { createSubaccountDirectory, type Subaccount, type SubaccountDirectory } from './subaccount.ts';
