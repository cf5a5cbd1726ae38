import { createHash } from 'node:crypto';
import type { InboundPaymentRow } from '../collections/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { type ListRequest, sinceOf } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  findRefund,
  paymentOf,
  type RefundAttemptRow,
  type RefundRow,
  refundNotFound,
  STANDS,
} from '../refunds/index.ts';
import { refundIsPayout, refundNotUndecided } from './errors.ts';
import {
  countRefundOutcomes,
  listLastRefundAttempts,
  listRefundFacts,
  type OperatorRefundFilter,
  operatorRefundList,
  type RefundDecision,
  type RefundProposal,
  type RefundProposalRead,
  refundProposals,
} from './queries.ts';

interface KnownRefund {
  refund: RefundRow;
  /** SHA-256, hex, over its state, what is to go back to whom, and everything that was said about it. */
  digest: string;
}

/** A refund with the fingerprint of what is known about it. @throws AppError 404 `REFUND_NOT_FOUND`. */
export async function readKnownRefund(queries: Queries, tenant: Tenant, refundId: string): Promise<KnownRefund> {
  const key = [tenant.merchantId, tenant.mode, refundId];
  const [[refund], facts] = await Promise.all([queries.query(findRefund, key), queries.query(listRefundFacts, key)]);
  if (refund === undefined) throw refundNotFound();
  const { status, rail, payment_id, wallet_id, amount_minor, currency, provider_refund_id } = refund;
  const { bank_code, account_number, account_name } = refund;
  const asked = [rail, payment_id, wallet_id, String(amount_minor), currency, bank_code, account_number, account_name];
  const known = [status, ...asked, provider_refund_id, facts.map(({ fact }) => fact)];
  return { refund, digest: createHash('sha256').update(JSON.stringify(known)).digest('hex') };
}

/** As a provider says it. */
export const SAID: Record<RefundDecision, 'succeeded' | 'failed'> = { SUCCEEDED: 'succeeded', FAILED: 'failed' };

/**
 * Open to a decision is what its provider was asked for and has no outcome. An end that the provider contradicts may be said
 * to stand.
 * @throws AppError 409 `REFUND_NOT_UNDECIDED`.
 */
export function requireUndecidedRefund(refund: RefundRow, outcome: RefundDecision): void {
  const { way, status, first_sent_at, operator_reason } = refund;
  if (way === 'PAYOUT') throw refundIsPayout();
  if ((status === 'PROCESSING' || status === 'NEEDS_DETAILS') && first_sent_at !== null) return;
  if (operator_reason === null || STANDS[status] !== SAID[outcome]) throw refundNotUndecided(status, outcome);
}

/** More of either nobody reads. */
const MOST = 200;

export interface RefundCase {
  refund: RefundRow;
  payment: InboundPaymentRow;
  /** In the order that it was said. */
  said: RefundAttemptRow[];
  /** Newest first, decided ones among them. */
  proposals: RefundProposal[];
  open: RefundProposalRead | undefined;
  /** More became known since the open proposal was made: confirming it will be refused. */
  isOvertaken: boolean;
}

/** All that is known of a refund at one moment, for the people who decide what became of it. @throws AppError 404 `REFUND_NOT_FOUND`. */
export async function readRefundCase(database: Database, tenant: Tenant, refundId: string): Promise<RefundCase> {
  const { merchantId, mode } = tenant;
  const key = [merchantId, mode, refundId];
  const [{ refund, digest }, said, proposals, [open]] = await database.snapshot((queries) =>
    Promise.all([
      readKnownRefund(queries, tenant, refundId),
      queries.query(listLastRefundAttempts, [...key, MOST]),
      queries.query(refundProposals.list, [...key, MOST]),
      queries.query(refundProposals.listOpen, [[merchantId], [mode], [refundId]]),
    ]),
  );
  const payment = await paymentOf({ database }, refund);
  const isOvertaken = open !== undefined && open.facts_digest !== digest;
  return { refund, payment, said: said.reverse(), proposals, open, isOvertaken };
}

export interface RefundQueueEntry {
  refund: RefundRow;
  /** What one person proposed and another has not confirmed yet. */
  proposal: RefundProposalRead | undefined;
}

/** So far back a list of all merchants goes where it names no beginning: a refund is over long before. */
const LOOKS_BACK_MS = 90 * 24 * 60 * 60 * 1000;

/**
 * Refunds of all merchants of the last 90 days, or since `from`; or what waits for a decision, longest first, however old.
 * `lookedBackTo` says how far back that is, null where nothing is left out.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readRefundQueue(
  { database, clock }: { database: Database; clock: Clock },
  filter: OperatorRefundFilter,
  request: ListRequest,
): Promise<FoundList<RefundQueueEntry> & { lookedBackTo: Date | null }> {
  return database.snapshot(async (queries) => {
    const since = sinceOf(request) ?? filter.from ?? new Date(clock.now().getTime() - LOOKS_BACK_MS);
    const { rows, wrapper } = await readList(queries, operatorRefundList(filter, since), request);
    const keys = [rows.map(({ merchant_id }) => merchant_id), rows.map(({ mode }) => mode), rows.map(({ id }) => id)];
    const open = await queries.query(refundProposals.listOpen, keys);
    const proposals = new Map(open.map((proposal) => [proposal.refund_id, proposal]));
    const entries = rows.map((refund) => ({ refund, proposal: proposals.get(refund.id) }));
    return {
      rows: entries,
      wrapper,
      lookedBackTo: filter.needsDecision === true || filter.isProposed === true ? null : since,
    };
  });
}

/** For the operator's overview: what people have to decide, and what of that waits for this person. */
export async function countRefundsToDecide(
  queries: Queries,
  personId: string,
): Promise<{ beforeOperator: number; proposals: number }> {
  const [row] = await queries.query(countRefundOutcomes, [personId]);
  return { beforeOperator: row?.before_operator ?? 0, proposals: row?.proposals ?? 0 };
}
