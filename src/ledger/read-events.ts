import type { Queries } from '../platform/db/database.ts';
import { arrayOf, arraysByMerchant, statement } from '../platform/db/statement.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { fingerprintOf } from './archive-queries.ts';
import { unreadableEvent } from './errors.ts';
import {
  type EventRow,
  listEventSequences,
  listEventSubjects,
  listEventsAfter,
  listEventsBySequence,
  listEventsOfType,
  listEventTypes,
  listLastEvents,
  type PassedOver,
  passedOver,
  type StoredRow,
} from './event-queries.ts';

/** Events read to find those of one type: this many take some milliseconds, and the next request goes on after them. */
const MAX_SCANNED = 10_000n;

export interface EventSearch {
  /** Events after this sequence; 0 is from the beginning. */
  after: bigint;
  limit: number;
  type?: string | undefined;
}

export interface EventPage {
  events: EventRow[];
  /** All events up to here were read: where to continue, also when `events` is empty. */
  readTo: bigint;
  /** The last event of the tenant at this moment. */
  lastSequence: bigint;
}

/**
 * A tenant's events in the order in which they happened, without gaps: every event is written under the lock of the
 * books, so when an event can be seen, all earlier ones can.
 */
export async function listEvents(queries: Queries, tenant: Tenant, search: EventSearch): Promise<EventPage> {
  const { after, limit, type } = search;
  // Read first: every event that a signal was about is in the books before this read.
  const lastSequence = await readEventSequence(queries, tenant);
  const reach = type === undefined ? BigInt(limit) : MAX_SCANNED;
  const end = after + reach < lastSequence ? after + reach : lastSequence;
  if (end <= after) return { events: [], readTo: after, lastSequence };
  const values = [tenant.merchantId, tenant.mode, after, end, limit];
  const events = readable(
    await (type === undefined
      ? queries.query(listEventsAfter, values)
      : queries.query(listEventsOfType, [...values, type])),
  );
  const readTo = events.length === limit ? (events.at(-1)?.sequence ?? end) : end;
  return { events, readTo, lastSequence };
}

/** @throws Error where a text cannot be put together: nobody is sent an event without its data. */
function readable(rows: readonly StoredRow[]): EventRow[] {
  const lost = rows.find((row) => !isReadable(row));
  if (lost !== undefined) throw unreadableEvent(lost.id);
  return rows.filter(isReadable);
}

const isReadable = (row: StoredRow): row is EventRow => row.data !== null;

/** The events with these sequences, in order. */
export async function findEvents(queries: Queries, tenant: Tenant, sequences: readonly bigint[]): Promise<EventRow[]> {
  const asked = [tenant.merchantId, tenant.mode, arrayOf('bigint', sequences)];
  return readable(await queries.query(listEventsBySequence, asked));
}

/** The sequence of each tenant's last event, by `tenantKey`; 0 before the first. */
export async function readEventSequences(queries: Queries, tenants: readonly Tenant[]): Promise<Map<string, bigint>> {
  if (tenants.length === 0) return new Map();
  const asked = arraysByMerchant(tenants, ({ merchantId }) => merchantId, ['text', ({ mode }) => mode]);
  const rows = await queries.query(listEventSequences, asked);
  return new Map(rows.map((row) => [tenantKey(tenantOf(row)), row.event_sequence]));
}

/** The sequence of a tenant's last event; 0 before the first. */
export async function readEventSequence(queries: Queries, tenant: Tenant): Promise<bigint> {
  const sequences = await readEventSequences(queries, [tenant]);
  return sequences.get(tenantKey(tenant)) ?? 0n;
}

/** The sequence of the last event of every merchant that has books in a mode. */
export async function readLastEvents(queries: Queries, mode: Mode): Promise<{ tenant: Tenant; sequence: bigint }[]> {
  const rows = await queries.query(listLastEvents, [mode]);
  return rows.map((row) => ({ tenant: { merchantId: row.merchant_id, mode }, sequence: row.event_sequence }));
}

/** The subjects of the next `limit` events of a tenant, in order; `readTo` as in `EventPage`. */
export async function readEventSubjects(
  queries: Queries,
  tenant: Tenant,
  { after, limit, but }: { after: bigint; limit: number; but: PassedOver },
): Promise<{ subjects: { type: string; subjectId: string }[]; readTo: bigint; lastSequence: bigint }> {
  const lastSequence = await readEventSequence(queries, tenant);
  const reach = after + BigInt(limit);
  const readTo = reach < lastSequence ? reach : lastSequence;
  if (readTo <= after) return { subjects: [], readTo: after, lastSequence };
  const values = [tenant.merchantId, tenant.mode, after, readTo, ...passedOver(but)];
  const rows = await queries.query(listEventSubjects, values);
  return { subjects: rows.map(({ type, subject_id: subjectId }) => ({ type, subjectId })), readTo, lastSequence };
}

export interface EventWindow {
  tenant: Tenant;
  after: bigint;
  upTo: bigint;
}

export interface EventTypes extends EventWindow {
  /** The types in the window, each once; undefined where it has more events than are read. */
  types: string[] | undefined;
}

/** A window with more events in a second has so many types that a list of them is of no use. */
const MAX_TYPES_FROM = 2_000;

/** The types of the events in each window, for many tenants with one statement. */
export async function readEventTypes(queries: Queries, windows: readonly EventWindow[]): Promise<EventTypes[]> {
  if (windows.length === 0) return [];
  const rows = await queries.query(listEventTypes, [
    arrayOf(
      'uuid',
      windows.map(({ tenant }) => tenant.merchantId),
    ),
    arrayOf(
      'text',
      windows.map(({ tenant }) => tenant.mode),
    ),
    arrayOf(
      'bigint',
      windows.map(({ after }) => after),
    ),
    arrayOf(
      'bigint',
      windows.map(({ upTo }) => upTo),
    ),
    MAX_TYPES_FROM,
  ]);
  const found = new Map(rows.map((row) => [tenantKey(tenantOf(row)), row]));
  return windows.map((window) => {
    const row = found.get(tenantKey(window.tenant));
    const isWhole = window.upTo - window.after <= BigInt(MAX_TYPES_FROM);
    return { ...window, types: isWhole ? (row?.types ?? []) : undefined };
  });
}

export interface StateChangeRow {
  from_state: string;
  to_state: string;
  reason: string | null;
  created_at: Date;
}

export interface SubjectEventRow {
  id: string;
  sequence: bigint;
  type: string;
  created_at: Date;
}

/** What one subject can have at most. It guards against a loop of requeries; no ordinary subject has so many. */
const MAX_HISTORY = 1_000;

const listStateChangesOfSubject = statement<StateChangeRow>(
  'list-state-changes-of-subject',
  `select from_state, to_state, reason, created_at from state_changes
    where merchant_id = $1 and mode = $2 and subject_id = $3
    order by id limit ${MAX_HISTORY}`,
);

const listEventsOfSubject = statement<SubjectEventRow>(
  'list-events-of-subject',
  `select id, sequence, type, created_at from events
    where merchant_id = $1 and mode = $2 and subject_id = $3 and type <> 'transaction.succeeded'
    order by sequence limit ${MAX_HISTORY}`,
);

const findEffectOfKey = statement<{ effect: string | null }>(
  'find-effect-of-key',
  `select coalesce(k.transaction_id, e.subject_id) as effect
     from idempotency_keys k
     left join events e on e.merchant_id = k.merchant_id and e.mode = k.mode and e.sequence = k.event_sequence
    where k.merchant_id = $1 and k.mode = $2 and k.key = $3
   union all
   select a.transaction_id from archived_keys a where a.merchant_id = $1 and a.mode = $2 and a.fingerprint = $4`,
);

/** The id of what the request with this key made; undefined where it made nothing, or never came. */
export async function findKeyEffect(queries: Queries, tenant: Tenant, key: string): Promise<string | undefined> {
  const [row] = await queries.query(findEffectOfKey, [tenant.merchantId, tenant.mode, key, fingerprintOf(key)]);
  return row?.effect ?? undefined;
}

/** The state changes of a transaction, batch or schedule, in order. */
export function listStateChanges(queries: Queries, tenant: Tenant, subjectId: string): Promise<StateChangeRow[]> {
  return queries.query(listStateChangesOfSubject, [tenant.merchantId, tenant.mode, subjectId]);
}

/**
 * The events of a subject, in order. A wallet transfer has only one, written as it was made. It is left out, since
 * every transfer would pay for an index over those.
 */
export function listSubjectEvents(queries: Queries, tenant: Tenant, subjectId: string): Promise<SubjectEventRow[]> {
  return queries.query(listEventsOfSubject, [tenant.merchantId, tenant.mode, subjectId]);
}
