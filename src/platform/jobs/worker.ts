import type { Mode } from '../tenant.ts';
import type { Glance } from './glance.ts';
import type { JobMonitor } from './job-monitor.ts';
import type { Queue } from './queries.ts';

/** Between a wake and the look: what happens at the same moment is seen in one look. */
const WAKE_MS = 5;

interface LookLoop {
  start(): void;
  /** Looks soon, if it was started. */
  wake(): void;
  /** Looks no more, and waits for the look under way. */
  stop(): Promise<void>;
}

/**
 * Looks for work every `pollMs`, one look at a time; woken during one, it looks again.
 * @param look never rejects; its parameter says whether the loop was woken for it
 */
export function createLookLoop(
  look: (isWoken: boolean) => Promise<unknown>,
  pollMs: number,
  wakeMs = WAKE_MS,
): LookLoop {
  let started = false;
  let stopping = false;
  let looking: Promise<unknown> | undefined;
  let again = false;
  let woken = false;
  let isSoon = false;
  let timer: NodeJS.Timeout | undefined;

  function lookIn(delayMs: number): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(lookSoon, delayMs);
  }

  function lookSoon(): void {
    again = false;
    isSoon = false;
    looking = look(woken);
    woken = false;
    void looking.then(() => {
      looking = undefined;
      isSoon = again;
      lookIn(again ? wakeMs : pollMs);
    });
  }

  return {
    start() {
      started = true;
      lookIn(0);
    },
    wake() {
      if (!started) return;
      woken = true;
      if (looking !== undefined) again = true;
      // Not later for each wake that comes before: where they never stop, it would never look.
      else if (!isSoon) {
        isSoon = true;
        lookIn(wakeMs);
      }
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

/** A small task that a worker does from time to time. */
export interface ScheduledJob {
  name: string;
  /** Set where it is done for each mode by itself, so that neither waits for the other. */
  mode?: Mode;
  everyMs: number;
  /** How much one run does at most. A run that did as much may have left something: it is done again soon. */
  most?: number;
  /** Runs that may be under way at once, each of which skips what another has in hand; one unless given. */
  atOnce?: number;
  /** The queues that it waits for: while they are empty, it is left out. Without any it is done each time. */
  queues?: readonly Queue[];
  /**
   * Returns how much it did. It is done again at its next time, or earlier where it failed or did the most. A long run
   * ends early where it is stopped.
   */
  run(stopped: AbortSignal): Promise<number>;
}

interface Run {
  done: number;
  /** At the latest at its next time. */
  againInMs: number;
}

interface ScheduledJobs {
  start(): void;
  /**
   * Runs each job once, but for those whose queues are empty. Returns how much they did.
   * @param isAgain right after the last time: jobs that rest for half a minute and found nothing then are left out too
   */
  runAll(isAgain?: boolean): Promise<number>;
  stop(): Promise<void>;
}

/** The first time comes soon: where processes live shorter than a job's interval, it has to be done all the same. */
const FIRST_MS = 3_000;
/**
 * The shortest pause of a job that has more to do. It also pauses for as long as it worked: so its share is half of a
 * connection.
 */
const REST_MS = 1_000;
/** A job with such a rest removes or polls what is old: what another job did a moment ago is no work for it. */
const LONG_REST_MS = 30_000;

/**
 * Runs each job by its own clock, one run at a time. A job that fails is logged, and done again, less often each time:
 * at its next time or as soon as it is not left alone any more, whichever is earlier.
 */
export function createScheduledJobs(
  scheduledJobs: readonly ScheduledJob[],
  { jobs, glance }: { jobs: JobMonitor; glance?: Glance | undefined },
): ScheduledJobs {
  const failures = jobs.failuresOf('scheduled');
  const timers = new Map<ScheduledJob, NodeJS.Timeout>();
  const running = new Map<Promise<Run>, ScheduledJob>();
  /** Jobs that found nothing when all were run the last time. */
  const idle = new Set<ScheduledJob>();
  const stopping = new AbortController();

  /** Never rejects. @param asksFirst whether there is any work */
  async function run(job: ScheduledJob, asksFirst: boolean): Promise<Run> {
    const { name, mode, most = Number.POSITIVE_INFINITY, queues = [] } = job;
    const key = `${name}/${mode ?? ''}`;
    if (failures.isBackingOff(key)) return { done: 0, againInMs: REST_MS };
    const begunAt = performance.now();
    const ended = jobs.began(name, mode);
    try {
      const isLeftOut = asksFirst && queues.length > 0 && (await glance?.hasWork(queues, mode)) === false;
      const done = isLeftOut ? 0 : await job.run(stopping.signal);
      failures.succeeded(key);
      return { done, againInMs: done < most ? job.everyMs : Math.max(REST_MS, performance.now() - begunAt) };
    } catch (error) {
      const about = { message: 'a scheduled job failed', scheduledJob: name, mode };
      return { done: 0, againInMs: failures.failed(key, error, about) };
    } finally {
      ended();
    }
  }

  function track(job: ScheduledJob, asksFirst: boolean): Promise<Run> {
    const work = run(job, asksFirst).finally(() => running.delete(work));
    running.set(work, job);
    return work;
  }

  function plan(job: ScheduledJob, inMs: number): void {
    const again = async () => {
      void track(job, true);
      const underWay = [...running.keys()].filter((work) => running.get(work) === job);
      const ended = underWay.length < (job.atOnce ?? 1) ? undefined : await Promise.race(underWay);
      if (!stopping.signal.aborted) plan(job, Math.min(job.everyMs, ended?.againInMs ?? job.everyMs));
    };
    timers.set(
      job,
      setTimeout(() => void again(), inMs),
    );
  }

  /** Where the queues cannot be read, every job has to run. */
  async function lookForWork(): Promise<(job: ScheduledJob) => boolean> {
    const hasWork = await glance?.look(scheduledJobs.flatMap(({ queues = [] }) => queues)).catch(() => undefined);
    return ({ queues = [], mode }) => hasWork === undefined || queues.length === 0 || hasWork(queues, mode);
  }

  return {
    start() {
      for (const job of scheduledJobs) plan(job, Math.min(job.everyMs, FIRST_MS));
    },
    async runAll(isAgain = false) {
      let all = 0;
      const hasWork = await lookForWork();
      for (const job of scheduledJobs) {
        if (!hasWork(job) || (isAgain && job.everyMs >= LONG_REST_MS && idle.has(job))) continue;
        const { done } = await track(job, false);
        all += done;
        if (done === 0) idle.add(job);
        else idle.delete(job);
      }
      return all;
    },
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.keys());
    },
  };
}

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 250;

/** Something that a worker looks for and takes up, each kind by itself: a failure of one does not delay another. */
export interface WorkSource {
  name: string;
  /** The queues that it looks in: while they are empty, it looks only when it is woken. */
  queues?: readonly Queue[];
  /** Called where the worker is started, before its first look. */
  start?(): void;
  /** Looks what is due and begins as much of it as there is capacity for. It does not wait for what it began. */
  look(): Promise<void>;
  /** How much it has taken up until now. */
  taken(): number;
  /** Resolves when nothing that it began is under way. */
  settle(): Promise<void>;
  /** Begins nothing more. */
  close(): void;
}

export interface Worker {
  /** Looks for work until stopped. */
  start(): void;
  /** Takes nothing more, drops what has not begun, and waits for what is under way. */
  stop(): Promise<void>;
  /**
   * Looks now, if it was started: called by code that has just committed work.
   * @param source the name of the one that finds it; without it all look
   */
  wake(source?: string): void;
  /** Does all that is due and returns how much it took up. For tests and for one-off runs. */
  runOnce(): Promise<number>;
}

export interface WorkerOptions {
  pollMs?: number;
  /** Says whether there is anything to look for; without it each source and job looks by itself. */
  glance?: Glance;
  /** Small tasks to do from time to time. */
  scheduledJobs?: readonly ScheduledJob[];
}

/**
 * Runs work sources and scheduled jobs. The rows are the queue, and a lease in the row says whose turn it is, so any
 * number of workers in any number of processes may run.
 */
export function createWorker(
  deps: { jobs: JobMonitor },
  sources: readonly WorkSource[],
  options: WorkerOptions = {},
): Worker {
  const pollMs = options.pollMs ?? POLL_MS;
  const scheduledJobs = createScheduledJobs(options.scheduledJobs ?? [], { ...deps, glance: options.glance });
  const loops = sources.map((source) =>
    createLookLoop((isWoken) => lookAt({ ...deps, glance: isWoken ? undefined : options.glance }, source), pollMs),
  );

  const each = async (work: (source: WorkSource) => Promise<void>) => {
    await Promise.all(sources.map(work));
  };
  const takenUp = () => sources.reduce((sum, source) => sum + source.taken(), 0);

  return {
    start() {
      for (const source of sources) source.start?.();
      for (const loop of loops) loop.start();
      scheduledJobs.start();
    },
    wake(source) {
      for (const [at, loop] of loops.entries()) if (source === undefined || sources[at]?.name === source) loop.wake();
    },
    async stop() {
      for (const source of sources) source.close();
      await Promise.all([...loops.map((loop) => loop.stop()), scheduledJobs.stop()]);
      await each((source) => source.settle());
    },
    async runOnce() {
      const begun = takenUp();
      let done = 0;
      for (let isAgain = false; ; isAgain = true) {
        const before = takenUp();
        await each((source) => source.look());
        const some = await scheduledJobs.runAll(isAgain);
        await each((source) => source.settle());
        if (takenUp() === before && some === 0) return takenUp() - begun + done;
        done += some;
      }
    },
  };
}

/** Never rejects: where it could not look, it looks again. */
async function lookAt(deps: { jobs: JobMonitor; glance: Glance | undefined }, source: WorkSource): Promise<void> {
  const failures = deps.jobs.failuresOf('worker.look');
  if (failures.isBackingOff(source.name)) return;
  try {
    const isLeftOut = source.queues !== undefined && (await deps.glance?.hasWork(source.queues)) === false;
    if (!isLeftOut) await source.look();
    failures.succeeded(source.name);
  } catch (error) {
    failures.failed(source.name, error, { message: 'the worker could not look for work', source: source.name });
  }
}
