import { boundedLines } from '../bounded-lines.ts';
import { createLruMap } from '../cache.ts';
import type { Clock } from '../clock.ts';
import { isDatabaseAway } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Mode } from '../tenant.ts';

/** How long a thing that failed is left alone: first this, then twice as long each time, up to the last. */
interface BackoffDelays {
  firstMs: number;
  maxMs: number;
}

const DEFAULT_DELAYS: BackoffDelays = { firstMs: 1_000, maxMs: 5 * 60_000 };
/** Things that fail at one job and are remembered. One that is dropped begins again with the first delay. */
const MAX_REMEMBERED = 10_000;

/** What failed, for the log. `mode` also labels the metric; a merchant's id is in the log alone. */
export interface FailedAbout {
  message: string;
  mode?: Mode | undefined;
  merchantId?: string | undefined;
  [name: string]: unknown;
}

/** Failures of one job, by a key: a tenant, a row, or the job itself. In memory, so each process has its own. */
export interface JobFailures {
  /** Whether it is to be left alone for now. */
  isBackingOff(key: string): boolean;
  /** Whether its last attempt failed. */
  hasFailed(key: string): boolean;
  /** Whether anything at all has failed and not succeeded since. */
  hasAny(): boolean;
  /**
   * The keys that failed the last time, and those that are left alone for now: for the query that lists what is due.
   */
  failedKeys(): string[];
  backingOffKeys(): string[];
  /** Notes a failure, counts it and logs it within limits. @returns for how many milliseconds it is left alone. */
  failed(key: string, error: unknown, about: FailedAbout): number;
  /** Its next failure counts as the first again. */
  succeeded(key: string): void;
}

export interface JobMonitor {
  /** The failures of a job; the same object for every call. */
  failuresOf(job: string, delays?: BackoffDelays): JobFailures;
  /** How many things each job leaves alone at this moment, for metrics. */
  backingOff(): { job: string; mode: string; count: number }[];
  /** A run of a scheduled job begins. @returns a function to call when it ends */
  began(job: string, mode: Mode | undefined): () => void;
  /** For how long each job that is running has been running: of several runs, the longest. For metrics. */
  running(): { job: string; mode: string; seconds: number }[];
}

interface JobMonitorDeps {
  clock: Clock;
  logger: Logger;
  /** Called with every failure. `mode` is empty where a job has none. */
  onFailure?: (job: string, mode: string) => void;
}

interface Failure {
  failures: number;
  mode: string;
  failedAt: number;
  delayMs: number;
}

/**
 * Keeps failures from costing others anything: what failed is left alone for a time that grows, and reported within
 * limits.
 */
export function createJobMonitor(deps: JobMonitorDeps): JobMonitor {
  const jobs = new Map<string, JobFailures & { backingOff(): Failure[] }>();
  /** In the order in which they began. */
  const runs = new Set<{ job: string; mode: string; beganMs: number }>();
  return {
    failuresOf(job, delays = DEFAULT_DELAYS) {
      const known = jobs.get(job);
      if (known !== undefined) return known;
      const made = createJobFailures(deps, job, delays);
      jobs.set(job, made);
      return made;
    },
    backingOff() {
      return [...jobs].flatMap(([job, failures]) => {
        const byMode = Map.groupBy(failures.backingOff(), ({ mode }) => mode);
        return Array.from(byMode, ([mode, some]) => ({ job, mode, count: some.length }));
      });
    },
    began(job, mode) {
      const run = { job, mode: mode ?? '', beganMs: deps.clock.elapsedMs() };
      runs.add(run);
      return () => void runs.delete(run);
    },
    running() {
      const now = deps.clock.elapsedMs();
      const longest = new Map([...runs].reverse().map((run) => [`${run.job}/${run.mode}`, run]));
      return Array.from(longest.values(), ({ job, mode, beganMs }) => ({
        job,
        mode,
        seconds: (now - beganMs) / 1_000,
      }));
    },
  };
}

function createJobFailures({ clock, logger, onFailure }: JobMonitorDeps, job: string, delays: BackoffDelays) {
  const known = createLruMap<Failure>(MAX_REMEMBERED);
  const mayLog = boundedLines(() => clock.now().getTime());

  // A clock that was set back ends the wait.
  const isWaiting = ({ failedAt, delayMs }: Failure, now: number) => now >= failedAt && now - failedAt < delayMs;

  return {
    isBackingOff(key: string) {
      const failure = known.get(key);
      return failure !== undefined && isWaiting(failure, clock.now().getTime());
    },
    hasFailed: (key: string) => known.has(key),
    hasAny: () => known.size > 0,
    failedKeys: () => [...known.keys()],
    backingOffKeys() {
      const now = clock.now().getTime();
      return [...known.entries()].filter(([, failure]) => isWaiting(failure, now)).map(([key]) => key);
    },
    failed(key: string, error: unknown, { message, ...about }: FailedAbout) {
      const before = known.get(key)?.failures ?? 0;
      const failures = isDatabaseAway(error) ? Math.max(before, 1) : before + 1;
      const delayMs = isDatabaseAway(error)
        ? delays.firstMs
        : Math.min(delays.firstMs * 2 ** Math.min(before, 30), delays.maxMs);
      const mode = about.mode ?? '';
      known.set(key, { failures, mode, failedAt: clock.now().getTime(), delayMs });
      onFailure?.(job, mode);
      const leftOut = mayLog();
      if (leftOut !== undefined) {
        logger.error(
          { err: error, job, ...about, failures, retryInMs: delayMs, ...(leftOut > 0 && { leftOut }) },
          message,
        );
      }
      return delayMs;
    },
    succeeded: (key: string) => void known.delete(key),
    backingOff() {
      const now = clock.now().getTime();
      return [...known.values()].filter((failure) => isWaiting(failure, now));
    },
  };
}
