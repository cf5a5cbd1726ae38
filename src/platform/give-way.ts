import { setImmediate as nextTurn } from 'node:timers/promises';

/** Long work uses the thread for no longer than this at a time: everything else on it waits as long. */
const GO_MS = 5;

/** Work of many steps on the thread that serves requests. */
export interface LongWork {
  /** How long the work has used the thread until now, in milliseconds. */
  usedMs(): number;
  /**
   * Called after each step: lets other work run where this turn was long enough. Undefined where nothing has to be
   * awaited.
   */
  giveWay(): Promise<void> | undefined;
}

/**
 * The processor time of this thread: on a busy machine the thread waits for the processor, which costs its requests
 * nothing.
 */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Begins work that gives way. */
export function startLongWork(): LongWork {
  let beforeMs = 0;
  let began = threadMs();

  async function pause(usedMs: number): Promise<void> {
    beforeMs += usedMs;
    await nextTurn();
    began = threadMs();
  }

  return {
    usedMs: () => beforeMs + threadMs() - began,
    giveWay() {
      const usedMs = threadMs() - began;
      return usedMs < GO_MS ? undefined : pause(usedMs);
    },
  };
}
