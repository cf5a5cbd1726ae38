import { type InboundPaymentRow, takeBack } from '../collections/index.ts';
import { joinParts, type MovementParts, type TransferDraft, type UniqueKey } from '../ledger/index.ts';
import type { PayoutRecord } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { firstCharacters } from '../platform/text.ts';
import type { RefundCaller } from '../rails/index.ts';
import {
  providerHasNoRefunds,
  refundMadeByRule,
  refundNotPartial,
  refundReferenceTaken,
  refundTooSmall,
} from './errors.ts';
import { REFUND_REFERENCE_SCOPE, refundReservation, staysCertain } from './guards.ts';
import { insertRefundKeys, insertRefunds, type RefundCause, type RefundRow } from './queries.ts';
import { refundReferenceOf } from './refund-order.ts';
import { refundView } from './views.ts';

/** What a new refund is made of, requested by a merchant or made by a rule. */
export interface AskedRefund {
  tenant: Tenant;
  payment: InboundPaymentRow;
  amountMinor: bigint;
  note: string | null;
  /** The merchant's own, unique for ever. */
  reference: string | null;
  cause: RefundCause;
  scenario: string | null;
  allowDuplicate: boolean;
}

/**
 * Requires that a provider may be asked to send it.
 * @throws AppError 422 `REFUND_WAY_UNAVAILABLE`, `REFUND_NOT_PARTIAL`, `REFUND_TOO_SMALL`
 */
export function requireSendable(
  caller: RefundCaller | undefined,
  { payment, amountMinor }: Pick<AskedRefund, 'payment' | 'amountMinor'>,
): void {
  if (caller === undefined) throw providerHasNoRefunds();
  const { partial, minAmountMinor } = caller.capabilities;
  if (!partial && amountMinor !== payment.amount_minor) throw refundNotPartial();
  if (amountMinor < minAmountMinor) throw refundTooSmall(minAmountMinor);
}

/** What a refund by its provider holds until its outcome is known. */
export const holdOf = ({ hold_id, wallet_id, receivable_id, amount_minor }: RefundRow): TransferDraft[] =>
  hold_id === null
    ? []
    : [
        {
          kind: 'PENDING',
          id: hold_id,
          debitAccountId: wallet_id,
          creditAccountId: receivable_id,
          amountMinor: amount_minor,
          code: 'REFUND',
        },
      ];

/** The parts that every refund commits with: its part of the payment, its keys, its row and its event. */
export function refundParts(
  { payment }: Pick<AskedRefund, 'payment'>,
  refund: RefundRow,
  windowMs: number,
): Required<MovementParts> {
  const uniqueKeys: UniqueKey[] = [
    ...(refund.client_reference === null
      ? []
      : [{ scope: REFUND_REFERENCE_SCOPE, value: refund.client_reference, refusal: refundReferenceTaken }]),
    // However it ends: the rule makes only one.
    ...(refund.cause === 'MERCHANT' ? [] : [{ scope: 'REFUND_RULE', value: payment.id, refusal: refundMadeByRule }]),
  ];
  return joinParts({
    uniqueKeys,
    checks: [staysCertain(refund)],
    reservations: [refundReservation(refund, windowMs)],
    limitUsages: [takeBack(payment, refund.amount_minor)],
    writes: [write(insertRefunds, refund), ...keysOf(refund, payment)],
    events: [
      {
        id: newId(),
        type: refund.status === 'QUEUED' ? 'refund.queued' : 'refund.pending_approval',
        subjectId: refund.id,
        data: jsonOf(refundView(refund)),
      },
    ],
  });
}

/** The keys by which a provider's webhook finds it. */
function keysOf({ merchant_id, mode, id, rail, way }: RefundRow, payment: InboundPaymentRow) {
  if (way !== 'PROVIDER') return [];
  const keys = [refundReferenceOf(id), payment.provider_transaction_id, payment.provider_reference];
  return keys
    .filter((key) => key !== null)
    .map((key) => write(insertRefundKeys, { rail, key, merchant_id, mode, refund_id: id }));
}

interface NewRefund {
  id: string;
  holdId: string | null;
  payoutId: string | null;
  countedOn: string | null;
  at: Date;
}

/** A refund that waits: no worker leases it before it is released. */
export function newRefund(asked: AskedRefund, { id, holdId, payoutId, countedOn, at }: NewRefund): RefundRow {
  const { tenant, payment, amountMinor } = asked;
  return {
    merchant_id: tenant.merchantId,
    mode: tenant.mode,
    id,
    payment_id: payment.id,
    wallet_id: payment.attributed_wallet_id ?? payment.wallet_id,
    way: payoutId === null ? 'PROVIDER' : 'PAYOUT',
    cause: asked.cause,
    amount_minor: amountMinor,
    currency: payment.currency,
    note: asked.note,
    client_reference: asked.reference,
    status: 'PENDING_APPROVAL',
    reason: null,
    rail: payment.rail,
    receivable_id: payment.receivable_id,
    hold_id: holdId,
    payout_id: payoutId,
    provider_refund_id: null,
    bank_code: null,
    account_number: null,
    account_name: null,
    counted_on: countedOn,
    allow_duplicate: asked.allowDuplicate,
    scenario: asked.scenario,
    approval_id: null,
    rules_version: null,
    next_step: 'SEND',
    due_at: null,
    attempts: 0,
    first_sent_at: null,
    sent_at: null,
    operator_reason: null,
    operator_since: null,
    created_at: at,
    updated_at: at,
  };
}

/** A refund that is sent as a payout to the payer's account, which it follows from then on. */
export function refundByPayout(
  asked: AskedRefund,
  { id, payout, walletId }: { id: string; payout: PayoutRecord; walletId: string },
): RefundRow {
  const at = payout.created_at;
  return {
    ...newRefund(asked, { id, holdId: null, payoutId: payout.id, countedOn: null, at }),
    wallet_id: walletId,
    status: payout.status === 'QUEUED' ? 'QUEUED' : 'PENDING_APPROVAL',
    bank_code: payout.beneficiary_bank_code,
    account_number: payout.beneficiary_account_number,
    account_name: payout.beneficiary_account_name,
    approval_id: payout.approval_id,
    rules_version: payout.rules_version,
    next_step: 'FOLLOW',
    due_at: at,
  };
}

const MAX_NARRATION = 100;

/** The text that the payer's bank shows for a payout. */
export const narrationOf = ({ note, payment }: Pick<AskedRefund, 'note' | 'payment'>): string =>
  firstCharacters(`Refund ${note ?? payment.payer_name ?? ''}`.trim(), MAX_NARRATION);
