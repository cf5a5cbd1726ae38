import { toNumber } from '../../money/index.ts';
import type { OutcomeQueueEntry, ProposalRow } from '../../payouts/index.ts';

interface Lookups {
  /** Names of merchants and addresses of the operator's people, by id. */
  names: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
  /** Who looks. */
  personId: string;
}

const iso = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

export function openOutcomeView({ payout, lastCode, lastSessionId, proposal }: OutcomeQueueEntry, known: Lookups) {
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
    firstSentAt: iso(payout.first_sent_at),
    lastCode,
    lastSessionId,
    proposal: proposal === undefined ? null : proposalView(proposal, known),
  };
}

function proposalView(proposal: ProposalRow, { emails, personId }: Lookups) {
  return {
    proposalId: proposal.id,
    outcome: proposal.outcome,
    source: proposal.source,
    note: proposal.note,
    proposedBy: { personId: proposal.proposed_by, email: emails.get(proposal.proposed_by) ?? null },
    proposedAt: new Date(proposal.proposed_at).toISOString(),
    isMine: proposal.proposed_by === personId,
  };
}
