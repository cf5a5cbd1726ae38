/** How long one waits for those before it. A turn only spares attempts: without it, two make each other ask again. */
const PATIENCE_MS = 2_000;

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
    if (before !== undefined) await withPatience(before);
    return () => {
      if (last.get(key) === turn) last.delete(key);
      end();
    };
  };
}

async function withPatience(turn: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([turn, enough]);
  clearTimeout(timer);
}
