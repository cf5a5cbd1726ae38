import { createHash } from 'node:crypto';
import { findPayout, type PayoutRecord } from '../payouts/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { planReport } from '../platform/db/planning.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { payoutNotFound, payoutNotUndecided } from './errors.ts';
import {
  countOutcomes,
  listLastResponses,
  listOpenProposals,
  listOutcomeFacts,
  listProposals,
  listSaid,
  type OpenPayoutRow,
  type OutcomesShown,
  outcomeList,
  PROPOSED_OUTCOMES,
  type ProposalRead,
  type ProposalRow,
  type ProposedOutcome,
  type SaidRow,
} from './queries.ts';

interface KnownPayout {
  payout: PayoutRecord;
  /** SHA-256, hex, over its state, its amounts and its payee, and everything that was reported about it. */
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

/** Ends that a rail may contradict, and the outcome by which people say that they stand. */
const STANDS: Partial<Record<PayoutRecord['status'], ProposedOutcome>> = {
  SUCCESS: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'FAILED',
};

/**
 * What people may say became of a payout as it is now. One that was sent and has no outcome is open to each. Of one that has
 * ended, a success may be decided to have come back, and an end that a rail contradicts may be decided to stand.
 */
function outcomesOpenTo({ status, operator_reason }: PayoutRecord): ProposedOutcome[] {
  if (status === 'PROCESSING') return [...PROPOSED_OUTCOMES];
  // A payout that is held before it was sent may be refused: nothing has left then.
  if (status === 'QUEUED' && operator_reason === 'UNDER_REVIEW') return ['FAILED'];
  const stands = operator_reason === null ? undefined : STANDS[status];
  return [...(stands === undefined ? [] : [stands]), ...(status === 'SUCCESS' ? (['REVERSED'] as const) : [])];
}

/** Requires that people may decide this outcome. @throws AppError 409 `PAYOUT_NOT_UNDECIDED`. */
export function requireUndecided(payout: PayoutRecord, outcome: ProposedOutcome): void {
  if (!outcomesOpenTo(payout).includes(outcome)) throw payoutNotUndecided(payout.status, outcome);
}

/**
 * Nobody reads more of either; a payout that is asked about every hour for weeks has the same answer again and again.
 */
const MOST = 200;

export interface OutcomeEvidenceRead {
  payout: PayoutRecord;
  /** In the order in which it was reported. */
  said: SaidRow[];
  /** Newest first, decided ones among them. */
  proposals: ProposalRow[];
  /** What may be proposed as it is now. */
  outcomes: ProposedOutcome[];
  /** What one person proposed and another has not confirmed yet. */
  proposal: ProposalRead | undefined;
  /** More became known since the open proposal was made: a confirmation will be refused. */
  isOvertaken: boolean;
}

/**
 * All that is known of a payout at one moment, for the people who decide its outcome.
 * @throws AppError 404 `PAYOUT_NOT_FOUND`.
 */
export async function readOutcomeEvidence(
  database: Database,
  tenant: Tenant,
  payoutId: string,
): Promise<OutcomeEvidenceRead> {
  const key = [tenant.merchantId, tenant.mode, payoutId];
  const [{ payout, digest }, said, proposals, [proposal]] = await database.snapshot((queries) =>
    Promise.all([
      readKnown(queries, tenant, payoutId),
      queries.query(listSaid, [...key, MOST]),
      queries.query(listProposals, [...key, MOST]),
      queries.query(
        listOpenProposals,
        key.map((part) => [part]),
      ),
    ]),
  );
  const isOvertaken = proposal !== undefined && proposal.facts_digest !== digest;
  return { payout, said: said.reverse(), proposals, outcomes: outcomesOpenTo(payout), proposal, isOvertaken };
}

export interface OutcomeQueueEntry {
  payout: OpenPayoutRow;
  /** What a rail named last, in whatever answer: with these two the bank finds the transfer. */
  lastCode: string | null;
  lastSessionId: string | null;
  /** What one person proposed and another has not confirmed yet. */
  proposal: ProposalRead | undefined;
}

/**
 * What people have to decide, whoever's it is, what waits longest first: payouts that were put before the operator,
 * those that an outcome is proposed for, or every one that was sent and has no outcome yet, or about which another was
 * proposed. One whose outcome stays unknown leaves the list when it ends; one about which a rail contradicts itself, when
 * the operator has decided.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readOutcomeQueue(
  database: Database,
  shown: OutcomesShown,
  request: ListRequest,
): Promise<FoundList<OutcomeQueueEntry>> {
  return database.snapshot(async (queries) => {
    if (shown === 'ALL') await queries.query(planReport);
    const { rows, wrapper } = await readList(queries, outcomeList(shown), request);
    const keys = [rows.map(({ merchant_id }) => merchant_id), rows.map(({ mode }) => mode), rows.map(({ id }) => id)];
    const [open, words] = await Promise.all([
      queries.query(listOpenProposals, keys),
      queries.query(listLastResponses, keys),
    ]);
    const proposals = new Map(open.map((proposal) => [proposal.payout_id, proposal]));
    const said = new Map(words.map((word) => [word.payout_id, word]));
    const entries = rows.map((payout) => ({
      payout,
      lastCode: said.get(payout.id)?.code ?? null,
      lastSessionId: said.get(payout.id)?.session_id ?? null,
      proposal: proposals.get(payout.id),
    }));
    return { rows: entries, wrapper };
  });
}

/** How many payouts are before the operator, and how many proposals wait for this person's decision. */
export async function countOutcomesToDecide(
  queries: Queries,
  personId: string,
): Promise<{ beforeOperator: number; proposals: number }> {
  const [row] = await queries.query(countOutcomes, [personId]);
  return { beforeOperator: row?.before_operator ?? 0, proposals: row?.proposals ?? 0 };
}
