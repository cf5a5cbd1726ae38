import { findCollectionSettlement, findInboundPayment, ofPayment, takeBack } from '../collections/index.ts';
import { newId } from '../platform/ids.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, tenantOf } from '../platform/tenant.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { shortReason } from './end-dispute.ts';
import { listFreedDisputes } from './freed-queries.ts';
import { leftOfPayment, lesser } from './open-dispute.ts';
import { type DisputeRow, findDispute } from './queries.ts';

/** In one run; the others have their turn in the next. */
const MAX_A_RUN = 200;

type FreedDeps = Pick<DisputeDeps, 'database' | 'ledger' | 'collectionAccounts' | 'clock' | 'jobs'>;

/**
 * A refund counts as taken back as soon as it is asked for, so that a dispute of its payment may be lost for less than its
 * amount. Where the refund then comes to nothing, or another dispute is won, the merchant owes what that leaves.
 * @returns how many disputes took more.
 */
export async function takeFreed(deps: FreedDeps, mode: Mode): Promise<number> {
  const failures = deps.jobs.failuresOf('disputes.takeFreed');
  return takeTurns<DisputeRow>(
    await deps.database.query(listFreedDisputes, [mode, failures.backingOffKeys(), MAX_A_RUN]),
    {
      failures,
      tenantOf,
      keyOf: ({ id }) => id,
      take: async (row) => ((await takeMore(deps, row)) ? 1 : 0),
      aboutOf: (row) => ({ message: 'what a lost dispute may take by now was not taken', ...tenantOf(row) }),
    },
  );
}

/** Decided by the version of the dispute, under the lock of the books: whoever else does so meanwhile, each part is taken once. */
function takeMore(deps: FreedDeps, { merchant_id, mode, id, payment_id }: DisputeRow): Promise<boolean> {
  return commitForDispute(deps.ledger.commit, async () => {
    const [[row], [payment], [settled], receivable] = await Promise.all([
      deps.database.query(findDispute, [merchant_id, mode, id]),
      deps.database.query(findInboundPayment, [merchant_id, mode, payment_id]),
      deps.database.query(findCollectionSettlement, [merchant_id, mode, payment_id]),
      deps.collectionAccounts.merchantReceivable({ merchantId: merchant_id, mode }),
    ]);
    if (row?.operator_reason !== 'TAKEN_BACK_BEFORE' || row.ended_at === null || payment === undefined)
      return undefined;
    const more = lesser(row.amount_minor - row.disputed_minor, await leftOfPayment(deps, payment));
    if (more <= 0n) return undefined;
    const at = deps.clock.now();
    const disputed_minor = row.disputed_minor + more;
    const changed = { disputed_minor, loss_minor: row.loss_minor + more };
    const { parts } = changeOf(
      row,
      { ...changed, operator_reason: shortReason({ ...row, disputed_minor }, payment.amount_minor) },
      at,
    );
    return {
      tenant: tenantOf(row),
      id: row.id,
      occurredAt: at.toISOString(),
      ...parts,
      checks: [...parts.checks, ...ofPayment(payment, { isSettled: settled !== undefined }).checks],
      limitUsages: [takeBack(payment, more)],
      transfers: [
        {
          kind: 'POSTED',
          id: newId(),
          debitAccountId: receivable,
          creditAccountId: row.receivable_id,
          amountMinor: more,
          code: 'DISPUTE_LOSS',
        },
      ],
      answer: { message: 'The merchant owes what the dispute did not take before' },
    };
  });
}
