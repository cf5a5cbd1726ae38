import type { Database, Queries, Tx } from '../platform/db/database.ts';
import { rowsFor, setStatement, statement } from '../platform/db/statement.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves, merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';

/**
 * The merchants whose books in the mode `$1` went on since the reader `$2` came by, but those of `$6`; $3 how many at most.
 * Where that are no more than `$5` events, it is looked whether any is of the types `$4`: books and events are of one moment.
 */
const listBooksToFollow = statement<{
  merchant_id: string;
  read_to: bigint | null;
  last_sequence: bigint;
  is_empty: boolean;
}>(
  'list-books-to-follow',
  `select b.merchant_id, c.event_sequence as read_to, b.event_sequence as last_sequence,
          coalesce(b.event_sequence <= c.event_sequence + $5::bigint and not exists (
            select from events e
             where e.merchant_id = b.merchant_id and e.mode = b.mode and e.sequence > c.event_sequence
               and e.sequence <= b.event_sequence and e.type = any($4::text[])
          ), false) as is_empty
     from books b
     left join event_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.reader = $2
    where b.mode = $1 and b.event_sequence > coalesce(c.event_sequence, 0)
      and b.merchant_id <> all($6::uuid[])
    limit $3`,
);

interface PassedRow {
  merchant_id: string;
  mode: Mode;
  reader: string;
  read_to: bigint;
  last_sequence: bigint;
}

/** Past events of which none is the reader's, where nobody read on meanwhile. */
const updateEventCursorsPassed = setStatement<PassedRow>(
  'update-event-cursors-passed',
  { merchant_id: 'uuid', mode: 'text', reader: 'text', read_to: 'bigint', last_sequence: 'bigint' },
  `update event_cursors c set event_sequence = rows.last_sequence
     from :rows
    where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.reader = rows.reader
      and c.event_sequence = rows.read_to`,
);

const insertEventCursor = statement(
  'insert-event-cursor',
  `insert into event_cursors (merchant_id, mode, reader, event_sequence) values ($1, $2, $3, 0) on conflict do nothing`,
);

/** Nobody else follows these books meanwhile: no row where somebody does. The books themselves are not locked. */
const lockEventCursor = statement<{ read_to: bigint; last_sequence: bigint }>(
  'lock-event-cursor',
  `select c.event_sequence as read_to, b.event_sequence as last_sequence
     from event_cursors c
     join books b on b.merchant_id = c.merchant_id and b.mode = c.mode
    where c.merchant_id = $1 and c.mode = $2 and c.reader = $3
      for update of c skip locked`,
);

const updateEventCursor = statement(
  'update-event-cursor',
  `update event_cursors set event_sequence = $4 where merchant_id = $1 and mode = $2 and reader = $3`,
);

interface FollowedEvent {
  type: string;
  subject_id: string;
  created_at: Date;
}

/** Behind `$3` and up to `$4`, in order, those of the types `$5`. */
const listFollowedEvents = statement<FollowedEvent>(
  'list-followed-events',
  `select type, subject_id, created_at from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and type = any($5::text[])
    order by sequence`,
);

/** Of books that the reader `$1` has not read to their end, when the first event was that it has not read. $2 how many books. */
const findOldestUnread = statement<{ at: Date | null }>(
  'find-oldest-unread-event',
  `select min(next.created_at) as at
     from (
       select b.merchant_id, b.mode, coalesce(c.event_sequence, 0) as read_to
         from books b
         left join event_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.reader = $1
        where b.event_sequence > coalesce(c.event_sequence, 0)
        limit $2
     ) behind
     join events next
       on next.merchant_id = behind.merchant_id and next.mode = behind.mode and next.sequence = behind.read_to + 1`,
);

/** Events of one merchant that the list looks at; of more, its own transaction finds those that are wanted. */
const LOOKED_AT = 100;
/** Books that are passed by one statement. */
const PASSED_AT_ONCE = 256;
/** Books that one run goes through; those that are left are due at the next one. */
const BOOKS_A_RUN = 5_000;
/** Events that one transaction passes: some hundredths of a second. */
const EVENTS_A_STEP = 5_000n;
/** Transactions that one merchant gets in one run, so that a long history does not keep the others waiting. */
const STEPS_A_MERCHANT = 100;
const NOT_FOLLOWED = 'the events of a merchant could not be followed';

/** What reads the events of all books behind them, each event once. */
export interface EventReader {
  /** Under which it remembers how far it has come. */
  name: string;
  /** Under which its failures are counted. */
  job: string;
  types: readonly string[];
  /** In the transaction that remembers it: events of these types, in order. It writes only what is the reader's own. */
  take: (tx: Tx, tenant: Tenant, events: readonly FollowedEvent[]) => Promise<void>;
}

/**
 * Reads on in the events of every merchant whose books in this mode went on; many that have nothing for the reader are passed
 * together. It takes no lock that a movement waits for: events never change, and they have no gaps. A merchant at whom it
 * fails is left alone for a while that grows, and holds up no other.
 * @returns how many events were taken
 */
export async function followEvents(
  deps: { database: Database; jobs: JobMonitor },
  mode: Mode,
  reader: EventReader,
): Promise<number> {
  const { name, job, types } = reader;
  const failures = deps.jobs.failuresOf(job);
  const leftOut = merchantsBackingOff(failures, mode);
  const ahead = await deps.database.query(listBooksToFollow, [mode, name, BOOKS_A_RUN, types, LOOKED_AT, leftOut]);
  const passed: PassedRow[] = [];
  const others: Tenant[] = [];
  for (const { merchant_id, read_to, last_sequence, is_empty } of ahead) {
    const tenant: Tenant = { merchantId: merchant_id, mode };
    // What failed the last time is not put together with the rest again.
    const isPassed = is_empty && read_to !== null && !failures.hasFailed(tenantKey(tenant));
    if (isPassed) passed.push({ merchant_id, mode, reader: name, read_to, last_sequence });
    else others.push(tenant);
  }
  await passBooks(deps.database, passed, failures);
  return takeTurns<Tenant>(others, {
    failures,
    slots: ONE_AT_A_TIME,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => followTenant(deps.database, tenant, reader),
    aboutOf: (tenant) => ({ message: NOT_FOLLOWED, reader: name, ...tenant }),
  });
}

async function passBooks(database: Database, passed: PassedRow[], failures: JobFailures): Promise<void> {
  // In one order, so that two who do it at once do not wait for each other.
  passed.sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1));
  for (let at = 0; at < passed.length; at += PASSED_AT_ONCE)
    await inHalves(
      passed.slice(at, at + PASSED_AT_ONCE),
      (some) => database.run(...rowsFor(updateEventCursorsPassed, some)),
      (row, error) => {
        const tenant = tenantOf(row);
        failures.failed(tenantKey(tenant), error, { message: NOT_FOLLOWED, reader: row.reader, ...tenant });
      },
    );
}

async function followTenant(database: Database, tenant: Tenant, reader: EventReader): Promise<number> {
  let taken = 0;
  for (let at = 0; at < STEPS_A_MERCHANT; at += 1) {
    const step = await database.transaction((tx) => followStep(tx, tenant, reader));
    taken += step.taken;
    if (step.isOver) break;
  }
  return taken;
}

async function followStep(
  tx: Tx,
  tenant: Tenant,
  { name, types, take }: EventReader,
): Promise<{ taken: number; isOver: boolean }> {
  const key = [tenant.merchantId, tenant.mode, name];
  await tx.query(insertEventCursor, key);
  const [cursor] = await tx.query(lockEventCursor, key);
  // Another worker has these books.
  if (cursor === undefined) return { taken: 0, isOver: true };
  const { read_to: after, last_sequence: last } = cursor;
  const upTo = after + EVENTS_A_STEP < last ? after + EVENTS_A_STEP : last;
  const events = await tx.query(listFollowedEvents, [tenant.merchantId, tenant.mode, after, upTo, types]);
  if (events.length > 0) await take(tx, tenant, events);
  await tx.query(updateEventCursor, [...key, upTo]);
  return { taken: events.length, isOver: upTo === last };
}

/** When the first event was that a reader has not read, of whichever merchant; null where it has read all. */
export async function readFollowedTo(queries: Queries, name: string): Promise<Date | null> {
  const [row] = await queries.query(findOldestUnread, [name, BOOKS_A_RUN]);
  return row?.at ?? null;
}
