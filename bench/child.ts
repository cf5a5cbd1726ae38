import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { isCleaningUp, onCleanUp } from './cleanup.ts';

const STOP_TIMEOUT_MS = 30_000;
const MAX_KEPT_OUTPUT = 64 * 1024;

export interface ChildOptions {
  /** The whole environment besides PATH: a bench must not depend on who starts it. */
  env?: Record<string, string>;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Its own session, so that Ctrl-C does not reach it before we end it in order. */
  detached?: boolean;
}

export interface RunningChild {
  pid: number;
  /** What `ready` matched in its output. */
  ready: RegExpExecArray;
  stop(): Promise<void>;
}

/** Starts a process and waits until its output says that it is ready. */
export async function startChild(
  command: string,
  args: readonly string[],
  options: ChildOptions & { ready: RegExp; timeoutMs: number; stopSignal?: NodeJS.Signals },
): Promise<RunningChild> {
  const { child, pid, exited, output, stop } = launch(command, args, options);
  const ready = await new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${command} ${args.join(' ')}: ${why}\n${output()}`));
    const timer = setTimeout(() => fail(`not ready after ${options.timeoutMs} ms`), options.timeoutMs);
    const look = () => {
      const match = options.ready.exec(output());
      if (match === null) return;
      clearTimeout(timer);
      resolve(match);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    void exited.then((code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
  return { pid, ready, stop };
}

/** Runs a process to its end and gives what it wrote. @throws Error when it fails or takes longer than `timeoutMs`. */
export async function runChild(
  command: string,
  args: readonly string[],
  options: ChildOptions & { timeoutMs: number },
): Promise<string> {
  const { exited, output, stop } = launch(command, args, options);
  const timer = setTimeout(() => void stop(), options.timeoutMs);
  const code = await exited;
  clearTimeout(timer);
  if (code !== '0') throw new Error(`${command} ${args.join(' ')}: ended with ${code}\n${output()}`);
  return output();
}

function launch(command: string, args: readonly string[], options: ChildOptions & { stopSignal?: NodeJS.Signals }) {
  if (isCleaningUp()) throw new Error('the bench is being ended');
  const { env, stopSignal, ...rest } = options;
  const spawnOptions: SpawnOptions = {
    ...(rest.cwd === undefined ? {} : { cwd: rest.cwd }),
    ...(rest.uid === undefined ? {} : { uid: rest.uid }),
    ...(rest.gid === undefined ? {} : { gid: rest.gid }),
    detached: rest.detached ?? false,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const child: ChildProcess = spawn(command, args, spawnOptions);
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = `${kept}${text}`.slice(-MAX_KEPT_OUTPUT);
    });
  }
  let gone = false;
  // `close` and not `exit`: by then the last of its output has come.
  const exited = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(String(code ?? signal)));
    child.once('error', (error) => resolve(error.message));
  }).finally(() => (gone = true));
  const stop = async () => {
    if (gone) return;
    child.kill(stopSignal ?? 'SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  };
  onCleanUp(stop);
  return { child, pid: child.pid ?? -1, exited, output: () => kept, stop };
}
