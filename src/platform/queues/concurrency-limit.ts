export interface ConcurrencyLimit {
  /** Runs `work` when it is its turn. @throws what `tooMany` makes, when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * So many at once, the others in the order in which they came, whoever they are: for what would take a whole machine if
 * all of it were done at the same time. Where one owner could keep out the others, `createOwnerQueue`.
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
        // Whoever ends hands the turn over, so that nobody who comes meanwhile overtakes.
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
