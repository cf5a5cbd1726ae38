import type { Queries } from '../platform/db/database.ts';
import { type ArrayParameter, arraysByMerchant } from '../platform/db/statement.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { findLimitUsages, findReservations } from './guard-queries.ts';
import { type GuardBooks, guardBooks } from './guards.ts';
import type { Movement } from './movement.ts';
import { findUniqueKeys, listTransfersOfTransaction, type StoredTransfer } from './queries.ts';

interface Wanted {
  tenant: Tenant;
  scope: string;
  name: string;
}

/**
 * The reservations and limit usages that a group names, one statement for each table; undefined, without a statement,
 * where no movement names any.
 */
export async function readGuards(queries: Queries, movements: readonly Movement[]): Promise<GuardBooks | undefined> {
  const reservations: Wanted[] = [];
  const limitUsages: Wanted[] = [];
  for (const { tenant, reservations: noted, releases, limitUsages: used } of movements) {
    for (const { scope, value } of noted ?? []) reservations.push({ tenant, scope, name: value });
    for (const { scope, value } of releases ?? []) reservations.push({ tenant, scope, name: value });
    for (const { scope, period } of used ?? []) limitUsages.push({ tenant, scope, name: period });
  }
  if (reservations.length === 0 && limitUsages.length === 0) return undefined;
  const [heldReservations, usedLimits] = await Promise.all([
    reservations.length === 0 ? [] : queries.query(findReservations, namesOf(reservations)),
    limitUsages.length === 0 ? [] : queries.query(findLimitUsages, namesOf(limitUsages)),
  ]);
  return guardBooks(heldReservations, usedLimits);
}

/**
 * Parameters of a `find`: merchants, modes, scopes and names. Each name is there once, since many movements of a group
 * may ask for one row.
 */
function namesOf(wanted: readonly Wanted[]): (ArrayParameter | null)[] {
  const once = new Map(wanted.map((one) => [`${tenantKey(one.tenant)}/${one.scope}/${one.name}`, one]));
  return arraysByMerchant(
    [...once.values()],
    ({ tenant }) => tenant.merchantId,
    ['text', ({ tenant }) => tenant.mode],
    ['text', ({ scope }) => scope],
    ['text', ({ name }) => name],
  );
}

/** How much of a limit is used now, in minor units; zero where nothing is. */
export async function readLimitUsage(queries: Queries, tenant: Tenant, scope: string, period: string): Promise<bigint> {
  const [row] = await queries.query(findLimitUsages, namesOf([{ tenant, scope, name: period }]));
  return row?.used_minor ?? 0n;
}

/** What took this name, such as the transaction with a merchant's own reference. */
export async function findUniqueKeySubject(
  queries: Queries,
  tenant: Tenant,
  scope: string,
  value: string,
): Promise<string | undefined> {
  const [row] = await queries.query(findUniqueKeys, namesOf([{ tenant, scope, name: value }]));
  return row?.subject_id;
}

/** Every transfer of a transaction: holds, posts, voids and charges, in order. */
export function listTransactionTransfers(
  queries: Queries,
  tenant: Tenant,
  transactionId: string,
): Promise<StoredTransfer[]> {
  return queries.query(listTransfersOfTransaction, [tenant.merchantId, tenant.mode, transactionId]);
}
