import { type Write, write } from '../../platform/db/statement.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { updateTransfersAdvanced } from './queries.ts';

/** Lets time go by at the simulated bank, for the movement that moves a sandbox's clock. */
export function sandboxRailAdvanceWrites(tenant: Tenant, seconds: number): Write[] {
  return [write(updateTransfersAdvanced, { merchant_id: tenant.merchantId, mode: tenant.mode, seconds })];
}
