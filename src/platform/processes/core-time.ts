import { readFileSync } from 'node:fs';

/** The time over which it is measured. */
export const CORE_TIME_MS = 250;

/** What the thread of JavaScript had of a core in the last moment, each as a part of that time, 0 to 1. */
export interface CoreTime {
  used(): number;
  /** It could have run, and no core was free. 0 where the system does not say. */
  waited(): number;
}

/** Measures this thread, the main one of its process, until that ends. */
export function watchCoreTime(): CoreTime {
  let last = { ...readSchedule(), at: performance.now() };
  let used = 0;
  let waited = 0;
  const timer = setInterval(() => {
    const now = { ...readSchedule(), at: performance.now() };
    const passed = now.at - last.at;
    used = Math.min(1, (now.ranMs - last.ranMs) / passed);
    waited = Math.min(1, (now.waitedMs - last.waitedMs) / passed);
    last = now;
  }, CORE_TIME_MS);
  timer.unref();
  return { used: () => used, waited: () => waited };
}

const NS_PER_MS = 1e6;

/** Nanoseconds that the main thread ran, and that it waited for a core. Source: Linux, Documentation/scheduler/sched-stats.rst. */
function readSchedule(): { ranMs: number; waitedMs: number } {
  try {
    const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'latin1').split(' ').map(Number);
    return { ranMs: ran / NS_PER_MS, waitedMs: waited / NS_PER_MS };
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}
