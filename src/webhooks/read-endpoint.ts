import { readEventSequence } from '../ledger/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findEndpoint } from './queries.ts';
import { endpointView, noEndpointView } from './views.ts';

/** The webhook address of the mode, whether it is told anything, and by how many events it is behind. */
export async function readEndpoint(database: Database, tenant: Tenant) {
  const [[endpoint], lastSequence] = await database.snapshot((queries) =>
    Promise.all([queries.query(findEndpoint, [tenant.merchantId, tenant.mode]), readEventSequence(queries, tenant)]),
  );
  return endpoint === undefined ? noEndpointView(lastSequence) : endpointView(endpoint, lastSequence);
}
