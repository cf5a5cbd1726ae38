import { findInboundPayment, inboundPaymentNotFound } from '../collections/index.ts';
import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type SandboxDispute, sandboxDispute } from '../rails/index.ts';
import { sandboxOnly } from '../sandbox/index.ts';
import type { DisputeDeps } from './deps.ts';
import { sandboxDisputeView } from './views.ts';

interface OpenInput extends Pick<SandboxDispute, 'category' | 'message' | 'scenario' | 'answerWithinSeconds'> {
  tenant: Tenant;
  paymentId: string;
  /** In kobo; all of the payment where it is left out. It may be more: banks make mistakes. */
  amountMinor: bigint | undefined;
  idempotency: IdempotencyKey | undefined;
}

/**
 * Opens a dispute at the simulated bank. No money moves here: the dispute is in the simulated bank's books from this
 * commit on, and reaches the service like one of any provider, by webhook, query and list.
 * @throws AppError `SANDBOX_ONLY`, `INBOUND_PAYMENT_NOT_FOUND`
 */
export async function openSandboxDispute(
  deps: Pick<DisputeDeps, 'database' | 'ledger' | 'clock'>,
  { tenant, paymentId, amountMinor, idempotency, ...given }: OpenInput,
): Promise<CommitResult> {
  if (tenant.mode !== 'SANDBOX') throw sandboxOnly();
  const [payment] = await deps.database.query(findInboundPayment, [tenant.merchantId, tenant.mode, paymentId]);
  if (payment === undefined || payment.rail !== 'sandbox') throw inboundPaymentNotFound();
  const now = deps.clock.now();
  const { row, write } = sandboxDispute(
    {
      ...given,
      tenant,
      creditId: payment.provider_transaction_id,
      amountMinor: amountMinor ?? payment.amount_minor,
    },
    now,
  );
  const id = newId();
  return deps.ledger.commit({
    tenant,
    id,
    occurredAt: now.toISOString(),
    idempotency,
    writes: [write],
    events: [
      { id: newId(), type: 'sandbox.dispute_opened', subjectId: id, data: jsonOf(sandboxDisputeView(paymentId, row)) },
    ],
    answer: { message: 'Disputed at the sandbox bank' },
  });
}
