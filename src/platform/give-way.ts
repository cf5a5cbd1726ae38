import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work of many steps takes no more of the thread in one go: everybody else on it waits as long. */
const GO_MS = 5;

/** Work of many steps on the thread that serves requests. */
export interface LongWork {
  /** What all goes took of the thread until now, in milliseconds. */
  usedMs(): number;
  /** After each step: lets everybody else have their turn where this go was long enough. Undefined where there is nothing to wait for. */
  giveWay(): Promise<void> | undefined;
}

/** What this thread has used of the processor: on a busy machine it waits meanwhile, and that costs its requests nothing. */
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
