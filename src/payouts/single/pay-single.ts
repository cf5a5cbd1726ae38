import type { CommitResult } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import { insertTransactions } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { makeHolds } from '../holds.ts';
import { insertPayouts } from '../queries.ts';
import { payoutView } from '../views.ts';
import { earlierAnswer, prepareSingle, referenceClaims, type SingleInput } from './new-single.ts';

/**
 * Accepts one payout: holds amount and charges and leaves it to the worker, in one movement. The caller has checked
 * the PIN.
 * @throws AppError `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `REFERENCE_TAKEN`,
 *   `IDEMPOTENCY_KEY_REUSED`; 503 `NAME_ENQUIRY_UNAVAILABLE`, `RAIL_NOT_CONFIGURED`.
 */
export async function paySingle(deps: PayoutDeps, input: SingleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  const { payout: accepted, accounts, quote } = await prepareSingle(deps, input, deps.clock.now());
  const { holds, transfers } = makeHolds(accounts, accepted.id, quote);
  const payout = { ...accepted, ...holds };
  const result = await deps.ledger.commit({
    tenant: input.tenant,
    id: payout.id,
    occurredAt: String(payout.created_at),
    idempotency: input.idempotency,
    claims: referenceClaims(input),
    transfers,
    writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
    events: [{ id: newId(), type: 'payout.queued', subjectId: payout.id, data: JSON.stringify(payoutView(payout)) }],
    answer: { message: 'Payout has been accepted' },
  });
  deps.wake();
  return result;
}
