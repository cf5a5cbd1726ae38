/** Runs the work of an owner when it is its turn. */
export type FairTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * So much work at once and no more, one piece of each owner at a time, owners in turn: whoever asks for a hundred things
 * stands before nobody else with more than one of them.
 * @param maxWaiting of one owner; `refuse` makes the error for whoever comes after them
 */
export function createFairTurns(limits: { atOnce: number; maxWaiting: number; refuse: () => Error }): FairTurns {
  const busy = new Set<string>();
  /** By owner, the one whose turn it is first. */
  const waiting = new Map<string, (() => void)[]>();

  function beginNext(): void {
    for (const [owner, queue] of waiting) {
      if (busy.size >= limits.atOnce) return;
      if (busy.has(owner)) continue;
      const begin = queue.shift();
      // To the back of the line, where there is more of it.
      waiting.delete(owner);
      if (queue.length > 0) waiting.set(owner, queue);
      busy.add(owner);
      begin?.();
    }
  }

  return async (owner, work) => {
    const queue = waiting.get(owner) ?? [];
    if (queue.length >= limits.maxWaiting) throw limits.refuse();
    await new Promise<void>((begin) => {
      queue.push(begin);
      waiting.set(owner, queue);
      beginNext();
    });
    try {
      return await work();
    } finally {
      busy.delete(owner);
      beginNext();
    }
  };
}
