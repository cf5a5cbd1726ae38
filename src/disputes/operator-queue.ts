import { noteOf, requireOperator } from '../people/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { List, ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Mode } from '../platform/tenant.ts';
import { countReported, type DirectoryRow, reportedList, updateReportedDismissed } from './directory-queries.ts';
import { reportedNotFound } from './errors.ts';
import { CONTRADICTED_END, countOperatorDisputes, type DisputeRow, OPEN_REFUND, SHORT_END } from './queries.ts';

/** A dispute that has ended, and whose end its provider contradicts, stays in the queue and counts for so long. */
const ENDED_COUNT_MS = 30 * 24 * 60 * 60_000;

type OperatorDispute = DisputeRow & { sort_at: Date };

/** A dispute without a day comes first: nobody knows how much time is left. */
const DUE = `coalesce(d.due_at, d.opened_at)`;

/** Disputes of all merchants that are open or have to be looked at, the first due first. */
function queue(mode: Mode | undefined): List<OperatorDispute> {
  const values: unknown[] = [];
  const where = ['true'];
  if (mode !== undefined) where.push(`q.mode = $${values.push(mode)}`);
  return {
    name: 'disputes of all merchants',
    of: [mode],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'q.sort_at', type: 'timestamptz', of: ({ sort_at }) => sort_at },
        { sql: 'q.id', type: 'uuid', of: ({ id }) => id },
      ],
    },
    columns: 'q.*',
    from: `(
     select d.*, ${DUE} as sort_at from disputes d where d.ended_at is null
      union all
     select d.*, ${DUE} as sort_at from disputes d where ${CONTRADICTED_END}
      union all
     select d.*, ${DUE} as sort_at from disputes d where ${SHORT_END} and ${OPEN_REFUND}
   ) q`,
    where,
    values,
  };
}

/** @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readDisputeQueue(
  queries: Queries,
  mode: Mode | undefined,
  request: ListRequest,
): Promise<FoundList<OperatorDispute>> {
  return readList(queries, queue(mode), request);
}

/** How many disputes have to be looked at, and how many reports belong to no payment of ours, or contradict it. */
export async function countDisputesToLookAt(
  queries: Queries,
  now: Date,
): Promise<{ disputes: number; reported: number }> {
  const [[disputes], [reported]] = await Promise.all([
    queries.query(countOperatorDisputes, [new Date(now.getTime() - ENDED_COUNT_MS)]),
    queries.query(countReported, []),
  ]);
  return { disputes: disputes?.count ?? 0, reported: reported?.count ?? 0 };
}

/** Reports that belong to no payment of ours, or contradict it. @throws AppError as `readDisputeQueue` */
export function readReported(
  queries: Queries,
  mode: Mode | undefined,
  request: ListRequest,
): Promise<FoundList<DirectoryRow>> {
  return readList(queries, reportedList(mode), request);
}

/**
 * Dismisses a report that belongs to no payment of ours, with what was found out about it. No money moves. Where the
 * provider reports it again, it stays dismissed.
 * @throws AppError 400 without a note; 403 `OPERATOR_NOT_FOUND`; 404 `REPORTED_DISPUTE_NOT_FOUND`
 */
export async function dismissReported(
  { database, clock }: { database: Database; clock: Clock },
  given: { rail: string; providerDisputeId: string; note: string; personId: string },
): Promise<void> {
  const note = noteOf(given.note);
  await requireOperator(database, given.personId);
  const key = [given.rail, given.providerDisputeId];
  const ended = await database.query(updateReportedDismissed, [...key, given.personId, note, clock.now()]);
  if (ended.length === 0) throw reportedNotFound();
}
