import { readEventSequences } from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { type Tenant, tenantKey } from '../../platform/tenant.ts';
import { listFreeEndpoints } from '../queries.ts';

export interface WaitingEndpoint {
  tenant: Tenant;
  /** Calls in a row that failed. */
  failures: number;
}

/** Tenants that have something to be told now, whose endpoints are in nobody's hands. */
export async function listWaiting(deps: { database: Database; clock: Clock }): Promise<WaitingEndpoint[]> {
  const now = deps.clock.now();
  const endpoints = await deps.database.query(listFreeEndpoints, [now]);
  const free = endpoints.map((endpoint) => ({
    tenant: { merchantId: endpoint.merchant_id, mode: endpoint.mode },
    isDue: endpoint.retry_at !== null && endpoint.retry_at <= now,
    cursor: endpoint.cursor_sequence,
    failures: endpoint.failures_in_a_row,
  }));
  const sequences = await readEventSequences(
    deps.database,
    free.map(({ tenant }) => tenant),
  );
  return free
    .filter(({ tenant, isDue, cursor }) => isDue || (sequences.get(tenantKey(tenant)) ?? 0n) > cursor)
    .map(({ tenant, failures }) => ({ tenant, failures }));
}
