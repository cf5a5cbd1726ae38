import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DemoFile } from '../../src/demo/index.ts';
import { findRunningEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { WITHOUT_LIMITS } from './without-limits.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A first start makes a cluster, migrates and fills it; after a crash the log is replayed. On a busy machine. */
const START_TIMEOUT_MS = 60_000;

/** What runs the service: the Node of the tests, or the program that this names (docs/decisions/node-or-bun.md). */
export const RUNTIME = process.env['SERVICE_RUNTIME'] ?? process.execPath;

/** A place for a service of its own; the next test run removes what a killed one left behind. */
export function makeDataDir(): string {
  const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'manilla-test-')));
  chmodSync(dataDir, 0o755);
  writeFileSync(join(dataDir, 'run-by'), String(process.pid));
  return dataDir;
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly port: number;
  /** All that it wrote so far. */
  output(): string;
  /** Sends a signal and waits for the end; resolves with the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ServiceOptions {
  dataDir: string;
  port?: number;
  env?: Record<string, string>;
  args?: string[];
  /** Its standard output is a terminal: util-linux's `script` plays one. */
  atTerminal?: boolean;
}

/** Where `script` of util-linux is, or undefined: then nothing here can play a terminal. */
export const terminalPlayer = ['/usr/bin/script', '/bin/script'].find(
  (path) => process.platform === 'linux' && existsSync(path),
);

/** Those that run. A file of tests that fails in the middle, or runs out of time, takes them with it. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) kill(child);
});

/** `script` that is killed leaves what it plays the terminal for behind: that one goes first. */
function kill(child: ChildProcess): void {
  if (child.pid !== undefined && child.spawnfile === terminalPlayer)
    for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL');
  child.kill('SIGKILL');
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function spawnMain({ dataDir, port = 0, env = {}, args = [], atTerminal = false }: ServiceOptions): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !/DATABASE_URL$|^VITEST|^NODE_OPTIONS$/.test(name));
  const command = [RUNTIME, 'src/main.ts', ...args];
  const [program = '', ...words] = atTerminal
    ? [terminalPlayer ?? '', '--quiet', '--flush', '--return', '--command', command.join(' '), '/dev/null']
    : command;
  const child = spawn(program, words, {
    cwd: ROOT,
    env: {
      ...Object.fromEntries(inherited),
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      // As on a machine of one core: several processes have tests of their own.
      PROCESSES: '1',
      ...WITHOUT_LIMITS,
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts the service as `npm start` does and waits until it says where it is. @throws Error with all that it wrote. */
export function startService(options: ServiceOptions): Promise<ServiceProcess> {
  return launchService(options).ready;
}

/** The same in two steps, for tests that do not let it get that far. */
export function launchService(options: ServiceOptions): { child: ChildProcess; ready: Promise<ServiceProcess> } {
  const child = spawnMain(options);
  return { child, ready: untilReady(child) };
}

async function untilReady(child: ChildProcess): Promise<ServiceProcess> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const exited = once(child, 'close') as Promise<[number | null]>;
  let gone = false;
  void exited.then(() => (gone = true));
  const found = () => /(http:\/\/127\.0\.0\.1:(\d+))(?:\/docs|","msg":"API started)/.exec(output);
  for (const deadline = Date.now() + START_TIMEOUT_MS; found() === null; await sleep(20)) {
    if (gone || Date.now() > deadline) {
      kill(child);
      throw new Error(`the service did not start:\n${output}`);
    }
  }
  const [, baseUrl = '', port = ''] = found() ?? [];
  return {
    child,
    baseUrl,
    port: Number(port),
    output: () => output,
    async end(signal) {
      if (!gone && signal === 'SIGKILL') kill(child);
      else if (!gone) child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs a command such as `verify` beside or after the service. */
export async function runCommand(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const child = spawnMain({ dataDir, args, env });
  let output = '';
  /** What a pipe would have. */
  let answer = '';
  child.stdout?.on('data', (bytes: Buffer) => (answer += bytes.toString()));
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, answer };
}

export function readDemo(dataDir: string): DemoFile {
  return JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
}

export function postmasterPid(dataDir: string): number | undefined {
  const file = join(dataDir, 'pg', 'data', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  return isAlive(pid) ? pid : undefined;
}

/** The address of the embedded database while it runs. */
export function embeddedAddress(dataDir: string): string {
  const address = findRunningEmbeddedPostgres(dataDir);
  if (address === undefined) throw new Error('the embedded database is not running');
  return address;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ends everything that runs in a data directory, and removes it. */
export async function removeDataDir(dataDir: string, services: readonly ServiceProcess[] = []): Promise<void> {
  for (const service of services) await service.end('SIGKILL');
  const pid = postmasterPid(dataDir);
  if (pid !== undefined) {
    process.kill(pid, 'SIGQUIT');
    for (const deadline = Date.now() + 10_000; isAlive(pid) && Date.now() < deadline; ) await sleep(25);
  }
  rmSync(dataDir, { recursive: true, force: true });
}
