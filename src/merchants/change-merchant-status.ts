import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { merchantStatusConflict } from './errors.ts';
import { requireMerchant } from './find-merchant.ts';
import { MERCHANT_TRANSITIONS, type MerchantAction } from './merchant-state.ts';
import { updateMerchantStatus } from './queries.ts';

interface StatusChange {
  merchantId: string;
  /** Who decided, for the history. */
  actor: string;
  reason?: string | undefined;
}

/**
 * Moves a merchant along `MERCHANT_TRANSITIONS` and leaves a history row.
 * @throws AppError `MERCHANT_NOT_FOUND`, or `MERCHANT_STATUS_CONFLICT` from any other state, and for a second submission
 *   while one waits.
 */
export async function changeMerchantStatus(
  deps: { queries: Queries; clock: Clock },
  action: MerchantAction,
  input: StatusChange,
): Promise<void> {
  const { from, to, review, submission } = MERCHANT_TRANSITIONS[action];
  const moved = await deps.queries.query(updateMerchantStatus, [
    input.merchantId,
    from,
    to,
    review,
    newId(),
    action,
    input.actor,
    input.reason ?? null,
    deps.clock.now(),
    submission,
  ]);
  if (moved.length > 0) return;
  const merchant = await requireMerchant(deps.queries, input.merchantId);
  throw merchantStatusConflict(action, merchant.status);
}

/** The operator accepts the merchant: it may move money. */
export function approveMerchant(deps: { queries: Queries; clock: Clock }, input: StatusChange): Promise<void> {
  return changeMerchantStatus(deps, 'approve', input);
}
