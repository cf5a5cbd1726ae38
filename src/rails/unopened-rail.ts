import type { Clock } from '../platform/clock.ts';
import type { AppError } from '../platform/errors.ts';
import type { RailCaller } from './call-rail.ts';
import { NOTHING_REPORTED } from './reported.ts';

/** Our word for a rail whose account does not open: the operator has to put it right. */
export const RAIL_UNAVAILABLE = 'RAIL_UNAVAILABLE';

/**
 * Stands in for a rail whose account cannot be opened, so that nobody who looks for it fails: it asks nobody, says so of
 * each question, and never says anything of a payout. Nothing is ever sent by it.
 *
 * @param fault why it does not open; what can only fail throws it.
 */
export function createUnopenedRail(name: string, fault: AppError, clock: Clock): RailCaller {
  const notAsked = () => ({
    outcome: 'unknown' as const,
    code: null,
    reason: RAIL_UNAVAILABLE,
    message: 'The account at the rail cannot be used; nothing was asked',
    at: clock.now(),
    reported: NOTHING_REPORTED,
  });
  return {
    name,
    fault,
    nameEnquiry: async () => ({ ...notAsked(), accountName: null }),
    send: async () => ({ ...notAsked(), sessionId: null, sent: false }),
    query: async () => ({ ...notAsked(), sessionId: null }),
    verifyWebhook: () => Promise.reject(fault),
    balance: () => Promise.reject(fault),
    circuit: () => 'open',
  };
}
