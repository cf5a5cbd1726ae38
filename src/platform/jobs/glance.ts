import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Mode } from '../tenant.ts';
import { glanceAt, type Queue } from './queries.ts';

/** An answer is used for so long: jobs that ask within it share one. */
const MAX_AGE_MS = 500;
/** At least this often a job looks by itself, whatever the glance says. */
const UNASKED_MS = 60_000;

export interface Glance {
  /**
   * Whether a job has to look: one of its queues has rows, or it has not looked for a minute. Where the database is one
   * server, a look costs less than the question, and the answer is yes; the same where the question fails, so that a
   * fault of one queue does not concern the others.
   * @param mode of the job; undefined where it has both
   * @throws Error while it is not known whether Citus distributes the database
   */
  hasWork(queues: readonly Queue[], mode?: Mode): Promise<boolean>;
  /**
   * Asks about these queues now, also where one server has the database. A worker that does all that is due asks once for all
   * its jobs.
   * @returns whether one of the queues of a job has rows
   */
  look(queues: readonly Queue[]): Promise<(queues: readonly Queue[], mode?: Mode) => boolean>;
}

/** @param mode of the job; undefined where it has both */
const namesOf = (queues: readonly Queue[], mode: Mode | undefined): string[] =>
  queues.map(({ statement: { name }, hasNoMode }) => (mode === undefined || hasNoMode ? name : `${name}/${mode}`));

/**
 * Asks about the queues of all jobs at once, so that jobs with nothing to do ask nothing by themselves. Where Citus
 * distributes the database this matters: each question goes to every shard, and is planned at both ends.
 */
export function createGlance({
  database,
  clock,
}: {
  database: Pick<Database, 'query' | 'isDistributed'>;
  clock: Pick<Clock, 'now' | 'elapsedMs'>;
}): Glance {
  /** The queues of every job that has asked, by name. */
  const known = new Map<string, Queue>();
  const lookedAt = new Map<string, number>();
  let latest: { askedAt: number; found: Promise<ReadonlySet<string>> } | undefined;
  let distributed: boolean | undefined;

  async function ask(queues: Iterable<Queue>): Promise<ReadonlySet<string>> {
    const all = [...queues].sort((a, b) => (a.statement.name < b.statement.name ? -1 : 1));
    const apart = [all.filter(({ isCopied }) => !isCopied), all.filter(({ isCopied }) => isCopied)];
    const asked = apart.filter((some) => some.length > 0).map((some) => glanceAt(some, clock.now()));
    const rows = await Promise.all(asked.map(({ statement, values }) => database.query(statement, values)));
    return new Set(
      rows.flat().flatMap(({ queue: name, mode }) => (mode === null ? [name] : [name, `${name}/${mode}`])),
    );
  }

  function read(now: number): Promise<ReadonlySet<string>> {
    if (latest === undefined || now - latest.askedAt >= MAX_AGE_MS)
      latest = { askedAt: now, found: ask(known.values()) };
    return latest.found;
  }

  return {
    async hasWork(queues, mode) {
      distributed ??= await database.isDistributed();
      if (!distributed) return true;
      for (const each of queues) known.set(each.statement.name, each);
      const names = namesOf(queues, mode);
      const job = names.join();
      const now = clock.elapsedMs();
      const isLate = now - (lookedAt.get(job) ?? Number.NEGATIVE_INFINITY) >= UNASKED_MS;
      const found = isLate ? undefined : await read(now).catch(() => undefined);
      const hasWork = found === undefined || names.some((name) => found.has(name));
      if (hasWork) lookedAt.set(job, now);
      return hasWork;
    },
    async look(queues) {
      const found = await ask(new Map(queues.map((each) => [each.statement.name, each])).values());
      return (some, mode) => namesOf(some, mode).some((name) => found.has(name));
    },
  };
}
