import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { sandboxRailAdvanceWrites } from '../rails/index.ts';
import { updatePayoutsAdvanced } from './queries.ts';

/**
 * Makes schedules and requeries of a sandbox due so much earlier, for the movement that says so, and lets the
 * same time go by at the simulated bank.
 */
export function payoutAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  const row = { merchant_id: tenant.merchantId, mode: tenant.mode, seconds };
  return [write(updatePayoutsAdvanced, row), ...sandboxRailAdvanceWrites(tenant, seconds)];
}
