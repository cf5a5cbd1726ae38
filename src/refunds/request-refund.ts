import { joinParts, type Maker, type MovementParts, requestApproval, withClearance } from '../approvals/index.ts';
import {
  findInboundPayment,
  type InboundPaymentRow,
  inboundPaymentNotFound,
  isReversedByProvider,
  readTakenBack,
  takeBack,
} from '../collections/index.ts';
import type { CommitResult, IdempotencyKey, UniqueKey } from '../ledger/index.ts';
import { dayLimitUsage, readLimit } from '../limits/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { type AttachedParts, type PayoutRecord, paySingle } from '../payouts/index.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import {
  paymentNotRefundable,
  providerHasNoRefunds,
  refundMadeByRule,
  refundNotPartial,
  refundReferenceTaken,
  refundsNotEnabled,
  refundTooSmall,
} from './errors.ts';
import { REFUND_REFERENCE_SCOPE, refundReservation } from './guards.ts';
import { type GivenAccount, requirePayerAccount } from './payer-account.ts';
import { insertRefundKeys, insertRefunds, type RefundCause, type RefundRow, type RefundWay } from './queries.ts';
import { refundCallerOf, refundReferenceOf } from './refund-order.ts';
import { askForRefund, queuedRefund } from './refund-subject.ts';
import { refundView } from './views.ts';

export interface RefundInput {
  tenant: Tenant;
  paymentId: string;
  /** Minor units; undefined: all that is left. */
  amountMinor: bigint | undefined;
  note: string | null;
  way: RefundWay | undefined;
  /** The merchant's own, unique for ever. */
  reference: string | null;
  account: GivenAccount | undefined;
  cause: RefundCause;
  scenario: string | null;
  maker: Maker;
  allowDuplicate: boolean;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Accepts a refund: takes its part of the payment, which all refunds and disputes of it never exceed together, holds the
 * amount and leaves it to the worker, or to the people who have to approve it first, in one movement. By a payout it is an
 * ordinary one with the purpose REFUND, accepted in that movement. The caller has checked the PIN.
 * @throws AppError 403 `REFUNDS_NOT_ENABLED`; 404 `INBOUND_PAYMENT_NOT_FOUND`; 409 `PAYMENT_NOT_REFUNDABLE`,
 *   `REFUND_REFERENCE_TAKEN`, `REFUND_DUPLICATE`, `PAYOUT_DUPLICATE`; 422 `PAYMENT_TAKEN_BACK`, `REFUND_WAY_UNAVAILABLE`,
 *   `REFUND_NOT_PARTIAL`, `REFUND_TOO_SMALL`, `REFUND_ACCOUNT_NEEDED`, `REFUND_ACCOUNT_OF_OTHERS`, `INSUFFICIENT_FUNDS`,
 *   `DAILY_LIMIT_EXCEEDED`; as a payout and `requireAccountOwner`.
 */
export async function requestRefund(deps: RefundDeps, input: RefundInput): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  const payment = await requireRefundable(deps, input);
  const caller = await refundCallerOf(deps, payment);
  const way = input.way ?? (caller === undefined ? 'PAYOUT' : 'PROVIDER');
  const left = payment.amount_minor - (await readTakenBack(deps.database, payment));
  // Of a payment of which nothing is left, the guard says so.
  const amountMinor = input.amountMinor ?? (left > 0n ? left : payment.amount_minor);
  const asked = { ...input, payment, amountMinor };
  if (way === 'PAYOUT') return byPayout(deps, asked);
  if (caller === undefined) throw providerHasNoRefunds();
  const { partial, minAmountMinor } = caller.capabilities;
  if (!partial && amountMinor !== payment.amount_minor) throw refundNotPartial();
  if (amountMinor < minAmountMinor) throw refundTooSmall(minAmountMinor);
  return byProvider(deps, asked);
}

type Asked = RefundInput & { payment: InboundPaymentRow; amountMinor: bigint };

async function requireRefundable(deps: RefundDeps, { tenant, paymentId }: RefundInput): Promise<InboundPaymentRow> {
  const [payment] = await deps.database.query(findInboundPayment, [tenant.merchantId, tenant.mode, paymentId]);
  if (payment === undefined) throw inboundPaymentNotFound();
  const merchant = await requireMerchant(deps.database, tenant.merchantId);
  if (!merchant.is_refund_enabled) throw refundsNotEnabled();
  if (payment.status !== 'CREDITED') throw paymentNotRefundable(payment.status);
  if (await isReversedByProvider(deps.database, payment)) throw paymentNotRefundable('REVERSED');
  return payment;
}

async function byProvider(deps: RefundDeps, asked: Asked): Promise<CommitResult> {
  const { tenant, payment, amountMinor, maker } = asked;
  const at = deps.clock.now();
  const [{ duplicateWindowMs }, { countedOn, limitUsages }] = await Promise.all([
    readLimit(deps, tenant, at),
    dayLimitUsage(deps, tenant, amountMinor, at),
  ]);
  const holdId = newId();
  const accepted = newRefund(asked, { id: newId(), holdId, payoutId: null, countedOn, at });
  const question = { tenant, kind: 'REFUND' as const, amountMinor, maker };
  const result = await withClearance(deps, question, async (clearance) => {
    const isCleared = clearance.kind === 'CLEARED';
    const held = isCleared ? undefined : requestApproval(clearance, askForRefund(accepted, payment));
    const refund = isCleared
      ? queuedRefund(accepted, clearance)
      : { ...accepted, approval_id: held?.approval.id ?? null, rules_version: held?.approval.rules_version ?? null };
    const transfer = {
      kind: 'PENDING' as const,
      id: holdId,
      debitAccountId: refund.wallet_id,
      creditAccountId: refund.receivable_id,
      amountMinor,
      code: 'REFUND' as const,
    };
    return deps.ledger.commit({
      tenant,
      id: refund.id,
      occurredAt: at.toISOString(),
      idempotency: asked.idempotency,
      ...joinParts(
        refundParts(asked, refund, duplicateWindowMs),
        { limitUsages, transfers: [transfer] },
        isCleared ? { reservations: clearance.reservations } : (held?.parts ?? {}),
      ),
      answer: { message: isCleared ? 'Refund has been accepted' : 'Refund waits for approval' },
    });
  });
  deps.wake();
  return result;
}

async function byPayout(deps: RefundDeps, asked: Asked): Promise<CommitResult> {
  const { tenant, payment, amountMinor, maker, idempotency, allowDuplicate } = asked;
  const [{ duplicateWindowMs }, account, { wallet }] = await Promise.all([
    readLimit(deps, tenant),
    requirePayerAccount(deps, tenant, payment, asked.account),
    deps.wallets.requireTenantAccounts(tenant),
  ]);
  const id = newId();
  const attach = (payout: PayoutRecord): AttachedParts => {
    const at = payout.created_at;
    const made = newRefund(asked, { id, holdId: null, payoutId: payout.id, countedOn: null, at });
    const refund: RefundRow = {
      ...made,
      wallet_id: wallet.id,
      status: payout.status === 'QUEUED' ? 'QUEUED' : 'PENDING_APPROVAL',
      bank_code: payout.beneficiary_bank_code,
      account_number: payout.beneficiary_account_number,
      account_name: payout.beneficiary_account_name,
      approval_id: payout.approval_id,
      rules_version: payout.rules_version,
      next_step: 'FOLLOW',
      due_at: at,
    };
    const message = refund.status === 'QUEUED' ? 'Refund has been accepted' : 'Refund waits for approval';
    return { ...refundParts(asked, refund, duplicateWindowMs), answer: { message } };
  };
  const payout = {
    tenant,
    amountMinor,
    ...account,
    narration: `Refund ${asked.note ?? payment.payer_name ?? ''}`.trim().slice(0, MAX_NARRATION),
    phoneNumber: undefined,
    reference: undefined,
    purpose: 'REFUND' as const,
    metadata: null,
    scenario: asked.scenario,
    maker,
    allowDuplicate,
    idempotency,
  };
  return paySingle(deps, payout, attach);
}

const MAX_NARRATION = 100;

/** What every refund commits with: its part of the payment, its keys, its row and its event. */
function refundParts(asked: Asked, refund: RefundRow, windowMs: number): Required<MovementParts> {
  const { payment } = asked;
  const uniqueKeys: UniqueKey[] = [
    ...(refund.client_reference === null
      ? []
      : [{ scope: REFUND_REFERENCE_SCOPE, value: refund.client_reference, taken: refundReferenceTaken }]),
    // Whatever becomes of it: the rule makes one.
    ...(refund.cause === 'MERCHANT' ? [] : [{ scope: 'REFUND_RULE', value: payment.id, taken: refundMadeByRule }]),
  ];
  return joinParts({
    uniqueKeys,
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

/** By which a provider's webhook is led to it. */
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

/** One that waits: nobody takes it up before it is released. */
function newRefund(asked: Asked, { id, holdId, payoutId, countedOn, at }: NewRefund): RefundRow {
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
