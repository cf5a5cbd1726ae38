import type { Database } from '../../platform/db/database.ts';
import type { Period } from '../../platform/http/period.ts';
import { offsetOf, type PageRequest, pageView } from '../../platform/http/schemas.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { TransactionStatus } from '../../transactions/index.ts';
import { countScheduledPayouts, listScheduledPayouts } from '../queries.ts';
import { payoutView } from '../views.ts';

export interface SchedulesWanted {
  status: TransactionStatus | undefined;
  /** Of the time that a payout is for. */
  period: Partial<Period>;
  page: PageRequest;
}

/** A page of scheduled payouts, newest first, fired and cancelled ones among them. */
export async function readSchedules(database: Database, tenant: Tenant, { status, period, page }: SchedulesWanted) {
  const asked = [tenant.merchantId, tenant.mode, status ?? null, period.from ?? null, period.to ?? null];
  const [[count], rows] = await Promise.all([
    database.query(countScheduledPayouts, asked),
    database.query(listScheduledPayouts, [...asked, offsetOf(page), page.size]),
  ]);
  return pageView(page, count?.total ?? 0, rows.map(payoutView));
}
