import type { PayoutDeps } from './deps.ts';
import { type OperatorReason, type PayoutRecord, updatePayoutForOperator } from './queries.ts';

/** How long the outcome of a payout may stay unknown before people look into it. */
const UNKNOWN_AFTER_MS = 24 * 60 * 60_000;

/** The reason to put an open payout before the operator now, if there is one. */
export function operatorReason(deps: PayoutDeps, payout: PayoutRecord): OperatorReason | null {
  if (payout.first_sent_at === null) return null;
  const openMs = deps.clock.now().getTime() - new Date(payout.first_sent_at).getTime();
  return openMs >= (deps.unknownAfterMs ?? UNKNOWN_AFTER_MS) ? 'UNKNOWN_TOO_LONG' : null;
}

/** Puts a payout before the operator's people, who look into it. */
export async function putBeforeOperator(
  deps: PayoutDeps,
  { merchant_id, mode, id }: PayoutRecord,
  reason: OperatorReason,
): Promise<void> {
  await deps.database.query(updatePayoutForOperator, [merchant_id, mode, id, reason, deps.clock.now()]);
}

/**
 * Keeps what a rail says against an end, and puts the payout before the operator: before it is kept, where the process dies
 * in between, and behind it, where two people let the end stand meanwhile, who did not know of it.
 */
export async function keepContradiction(
  deps: PayoutDeps,
  payout: PayoutRecord,
  keep: () => Promise<void>,
): Promise<void> {
  await putBeforeOperator(deps, payout, 'RAIL_CONTRADICTS');
  await keep();
  await putBeforeOperator(deps, payout, 'RAIL_CONTRADICTS');
}
