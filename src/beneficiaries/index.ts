export { type BeneficiaryDeps, beneficiarySubject } from './add-beneficiary.ts';
export { beneficiaryStates } from './beneficiary-state.ts';
export { beneficiaryEvents } from './events.ts';
export { beneficiaryRoutes } from './routes.ts';
