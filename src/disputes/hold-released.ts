import { paymentChanged, type ReleaseHook } from '../collections/index.ts';
import { lockedCheck, type Movement } from '../ledger/index.ts';
import { newId } from '../platform/ids.ts';
import { changeOf, disputesOf } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { availableIn, holdOf, lesser } from './open-dispute.ts';
import { type DisputeRow, findChangedDisputesOfPayments, isEnded, listDisputesOfPayment } from './queries.ts';

/**
 * As a disputed payment that waited gets to its wallet, the wallet holds what is disputed of it, in the same movement: nobody
 * spends it in between. What waits for its settlement or in suspense is in no wallet, so nothing of it could be held before. What
 * the operator's fee and the reserve took of it is held of what else the wallet has, as at the opening of a dispute.
 */
export function createDisputeHook(deps: Pick<DisputeDeps, 'database' | 'ledger'>): ReleaseHook {
  const { database } = deps;
  return async (tenant, { paymentId, walletId, netMinor, isLast, at }) => {
    const key = [tenant.merchantId, tenant.mode, paymentId];
    const disputes = await database.query(listDisputesOfPayment, key);
    const unchanged = lockedCheck({
      question: findChangedDisputesOfPayments,
      rows: [
        {
          merchant_id: tenant.merchantId,
          mode: tenant.mode,
          payment_id: paymentId,
          disputes: disputes.length,
          versions: disputes.reduce((sum, { version }) => sum + version, 0),
        },
      ],
      about: [disputesOf(paymentId)],
      refusal: (found) => (found.length > 0 ? paymentChanged() : undefined),
    });
    const movement: Pick<Movement, 'checks' | 'changes' | 'transfers' | 'writes' | 'events'> = { checks: [unchanged] };
    const unheld = disputes.filter(isUnheld);
    const beside = unheld.length === 0 || isLast ? 0n : await availableIn(deps, tenant, walletId);
    let left = netMinor + beside;
    for (const row of unheld) {
      const held_minor = lesser(row.disputed_minor, left);
      if (held_minor === 0n) continue;
      left -= held_minor;
      const held: DisputeRow = { ...row, wallet_id: walletId, held_minor, hold_id: newId() };
      const { parts } = changeOf(row, { wallet_id: walletId, held_minor, hold_id: held.hold_id }, at);
      movement.changes = [...(movement.changes ?? []), ...parts.changes];
      movement.transfers = [...(movement.transfers ?? []), ...holdOf(held)];
      movement.writes = [...(movement.writes ?? []), ...parts.writes];
      movement.events = [...(movement.events ?? []), ...parts.events];
    }
    return { movement };
  };
}

const isUnheld = (row: DisputeRow) => !isEnded(row.status) && row.hold_id === null && row.wallet_id === null;
