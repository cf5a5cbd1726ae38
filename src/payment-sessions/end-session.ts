import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type Statement, write } from '../platform/db/statement.ts';
import type { JobFailures, JobMonitor } from '../platform/jobs/job-monitor.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../platform/tenant.ts';
import { commitChange, type ReadSession } from './change-session.ts';
import type { SessionDeps } from './deps.ts';
import { sessionEnded } from './errors.ts';
import { listDueExpiries, type SessionRow, updateSessionsAdvanced } from './queries.ts';
import { requireSession } from './read-sessions.ts';
import { isConclusive, isPayable } from './session-state.ts';

const EXPIRIES: DueJob = {
  name: 'payment-sessions.expire',
  message: 'a payment session could not be ended',
  due: listDueExpiries,
  ofMerchant: 100,
  ofAll: 500,
};

/**
 * Cancels a session: its page shows nothing to pay any more. Money that comes all the same is credited, as late. One that
 * is cancelled already stays so.
 * @throws AppError `PAYMENT_SESSION_NOT_FOUND`, `PAYMENT_SESSION_ENDED`
 */
export async function cancelSession(deps: SessionDeps, tenant: Tenant, sessionId: string): Promise<ReadSession> {
  const at = deps.clock.now();
  const cancelled = await commitChange(deps, { tenant, sessionId }, ({ row }) => {
    if (row.status === 'CANCELLED') return undefined;
    if (isConclusive(row.status)) throw sessionEnded(row.status);
    return { at, to: 'CANCELLED', events: ['payment_session.cancelled'] };
  });
  return cancelled ?? requireSession(deps, tenant, sessionId);
}

/** Ends the open sessions of a mode whose time is over. @returns how many. */
export function expireSessions(deps: SessionDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  return runDueSessions(deps, mode, { ...EXPIRIES, stopped }, (row) => expire(deps, row));
}

async function expire(deps: SessionDeps, { id: sessionId, ...row }: SessionRow): Promise<boolean> {
  const at = deps.clock.now();
  const expired = await commitChange(deps, { tenant: tenantOf(row), sessionId }, ({ row: now }) =>
    isPayable(now.status) && now.expires_at <= at
      ? { at, to: 'EXPIRED', events: ['payment_session.expired'] }
      : undefined,
  );
  return expired !== undefined;
}

/** Makes open sessions of a sandbox expire this much earlier, in the movement that moves its clock. */
export function sessionAdvanceWrites({ merchantId, mode }: Tenant, seconds: number) {
  return [write(updateSessionsAdvanced, { merchant_id: merchantId, mode, seconds })];
}

/** Merchants at once: a turn waits for its group of movements to commit, or for a provider, most of the time. */
const SLOTS = { LIVE: 8, SANDBOX: 4 };

/** A scheduled job over sessions that are due. */
export interface DueJob {
  /** The name under which its failures are counted. */
  name: string;
  /** Logged about a session that failed. */
  message: string;
  /** Lists what is due: $1 mode, $2 now, $3 ids to leave out, $4 most of one merchant, $5 most of all. */
  due: Statement<SessionRow>;
  /** The most sessions of one merchant in one run, all at once. */
  ofMerchant: number;
  /** The most sessions of all merchants in one run. */
  ofAll: number;
  stopped?: AbortSignal | undefined;
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
  { name, message, due, ofMerchant, ofAll, stopped }: DueJob,
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
    stopped,
    slots: SLOTS,
    tenantOf: ([first]) => tenantOf(first),
    keyOf: ([first]) => tenantKey(tenantOf(first)),
    hasFailed: ([first]) => failures.hasFailed(first.id),
    take: async (turn) => (await Promise.all(turn.map(attempt))).filter(Boolean).length,
    aboutOf: ([first]) => ({ message, ...tenantOf(first) }),
  });
}

type DueTurn = [SessionRow, ...SessionRow[]];

/** A session that failed the last time has a turn of its own. */
function turnsOf(rows: readonly SessionRow[], failures: JobFailures): DueTurn[] {
  const keyOf = ({ id, merchant_id }: SessionRow) => (failures.hasFailed(id) ? id : merchant_id);
  return [...Map.groupBy(rows, keyOf).values()] as DueTurn[];
}
