import type { Queries } from '../platform/db/database.ts';
import { countedPageView, MAX_COUNTED } from '../platform/http/counted-page.ts';
import { offsetOf, type PageRequest } from '../platform/http/schemas.ts';
import type { Tenant } from '../platform/tenant.ts';
import { countRequests, listRequests, type RequestFilter, sumGaps } from './queries.ts';
import { requestView } from './views.ts';

/** A page of what a tenant's programs asked, newest first, and how many requests of the period are not in the log. */
export async function readRequests(queries: Queries, tenant: Tenant, filter: RequestFilter, page: PageRequest) {
  const counting = countRequests(tenant, filter, MAX_COUNTED + 1);
  const listing = listRequests(tenant, filter, offsetOf(page), page.size + 1);
  const [[count], rows, [gaps]] = await Promise.all([
    queries.query(counting.statement, counting.values),
    queries.query(listing.statement, listing.values),
    queries.query(sumGaps, [tenant.merchantId, tenant.mode, filter.from ?? null, filter.to ?? null]),
  ]);
  const found = countedPageView(page, count?.total ?? 0, rows.map(requestView));
  return { ...found, leftOut: gaps?.left_out ?? 0 };
}
