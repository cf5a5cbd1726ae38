export type { BeneficiaryDeps } from './add-beneficiary.ts';
export { beneficiaryStates } from './beneficiary-state.ts';
export { beneficiarySubject } from './beneficiary-subject.ts';
export { beneficiaryEvents } from './events.ts';
export { beneficiaryRoutes } from './routes.ts';
