import { toNumber } from '../money/index.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type OperatorRefundFilter,
  type RefundCase,
  type RefundQueueEntry,
  readRefundCase,
  readRefundQueue,
} from '../refund-outcomes/index.ts';
import { refundAttemptView, refundReferenceOf } from '../refunds/index.ts';
import type { OperatorDeps } from './deps.ts';
import { type Lookups, peopleOf, readLookups } from './lookups.ts';
import { pastProposalView, proposalView } from './outcome-views.ts';

function operatorRefundView({ refund, proposal }: RefundQueueEntry, known: Lookups) {
  return {
    refundId: refund.id,
    merchantId: refund.merchant_id,
    businessName: known.names.get(refund.merchant_id) ?? null,
    mode: refund.mode,
    paymentId: refund.payment_id,
    way: refund.way,
    status: refund.status,
    reason: refund.reason,
    operatorReason: refund.operator_reason,
    operatorSince: refund.operator_since?.toISOString() ?? null,
    amount: toNumber(refund.amount_minor),
    currency: refund.currency,
    rail: refund.rail,
    railReference: refundReferenceOf(refund.id),
    providerRefundId: refund.provider_refund_id,
    payoutTransactionId: refund.payout_id,
    createdAt: refund.created_at.toISOString(),
    firstSentAt: refund.first_sent_at?.toISOString() ?? null,
    proposal: proposal === undefined ? null : proposalView(proposal, known),
  };
}

function refundCaseView({ refund, payment, said, proposals, open, isOvertaken }: RefundCase, known: Lookups) {
  return {
    refund: operatorRefundView({ refund, proposal: open }, known),
    payment: {
      amount: toNumber(payment.amount_minor),
      status: payment.status,
      providerTransactionId: payment.provider_transaction_id,
      providerReference: payment.provider_reference,
      payerName: payment.payer_name,
      payerAccountNumber: payment.payer_account_number,
      payerBankName: payment.payer_bank_name,
    },
    note: refund.note,
    nextAskAt: refund.due_at?.toISOString() ?? null,
    said: said.map(refundAttemptView),
    proposals: proposals.map((proposal) => pastProposalView(proposal, known.emails)),
    isOvertaken,
  };
}

/** Refunds of all merchants, as this person sees them. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readOperatorRefunds(
  deps: OperatorDeps,
  { filter, personId }: { filter: OperatorRefundFilter; personId: string },
  request: ListRequest,
) {
  const found = await readRefundQueue(deps, filter, request);
  const merchants = found.rows.map(({ refund }) => refund.merchant_id);
  const people = found.rows.flatMap(({ proposal }) => proposal?.proposed_by ?? []);
  const known = await readLookups(deps.database, { merchants, people, personId });
  const page = listView(found, (entry) => operatorRefundView(entry, known));
  return { ...page, lookedBackTo: found.lookedBackTo?.toISOString() ?? null };
}

/** What two people look at before they decide. @throws AppError 404 `REFUND_NOT_FOUND`. */
export async function readOperatorRefund(
  { database }: OperatorDeps,
  { tenant, refundId, personId }: { tenant: Tenant; refundId: string; personId: string },
) {
  const found = await readRefundCase(database, tenant, refundId);
  const merchants = [found.refund.merchant_id];
  const known = await readLookups(database, { merchants, people: peopleOf(found.proposals), personId });
  return refundCaseView(found, known);
}
