export { NAME_ENQUIRY_ERRORS } from './errors.ts';
export { type OwnerQuestion, requireAccountOwner } from './resolve-account.ts';
export { type BankRoutesDeps, bankRoutes } from './routes.ts';
