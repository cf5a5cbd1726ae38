import type { JobMonitor } from '../../platform/jobs/job-monitor.ts';
import type { Mode } from '../../platform/tenant.ts';

/** Something small to be done from time to time by whoever runs the worker. */
export interface WorkerChore {
  name: string;
  /** Set where it is done for each mode by itself, so that neither waits for the other. */
  mode?: Mode;
  everyMs: number;
  /** How much it did; it is done again at its next time, whatever became of it. */
  run(): Promise<number>;
}

export interface Chores {
  start(): void;
  /** Each once. */
  runAll(): Promise<number>;
  stop(): Promise<void>;
}

/** Runs each chore by its own clock, one at a time; one that fails says so, and is tried again, less often each time. */
export function createChores(chores: readonly WorkerChore[], { jobs }: { jobs: JobMonitor }): Chores {
  const failures = jobs.failuresOf('scheduled');
  const timers = new Map<WorkerChore, NodeJS.Timeout>();
  const running = new Set<Promise<unknown>>();
  let stopping = false;

  /** Never rejects. */
  async function run({ name, mode, run: work }: WorkerChore): Promise<number> {
    const key = `${name}/${mode ?? ''}`;
    if (failures.isBackingOff(key)) return 0;
    try {
      const done = await work();
      failures.succeeded(key);
      return done;
    } catch (error) {
      failures.failed(key, error, { message: 'a chore of the worker failed', chore: name, mode });
      return 0;
    }
  }

  function track(chore: WorkerChore): Promise<number> {
    const work = run(chore);
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  function plan(chore: WorkerChore): void {
    const again = async () => {
      await track(chore);
      if (!stopping) plan(chore);
    };
    timers.set(
      chore,
      setTimeout(() => void again(), chore.everyMs),
    );
  }

  return {
    start() {
      for (const chore of chores) plan(chore);
    },
    async runAll() {
      let done = 0;
      for (const chore of chores) done += await track(chore);
      return done;
    },
    async stop() {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
