export { beneficiarySubject } from './beneficiary.ts';
export { beneficiaryStates } from './queries.ts';
export { beneficiaryRoutes } from './routes.ts';
export { beneficiaryEvents } from './schemas.ts';
