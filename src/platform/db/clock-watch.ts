import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { IDLE_TIMEOUT_MS } from './connections.ts';
import type { Database } from './database.ts';

/** Leases are renewed long before this shortens one; beyond it, one process may lease what another still works on. */
const MOST_SECONDS = 5;
/** Sooner than an idle connection is closed: `rotate-pepper` sees by it that a service runs to which nobody sends anything. */
export const LOOK_EVERY_MS = IDLE_TIMEOUT_MS / 2;

interface WatchDeps {
  database: Database;
  clock: Clock;
  logger: Logger;
}

/**
 * By how many seconds the clock of this process is at least ahead of the database's, less than zero where it is behind. What the
 * question took is not counted.
 */
export async function secondsAhead({ database, clock }: Pick<WatchDeps, 'database' | 'clock'>): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const after = clock.now().getTime();
  const theirs = rows[0]?.now.getTime() ?? before;
  if (theirs < before) return (before - theirs) / 1_000;
  return theirs > after ? (after - theirs) / 1_000 : 0;
}

/**
 * Reports at once, and again and again, that the clock of this machine is not the database's, which all processes share. Leases, schedules,
 * sessions and the limits of a day go by the clock of whichever process looks. A database that is away is reported elsewhere.
 * @returns what ends it
 */
export function watchClock(deps: WatchDeps, everyMs = LOOK_EVERY_MS): () => void {
  const look = async (): Promise<void> => {
    const seconds = await secondsAhead(deps).catch(() => 0);
    if (Math.abs(seconds) <= MOST_SECONDS) return;
    deps.logger.error({ seconds }, 'the clock of this machine is not that of the database');
  };
  void look();
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
