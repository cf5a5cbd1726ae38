import { type Write, write } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import { updateApprovalsAdvanced } from './queries.ts';

/** Makes what waits for approval in a sandbox run out so much earlier, for the movement that moves its time. */
export function approvalAdvanceWrites({ merchantId, mode }: Tenant, seconds: number): Write[] {
  return [write(updateApprovalsAdvanced, { merchant_id: merchantId, mode, seconds })];
}
