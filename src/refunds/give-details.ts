import { type CommitResult, type IdempotencyKey, joinParts } from '../ledger/index.ts';
import { write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { RefundDeps } from './deps.ts';
import { refundNeedsNoDetails, refundNotFound } from './errors.ts';
import { requireNothingAgainst, staysCertain } from './guards.ts';
import { type GivenAccount, requirePayerAccount } from './payer-account.ts';
import { findRefund, updateRefundsDetails } from './queries.ts';
import { paymentOf } from './refund-order.ts';
import { refundStep } from './refund-step.ts';

/**
 * Stores the payer's account for a refund whose provider needs it. The account has to be in the payer's name, so no
 * approval is requested again. Anything that keeps the refund from leaving refuses the account: otherwise the refund
 * would wait, and nobody would know why. The caller has checked the PIN.
 * @throws AppError 404 `REFUND_NOT_FOUND`; 409 `REFUND_NEEDS_NO_DETAILS`, `PAYMENT_NOT_REFUNDABLE`; 422
 *   `REFUND_ACCOUNT_OF_OTHERS`, `PAYOUT_NOT_POSSIBLE`; as `requireAccountOwner`.
 */
export async function giveRefundDetails(
  deps: RefundDeps,
  input: { tenant: Tenant; refundId: string; account: GivenAccount; idempotency: IdempotencyKey | undefined },
): Promise<CommitResult> {
  const { tenant, refundId, idempotency } = input;
  const earlier = idempotency && (await deps.ledger.findAnswer(tenant, idempotency));
  if (earlier !== undefined) return earlier;
  const [refund] = await deps.database.query(findRefund, [tenant.merchantId, tenant.mode, refundId]);
  if (refund === undefined) throw refundNotFound();
  if (refund.status !== 'NEEDS_DETAILS') throw refundNeedsNoDetails(refund.status);
  const payment = await paymentOf(deps, refund);
  await requireNothingAgainst(deps, payment);
  const account = await requirePayerAccount(deps, tenant, payment, input.account);
  const at = deps.clock.now();
  const fields = {
    bank_code: account.bankCode,
    account_number: account.accountNumber,
    account_name: account.accountName,
  };
  const { merchant_id, mode, id } = refund;
  const refusal = (actual: string | undefined) => refundNeedsNoDetails(actual ?? 'gone');
  const result = await deps.ledger.commit({
    tenant,
    id,
    occurredAt: at.toISOString(),
    idempotency,
    ...joinParts(refundStep(refund, { to: 'PROCESSING', reason: null, at, refusal, fields }), {
      checks: [staysCertain(refund)],
      writes: [write(updateRefundsDetails, { merchant_id, mode, id, ...fields, due_at: at })],
    }),
    answer: { message: 'The account is given to the provider' },
  });
  deps.wake();
  return result;
}
