import { readFileSync } from 'node:fs';

/** The time over which it is measured. */
export const CORE_TIME_MS = 250;

/** What a thread had of a core in the last moment, each as a part of that time, 0 to 1. */
export interface CoreShare {
  used: number;
  /** It could have run, and no core was free. */
  waited: number;
}

/** So much it would have used, had there been cores. */
export const wanted = ({ used, waited }: CoreShare): number => used + waited;

/** A thread that takes no more work. */
export const BUSY: CoreShare = { used: 1, waited: 0 };

/** Of the thread of JavaScript of this process. */
export interface CoreTime {
  /** `BUSY` where it cannot be read: where the system does not say, or no file can be opened, and no connection taken either. */
  now(): CoreShare;
  /** Whether it can be read. */
  isKnown(): boolean;
}

/** Measures this thread, the main one of its process, until that ends. */
export function watchCoreTime(): CoreTime {
  let last = readSchedule();
  let share: CoreShare | undefined;
  const timer = setInterval(() => {
    const now = readSchedule();
    share = now && last && shareOf(last, now);
    last = now;
  }, CORE_TIME_MS);
  timer.unref();
  return { now: () => share ?? BUSY, isKnown: () => share !== undefined };
}

interface Schedule {
  at: number;
  ranMs: number;
  waitedMs: number;
}

const shareOf = (before: Schedule, now: Schedule): CoreShare => {
  const passed = now.at - before.at;
  return {
    used: Math.min(1, (now.ranMs - before.ranMs) / passed),
    waited: Math.min(1, (now.waitedMs - before.waitedMs) / passed),
  };
};

const NS_PER_MS = 1e6;

/** Nanoseconds that the main thread ran, and that it waited for a core. Source: Linux, Documentation/scheduler/sched-stats.rst. */
function readSchedule(): Schedule | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number);
    return { at: performance.now(), ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS };
  } catch {
    return undefined;
  }
}
