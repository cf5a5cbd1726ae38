import type { Queries } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { MerchantStatus, ReviewStatus } from '../merchant-state.ts';
import { countRegister, listMerchantNames, listRegister, listServiceStates, type RegisteredRow } from './queries.ts';

export interface RegisterSearch {
  status?: MerchantStatus | undefined;
  review?: ReviewStatus | undefined;
  /** Only those whose details wait for the operator. */
  submitted?: boolean | undefined;
  /** An id, or part of a name, an e-mail address or a number of registration. */
  search?: string | undefined;
}

/** The merchants that match and how many there are in all: newest first, or whoever waits longest for the operator. */
export async function readRegister(
  queries: Queries,
  { status, review, submitted, search = '' }: RegisterSearch,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: RegisteredRow[] }> {
  const wanted = search.trim();
  const found = wanted === '' ? {} : isUuid(wanted) ? { id: wanted } : { text: wanted };
  const filter = { status, review, submitted, ...found };
  const counting = countRegister(filter);
  const listing = listRegister(filter, offset, limit);
  const [[count], rows] = await Promise.all([
    queries.query(counting.statement, counting.values),
    queries.query(listing.statement, listing.values),
  ]);
  return { total: count?.total ?? 0, rows };
}

/** Every service there is, and whether the merchant has it. */
export const readServiceStates = (queries: Queries, merchantId: string) =>
  queries.query(listServiceStates, [merchantId]);

/** The names behind ids, for lists across merchants. */
export async function readMerchantNames(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listMerchantNames, [[...new Set(ids)]]);
  return new Map(rows.map(({ id, business_name }) => [id, business_name]));
}

/** How many merchants wait for the operator to look at their details. */
export async function countSubmitted(queries: Queries): Promise<number> {
  const { statement, values } = countRegister({ submitted: true });
  const [row] = await queries.query(statement, values);
  return row?.total ?? 0;
}
