import { stateMachine } from '../ledger/index.ts';

export type ManualCreditStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

/** A manual credit is decided once: approved or rejected by another person, or withdrawn by who proposed it. */
export const manualCreditStates = stateMachine<ManualCreditStatus>('manual_credit', 'manual_credits', {
  PENDING: ['APPROVED', 'REJECTED', 'WITHDRAWN'],
  APPROVED: [],
  REJECTED: [],
  WITHDRAWN: [],
});
