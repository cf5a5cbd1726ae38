import { boundedLines } from '../bounded-lines.ts';
import { type Clock, DAY_MS } from '../clock.ts';
import { isDatabaseAway, lineOfFailure } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Mode, type Tenant, tenantKey } from '../tenant.ts';

/** How long a thing that failed is left alone: first this, then twice as long each time, up to the last. */
interface BackoffDelays {
  firstMs: number;
  maxMs: number;
}

const DEFAULT_DELAYS: BackoffDelays = { firstMs: 1_000, maxMs: 5 * 60_000 };
/**
 * Things that fail at one job and are remembered. One that is dropped begins again with the first delay. Statements
 * compare each due row with each key: 10,000 of one tenant took them 570 ms, 1,000 take 2 ms.
 */
const MAX_REMEMBERED = { ofOwner: 1_000, inAll: 10_000 };

/**
 * What failed, for the log. `mode` also labels the metric; a merchant's id is in the log alone. The merchant in its mode
 * is the owner of the failure, or else the rail: no owner has what another one failed at forgotten.
 */
export interface FailedAbout {
  message: string;
  mode?: Mode | undefined;
  merchantId?: string | undefined;
  rail?: string | undefined;
  [name: string]: unknown;
}

/** Lines of a list that cannot be read. */
export interface Unreadable {
  lines: number;
  /** What tells them from each other; a bounded number of them, the first. */
  keys: ReadonlySet<string>;
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
  /** Those of one tenant alone, for what is due of it: how much fails for others costs it nothing. */
  backingOffKeysOf(tenant: Tenant): string[];
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
  /**
   * Whether a list has a line that cannot be read and that it did not have when this process last read it, or it last reported
   * them a day ago: such a line stays in a list for days, and nobody can make it go. Of several processes that read a list in
   * turn each reports it.
   */
  isNews(job: string, list: string, unreadable: Unreadable): boolean;
  /** For how long each job that is running has been running: of several runs, the longest. That of all is first. For metrics. */
  running(): { job: string; mode: string; seconds: number }[];
}

interface JobMonitorDeps {
  clock: Clock;
  logger: Logger;
  /** Called with every failure. `mode` is empty where a job has none. */
  onFailure?: (job: string, mode: string) => void;
}

interface Failure {
  owner: string;
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
  const unreadableOf = new Map<string, Unreadable & { saidMs: number }>();
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
    isNews(job, list, { lines, keys }) {
      const key = `${job}/${list}`;
      const before = unreadableOf.get(key);
      const now = deps.clock.elapsedMs();
      const hasMore = lines > (before?.lines ?? 0) || [...keys].some((line) => before?.keys.has(line) !== true);
      const isNews = hasMore || (lines > 0 && now - (before?.saidMs ?? now) >= DAY_MS);
      if (lines === 0) unreadableOf.delete(key);
      else unreadableOf.set(key, { lines, keys, saidMs: isNews ? now : (before?.saidMs ?? now) });
      return isNews;
    },
    running() {
      const now = deps.clock.elapsedMs();
      const longest = new Map<string, { job: string; mode: string; beganMs: number }>();
      for (const run of runs) {
        const key = `${run.job}/${run.mode}`;
        if (!longest.has(key)) longest.set(key, run);
      }
      return Array.from(longest.values(), ({ job, mode, beganMs }) => ({
        job,
        mode,
        seconds: (now - beganMs) / 1_000,
      }));
    },
  };
}

function createJobFailures({ clock, logger, onFailure }: JobMonitorDeps, job: string, delays: BackoffDelays) {
  const known = createRememberedFailures();
  const mayLog = boundedLines(() => clock.now().getTime());

  // A clock that was set back ends the wait.
  const isWaiting = ({ failedAt, delayMs }: Failure, now: number) => now >= failedAt && now - failedAt < delayMs;

  function waitingOf(entries: Iterable<[string, Failure]>): string[] {
    const now = clock.now().getTime();
    return [...entries].flatMap(([key, failure]) => (isWaiting(failure, now) ? [key] : []));
  }

  return {
    isBackingOff(key: string) {
      const failure = known.get(key);
      return failure !== undefined && isWaiting(failure, clock.now().getTime());
    },
    hasFailed: (key: string) => known.get(key) !== undefined,
    hasAny: () => known.size() > 0,
    failedKeys: () => known.all().map(([key]) => key),
    backingOffKeys: () => waitingOf(known.all()),
    backingOffKeysOf: (tenant: Tenant) => waitingOf(known.of(tenantKey(tenant))),
    failed(key: string, error: unknown, { message, ...about }: FailedAbout) {
      const before = known.get(key)?.failures ?? 0;
      const failures = isDatabaseAway(error) ? Math.max(before, 1) : before + 1;
      const delayMs = isDatabaseAway(error)
        ? delays.firstMs
        : Math.min(delays.firstMs * 2 ** Math.min(before, 30), delays.maxMs);
      const mode = about.mode ?? '';
      known.set(key, { owner: ownerOf(about), failures, mode, failedAt: clock.now().getTime(), delayMs });
      onFailure?.(job, mode);
      const leftOut = mayLog();
      if (leftOut !== undefined) {
        const line = { job, ...about, failures, retryInMs: delayMs, ...(leftOut > 0 && { leftOut }) };
        logger.error(...lineOfFailure(error, message, line));
      }
      return delayMs;
    },
    succeeded: (key: string) => known.delete(key),
    backingOff() {
      const now = clock.now().getTime();
      return known.all().flatMap(([, failure]) => (isWaiting(failure, now) ? [failure] : []));
    },
  };
}

/** As `tenantKey` where it has a merchant and a mode. */
const ownerOf = ({ merchantId, mode, rail }: Pick<FailedAbout, 'merchantId' | 'mode' | 'rail'>): string =>
  `${merchantId ?? rail ?? ''}/${mode ?? ''}`;

/**
 * Failures by key. An owner that has too many loses the one that failed longest ago; where all have too many, it is the
 * owner with the most.
 */
function createRememberedFailures() {
  const owners = new Map<string, string>();
  /** By owner and key; what failed last is last. */
  const byOwner = new Map<string, Map<string, Failure>>();

  const of = (owner: string): ReadonlyMap<string, Failure> => byOwner.get(owner) ?? NONE;

  function remove(key: string): void {
    const owner = owners.get(key);
    if (owner === undefined) return;
    owners.delete(key);
    const some = byOwner.get(owner);
    some?.delete(key);
    if (some?.size === 0) byOwner.delete(owner);
  }

  function removeFirstOf(some: ReadonlyMap<string, Failure>): void {
    const [first] = some.keys();
    if (first !== undefined) remove(first);
  }

  return {
    get: (key: string) => of(owners.get(key) ?? '').get(key),
    of,
    all: () => [...byOwner.values()].flatMap((some) => [...some]),
    size: () => owners.size,
    delete: remove,
    set(key: string, failure: Failure): void {
      remove(key);
      const some = byOwner.get(failure.owner) ?? new Map<string, Failure>();
      some.set(key, failure);
      byOwner.set(failure.owner, some);
      owners.set(key, failure.owner);
      if (some.size > MAX_REMEMBERED.ofOwner) removeFirstOf(some);
      if (owners.size > MAX_REMEMBERED.inAll)
        removeFirstOf([...byOwner.values()].reduce((most, one) => (one.size > most.size ? one : most)));
    },
  };
}

const NONE: ReadonlyMap<string, Failure> = new Map();
