import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import type { Statement } from '../platform/db/statement.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, tenantKey, tenantOf } from '../platform/tenant.ts';
import type { SessionRow } from './queries.ts';

/** A scheduled job over sessions that are due. */
export interface DueJob {
  /** The name under which its failures are counted. */
  name: string;
  /** Logged about a session that failed. */
  message: string;
  /** Lists what is due: $1 mode, $2 now, $3 ids to leave out, $4 most of one merchant, $5 most of all. */
  due: Statement<SessionRow>;
  /** Most of one merchant in a run, all at once. */
  ofMerchant: number;
  /** Most of all merchants in a run. */
  ofAll: number;
}

/**
 * One run of a job over the sessions that are due in one mode. Merchants take turns, and in its turn what is due of a
 * merchant is done at once. A session that fails is left alone for a while that grows, and is then tried by itself,
 * beside the others: it delays nothing of another merchant. Any number of workers may do it at once.
 * @param act on one session; whether it did what was due
 * @returns for how many it did.
 */
export async function runDueSessions(
  { database, clock, jobs }: { database: Database; clock: Clock; jobs: JobMonitor },
  mode: Mode,
  { name, message, due, ofMerchant, ofAll }: DueJob,
  act: (row: SessionRow) => Promise<boolean>,
): Promise<number> {
  const failures = jobs.failuresOf(name);
  const rows = await database.query(due, [mode, clock.now(), failures.backingOffKeys(), ofMerchant, ofAll]);

  async function attempt(row: SessionRow): Promise<boolean> {
    try {
      const done = await act(row);
      failures.succeeded(row.id);
      return done;
    } catch (error) {
      failures.failed(row.id, error, { message, ...tenantOf(row), sessionId: row.id });
      return false;
    }
  }

  return takeTurns<DueTurn>(turnsOf(rows, failures), {
    failures,
    tenantOf: ([first]) => tenantOf(first),
    keyOf: ([first]) => tenantKey(tenantOf(first)),
    hasFailed: ([first]) => failures.hasFailed(first.id),
    take: async (turn) => (await Promise.all(turn.map(attempt))).filter(Boolean).length,
    aboutOf: ([first]) => ({ message, ...tenantOf(first) }),
  });
}

type DueTurn = [SessionRow, ...SessionRow[]];

/** What failed the last time has a turn of its own each. */
function turnsOf(rows: readonly SessionRow[], failures: JobFailures): DueTurn[] {
  const keyOf = ({ id, merchant_id }: SessionRow) => (failures.hasFailed(id) ? id : merchant_id);
  return [...Map.groupBy(rows, keyOf).values()] as DueTurn[];
}
