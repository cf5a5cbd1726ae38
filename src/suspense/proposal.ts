import { stateMachine } from '../ledger/index.ts';
import { requireAsProposed, requireOperator } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Database } from '../platform/db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import { proposalNotYours, proposalYours, suspenseProposalAltered } from './errors.ts';

export type SuspenseStatus = 'PENDING' | 'CONFIRMED' | 'REJECTED' | 'WITHDRAWN' | 'STALE';

/** The states of a proposal about a payment in suspense: it is decided once. `STALE`: the payment changed meanwhile. */
export const suspenseProposalStates = stateMachine<SuspenseStatus>('suspense_proposal', 'suspense_proposals', {
  PENDING: ['CONFIRMED', 'REJECTED', 'WITHDRAWN', 'STALE'],
  CONFIRMED: [],
  REJECTED: [],
  WITHDRAWN: [],
  STALE: [],
});

/** What may be proposed for a payment in suspense. */
export const PAYMENT_ACTIONS = ['ATTRIBUTE', 'RETURN', 'KEEP'] as const;
export type PaymentAction = (typeof PAYMENT_ACTIONS)[number];

/** What may be proposed for a reported credit that is in no books. */
export const CREDIT_ACTIONS = ['ATTRIBUTE', 'RETURN', 'DISMISS'] as const;
export type CreditAction = (typeof CREDIT_ACTIONS)[number];

/** How it is known. */
export const SUSPENSE_SOURCES = [
  'BANK_LETTER',
  'PROVIDER_DASHBOARD',
  'PROVIDER_SUPPORT',
  'MERCHANT_REQUEST',
  'PAYER_REQUEST',
  'COURT_ORDER',
  'OTHER',
] as const;
export type SuspenseSource = (typeof SUSPENSE_SOURCES)[number];

/** The fields of proposals of both kinds. */
export interface Proposal<Action extends string = string> {
  id: string;
  mode: Mode;
  action: Action;
  source: SuspenseSource;
  note: string;
  facts_digest: string;
  digest: string;
  status: SuspenseStatus;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  updated_at: Date;
  /** Its present digest, which equals its `digest` unless it was altered. */
  digest_now: string;
}

/** What is proposed and why, as a person gives it. */
export interface GivenProposal<Action extends string> {
  action: Action;
  source: SuspenseSource;
  /** What was seen, where, and who reported it. */
  note: string;
  /** The person who proposes, one of the operator's people. */
  personId: string;
}

/** Requires that another person rejects it, or its maker withdraws it. @throws AppError 403. */
export async function requireCloser(
  { database }: { database: Database },
  { proposed_by: maker }: Pick<Proposal, 'proposed_by'>,
  { personId, status }: { personId: string; status: 'REJECTED' | 'WITHDRAWN' },
): Promise<void> {
  await requireOperator(database, personId);
  if (status === 'REJECTED' && maker === personId) throw proposalYours();
  if (status === 'WITHDRAWN' && maker !== personId) throw proposalNotYours();
}

/**
 * Requires that the proposal is what the one person proposed and the other saw.
 * @throws AppError 409 `SUSPENSE_PROPOSAL_ALTERED`.
 */
export function requireUnaltered(
  deps: { logger: Logger; onAlarm?: OnAlarm | undefined },
  proposal: Proposal,
  seen: string,
): void {
  requireAsProposed(deps, proposal, {
    seen,
    about: { proposalId: proposal.id },
    message: 'a proposal about money in suspense is not what was proposed',
    altered: suspenseProposalAltered,
  });
}
