import { findCollectionSettlement, findInboundPayment, takeBack, unchangedPayment } from '../collections/index.ts';
import { newId } from '../platform/ids.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, tenantOf } from '../platform/tenant.ts';
import { changeOf, commitForDispute } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { resolution, shortReason } from './end-dispute.ts';
import { type FreedDispute, listFreedDisputes, listUnheldDisputes } from './freed-queries.ts';
import { availableIn, holdOf, leftOfPayment, lesser, reviewReasonOf } from './open-dispute.ts';
import { findDispute } from './queries.ts';

/** In one run; the rest has its turn in the next. */
const MAX_A_RUN = 200;

type FreedDeps = Pick<DisputeDeps, 'database' | 'ledger' | 'collectionAccounts' | 'clock' | 'jobs'>;

/**
 * A dispute may hold less than its amount: its wallet had too little, or a refund of its payment counts as taken back as soon as it
 * is asked for. Where the wallet has money later, or the refund fails, or another dispute is won, that is held while
 * the dispute runs; of one that was lost the merchant owes what is free by now.
 * @returns how many disputes hold or took more.
 */
export async function takeFreed(deps: FreedDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('disputes.takeFreed');
  const asked = [mode, failures.backingOffKeys(), MAX_A_RUN];
  const [unheld, short] = await Promise.all([
    deps.database.query(listUnheldDisputes, asked),
    deps.database.query(listFreedDisputes, asked),
  ]);
  return takeTurns<FreedDispute>([...unheld, ...short], {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: async (row) => ((await (row.ended_at === null ? holdMore : takeMore)(deps, row)) ? 1 : 0),
    aboutOf: (row) => ({ message: 'what a dispute may take by now was not taken or held', ...tenantOf(row) }),
  });
}

/**
 * Holds what the wallet has of what is not held yet: the earlier hold ends, and a larger one takes its place in the same movement.
 * What the wallet never has of it is owed once the dispute is lost, as at its opening.
 */
function holdMore(deps: FreedDeps, { merchant_id, mode, id, payment_id }: FreedDispute): Promise<boolean> {
  const tenant = { merchantId: merchant_id, mode };
  return commitForDispute(deps.ledger.commit, async (isLast) => {
    const [[row], [payment], [settled]] = await Promise.all([
      deps.database.query(findDispute, [merchant_id, mode, id]),
      deps.database.query(findInboundPayment, [merchant_id, mode, payment_id]),
      deps.database.query(findCollectionSettlement, [merchant_id, mode, payment_id]),
    ]);
    if (row === undefined || row.ended_at !== null || payment === undefined || isLast) return undefined;
    const more = lesser(row.amount_minor - row.disputed_minor, await leftOfPayment(deps, payment));
    const disputed_minor = row.disputed_minor + more;
    const available = await availableIn(deps, tenant, row.wallet_id);
    const held_minor = lesser(disputed_minor, row.held_minor + available);
    if (held_minor <= row.held_minor) return undefined;
    const at = deps.clock.now();
    const isUnlisted = row.operator_reason === 'STATE_NOT_LISTED';
    const operator_reason = isUnlisted ? row.operator_reason : reviewReasonOf({ ...row, disputed_minor }, payment);
    const held = { disputed_minor, held_minor, hold_id: newId(), operator_reason };
    const { row: holding, parts } = changeOf(row, held, at);
    return {
      tenant,
      id: row.id,
      occurredAt: at.toISOString(),
      ...parts,
      checks: [...parts.checks, ...unchangedPayment(payment, { isSettled: settled !== undefined }).checks],
      limitUsages: more > 0n ? [takeBack(payment, more)] : [],
      transfers: [...resolution(row, 'VOID'), ...holdOf(holding)],
      answer: { message: 'The wallet holds what the dispute may take by now' },
    };
  });
}

/**
 * Guarded by the version of the dispute, under the lock of the books: each part is taken once, however many workers do
 * so.
 */
function takeMore(deps: FreedDeps, { merchant_id, mode, id, payment_id }: FreedDispute): Promise<boolean> {
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
      checks: [...parts.checks, ...unchangedPayment(payment, { isSettled: settled !== undefined }).checks],
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
