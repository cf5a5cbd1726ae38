export { NAME_ENQUIRY_ERRORS, type OwnerQuestion, requireAccountOwner } from './resolve-account.ts';
export { bankRoutes } from './routes.ts';
