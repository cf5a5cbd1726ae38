export { NAME_ENQUIRY_ERRORS, type OwnerQuestion, requireAccountOwner } from './resolve-account.ts';
export { type BankRoutesDeps, bankRoutes } from './routes.ts';
