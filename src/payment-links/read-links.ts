import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { listView, readList } from '../platform/lists/read-list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { linkNotFound } from './errors.ts';
import { countPaidSessions, findPaymentLink, type LinkRow, linkList } from './queries.ts';
import { MOST_PAYMENTS } from './schemas.ts';
import { linkView } from './views.ts';

interface ReadDeps {
  database: Database;
  clock: Clock;
}

/** @throws AppError `PAYMENT_LINK_NOT_FOUND` */
export async function requireLink(
  { database }: Pick<ReadDeps, 'database'>,
  { merchantId, mode }: Tenant,
  linkId: string,
): Promise<LinkRow> {
  const [row] = await database.query(findPaymentLink, [merchantId, mode, linkId]);
  if (row === undefined) throw linkNotFound();
  return row;
}

/** How many sessions under links of one merchant were paid, counted up to `most` of each. */
export async function paidSessions(
  { database }: { database: Queries },
  { merchantId, mode }: Tenant,
  linkIds: readonly string[],
  most = MOST_PAYMENTS,
): Promise<(linkId: string) => number> {
  const counted = await database.query(countPaidSessions, [merchantId, mode, linkIds, most]);
  const byLink = new Map(counted.map(({ link_id, paid }) => [link_id, paid]));
  return (linkId) => byLink.get(linkId) ?? 0;
}

/** One link as the merchant sees it. @throws AppError `PAYMENT_LINK_NOT_FOUND` */
export async function readLink(deps: ReadDeps, tenant: Tenant, linkId: string, baseUrl: string) {
  const [row, paidOf] = await Promise.all([requireLink(deps, tenant, linkId), paidSessions(deps, tenant, [linkId])]);
  return linkView(row, { paid: paidOf(linkId), now: deps.clock.now(), baseUrl });
}

/** A merchant's links, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export async function readLinks(deps: ReadDeps, tenant: Tenant, request: ListRequest, baseUrl: string) {
  const found = await readList(deps.database, linkList(tenant), request);
  const paidOf = await paidSessions(
    deps,
    tenant,
    found.rows.map(({ id }) => id),
  );
  const now = deps.clock.now();
  return listView(found, (row) => linkView(row, { paid: paidOf(row.id), now, baseUrl }));
}
