import type { Mode } from '../tenant.ts';
import type { JobMonitor } from './job-monitor.ts';

/** Something small to be done from time to time by whoever runs the worker. */
export interface ScheduledJob {
  name: string;
  /** Set where it is done for each mode by itself, so that neither waits for the other. */
  mode?: Mode;
  everyMs: number;
  /** How much it did; it is done again at its next time, whatever became of it. */
  run(): Promise<number>;
}

interface ScheduledJobs {
  start(): void;
  /** Each once. */
  runAll(): Promise<number>;
  stop(): Promise<void>;
}

/** The first time comes soon: where processes live shorter than a job's time, somebody has to do it all the same. */
const FIRST_MS = 3_000;

/** Runs each job by its own clock, one at a time; one that fails says so, and is tried again, less often each time. */
export function createScheduledJobs(
  scheduledJobs: readonly ScheduledJob[],
  { jobs }: { jobs: JobMonitor },
): ScheduledJobs {
  const failures = jobs.failuresOf('scheduled');
  const timers = new Map<ScheduledJob, NodeJS.Timeout>();
  const running = new Set<Promise<unknown>>();
  let stopping = false;

  /** Never rejects. */
  async function run({ name, mode, run: work }: ScheduledJob): Promise<number> {
    const key = `${name}/${mode ?? ''}`;
    if (failures.isBackingOff(key)) return 0;
    try {
      const done = await work();
      failures.succeeded(key);
      return done;
    } catch (error) {
      failures.failed(key, error, { message: 'a scheduled job failed', scheduledJob: name, mode });
      return 0;
    }
  }

  function track(job: ScheduledJob): Promise<number> {
    const work = run(job);
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  function plan(job: ScheduledJob, inMs: number): void {
    const again = async () => {
      await track(job);
      if (!stopping) plan(job, job.everyMs);
    };
    timers.set(
      job,
      setTimeout(() => void again(), inMs),
    );
  }

  return {
    start() {
      for (const job of scheduledJobs) plan(job, Math.min(job.everyMs, FIRST_MS));
    },
    async runAll() {
      let done = 0;
      for (const job of scheduledJobs) done += await track(job);
      return done;
    },
    async stop() {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
