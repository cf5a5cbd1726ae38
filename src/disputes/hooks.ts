import { paymentChanged, type ReleaseHook } from '../collections/index.ts';
import { joinParts, lockedCheck, type MovementParts } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { changeOf, disputesOf } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { findUncovered } from './freed-queries.ts';
import { availableIn, holdOf, lesser } from './open-dispute.ts';
import { type DisputeRow, findChangedDisputesOfPayments, isEnded, listDisputesOfPayment } from './queries.ts';

/**
 * When a disputed payment that waited gets to its wallet, the wallet holds the disputed amount, in the same movement:
 * nobody can spend it first. A payment that waits for its settlement, or in suspense, is in no wallet, so nothing of it
 * could be held before. What the operator's fee and the reserve took of it is held of the rest of the wallet, as at the
 * opening of a dispute.
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
    const holds: MovementParts[] = [];
    const unheld = disputes.filter(isUnheld);
    const availableMinor = unheld.length === 0 || isLast ? 0n : await availableIn(deps, tenant, walletId);
    let left = netMinor + availableMinor;
    for (const row of unheld) {
      const held_minor = lesser(row.disputed_minor, left);
      if (held_minor === 0n) continue;
      left -= held_minor;
      const held: DisputeRow = { ...row, wallet_id: walletId, held_minor, hold_id: newId() };
      const { parts } = changeOf(row, { wallet_id: walletId, held_minor, hold_id: held.hold_id }, at);
      holds.push({ changes: parts.changes, transfers: holdOf(held), writes: parts.writes, events: parts.events });
    }
    return joinParts({ checks: [unchanged] }, ...holds);
  };
}

const isUnheld = (row: DisputeRow) => !isEnded(row.status) && row.hold_id === null && row.wallet_id === null;

/**
 * Why disputes keep a merchant's collections from going to its bank: the merchant owes what one took beyond its wallet,
 * or its wallet does not hold all that an open one may take. A dispute whose amount is held keeps nothing else back.
 */
export function createDisputeStop({ database }: { database: Database }) {
  return async ({ merchantId, mode }: Tenant): Promise<string | undefined> => {
    const [found] = await database.query(findUncovered, [merchantId, mode]);
    if (found?.owes === true) return 'DISPUTE_DEBT';
    return found?.is_short === true ? 'DISPUTE_NOT_COVERED' : undefined;
  };
}
