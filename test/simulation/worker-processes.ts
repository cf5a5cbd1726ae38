import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface WorkerProcesses {
  readonly killed: number;
  /**
   * Kill -9 of one worker after the other, at a random moment of its first `aliveMs` and half as much again, each replaced at
   * once, until `stop`. A worker that is still starting is waited for: on a slow machine none would ever work.
   */
  startKilling(aliveMs: number): { stop(): Promise<void> };
  /** Ends them all in order. */
  stop(): Promise<void>;
  /** The last that each wrote, for a test that failed. */
  output(): string;
}

/** Real `work` processes on one database. */
export function startWorkers(count: number, env: Record<string, string>): WorkerProcesses {
  let killed = 0;
  let written = '';
  const working = new WeakMap<ChildProcess, Promise<void>>();
  const start = (): ChildProcess => {
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/DATABASE_URL$|^VITEST|^NODE_OPTIONS$/.test(name),
    );
    const child = spawn(process.execPath, ['src/main.ts', 'work'], {
      cwd: ROOT,
      env: { ...Object.fromEntries(inherited), LOG_LEVEL: 'info', DEMO_DATA: 'false', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const works = Promise.withResolvers<void>();
    working.set(child, works.promise);
    child.once('close', () => works.resolve());
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        written = `${written}${bytes.toString()}`.slice(-4_000);
        if (bytes.includes('workers started')) works.resolve();
      });
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
    startKilling(aliveMs) {
      let stopping = false;
      const killing = (async () => {
        while (!stopping) {
          const at = Math.floor(Math.random() * workers.length);
          const victim = workers[at] as ChildProcess;
          await working.get(victim);
          await sleep(aliveMs * (0.5 + Math.random()));
          if (stopping) break;
          await end(victim, 'SIGKILL');
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
