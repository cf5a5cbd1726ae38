import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../logger.ts';
import { program } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { serverLog, turnServerLog } from './server-log.ts';
import { giveToOwnerOf, processOptions } from './server-user.ts';

const POLL_MS = 25;
/** A server that replays its log after a crash may take this long; it is not hurried. */
const READY_TIMEOUT_MS = 10 * 60_000;
/** Leftovers of a killed server (its last children, its lock file) go away within this. */
const STALE_RETRY_MS = 15_000;
const STALE_RETRY_PAUSE_MS = 250;
const STOP_TIMEOUT_MS = 60_000;
/** A link there is not followed, as when the log is turned. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
/** The path of a Unix socket has to fit its address: 104 bytes on macOS, 108 on Linux, with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 103;
/** A process id that no system assigns. */
const NO_PID = '2147483646';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** `ready`, `starting`, `stopping`, or empty while the file is being written. */
  readonly status: string;
}

/** What `data/postmaster.pid` says; whether that process lives is another question. */
export function readPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3] ?? 0), status: (lines[7] ?? '').trim() };
}

/** The server of this data directory, if one is running, in any state. */
export function livePostmaster(data: string): Postmaster | undefined {
  const found = readPostmaster(data);
  return found !== undefined && isPostmaster(found.pid, data) ? found : undefined;
}

/**
 * Whether `pid` is a server that works in `data`. The number alone proves nothing: after a restart of the machine or
 * the container it is often another program's.
 */
function isPostmaster(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(data);
    }
    if (basename(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '') !== 'postgres') return false;
    return readlinkSync(`/proc/${pid}/cwd`) === data;
  } catch (error) {
    // A process that has just ended has no command line. One that hides its folder from us does not belong to our user.
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    if (process.platform !== 'linux') return false;
    throw error;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder of the Unix socket, or undefined where the system has none or its path would be too long. */
export function socketFolder(cluster: Pick<Cluster, 'sockets'>): string | undefined {
  if (process.platform === 'win32') return undefined;
  const longest = join(cluster.sockets, '.s.PGSQL.65535.lock');
  return Buffer.byteLength(longest) > MAX_SOCKET_PATH_BYTES ? undefined : cluster.sockets;
}

/**
 * The running server of this cluster: the existing one, or a new one. Returns when it accepts connections.
 * @throws EmbeddedPostgresError when it does not start; the last lines of its log are in the message.
 */
export async function ensurePostmaster(
  cluster: Cluster,
  logger: Logger,
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const deadline = Date.now() + STALE_RETRY_MS;
  for (;;) {
    if (livePostmaster(cluster.data) !== undefined) {
      const postmaster = await settled(cluster.data, logger);
      if (postmaster !== undefined) return { postmaster, adopted: true };
    }
    const outcome = await launch(cluster, logger);
    if (typeof outcome !== 'string') return { postmaster: outcome, adopted: false };
    if (!isTransient(outcome) || Date.now() > deadline) {
      throw new EmbeddedPostgresError(`The embedded PostgreSQL did not start. Its log says:\n${outcome}`);
    }
    if (livePostmaster(cluster.data) === undefined) disownLocks(cluster);
    await sleep(STALE_RETRY_PAUSE_MS);
  }
}

/** Waits until the server is ready; undefined when it has ended instead. */
async function settled(data: string, logger: Logger): Promise<Postmaster | undefined> {
  const begun = Date.now();
  let reportedAt = begun;
  for (;;) {
    const found = livePostmaster(data);
    if (found === undefined || found.status === 'ready') return found;
    if (Date.now() - begun > READY_TIMEOUT_MS) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL (process ${found.pid}) has been "${found.status}" too long.`,
      );
    }
    if (Date.now() - reportedAt > 5_000) {
      reportedAt = Date.now();
      logger.info({ pid: found.pid, status: found.status }, 'waiting for the embedded database');
    }
    await sleep(POLL_MS);
  }
}

/** Starts a server; returns it when ready, or the end of its log when it failed. */
async function launch(cluster: Cluster, logger: Logger): Promise<Postmaster | string> {
  await turnServerLog(cluster.home);
  const log = serverLog(cluster.home);
  const port = await choosePort(cluster.home);
  const handle = openSync(log, APPEND, 0o600);
  giveToOwnerOf(cluster.home, log);
  const logStart = statSync(log).size;
  let child: ChildProcess;
  try {
    child = spawn(program(cluster.binaries, 'postgres'), serverArguments(cluster, port), {
      ...processOptions(cluster.user, cluster.data),
      // In a session of its own: neither Ctrl-C in our terminal nor the end of this process reaches it.
      detached: true,
      stdio: ['ignore', handle, handle],
      windowsHide: true,
    });
  } finally {
    closeSync(handle);
  }
  let gone: string | undefined;
  child.once('error', (error) => (gone = error.message));
  child.once('exit', (code, signal) => (gone ??= signal ?? `exit code ${code}`));
  child.unref();
  while (gone === undefined) {
    const found = readPostmaster(cluster.data);
    if (found !== undefined && found.pid === child.pid) {
      const ready = await settled(cluster.data, logger);
      if (ready !== undefined) return ready;
    }
    await sleep(POLL_MS);
  }
  return `${tail(log, logStart)}\n(${gone})`;
}

function serverArguments(cluster: Cluster, port: number): string[] {
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketFolder(cluster) ?? '',
    ssl: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  return ['-D', cluster.data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** The last port if it is free, so that addresses that people noted stay valid; otherwise any free one. */
async function choosePort(home: string): Promise<number> {
  const file = join(home, 'port');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const port = (await freePort(last)) ?? (await freePort(0));
  if (port === undefined) throw new EmbeddedPostgresError('No port is free on 127.0.0.1.');
  if (port !== last) {
    // A link there is replaced, and not followed: the folder may be another user's than this process's.
    rmSync(file, { force: true });
    writeFileSync(file, `${port}\n`, { mode: 0o644, flag: 'wx' });
    giveToOwnerOf(home, file);
  }
  return port;
}

function freePort(wanted: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port: Number.isInteger(wanted) ? wanted : 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : undefined));
    });
  });
}

function tail(log: string, from: number): string {
  const size = Math.min(statSync(log).size - from, 16_384);
  const bytes = Buffer.alloc(Math.max(size, 0));
  const handle = openSync(log, 'r');
  readSync(handle, bytes, 0, bytes.length, from);
  closeSync(handle);
  return bytes.toString('utf8').trim().split('\n').slice(-8).join('\n');
}

function isTransient(outcome: string): boolean {
  return /lock file .* already exists|pre-existing shared memory block|could not create any TCP\/IP sockets|is the file .* empty|lock file .* is empty/.test(
    outcome,
  );
}

/**
 * Lock files of a killed server whose process id now belongs to an unrelated program would prevent every start. The id
 * is replaced and the file is kept: PostgreSQL still reads the shared memory key in it, and refuses to start while a
 * child of the old server lives.
 */
function disownLocks(cluster: Cluster): void {
  const file = join(cluster.data, 'postmaster.pid');
  const found = readPostmaster(cluster.data);
  if (found !== undefined && isAlive(found.pid)) {
    replaceInFile(file, /^\d+/, NO_PID);
  }
  const port = found?.port ?? 0;
  for (const name of [`.s.PGSQL.${port}.lock`, `.s.PGSQL.${port}`]) {
    const path = join(cluster.sockets, name);
    if (existsSync(path)) unlinkSync(path);
  }
}

/** @throws EmbeddedPostgresError for a link: the folder is the server's own user's, and this process may be root's. */
function replaceInFile(file: string, what: RegExp, by: string): void {
  if (lstatSync(file).isSymbolicLink())
    throw new EmbeddedPostgresError(`${file} is a link, and not followed: remove it.`);
  const handle = openSync(file, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const text = readFileSync(handle, 'utf8').replace(what, by);
    ftruncateSync(handle);
    writeSync(handle, text, 0);
  } finally {
    closeSync(handle);
  }
}

/**
 * Fast shutdown: sessions end, everything is written, the server ends. A server that does not end within a minute is
 * stopped at once, which loses no committed data and costs a recovery at the next start.
 */
export async function stopPostmaster(cluster: Cluster, logger: Logger): Promise<void> {
  const found = livePostmaster(cluster.data);
  if (found === undefined) return;
  if (process.platform === 'win32') {
    execFileSync(program(cluster.binaries, 'pg_ctl'), ['stop', '-D', cluster.data, '-m', 'fast', '-w']);
    return;
  }
  sendSignal(found.pid, 'SIGINT');
  if (await hasGone(cluster.data, found.pid, STOP_TIMEOUT_MS)) return;
  logger.warn({ pid: found.pid }, 'the embedded database does not stop: immediate shutdown');
  sendSignal(found.pid, 'SIGQUIT');
  if (!(await hasGone(cluster.data, found.pid, STOP_TIMEOUT_MS))) {
    throw new EmbeddedPostgresError(`The embedded PostgreSQL (process ${found.pid}) does not stop.`);
  }
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function hasGone(data: string, pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isPostmaster(pid, data)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
