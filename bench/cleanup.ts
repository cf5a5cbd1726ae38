type Undo = () => Promise<void> | void;

const undos: Undo[] = [];
let cleaning: Promise<void> | undefined;

/** Remembers how to undo what was just started. The last one started is ended first. */
export function onCleanUp(undo: Undo): void {
  undos.push(undo);
}

/** Ends every process and removes every file of this run, once, whoever asks. */
export function cleanUp(): Promise<void> {
  cleaning ??= undoAll();
  return cleaning;
}

async function undoAll(): Promise<void> {
  for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
    try {
      await undo();
    } catch (error) {
      console.error('cleaning up:', error instanceof Error ? error.message : error);
    }
  }
}

export function isCleaningUp(): boolean {
  return cleaning !== undefined;
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A run that is called off leaves nothing behind either. */
export function cleanUpOnSignals(): void {
  for (const [signal, exitCode] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (isCleaningUp()) return;
      console.error(`\n${signal}: ending everything that was started`);
      void cleanUp().then(() => process.exit(exitCode));
    });
  }
}
