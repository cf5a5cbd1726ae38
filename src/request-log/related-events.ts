import { type EventRow, findEvents, listEvents, readEventSequence } from '../ledger/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';

/** Places of the log that are looked at in one go: five goes find a moment among a million events. */
const PROBES = 15n;
/** Events that are looked through for those of one request, and those that are named. */
const MAX_LOOKED_AT = 1_000;
const MAX_NAMED = 20;
/** A movement takes its time before it commits: events stand in the order of commits, their times nearly so. */
const APART_MS = 5_000;

/** The events that one request caused, by its time: no index leads from a request to them, for every transfer would pay it. */
export async function eventsOfRequest(
  queries: Queries,
  tenant: Tenant,
  request: { requestId: string; begun: Date; ended: Date },
): Promise<EventRow[]> {
  const from = request.begun.getTime() - APART_MS;
  const until = request.ended.getTime() + APART_MS;
  const after = await lastBefore(queries, tenant, from);
  const { events } = await listEvents(queries, tenant, { after, limit: MAX_LOOKED_AT });
  return events
    .filter(({ request_id, created_at }) => request_id === request.requestId && created_at.getTime() <= until)
    .slice(0, MAX_NAMED);
}

/** The sequence of the last event before a moment; 0 where there is none. */
async function lastBefore(queries: Queries, tenant: Tenant, moment: number): Promise<bigint> {
  let before = 0n;
  let end = (await readEventSequence(queries, tenant)) + 1n;
  while (end - before > 1n) {
    const step = (end - before) / (PROBES + 1n) + 1n;
    const places: bigint[] = [];
    for (let place = before + step; place < end; place += step) places.push(place);
    if (places.length === 0) places.push(before + 1n);
    for (const { sequence, created_at } of await findEvents(queries, tenant, places)) {
      if (created_at.getTime() < moment) before = sequence;
      else {
        end = sequence;
        break;
      }
    }
  }
  return before;
}
