import type { Clock } from '../platform/clock.ts';
import type { Database, Queries, Tx } from '../platform/db/database.ts';
import { among, rowsFor, setStatement, statement } from '../platform/db/statement.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { inHalves, merchantsBackingOff, ONE_AT_A_TIME, takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { type ActiveBooks, type ActiveBooksOptions, askedBooks, followActiveBooks } from './active-books.ts';
import { updateEventCursorBack, waitForEventCursor } from './rebuild-queries.ts';

/**
 * Those of the books of `askedBooks` that have new events for the reader `$4`.
 * Where there are at most `$6` new events, `is_empty` says whether none is of the types `$5`. Books and events are read at one
 * moment.
 */
const listBooksToFollow = statement<{
  merchant_id: string;
  read_to: bigint | null;
  last_sequence: bigint;
  is_empty: boolean;
}>(
  'list-books-to-follow',
  `select b.merchant_id, c.event_sequence as read_to, b.event_sequence as last_sequence,
          coalesce(b.event_sequence <= c.event_sequence + $6::bigint and not exists (
            select from events e
             where e.merchant_id = b.merchant_id and e.mode = b.mode and e.sequence > c.event_sequence
               and e.sequence <= b.event_sequence and e.type = any($5::text[])
          ), false) as is_empty
     from unnest($1::uuid[], $2::text[]) as asked (merchant_id, mode)
     join books b on b.merchant_id = asked.merchant_id and b.mode = asked.mode
     left join event_cursors c on c.merchant_id = b.merchant_id and c.mode = b.mode and c.reader = $4
    where b.event_sequence > coalesce(c.event_sequence, 0) and ${among('b.merchant_id', 3)}`,
);

interface PassedRow {
  merchant_id: string;
  mode: Mode;
  reader: string;
  read_to: bigint;
  last_sequence: bigint;
}

/** Moves the cursor past events of which none is for the reader, unless another process moved it meanwhile. */
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

/**
 * Locks the cursor, so that no other process follows these books meanwhile: no row where one does. The books themselves
 * are not locked.
 */
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

/** Events after `$3` and up to `$4`, in order, of the types `$5`. */
const listFollowedEvents = statement<FollowedEvent>(
  'list-followed-events',
  `select type, subject_id, created_at from events
    where merchant_id = $1 and mode = $2 and sequence > $3 and sequence <= $4 and type = any($5::text[])
    order by sequence`,
);

/**
 * The time of the first event that the reader `$1` has not read, over books that it has not read to their end. $2 how
 * many books.
 */
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

/**
 * Events of one merchant that the list checks for wanted types; where there are more, the merchant's own transaction
 * finds them.
 */
const LOOKED_AT = 100;
/** Books whose cursor one statement moves. */
const PASSED_AT_ONCE = 256;
/** Books that one run handles; the others are due at the next run. */
const BOOKS_A_RUN = 5_000;
/** Events that one transaction reads: some hundredths of a second. */
const EVENTS_A_STEP = 5_000n;
/**
 * Transactions for one merchant in one run, so that a merchant with a long history does not keep the others waiting.
 */
const STEPS_A_MERCHANT = 100;
const NOT_FOLLOWED = 'the events of a merchant could not be followed';

/** A job that reads the events of all books after they were committed, each event once. */
export interface EventReader {
  /** The name of its cursors. */
  name: string;
  /** The name under which its failures are counted. */
  job: string;
  types: readonly string[];
  /**
   * Gets events of these types, in order, in the transaction that moves the cursor. It writes only what is the reader's
   * own.
   */
  take: (tx: Tx, tenant: Tenant, events: readonly FollowedEvent[]) => Promise<void>;
}

export interface FollowDeps {
  database: Database;
  clock: Clock;
  jobs: JobMonitor;
}

/** The job that reads the new events of a mode for a reader. It remembers from one run to the next whom to look at. */
export function eventFollower(
  deps: FollowDeps,
  mode: Mode,
  reader: EventReader,
  options?: ActiveBooksOptions,
): (stopped?: AbortSignal) => Promise<number> {
  const books = followActiveBooks(deps, mode, options);
  return (stopped) => followEvents(deps, mode, reader, books, stopped);
}

/**
 * Reads the new events of the books that went on in this mode; merchants that have nothing for the reader are passed many at
 * once. It takes no lock that a movement waits for: events never change, and they have no gaps. A merchant that fails
 * is left alone for a time that grows with each failure, and delays no other.
 * @returns how many events were taken
 */
export async function followEvents(
  deps: FollowDeps,
  mode: Mode,
  reader: EventReader,
  books: ActiveBooks = followActiveBooks(deps, mode),
  stopped?: AbortSignal,
): Promise<number> {
  const { name, job, types } = reader;
  const failures = deps.jobs.failuresOf(job);
  const leftOut = new Set(merchantsBackingOff(failures, mode));
  const asked = [...(await books.look())].filter((merchantId) => !leftOut.has(merchantId)).slice(0, BOOKS_A_RUN);
  if (asked.length === 0) return 0;
  const about = [...askedBooks(asked, mode), name, types, LOOKED_AT];
  const ahead = await deps.database.query(listBooksToFollow, about);
  books.answered(asked, ahead);
  const passed: PassedRow[] = [];
  const others: Tenant[] = [];
  for (const { merchant_id, read_to, last_sequence, is_empty } of ahead) {
    const tenant: Tenant = { merchantId: merchant_id, mode };
    // A merchant that failed the last time is handled by itself.
    const isPassed = is_empty && read_to !== null && !failures.hasFailed(tenantKey(tenant));
    if (isPassed) passed.push({ merchant_id, mode, reader: name, read_to, last_sequence });
    else others.push(tenant);
  }
  await passBooks(deps.database, passed, failures);
  return takeTurns<Tenant>(others, {
    failures,
    stopped,
    slots: ONE_AT_A_TIME,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => followTenant(deps.database, tenant, reader, stopped),
    aboutOf: (tenant) => ({ message: NOT_FOLLOWED, reader: name, ...tenant }),
  });
}

async function passBooks(database: Database, passed: PassedRow[], failures: JobFailures): Promise<void> {
  // In one order, so that two processes do not wait for each other in a deadlock.
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

async function followTenant(
  database: Database,
  tenant: Tenant,
  reader: EventReader,
  stopped: AbortSignal | undefined,
): Promise<number> {
  let taken = 0;
  for (let at = 0; at < STEPS_A_MERCHANT && stopped?.aborted !== true; at += 1) {
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
  // The cursor is read as it is once it is locked, and the books as they were when this statement began: another worker may
  // have gone further meanwhile, and moved back it would have events taken twice.
  if (last <= after) return { taken: 0, isOver: true };
  const upTo = after + EVENTS_A_STEP < last ? after + EVENTS_A_STEP : last;
  const events = await tx.query(listFollowedEvents, [tenant.merchantId, tenant.mode, after, upTo, types]);
  if (events.length > 0) await take(tx, tenant, events);
  await tx.query(updateEventCursor, [...key, upTo]);
  return { taken: events.length, isOver: upTo === last };
}

/**
 * Keeps the reader from these books until the transaction has ended, for one who makes anew what it keeps: its cursor stays
 * where it is, and goes back to the last event where it was beyond.
 */
export async function holdReader(tx: Tx, { merchantId, mode }: Tenant, name: string): Promise<void> {
  const key = [merchantId, mode, name];
  await tx.query(insertEventCursor, key);
  await tx.query(waitForEventCursor, key);
  await tx.query(updateEventCursorBack, key);
}

/** The time of the first event that a reader has not read, of any merchant; null where it has read all. */
export async function readFollowedTo(queries: Queries, name: string): Promise<Date | null> {
  const [row] = await queries.query(findOldestUnread, [name, BOOKS_A_RUN]);
  return row?.at ?? null;
}
