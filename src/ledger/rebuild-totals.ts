import type { Tx } from '../platform/db/database.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import { type AddUpDeps, addUpTenant } from './add-up-days.ts';
import { insertTotalsCursor } from './daily-total-queries.ts';
import {
  deleteDailyTotals,
  deleteMerchantDailyTotals,
  deleteStatementTotals,
  listBooksToRebuild,
  restartTotalsCursor,
  waitForTotalsCursor,
} from './rebuild-queries.ts';

type RebuildDeps = Pick<AddUpDeps, 'database' | 'clock'>;

/** The books of one merchant, or of all. */
export async function listBooks({ database }: RebuildDeps, merchantId: string | undefined): Promise<Tenant[]> {
  return (await database.query(listBooksToRebuild, [merchantId ?? null])).map(tenantOf);
}

/**
 * Adds up the days and the statements of these books anew. What was added up goes in one transaction; until it is there again,
 * figures are read from the transfers, and are right. What a killed process leaves, the job adds up.
 */
export async function rebuildTotals(deps: RebuildDeps, tenant: Tenant): Promise<void> {
  await deps.database.transaction((tx) => forgetTotals(tx, [tenant.merchantId, tenant.mode]));
  while (!(await addUpTenant(deps, tenant)).isOver);
}

async function forgetTotals(tx: Tx, key: readonly [merchantId: string, mode: string]): Promise<void> {
  await tx.query(insertTotalsCursor, key);
  await tx.query(waitForTotalsCursor, key);
  await tx.query(deleteDailyTotals, key);
  await tx.query(deleteMerchantDailyTotals, key);
  await tx.query(deleteStatementTotals, key);
  await tx.query(restartTotalsCursor, key);
}
