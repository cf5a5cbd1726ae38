import type { Queries } from '../platform/db/database.ts';
import { arrayLiteral } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findAllowances, findMarks } from './guard-queries.ts';
import { type GuardBooks, guardBooks } from './guards.ts';
import type { Movement } from './movement.ts';
import { findClaims, listTransfersOfTransaction, type StoredTransfer } from './queries.ts';

interface Wanted {
  tenant: Tenant;
  scope: string;
  name: string;
}

/** What a group's guards are about, one statement a table; undefined, and nothing asked, where no movement has any. */
export async function readGuards(queries: Queries, movements: readonly Movement[]): Promise<GuardBooks | undefined> {
  const marks: Wanted[] = [];
  const allowances: Wanted[] = [];
  for (const { tenant, marks: noted, unmarks, allowances: used } of movements) {
    for (const { scope, value } of noted ?? []) marks.push({ tenant, scope, name: value });
    for (const { scope, value } of unmarks ?? []) marks.push({ tenant, scope, name: value });
    for (const { scope, period } of used ?? []) allowances.push({ tenant, scope, name: period });
  }
  if (marks.length === 0 && allowances.length === 0) return undefined;
  const [notedMarks, usedAllowances] = await Promise.all([
    marks.length === 0 ? [] : queries.query(findMarks, namesOf(marks)),
    allowances.length === 0 ? [] : queries.query(findAllowances, namesOf(allowances)),
  ]);
  return guardBooks(notedMarks, usedAllowances);
}

/**
 * Parameters of a `find`: merchants, modes, scopes and names, each name once, since what many movements of a group ask
 * for is one row.
 */
function namesOf(wanted: readonly Wanted[]): string[] {
  const once = new Map(
    wanted.map((one) => [`${one.tenant.merchantId}/${one.tenant.mode}/${one.scope}/${one.name}`, one]),
  );
  const all = [...once.values()];
  const texts = (part: (one: Wanted) => string) => arrayLiteral('text', all.map(part));
  return [
    arrayLiteral(
      'uuid',
      all.map(({ tenant }) => tenant.merchantId),
    ),
    texts(({ tenant }) => tenant.mode),
    texts(({ scope }) => scope),
    texts(({ name }) => name),
  ];
}

/** How much of an allowance is used by now, in minor units; zero where nothing was. */
export async function readAllowance(queries: Queries, tenant: Tenant, scope: string, period: string): Promise<bigint> {
  const [row] = await queries.query(findAllowances, namesOf([{ tenant, scope, name: period }]));
  return row?.used_minor ?? 0n;
}

/** What took this name, such as the transaction behind a merchant's own reference. */
export async function findClaimSubject(
  queries: Queries,
  tenant: Tenant,
  scope: string,
  value: string,
): Promise<string | undefined> {
  const [row] = await queries.query(findClaims, [
    arrayLiteral('uuid', [tenant.merchantId]),
    arrayLiteral('text', [tenant.mode]),
    arrayLiteral('text', [scope]),
    arrayLiteral('text', [value]),
  ]);
  return row?.subject_id;
}

/** Every transfer that a transaction made: holds, posts, voids and charges, in order. */
export function listTransactionTransfers(
  queries: Queries,
  tenant: Tenant,
  transactionId: string,
): Promise<StoredTransfer[]> {
  return queries.query(listTransfersOfTransaction, [tenant.merchantId, tenant.mode, transactionId]);
}
