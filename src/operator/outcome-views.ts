import { toNumber } from '../money/index.ts';
import {
  type OutcomeEvidenceRead,
  type OutcomeQueueEntry,
  type OutcomesShown,
  type ProposalRow,
  readOutcomeEvidence,
  readOutcomeQueue,
  type SaidRow,
} from '../outcomes/index.ts';
import { reportedView } from '../payouts/index.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { OperatorDeps } from './deps.ts';
import { type Lookups, peopleOf, readLookups } from './lookups.ts';

type PastRow<Outcome extends string> = Omit<ProposalRow, 'payout_id' | 'outcome'> & { outcome: Outcome };
type OpenRow<Outcome extends string> = PastRow<Outcome> & { digest_now: string };

function openOutcomeView({ payout, lastCode, lastSessionId, proposal }: OutcomeQueueEntry, known: Lookups) {
  return {
    payoutId: payout.id,
    merchantId: payout.merchant_id,
    businessName: known.names.get(payout.merchant_id) ?? null,
    mode: payout.mode,
    status: payout.status,
    reason: payout.reason,
    operatorReason: payout.operator_reason,
    amount: toNumber(payout.amount_minor),
    currency: payout.currency,
    rail: payout.rail,
    railReference: payout.rail_reference,
    firstSentAt: payout.first_sent_at?.toISOString() ?? null,
    lastCode,
    lastSessionId,
    proposal: proposal === undefined ? null : proposalView(proposal, known),
  };
}

/** An open proposal, as this person sees it. */
export function proposalView<Outcome extends string>(proposal: OpenRow<Outcome>, { emails, personId }: Lookups) {
  return {
    proposalId: proposal.id,
    outcome: proposal.outcome,
    source: proposal.source,
    note: proposal.note,
    proposedBy: { personId: proposal.proposed_by, email: emails.get(proposal.proposed_by) ?? null },
    proposedAt: proposal.proposed_at.toISOString(),
    isMine: proposal.proposed_by === personId,
    digest: proposal.digest_now,
  };
}

function outcomeEvidenceView(
  { payout, said, proposals, outcomes, proposal, isOvertaken }: OutcomeEvidenceRead,
  known: Lookups,
) {
  return {
    payoutId: payout.id,
    status: payout.status,
    payee: {
      accountName: payout.beneficiary_account_name,
      accountNumber: payout.beneficiary_account_number,
      bankName: payout.beneficiary_bank_name,
      bankCode: payout.beneficiary_bank_code,
    },
    narration: payout.narration,
    createdAt: payout.created_at.toISOString(),
    nextAskAt: payout.status === 'PROCESSING' ? (payout.due_at?.toISOString() ?? null) : null,
    said: said.map(saidView),
    proposals: proposals.map((past) => pastProposalView(past, known.emails)),
    outcomes,
    proposal: proposal === undefined ? null : proposalView(proposal, known),
    isOvertaken,
  };
}

function saidView(row: SaidRow) {
  return {
    saidId: row.id,
    kind: row.kind,
    rail: row.rail,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    times: row.times,
    isAnswered: row.is_answered,
    outcome: row.outcome,
    code: row.code,
    reason: row.reason,
    message: row.message,
    sessionId: row.session_id,
    reported: reportedView(row.reported),
  };
}

export function pastProposalView<Outcome extends string>(
  proposal: PastRow<Outcome>,
  emails: ReadonlyMap<string, string>,
) {
  return {
    proposalId: proposal.id,
    outcome: proposal.outcome,
    source: proposal.source,
    note: proposal.note,
    status: proposal.status,
    proposedBy: emails.get(proposal.proposed_by) ?? null,
    proposedAt: proposal.proposed_at.toISOString(),
    decidedBy: proposal.decided_by === null ? null : (emails.get(proposal.decided_by) ?? null),
    decidedAt: proposal.decided_at?.toISOString() ?? null,
    reason: proposal.status === 'REJECTED' ? proposal.reason : null,
  };
}

/**
 * What people have to decide, what waits longest first, as this person sees it.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readOutcomes(
  { database }: OperatorDeps,
  { shown, personId }: { shown: OutcomesShown; personId: string },
  request: ListRequest,
) {
  const found = await readOutcomeQueue(database, shown, request);
  const merchants = found.rows.map(({ payout }) => payout.merchant_id);
  const people = found.rows.flatMap(({ proposal }) => proposal?.proposed_by ?? []);
  const known = await readLookups(database, { merchants, people, personId });
  return listView(found, (entry) => openOutcomeView(entry, known));
}

/** What two people look at before they decide. @throws AppError 404 `PAYOUT_NOT_FOUND`. */
export async function readEvidenceOf(
  { database }: OperatorDeps,
  tenant: Tenant,
  { payoutId, personId }: { payoutId: string; personId: string },
) {
  const evidence = await readOutcomeEvidence(database, tenant, payoutId);
  const people = peopleOf(evidence.proposals);
  return outcomeEvidenceView(evidence, await readLookups(database, { merchants: [], people, personId }));
}
