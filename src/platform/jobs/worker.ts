import type { JobMonitor } from './job-monitor.ts';
import { createLookLoop } from './look-loop.ts';
import { createScheduledJobs, type ScheduledJob } from './scheduled-jobs.ts';

/** Between two looks at the database, where nothing wakes the worker before. */
const POLL_MS = 250;

/** Something that a worker looks for and takes up, each kind by itself: what fails at one holds no other up. */
export interface WorkSource {
  name: string;
  /** Looks what is due and begins as much of it as there is room for. Does not wait for what it began. */
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
  /** Takes nothing more, lets go of what has not begun, and waits for what is under way. */
  stop(): Promise<void>;
  /** Looks now, if it was started: for whoever just committed work. */
  wake(): void;
  /** Does all that is due and returns how much it took up. For tests and for one-off runs. */
  runOnce(): Promise<number>;
}

export interface WorkerOptions {
  pollMs?: number;
  /** What else is to be done from time to time. */
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
  const scheduledJobs = createScheduledJobs(options.scheduledJobs ?? [], deps);
  const loops = sources.map((source) => createLookLoop(() => lookAt(deps, source), pollMs));

  const each = async (work: (source: WorkSource) => Promise<void>) => {
    await Promise.all(sources.map(work));
  };
  const takenUp = () => sources.reduce((sum, source) => sum + source.taken(), 0);

  return {
    start() {
      for (const loop of loops) loop.start();
      scheduledJobs.start();
    },
    wake() {
      for (const loop of loops) loop.wake();
    },
    async stop() {
      for (const source of sources) source.close();
      await Promise.all([...loops.map((loop) => loop.stop()), scheduledJobs.stop()]);
      await each((source) => source.settle());
    },
    async runOnce() {
      const begun = takenUp();
      let done = 0;
      for (;;) {
        const before = takenUp();
        await each((source) => source.look());
        const some = await scheduledJobs.runAll();
        await each((source) => source.settle());
        if (takenUp() === before && some === 0) return takenUp() - begun + done;
        done += some;
      }
    },
  };
}

/** Never rejects: where it could not look, it looks again. */
async function lookAt(deps: { jobs: JobMonitor }, source: WorkSource): Promise<void> {
  const failures = deps.jobs.failuresOf('worker.look');
  if (failures.isBackingOff(source.name)) return;
  try {
    await source.look();
    failures.succeeded(source.name);
  } catch (error) {
    failures.failed(source.name, error, { message: 'the worker could not look for work', source: source.name });
  }
}
