/** How often the event loop came around while `work` ran: other work was served as often. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  return turns;
}

/** Uses the thread for so many milliseconds of its processor. */
export function busyFor(milliseconds: number): void {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= milliseconds) return;
  }
}
