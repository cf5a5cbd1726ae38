import { holdReader } from '../ledger/index.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import { READER, upsertDirectoryEntries } from './queries.ts';
import {
  addToRailTotal,
  deleteRailTotal,
  deleteStrayEntries,
  insertRailTotal,
  listPayoutsToRebuild,
  listRailDifferences,
  type RailDifference,
} from './rebuild-queries.ts';

/** Payouts that one transaction writes: some tenths of a second. */
const PAYOUTS_A_STEP = 5_000;

/**
 * Writes the directory of these books anew from their payouts, piece by piece, and takes out what is no payout. Searches find
 * all the while what they found. The job waits for a piece, and goes on from where it was.
 */
export async function rebuildDirectory(database: Database, tenant: Tenant): Promise<void> {
  let after: string | undefined = NIL_ID;
  while (after !== undefined) {
    const from: string = after;
    after = await database.transaction((tx) => rebuildStep(tx, tenant, from));
  }
}

/** @returns the payout to continue after; undefined at the end */
async function rebuildStep(tx: Tx, tenant: Tenant, after: string): Promise<string | undefined> {
  const { merchantId, mode } = tenant;
  // Behind it everything that the job has written of these books is seen, and it writes nothing meanwhile.
  await holdReader(tx, tenant, READER);
  const payouts = await tx.query(listPayoutsToRebuild, [merchantId, mode, after, PAYOUTS_A_STEP]);
  const upTo = payouts.length < PAYOUTS_A_STEP ? undefined : payouts.at(-1)?.id;
  await tx.query(deleteStrayEntries, [merchantId, after, upTo ?? null]);
  const ids = payouts.map(({ id }) => id);
  if (ids.length > 0) await tx.query(upsertDirectoryEntries, [merchantId, mode, arrayOf('uuid', ids)]);
  return upTo;
}

/**
 * Corrects what rails ended by day. The job counts an event and moves its cursor in one transaction, so by how much a row is
 * wrong stays the same while it goes on: that is added. Two processes must not do it at once.
 * @returns how many rows were wrong
 */
export async function correctRailTotals(database: Database): Promise<number> {
  const wrong = await database.readApart(1, async ([queries]) => queries?.query(listRailDifferences) ?? []);
  for (const row of wrong) await database.transaction((tx) => correct(tx, row));
  return wrong.length;
}

async function correct(tx: Tx, { day, mode, rail, outcome, duration_step, ...by }: RailDifference): Promise<void> {
  const values = [day, mode, rail, outcome, duration_step, by.payouts, by.amount_minor];
  if (!by.is_there) await tx.query(insertRailTotal, values);
  else if ((await tx.query(deleteRailTotal, values)).length === 0) await tx.query(addToRailTotal, values);
}
