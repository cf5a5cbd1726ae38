import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { updateDeliveriesAdvanced, updateEndpointsAdvanced } from './queries.ts';

/** Makes retries of a sandbox due so much earlier, for the movement that says so. */
export function webhookAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds };
  return [write(updateEndpointsAdvanced, row), write(updateDeliveriesAdvanced, row)];
}
