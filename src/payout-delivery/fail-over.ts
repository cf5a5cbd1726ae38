import { PAYOUTS, type PayoutDeps, type PayoutRecord } from '../payouts/index.ts';
import { tenantOf } from '../platform/tenant.ts';
import type { RailAnswer, RailCaller } from '../rails/index.ts';
import { keepEvidence, type ProviderResponse } from './provider-response.ts';
import { updatePayoutFailedOver } from './queries.ts';

/**
 * Refusals that are about us at this rail, and not about the beneficiary: another rail may still pay. Any other refusal
 * ends the payout.
 */
const RAILS_OWN_REASONS: ReadonlySet<string> = new Set([
  'SENDER_INVALID',
  'BANK_CODE_UNKNOWN',
  'CHANNEL_INVALID',
  'RAIL_FUNDS_INSUFFICIENT',
  'SENDER_NOT_PERMITTED',
  'CHANNEL_NOT_PERMITTED',
  'LIMIT_EXCEEDED',
  'FREQUENCY_EXCEEDED',
  'MANDATE_MISSING',
]);

/** Not where a rail answered about another transfer: that one may be this payout under a wrong name. */
export function maySendAgain(payout: PayoutRecord): boolean {
  return payout.operator_reason !== 'RAIL_ANSWER_MISMATCH';
}

/** The tenant's next rail that may have this payout: another one, that has not refused it, and that can be opened. */
export async function findOtherRail(deps: PayoutDeps, payout: PayoutRecord): Promise<RailCaller | undefined> {
  const tenant = tenantOf(payout);
  const rails = await deps.rails.listRails(tenant);
  return rails.find(
    (rail) => rail.name !== payout.rail && rail.name !== payout.refused_by && rail.circuit(tenant) !== 'open',
  );
}

/**
 * Whether this is a definite refusal for a cause at the rail, the first of this payout: an unknown outcome, no answer
 * and "not found" never are.
 */
function isRailsOwnRefusal(payout: PayoutRecord, answer: RailAnswer): boolean {
  if (answer.outcome !== 'failed' || payout.refused_by !== null || payout.status !== 'PROCESSING') return false;
  if (!maySendAgain(payout)) return false;
  return answer.reason !== null && RAILS_OWN_REASONS.has(answer.reason);
}

/**
 * Fails over from the rail that refused to the tenant's second one, once, under the same reference; the books stay as
 * they are. `MOVED_ON`: the payout is no longer what was read. Undefined where no other rail may get it.
 */
export async function failOver(
  deps: PayoutDeps,
  payout: PayoutRecord,
  response: ProviderResponse,
): Promise<'HANDED_OVER' | 'MOVED_ON' | undefined> {
  if ('kind' in response.source && response.source.kind !== 'PROVIDER_WEBHOOK') return undefined;
  if (!isRailsOwnRefusal(payout, response.answer)) return undefined;
  const other = await findOtherRail(deps, payout);
  if (other === undefined) return undefined;
  const now = deps.clock.now();
  const handed = await deps.database.transaction(async (tx) => {
    const key = [payout.merchant_id, payout.mode, payout.id];
    const [row] = await tx.query(updatePayoutFailedOver, [...key, payout.rail, other.name, now]);
    // In the same transaction, so that a crash leaves both or neither.
    if (row !== undefined) await keepEvidence(tx, payout, response, now);
    return row !== undefined;
  });
  if (!handed) return 'MOVED_ON';
  deps.logger.warn(
    { payoutId: payout.id, from: payout.rail, to: other.name, reason: response.answer.reason },
    'another rail takes a payout over that the first refused',
  );
  deps.wake(PAYOUTS);
  return 'HANDED_OVER';
}
