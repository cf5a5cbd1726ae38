import type { Database, Queries } from '../platform/db/database.ts';
import { timeOfId } from '../platform/ids.ts';
import { type ListRequest, MAX_LOOKED_AT, sinceOf } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import { type Tenant, tenantOf } from '../platform/tenant.ts';
import {
  type CreditSearch,
  depthOfCredits,
  type FoundCreditRow,
  findCreditOwner,
  foundCreditList,
} from './directory-queries.ts';

export type { CreditSearch, FoundCreditRow };

/**
 * Payments in of all merchants, newest first. Filters that no index has are applied to the newest 50,000 that the
 * others find: `lookedBackTo` says how far back that is, null to the beginning.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function searchCredits(
  database: Database,
  search: CreditSearch,
  request: ListRequest,
): Promise<FoundList<FoundCreditRow> & { lookedBackTo: Date | null }> {
  return database.reading.snapshot(async (queries) => {
    const since = sinceOf(request) ?? ('cursor' in request ? undefined : await beginningOf(queries, search));
    const found = await readList(queries, foundCreditList(search, since), request);
    return { ...found, lookedBackTo: since ?? null };
  });
}

async function beginningOf(queries: Queries, search: CreditSearch): Promise<Date | undefined> {
  const asked = depthOfCredits(search, MAX_LOOKED_AT);
  if (asked === undefined) return undefined;
  const [last] = await queries.query(asked.statement, [...asked.values]);
  return last === undefined ? undefined : timeOfId(last.payment_id);
}

/** The tenant of a payment in; undefined where it belongs to nobody. */
export async function findCreditTenant(queries: Queries, paymentId: string): Promise<Tenant | undefined> {
  const [found] = await queries.query(findCreditOwner, [paymentId]);
  return found === undefined ? undefined : tenantOf(found);
}
