import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { beneficiaryList } from './queries.ts';
import { beneficiaryView } from './views.ts';

/**
 * Beneficiaries by name, those that wait for approval among them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readBeneficiaries(
  queries: Queries,
  tenant: Tenant,
  search: string | undefined,
  request: ListRequest,
) {
  const wanted = search?.trim().toLowerCase() || undefined;
  return listView(await readList(queries, beneficiaryList(tenant, wanted), request), beneficiaryView);
}
