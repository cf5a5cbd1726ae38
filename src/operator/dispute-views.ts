import {
  type DisputeCase,
  type DisputeProposalRead,
  readDisputeCase,
  readWaitingProposals,
} from '../dispute-proposals/index.ts';
import { type DisputeRow, readDisputeQueue, type readReported, saidIn } from '../disputes/index.ts';
import { toNumber } from '../money/index.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import type { OperatorDeps } from './deps.ts';
import { type Lookups, peopleOf, readLookups } from './lookups.ts';

type ReportedRow = Awaited<ReturnType<typeof readReported>>['rows'][number];

/** A dispute of any merchant, in naira. */
function operatorDisputeView(row: DisputeRow, { names }: Pick<Lookups, 'names'>) {
  return {
    disputeId: row.id,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    paymentId: row.payment_id,
    mode: row.mode,
    rail: row.rail,
    providerDisputeId: row.provider_dispute_id,
    source: row.source,
    category: row.category,
    status: row.status,
    operatorReason: row.operator_reason,
    amount: toNumber(row.amount_minor),
    disputed: toNumber(row.disputed_minor),
    held: toNumber(row.ended_at === null ? row.held_minor : 0n),
    owed: toNumber(row.loss_minor - row.repaid_minor),
    answerStatus: row.answer_status,
    dueAt: row.due_at?.toISOString() ?? null,
    openedAt: row.opened_at.toISOString(),
  };
}

/** A dispute that leads to no payment. */
export function reportedDisputeView(row: ReportedRow) {
  const { rail, provider_dispute_id, mode, status, reason, reported, first_seen_at } = row;
  return {
    rail,
    providerDisputeId: provider_dispute_id,
    mode,
    status,
    reason,
    reported,
    firstSeenAt: first_seen_at.toISOString(),
  };
}

function proposalView(row: DisputeProposalRead, { names, emails, personId }: Lookups) {
  return {
    proposalId: row.id,
    merchantId: row.merchant_id,
    businessName: names.get(row.merchant_id) ?? null,
    mode: row.mode,
    action: row.action,
    disputeId: row.dispute_id,
    paymentId: row.payment_id,
    rail: row.rail,
    providerDisputeId: row.provider_dispute_id,
    amount: toNumber(row.amount_minor),
    currency: 'NGN' as const,
    category: row.category,
    message: row.message,
    dueAt: row.due_at?.toISOString() ?? null,
    source: row.source,
    note: row.note,
    status: row.status,
    reason: row.reason,
    proposedBy: emails.get(row.proposed_by) ?? null,
    proposedAt: row.proposed_at.toISOString(),
    decidedBy: row.decided_by === null ? null : (emails.get(row.decided_by) ?? null),
    decidedAt: row.decided_at?.toISOString() ?? null,
    isMine: row.proposed_by === personId,
    isAltered: row.digest !== row.digest_now,
    digest: row.digest_now,
  };
}

function caseView(
  { row, payment, evidence, answers, proposals, isDecidedByPeople, outcomes }: DisputeCase,
  known: Lookups,
) {
  return {
    dispute: operatorDisputeView(row, known),
    message: row.message,
    reason: row.reason,
    taken: toNumber(row.taken_minor),
    loss: toNumber(row.loss_minor),
    endedAt: row.ended_at?.toISOString() ?? null,
    isDecidedByPeople,
    outcomes,
    payment:
      payment === undefined
        ? null
        : {
            amount: toNumber(payment.amount_minor),
            status: payment.status,
            providerTransactionId: payment.provider_transaction_id,
            payerName: payment.payer_name,
          },
    reports: evidence.map((report) => ({
      source: report.source,
      state: report.state.toUpperCase(),
      said: saidIn(report),
      code: report.code,
      receivedAt: report.received_at.toISOString(),
    })),
    lookedInto:
      row.looked_note === null || row.looked_at === null
        ? null
        : {
            note: row.looked_note,
            by: row.looked_by === null ? null : (known.emails.get(row.looked_by) ?? null),
            at: row.looked_at.toISOString(),
          },
    answers: answers.map(({ id, action, status, reason, files, made_at }) => ({
      answerId: id,
      action,
      status,
      reason,
      files,
      madeAt: made_at.toISOString(),
    })),
    proposals: proposals.map((proposal) => proposalView(proposal, known)),
  };
}

/** Disputes of all merchants that run or have to be looked at. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readOperatorDisputes({ database }: OperatorDeps, mode: Mode | undefined, request: ListRequest) {
  const found = await readDisputeQueue(database, mode, request);
  const merchants = found.rows.map(({ merchant_id }) => merchant_id);
  const known = await readLookups(database, { merchants, people: [], personId: '' });
  return listView(found, (row) => operatorDisputeView(row, known));
}

/** What waits for a second person, as this person sees it. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readDisputeProposals(deps: OperatorDeps, personId: string, request: ListRequest) {
  const found = await readWaitingProposals(deps.database, request);
  const merchants = found.rows.map(({ merchant_id }) => merchant_id);
  const known = await readLookups(deps.database, { merchants, people: peopleOf(found.rows), personId });
  return listView(found, (row) => proposalView(row, known));
}

/** All that is known of one dispute. @throws AppError 404 `DISPUTE_NOT_FOUND` */
export async function readOperatorDispute(
  deps: OperatorDeps,
  { tenant, disputeId, personId }: { tenant: Tenant; disputeId: string; personId: string },
) {
  const found = await readDisputeCase(deps, tenant, disputeId);
  const people = [found.row.looked_by, ...peopleOf(found.proposals)];
  const known = await readLookups(deps.database, { merchants: [tenant.merchantId], people, personId });
  return caseView(found, known);
}
