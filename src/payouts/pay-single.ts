import { joinParts, withClearance } from '../approvals/index.ts';
import { explainCharges, type PayoutPurpose, quotePayout } from '../fees/index.ts';
import type { CommitResult } from '../ledger/index.ts';
import { dayLimitUsage } from '../limits/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import { success } from '../platform/answer.ts';
import { acceptSingle } from './accept-single.ts';
import { paidNow, readWindows } from './dedupe-keys.ts';
import type { PayoutDeps } from './deps.ts';
import { makeHolds } from './holds.ts';
import { earlierAnswer, prepareSingle, referenceKeys, type SingleInput } from './new-single.ts';
import { queuedPayout } from './payout-record.ts';
import { quotedSingleView } from './views.ts';

/** What a payout of this amount would cost now, charge by charge. Moves nothing and promises nothing. */
export async function quoteSingle(deps: PayoutDeps, amountMinor: bigint, purpose: PayoutPurpose | undefined) {
  const rules = await deps.fees.listRules();
  const input = { amountMinor, currency: DEFAULT_CURRENCY, purpose, at: deps.clock.now() };
  return success('Success', quotedSingleView(quotePayout(rules, input), explainCharges(rules, input)));
}

const AT_ONCE = {
  release: queuedPayout,
  event: 'payout.queued',
  released: 'Payout has been accepted',
  waits: 'Payout waits for approval',
};

/**
 * Accepts one payout: counts it against the day's limit, takes its dedupe key, holds amount and charges and leaves it to
 * the worker, or to the people who have to approve it first, in one movement. The caller has checked the PIN.
 * @throws AppError 422 `BANK_NOT_FOUND`, `ACCOUNT_NOT_FOUND`, `INSUFFICIENT_FUNDS`, `PAYOUT_LIMIT_EXCEEDED`,
 *   `DAILY_LIMIT_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`; 409 `REFERENCE_TAKEN`, `PAYOUT_DUPLICATE`; 503 `NAME_ENQUIRY_UNAVAILABLE`, `RAIL_NOT_CONFIGURED`.
 */
export async function paySingle(deps: PayoutDeps, input: SingleInput): Promise<CommitResult> {
  const earlier = await earlierAnswer(deps, input);
  if (earlier !== undefined) return earlier;
  const { tenant, amountMinor, maker } = input;
  const { payout: accepted, accounts, quote } = await prepareSingle(deps, input, deps.clock.now());
  const at = accepted.created_at;
  const [{ countedOn, limitUsages }, windows] = await Promise.all([
    dayLimitUsage(deps, tenant, amountMinor, at),
    readWindows(deps, tenant),
  ]);
  const { holds, transfers } = makeHolds(accounts, accepted.id, quote);
  const payout = { ...accepted, ...holds, counted_on: countedOn };
  const result = await withClearance(deps, { tenant, kind: 'PAYOUT', amountMinor, maker }, async (clearance) => {
    const { answer, ...parts } = acceptSingle(payout, clearance, {
      ...AT_ONCE,
      keys: (made, waitsUntil) => paidNow(made, at, windows, waitsUntil),
    });
    return deps.ledger.commit({
      tenant,
      id: payout.id,
      occurredAt: payout.created_at.toISOString(),
      idempotency: input.idempotency,
      ...joinParts({ uniqueKeys: referenceKeys(input), limitUsages, transfers }, parts),
      answer,
    });
  });
  deps.wake();
  return result;
}
