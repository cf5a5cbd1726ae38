interface ConcurrencyLimit {
  /** Runs `work` when it is its turn. @throws what `tooMany` makes, when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Runs so many pieces of work at once, and the others in the order in which they came, of all callers together: for
 * work that would take a whole machine if all of it were done at the same time. Where one owner could keep out the
 * others, use `createOwnerQueue`.
 */
export function createConcurrencyLimit(limits: {
  atOnce: number;
  maxWaiting?: number;
  tooMany?: () => Error;
}): ConcurrencyLimit {
  const { atOnce, maxWaiting = Infinity, tooMany = () => new Error('too many wait for their turn') } = limits;
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running < atOnce) running += 1;
      else {
        if (waiting.length >= maxWaiting) throw tooMany();
        // Work that ends hands its turn to the next in the queue, so that a new caller cannot overtake it.
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** How much work is under way, by owner and in all: for limits of one owner and of all together. */
export interface OpenWork {
  of(owner: string): number;
  /** The owners of so much or more. */
  withAtLeast(count: number): string[];
  inAll(): number;
  /** Counts one more. @returns what ends it, which may be called again */
  begin(owner: string): () => void;
}

export function createOpenWork(): OpenWork {
  const counts = new Map<string, number>();
  let all = 0;
  const of = (owner: string): number => counts.get(owner) ?? 0;
  return {
    of,
    withAtLeast: (count) => [...counts].flatMap(([owner, open]) => (open >= count ? [owner] : [])),
    inAll: () => all,
    begin(owner) {
      counts.set(owner, of(owner) + 1);
      all += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all -= 1;
        const left = of(owner) - 1;
        if (left > 0) counts.set(owner, left);
        else counts.delete(owner);
      };
    },
  };
}

/** Runs the work of an owner when it is its turn. */
export type OwnerQueue = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs one piece of work of each owner at a time, in the order in which they came, and `atOnce` of all owners, who take
 * turns: an owner with a hundred pieces delays the others by one of them at most. Waits in memory for as long as it
 * takes.
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
      if (queue.length === 0) waiting.delete(owner);
      busy.add(owner);
      begin?.();
    }
  }

  /** To the back of the line, where there is more of it: also behind those who came during its turn. */
  function endTurn(owner: string): void {
    busy.delete(owner);
    const queue = waiting.get(owner);
    if (queue === undefined) return;
    waiting.delete(owner);
    waiting.set(owner, queue);
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
      endTurn(owner);
      beginNext();
    }
  };
}
