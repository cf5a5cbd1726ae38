import { type Maker, requestApproval, withClearance } from '../approvals/index.ts';
import {
  findInboundPayment,
  type InboundPaymentRow,
  inboundPaymentNotFound,
  readTakenBack,
} from '../collections/index.ts';
import { type CommitResult, type IdempotencyKey, joinParts } from '../ledger/index.ts';
import { dayLimitUsage, readLimit } from '../limits/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import { type AttachedParts, type PayoutRecord, paySingle } from '../payouts/index.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { paymentNotRefundable, refundsNotEnabled } from './errors.ts';
import { requireNothingAgainst } from './guards.ts';
import { holdOf, narrationOf, newRefund, refundByPayout, refundParts, requireSendable } from './new-refund.ts';
import { type GivenAccount, requirePayerAccount } from './payer-account.ts';
import type { RefundCause, RefundWay } from './queries.ts';
import { refundCallerOf } from './refund-order.ts';
import { askForRefund, queuedRefund } from './refund-subject.ts';

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
 * Accepts a refund: takes its part of the payment, which all refunds and disputes of it never exceed together, holds
 * the amount and leaves it to the worker, or to the people who have to approve it first, in one movement. A refund by
 * payout is an ordinary payout with the purpose REFUND, accepted in that movement. The caller has checked the PIN.
 * @throws AppError 403 `REFUNDS_NOT_ENABLED`; 404 `INBOUND_PAYMENT_NOT_FOUND`; 409 `PAYMENT_NOT_REFUNDABLE`,
 *   `REFUND_REFERENCE_TAKEN`, `REFUND_DUPLICATE`, `PAYOUT_DUPLICATE`; 422 `PAYMENT_TAKEN_BACK`, `REFUND_WAY_UNAVAILABLE`,
 *   `REFUND_NOT_PARTIAL`, `REFUND_TOO_SMALL`, `REFUND_ACCOUNT_NEEDED`, `REFUND_ACCOUNT_OF_OTHERS`, `INSUFFICIENT_FUNDS`,
 *   `DAILY_LIMIT_EXCEEDED`, `PAYOUT_NOT_POSSIBLE`; as a payout and `requireAccountOwner`.
 */
export async function requestRefund(deps: RefundDeps, input: RefundInput): Promise<CommitResult> {
  const earlier = input.idempotency && (await deps.ledger.findAnswer(input.tenant, input.idempotency));
  if (earlier !== undefined) return earlier;
  const payment = await requireRefundable(deps, input);
  const caller = await refundCallerOf(deps, payment);
  const way = input.way ?? (caller === undefined ? 'PAYOUT' : 'PROVIDER');
  const left = payment.amount_minor - (await readTakenBack(deps.database, payment));
  // Where nothing is left of a payment, the guard refuses.
  const amountMinor = input.amountMinor ?? (left > 0n ? left : payment.amount_minor);
  const asked = { ...input, payment, amountMinor };
  if (way === 'PAYOUT') return byPayout(deps, asked);
  requireSendable(caller, asked);
  return byProvider(deps, asked);
}

type Asked = RefundInput & { payment: InboundPaymentRow; amountMinor: bigint };

export async function requireRefundable(
  deps: RefundDeps,
  { tenant, paymentId }: Pick<RefundInput, 'tenant' | 'paymentId'>,
): Promise<InboundPaymentRow> {
  const [payment] = await deps.database.query(findInboundPayment, [tenant.merchantId, tenant.mode, paymentId]);
  if (payment === undefined) throw inboundPaymentNotFound();
  const merchant = await requireMerchant(deps.database, tenant.merchantId);
  if (!merchant.is_refund_enabled) throw refundsNotEnabled();
  if (payment.status !== 'CREDITED') throw paymentNotRefundable(payment.status);
  await requireNothingAgainst(deps, payment);
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
    return deps.ledger.commit({
      tenant,
      id: refund.id,
      occurredAt: at.toISOString(),
      idempotency: asked.idempotency,
      ...joinParts(
        refundParts(asked, refund, duplicateWindowMs),
        { limitUsages, transfers: holdOf(refund) },
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
    const refund = refundByPayout(asked, { id, payout, walletId: wallet.id });
    const message = refund.status === 'QUEUED' ? 'Refund has been accepted' : 'Refund waits for approval';
    return { ...refundParts(asked, refund, duplicateWindowMs), answer: { message } };
  };
  const payout = {
    tenant,
    amountMinor,
    ...account,
    narration: narrationOf(asked),
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
