import { readSystemTotals } from '../ledger/index.ts';
import { DEFAULT_CURRENCY } from '../money/index.ts';
import type { Database } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { firstIdOf, NIL_ID, newId } from '../platform/ids.ts';
import { removeInPieces } from '../platform/jobs/pieces.ts';
import type { Mode } from '../platform/tenant.ts';
import type { ReconciliationDeps } from './deps.ts';
import { deleteOldFloatChecks } from './desk-queries.ts';
import { merchantNeeded, railUnknown } from './errors.ts';
import { type FloatCheckRow, findLastFloatCheck, insertFloatChecks } from './queries.ts';

interface FloatCheck {
  check: FloatCheckRow;
  /** The comparison of the same rails before this one. */
  before: FloatCheckRow | undefined;
}

/**
 * Compares what the rails say they hold for us with our books: what was put there, less what was paid. Our books have
 * one float for a mode, so where several rails pay in it, all of them are named together.
 * @throws AppError 404 `RAIL_NOT_FOUND`; 400 `SETTLEMENT_MERCHANT_NEEDED`; 503 when a rail does not answer.
 */
export async function reconcileFloat(
  deps: ReconciliationDeps,
  input: { rails: readonly string[]; mode: Mode; merchantId: string | null; checkedBy: string },
): Promise<FloatCheck> {
  const { mode, merchantId, checkedBy } = input;
  const names = [...new Set(input.rails)].sort();
  let railMinor = 0n;
  for (const name of names) {
    const rail = await deps.rails.findRail(mode, name);
    if (rail === undefined) throw railUnknown(name);
    if (rail.isolatesTenants === true && merchantId === null) throw merchantNeeded(name);
    // A rail that has one balance for all is asked for nobody's.
    railMinor += (await rail.balance({ merchantId: merchantId ?? NIL_ID, mode })).availableMinor;
  }
  const totals = await readSystemTotals(deps.database, { mode, currency: DEFAULT_CURRENCY, merchantId });
  const [before] = await deps.database.query(findLastFloatCheck, [mode, names.join(', '), merchantId]);
  const check: FloatCheckRow = {
    id: newId(),
    rails: names.join(', '),
    mode,
    merchant_id: merchantId,
    currency: DEFAULT_CURRENCY,
    rail_minor: railMinor,
    float_minor: totals.floatMinor,
    unsettled_minor: totals.clearingMinor,
    held_minor: totals.heldMinor,
    receivable_minor: totals.receivableMinor,
    difference_minor: railMinor - (totals.floatMinor - totals.clearingMinor),
    checked_by: checkedBy,
    checked_at: deps.clock.now(),
  };
  await deps.database.run(insertFloatChecks, [write(insertFloatChecks, check).row]);
  return { check, before };
}

/** Removes comparisons from before a given time, except the last one of the same rails. @returns how many. */
export function forgetFloatChecks({ database }: { database: Database }, before: Date): Promise<number> {
  const first = firstIdOf(before);
  return removeInPieces(async (atMost) => {
    const [deleted] = await database.query(deleteOldFloatChecks, [first, atMost]);
    return deleted?.gone ?? 0;
  });
}
