import type { Queries } from '../../platform/db/database.ts';
import type { Period } from '../../platform/http/period.ts';
import type { ListRequest } from '../../platform/lists/list.ts';
import { listView, readList } from '../../platform/lists/read-list.ts';
import type { Tenant } from '../../platform/tenant.ts';
import type { TransactionStatus } from '../../transactions/index.ts';
import { scheduleList } from '../queries.ts';
import { payoutView } from '../views.ts';

/** The period is of the time that a payout is for. */
export interface SchedulesWanted extends Partial<Period> {
  status: TransactionStatus | undefined;
}

/**
 * Scheduled payouts, newest first, fired and cancelled ones among them.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export async function readSchedules(queries: Queries, tenant: Tenant, wanted: SchedulesWanted, request: ListRequest) {
  return listView(await readList(queries, scheduleList(tenant, wanted), request), payoutView);
}
