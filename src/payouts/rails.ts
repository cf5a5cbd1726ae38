import type { Mode } from '../platform/tenant.ts';
import type { RailCaller } from '../rails/index.ts';
import { railNotConfigured } from './errors.ts';

/** Which rail pays in which mode. A mode without a rail takes no payouts. */
export interface PayoutRails {
  forMode(mode: Mode): RailCaller | undefined;
}

/** @throws AppError 503 `RAIL_NOT_CONFIGURED` */
export function requireRail(rails: PayoutRails, mode: Mode): RailCaller {
  const rail = rails.forMode(mode);
  if (rail === undefined) throw railNotConfigured();
  return rail;
}

/**
 * Ours, from the payout's id alone: whoever sends the payout again, after whatever crash, sends the same one, and the
 * rail executes it once.
 */
export function railReferenceOf(payoutId: string): string {
  return payoutId.replaceAll('-', '');
}
