import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { updateBatchesAdvanced } from './queries.ts';

/** Makes expiries of a sandbox due so much earlier, for the movement that says so. */
export function batchAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  return [write(updateBatchesAdvanced, { merchant_id: tenant.merchantId, mode: tenant.mode, seconds })];
}
