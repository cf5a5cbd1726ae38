import { withClearance } from '../../approvals/index.ts';
import type { CommitResult } from '../../ledger/index.ts';
import type { PayoutDeps } from '../deps.ts';
import { dayAllowance, duplicateMark, markOf } from '../guards.ts';
import { makeHolds } from '../holds.ts';
import { queuedPayout } from '../payout-record.ts';
import { acceptSingle, type Release } from './accept-single.ts';
import { earlierAnswer, prepareSingle, referenceClaims, type SingleInput } from './new-single.ts';

const AT_ONCE: Release = {
  release: queuedPayout,
  event: 'payout.queued',
  released: 'Payout has been accepted',
  waits: 'Payout waits for approval',
};

/**
 * Accepts one payout: counts it against the day's limit, notes it against duplicates, holds amount and charges and
 * leaves it to the worker, or to the people who have to approve it first, in one movement. The caller has checked the PIN.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`,
 *   `DAILY_LIMIT_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`; 409 `REFERENCE_TAKEN`, `PAYOUT_DUPLICATE`; 503 `NAME_ENQUIRY_UNAVAILABLE`, `RAIL_NOT_CONFIGURED`.
 */
export async function paySingle(deps: PayoutDeps, input: SingleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  const { tenant, amountMinor, allowDuplicate, maker } = input;
  const { payout: accepted, accounts, quote } = await prepareSingle(deps, input, deps.clock.now());
  const { countedOn, allowances } = await dayAllowance(deps, tenant, amountMinor, new Date(accepted.created_at));
  const { holds, transfers } = makeHolds(accounts, accepted.id, quote);
  const payout = { ...accepted, ...holds, counted_on: countedOn, mark: markOf(accepted) };
  const duplicate = await duplicateMark(deps, tenant, payout, allowDuplicate);
  const result = await withClearance(deps, { tenant, kind: 'PAYOUT', amountMinor, maker }, async (clearance) => {
    const { marks, ...rest } = acceptSingle(payout, clearance, AT_ONCE);
    return deps.ledger.commit({
      tenant,
      id: payout.id,
      occurredAt: String(payout.created_at),
      idempotency: input.idempotency,
      claims: referenceClaims(input),
      marks: [duplicate, ...marks],
      allowances,
      transfers,
      ...rest,
    });
  });
  deps.wake();
  return result;
}
