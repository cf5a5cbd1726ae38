import { stateMachine } from '../ledger/index.ts';

export const BENEFICIARY_STATUSES = ['PENDING_APPROVAL', 'ACTIVE', 'REMOVED'] as const;

export type BeneficiaryStatus = (typeof BENEFICIARY_STATUSES)[number];

export const beneficiaryStates = stateMachine<BeneficiaryStatus>('beneficiary', 'beneficiaries', {
  PENDING_APPROVAL: ['ACTIVE', 'REMOVED'],
  ACTIVE: ['REMOVED'],
  REMOVED: [],
});
