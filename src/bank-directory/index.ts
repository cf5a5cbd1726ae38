export { NAME_ENQUIRY_ERRORS } from './errors.ts';
export { type OwnerQuestion, requireAccountOwner } from './require-account-owner.ts';
export { type BankRoutesDeps, bankRoutes } from './routes.ts';
