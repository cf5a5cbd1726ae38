import { createHash } from 'node:crypto';
import { findPayout, type PayoutRecord } from '../payouts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { payoutNotFound, payoutNotUndecided } from './errors.ts';
import { listOutcomeFacts, type ProposedOutcome, updateProposalDecided } from './queries.ts';

interface KnownPayout {
  payout: PayoutRecord;
  /** SHA-256, hex, over its state, what is to be paid to whom, and everything that was said about it. */
  digest: string;
}

/** A payout with the fingerprint of what is known about it. @throws AppError 404 `PAYOUT_NOT_FOUND`. */
export async function readKnown(queries: Queries, tenant: Tenant, payoutId: string): Promise<KnownPayout> {
  const key = [tenant.merchantId, tenant.mode, payoutId];
  const [[payout], facts] = await Promise.all([queries.query(findPayout, key), queries.query(listOutcomeFacts, key)]);
  if (payout === undefined) throw payoutNotFound();
  const { status, rail, rail_reference, amount_minor, currency, session_id, rail_code } = payout;
  const { beneficiary_bank_code, beneficiary_account_number } = payout;
  const sent = [
    rail,
    rail_reference,
    String(amount_minor),
    currency,
    beneficiary_bank_code,
    beneficiary_account_number,
  ];
  const known = [status, ...sent, session_id, rail_code, facts.map(({ fact }) => fact)];
  return { payout, digest: createHash('sha256').update(JSON.stringify(known)).digest('hex') };
}

/** Ends that may be looked into when a rail contradicts them, and the outcome that says that they stand. */
const STANDS: Partial<Record<PayoutRecord['status'], ProposedOutcome>> = {
  SUCCESS: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
};

/**
 * Open to a decision is what was sent and has no outcome. Of what has one, a success may be said to have come back, and
 * an end that a rail contradicts may be said to stand.
 * @throws AppError 409 `PAYOUT_NOT_UNDECIDED`.
 */
export function requireUndecided({ status, operator_reason }: PayoutRecord, outcome: ProposedOutcome): void {
  if (status === 'PROCESSING' || (status === 'SUCCESS' && outcome === 'REVERSED')) return;
  if (operator_reason === null || STANDS[status] !== outcome) throw payoutNotUndecided(status, outcome);
}

const OVERTAKEN = 'OVERTAKEN';

/** An open proposal whose payout is no longer what it was made for. Nobody decided it: the facts did. */
export async function setStale(
  { database, clock }: { database: Database; clock: Clock },
  tenant: Tenant,
  proposalId: string,
): Promise<void> {
  const key = [tenant.merchantId, tenant.mode, proposalId];
  await database.query(updateProposalDecided, [...key, 'STALE', OVERTAKEN, null, clock.now()]);
}
