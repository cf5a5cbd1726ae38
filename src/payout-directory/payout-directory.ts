import { type EventReader, eventFollower, type FollowDeps, readFollowedTo } from '../ledger/index.ts';
import { payoutEvents } from '../payouts/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import { timeOfId } from '../platform/ids.ts';
import { type ListRequest, MAX_LOOKED_AT, sinceOf } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import { type Mode, type Tenant, tenantOf } from '../platform/tenant.ts';
import {
  addToRailTotals,
  depthOf,
  ENDS,
  type FoundPayoutRow,
  findInDirectory,
  findOldestOpen,
  findPayoutOfAnybody,
  foundPayoutList,
  type PayoutSearch,
  READER,
  upsertDirectoryEntries,
} from './queries.ts';

const reader: EventReader = {
  name: READER,
  job: 'payout-directory.follow',
  types: Object.keys(payoutEvents),
  async take(tx, { merchantId, mode }, events) {
    const ids = [...new Set(events.map(({ subject_id }) => subject_id))];
    await tx.query(upsertDirectoryEntries, [merchantId, mode, arrayOf('uuid', ids)]);
    const ends = events.filter(({ type }) => ENDS.includes(type));
    if (ends.length === 0) return;
    await tx.query(addToRailTotals, [
      merchantId,
      mode,
      arrayOf(
        'uuid',
        ends.map(({ subject_id }) => subject_id),
      ),
      arrayOf(
        'text',
        ends.map(({ type }) => type),
      ),
      arrayOf(
        'timestamptz',
        ends.map(({ created_at }) => created_at),
      ),
    ]);
  },
};

/**
 * The job that writes down what happened to payouts since the last time: where each is found, and what each rail ended. A
 * worker does it, behind the books; of every event once. It returns how many events were taken.
 */
export function payoutDirectoryKeeper(deps: FollowDeps, mode: Mode): (stopped?: AbortSignal) => Promise<number> {
  return eventFollower(deps, mode, reader);
}

/** When the first event was that the directory does not know yet; null where it knows all. */
export const readDirectoryLag = (queries: Queries): Promise<Date | null> => readFollowedTo(queries, READER);

export interface FoundPayouts extends FoundList<FoundPayoutRow> {
  /** The search went no further back than this; null where it went to the beginning. */
  lookedBackTo: Date | null;
}

/**
 * Payouts of all merchants, newest first. What no index has is looked for among the newest 50,000 that the others find.
 * @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID`
 */
export function searchPayouts(database: Database, search: PayoutSearch, request: ListRequest): Promise<FoundPayouts> {
  return database.reading.snapshot(async (queries) => {
    const since = sinceOf(request) ?? ('cursor' in request ? undefined : await beginningOf(queries, search));
    const found = await readList(queries, foundPayoutList(search, since), request);
    return { ...found, lookedBackTo: since ?? null };
  });
}

async function beginningOf(queries: Queries, search: PayoutSearch): Promise<Date | undefined> {
  const asked = depthOf(search, MAX_LOOKED_AT);
  if (asked === undefined) return undefined;
  const [last] = await queries.query(asked.statement, [...asked.values]);
  return last === undefined ? undefined : timeOfId(last.payout_id);
}

/** Whose payout it is; undefined where there is none. */
export async function findPayoutTenant(queries: Queries, payoutId: string): Promise<Tenant | undefined> {
  const [known] = await queries.query(findInDirectory, [payoutId]);
  const [found] = known === undefined ? await queries.query(findPayoutOfAnybody, [payoutId]) : [known];
  return found === undefined ? undefined : tenantOf(found);
}

/** The oldest of so many that were asked for first is the oldest of all, but for days that many wait for. */
const MOST_OPEN = 500;

/** The payout that was sent longest ago and has no outcome; undefined where none is under way. */
export async function findOldestUnknown(queries: Queries) {
  const [oldest] = await queries.query(findOldestOpen, [MOST_OPEN]);
  if (oldest === undefined || oldest.first_sent_at === null) return undefined;
  return { ...oldest, first_sent_at: oldest.first_sent_at };
}
