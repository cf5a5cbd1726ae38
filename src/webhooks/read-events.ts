import { listEvents } from '../ledger/index.ts';
import { type Answer, successJson } from '../platform/answer.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { DEFAULT_EVENTS } from './schemas.ts';
import { payloadOf } from './sending/payload.ts';

/** The log of events behind a sequence, in order, each with the text that is sent to the webhook address. */
export async function readEvents(
  queries: Queries,
  tenant: Tenant,
  search: { after?: number; limit?: number; type?: string },
): Promise<Answer> {
  const { after = 0, limit = DEFAULT_EVENTS, type } = search;
  const { events, readTo, lastSequence } = await listEvents(queries, tenant, { after: BigInt(after), limit, type });
  const records = events.map((event) => payloadOf(event, tenant.mode)).join(',');
  return successJson('Success', `{"records":[${records}],"nextAfter":${readTo},"hasMore":${readTo < lastSequence}}`);
}
