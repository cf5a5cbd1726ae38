/** Runs the work of an owner when it is its turn. */
export type OwnerQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * One piece of each owner at a time, in the order in which they came, and `atOnce` of all owners, who take turns: whoever
 * asks for a hundred things stands before nobody else with more than one of them. Waits in memory for as long as it takes.
 */
export function createOwnerQueue({ atOnce = Infinity }: { atOnce?: number } = {}): OwnerQueue {
  const busy = new Set<string>();
  /** By owner, the one whose turn it is first. */
  const waiting = new Map<string, (() => void)[]>();

  function beginNext(): void {
    for (const [owner, queue] of waiting) {
      if (busy.size >= atOnce) return;
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
