export { subaccountRoutes } from './routes.ts';
export { subaccountEvents } from './schemas.ts';
export { createSubaccountDirectory } from './subaccount.ts';
