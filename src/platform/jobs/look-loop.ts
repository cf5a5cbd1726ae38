/** Between being woken and looking: what happens in the same moment is seen in one look. */
const WAKE_MS = 5;

interface LookLoop {
  start(): void;
  /** Looks soon, if it was started. */
  wake(): void;
  /** Looks no more, and waits for the look under way. */
  stop(): Promise<void>;
}

/** Looks for work every `pollMs`, one look at a time; woken during one, it looks again. `look` never rejects. */
export function createLookLoop(look: () => Promise<unknown>, pollMs: number, wakeMs = WAKE_MS): LookLoop {
  let started = false;
  let stopping = false;
  let looking: Promise<unknown> | undefined;
  let again = false;
  let timer: NodeJS.Timeout | undefined;

  function lookIn(delayMs: number): void {
    clearTimeout(timer);
    if (!stopping) timer = setTimeout(lookSoon, delayMs);
  }

  function lookSoon(): void {
    again = false;
    looking = look();
    void looking.then(() => {
      looking = undefined;
      lookIn(again ? wakeMs : pollMs);
    });
  }

  return {
    start() {
      started = true;
      lookIn(0);
    },
    wake() {
      if (!started) return;
      if (looking === undefined) lookIn(wakeMs);
      else again = true;
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
