import type { PayoutDeps } from '../payouts/index.ts';

/** Reconciliation reads what payouts know and applies what a rail's file says through them. */
export type ReconciliationDeps = PayoutDeps;
