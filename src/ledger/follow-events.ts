import type { Clock } from '../platform/clock.ts';
import type { Database, Queries, Tx } from '../platform/db/database.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';
import {
  type FollowedEvent,
  findOldestUnread,
  insertEventCursor,
  listBooksToFollow,
  listFollowedEvents,
  lockEventCursor,
  updateEventCursor,
} from './follower-queries.ts';

/** Books that one run goes through; those that are left are due at the next one. */
const BOOKS_A_RUN = 5_000;
/** Events that one transaction passes: some hundredths of a second. */
const EVENTS_A_STEP = 5_000n;
/** Transactions that one merchant gets in one run, so that a long history does not keep the others waiting. */
const STEPS_A_MERCHANT = 100;

/** What reads the events of all books behind them, each event once. */
export interface EventReader {
  /** Under which it remembers how far it has come. */
  name: string;
  types: readonly string[];
  /** In the transaction that remembers it: events of these types, in order. It writes only what is the reader's own. */
  take: (tx: Tx, tenant: Tenant, events: readonly FollowedEvent[]) => Promise<void>;
}

/**
 * Reads on in the events of every merchant whose books in this mode went on. It takes no lock that a movement waits for:
 * events never change, and they have no gaps.
 * @returns how many events were taken
 */
export async function followEvents(
  deps: { database: Database; clock: Clock },
  mode: Mode,
  reader: EventReader,
): Promise<number> {
  const ahead = await deps.database.query(listBooksToFollow, [mode, reader.name, BOOKS_A_RUN]);
  let taken = 0;
  for (const { merchant_id } of ahead) {
    for (let at = 0; at < STEPS_A_MERCHANT; at += 1) {
      const step = await deps.database.transaction((tx) => followStep(tx, { merchantId: merchant_id, mode }, reader));
      taken += step.taken;
      if (step.isOver) break;
    }
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
