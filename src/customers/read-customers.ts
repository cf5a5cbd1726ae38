import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { customerNotFound } from './errors.ts';
import { type CustomerRow, customerList, findCustomer } from './queries.ts';
import { customerView } from './views.ts';

/** @throws AppError `CUSTOMER_NOT_FOUND` */
export async function requireCustomer(
  queries: Queries,
  { merchantId, mode }: Tenant,
  customerId: string,
): Promise<CustomerRow> {
  const [row] = await queries.query(findCustomer, [merchantId, mode, customerId]);
  if (row === undefined) throw customerNotFound();
  return row;
}

/** A merchant's customers, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readCustomers(
  queries: Queries,
  tenant: Tenant,
  search: string | undefined,
  request: ListRequest,
) {
  return listView(await readList(queries, customerList(tenant, wantedBy(search)), request), customerView);
}

/** As names and addresses are compared; undefined: everybody is wanted. */
export function wantedBy(search: string | undefined): string | undefined {
  return search?.trim().toLowerCase() || undefined;
}
