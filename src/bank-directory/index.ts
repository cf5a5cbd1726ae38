export { type OwnerQuestion, requireAccountOwner } from './require-account-owner.ts';
export { type BankRoutesDeps, bankRoutes } from './routes.ts';
