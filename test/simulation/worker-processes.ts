import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface WorkerProcesses {
  readonly killed: number;
  /** Kill -9 of one worker after the other, at random moments, each replaced at once, until `stop`. */
  startKilling(everyMs: number): { stop(): Promise<void> };
  /** Ends them all in order. */
  stop(): Promise<void>;
  /** The last that each wrote, for a test that failed. */
  output(): string;
}

/** Real `work` processes on one database. */
export function startWorkers(count: number, env: Record<string, string>): WorkerProcesses {
  let killed = 0;
  let written = '';
  const start = (): ChildProcess => {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/DATABASE_URL$|^VITEST|^NODE_OPTIONS$/.test(name),
    );
    const child = spawn(process.execPath, ['src/main.ts', 'work'], {
      cwd: ROOT,
      env: { ...Object.fromEntries(inherited), LOG_LEVEL: 'error', DEMO_DATA: 'false', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => (written = `${written}${bytes.toString()}`.slice(-4_000)));
    return child;
  };
  const workers = Array.from({ length: count }, start);

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }

  return {
    get killed() {
      return killed;
    },
    startKilling(everyMs) {
      let stopping = false;
      const killing = (async () => {
        while (!stopping) {
          await sleep(everyMs * (0.5 + Math.random()));
          if (stopping) break;
          const at = Math.floor(Math.random() * workers.length);
          await end(workers[at] as ChildProcess, 'SIGKILL');
          workers[at] = start();
          killed += 1;
        }
      })();
      return {
        async stop() {
          stopping = true;
          await killing;
        },
      };
    },
    async stop() {
      await Promise.all(workers.map((worker) => end(worker, 'SIGTERM')));
    },
    output: () => written,
  };
}
