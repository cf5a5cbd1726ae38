import type { Queries } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { countList, type FoundList, readList } from '../platform/lists/read-list.ts';
import { listMerchantNames, listServiceStates, type RegisteredRow, registerList } from './register-queries.ts';
import type { MerchantStatus, ReviewStatus } from './services.ts';

export interface RegisterSearch {
  status?: MerchantStatus | undefined;
  review?: ReviewStatus | undefined;
  /** Only those whose details wait for the operator. */
  submitted?: boolean | undefined;
  /** An id, or part of a name, an e-mail address or a number of registration. */
  search?: string | undefined;
}

/**
 * The merchants that match: newest first, or whoever waits longest for the operator.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function readRegister(
  queries: Queries,
  { status, review, submitted, search = '' }: RegisterSearch,
  request: ListRequest,
): Promise<FoundList<RegisteredRow>> {
  const wanted = search.trim();
  const found = wanted === '' ? {} : isUuid(wanted) ? { id: wanted } : { text: wanted };
  return readList(queries, registerList({ status, review, submitted, ...found }), request);
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
export const countSubmitted = (queries: Queries): Promise<number> =>
  countList(queries, registerList({ submitted: true }));
