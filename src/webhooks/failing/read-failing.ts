import type { Queries } from '../../platform/db/database.ts';
import { countFailingEndpoints, type FailingEndpointRow, listFailingEndpoints } from './queries.ts';

/** Webhook addresses of all merchants that need somebody's eye, what waits longest first. */
export function readFailingEndpoints(
  queries: Queries,
  { offset, limit }: { offset: number; limit: number },
): Promise<FailingEndpointRow[]> {
  return queries.query(listFailingEndpoints, [offset, limit]);
}

export async function countFailing(queries: Queries): Promise<number> {
  const [row] = await queries.query(countFailingEndpoints);
  return row?.total ?? 0;
}
