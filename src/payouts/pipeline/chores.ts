import type { Logger } from '../../platform/logger.ts';

/** Something small to be done from time to time by whoever runs the worker. */
export interface WorkerChore {
  name: string;
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

/** Runs each chore by its own clock, one at a time; a chore that fails says so and goes on. */
export function createChores(chores: readonly WorkerChore[], logger: Logger): Chores {
  const timers = new Map<WorkerChore, NodeJS.Timeout>();
  const running = new Set<Promise<number>>();
  let stopping = false;

  function run(chore: WorkerChore): Promise<number> {
    const work = chore.run().catch((error: unknown) => {
      logger.error({ err: error, chore: chore.name }, 'a chore of the worker failed');
      return 0;
    });
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  function plan(chore: WorkerChore): void {
    const again = async () => {
      await run(chore);
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
      for (const chore of chores) done += await run(chore);
      return done;
    },
    async stop() {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
