import type { Database } from '../../platform/db/database.ts';
import { offsetOf, type PageRequest, pageView } from '../../platform/http/schemas.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { TransactionStatus } from '../../transactions/index.ts';
import { countScheduledPayouts, listScheduledPayouts } from '../queries.ts';
import { payoutView } from '../views.ts';

/** A page of scheduled payouts, newest first, fired and cancelled ones among them. */
export async function readSchedules(
  database: Database,
  tenant: Tenant,
  status: TransactionStatus | undefined,
  page: PageRequest,
) {
  const asked = [tenant.merchantId, tenant.mode, status ?? null];
  const [[count], rows] = await Promise.all([
    database.query(countScheduledPayouts, asked),
    database.query(listScheduledPayouts, [...asked, offsetOf(page), page.size]),
  ]);
  return pageView(page, count?.total ?? 0, rows.map(payoutView));
}
