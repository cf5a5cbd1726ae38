import type { CommitResult } from '../../ledger/index.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import { insertTransactions } from '../../transactions/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { dayAllowance, duplicateMark, markOf } from '../guards.ts';
import { makeHolds } from '../holds.ts';
import { insertPayouts } from '../queries.ts';
import { payoutView } from '../views.ts';
import { earlierAnswer, prepareSingle, referenceClaims, type SingleInput } from './new-single.ts';

/**
 * Accepts one payout: counts it against the day's limit, notes it against duplicates, holds amount and charges and
 * leaves it to the worker, in one movement. The caller has checked the PIN.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`,
 *   `DAILY_LIMIT_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`; 409 `REFERENCE_TAKEN`, `PAYOUT_DUPLICATE`; 503 `NAME_ENQUIRY_UNAVAILABLE`, `RAIL_NOT_CONFIGURED`.
 */
export async function paySingle(deps: PayoutDeps, input: SingleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  const { tenant, amountMinor, allowDuplicate } = input;
  const { payout: accepted, accounts, quote } = await prepareSingle(deps, input, deps.clock.now());
  const { countedOn, allowances } = await dayAllowance(deps, tenant, amountMinor, new Date(accepted.created_at));
  const { holds, transfers } = makeHolds(accounts, accepted.id, quote);
  const payout = { ...accepted, ...holds, counted_on: countedOn, mark: markOf(accepted) };
  const result = await deps.ledger.commit({
    tenant,
    id: payout.id,
    occurredAt: String(payout.created_at),
    idempotency: input.idempotency,
    claims: referenceClaims(input),
    marks: [await duplicateMark(deps, tenant, payout, allowDuplicate)],
    allowances,
    transfers,
    writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
    events: [{ id: newId(), type: 'payout.queued', subjectId: payout.id, data: JSON.stringify(payoutView(payout)) }],
    answer: { message: 'Payout has been accepted' },
  });
  deps.wake();
  return result;
}
