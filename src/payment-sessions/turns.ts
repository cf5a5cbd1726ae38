/** At most so long one waits for those before it. Turns only save attempts: without them, two make each other read again. */
const MAX_WAIT_MS = 2_000;

/** What of this process is about one key comes one after the other. @returns what waits for a turn, and gives its end */
export function createTurns(): (key: string) => Promise<() => void> {
  const last = new Map<string, Promise<void>>();
  return async (key) => {
    const before = last.get(key);
    let end: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    last.set(key, turn);
    if (before !== undefined) await endOf(before);
    return () => {
      if (last.get(key) === turn) last.delete(key);
      end();
    };
  };
}

/** Resolves at the end of a turn, or when it took too long. */
async function endOf(turn: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS);
  });
  await Promise.race([turn, timeout]);
  clearTimeout(timer);
}
