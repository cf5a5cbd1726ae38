import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openCluster } from '../src/platform/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded/index.ts';
import { readPostmaster } from '../src/platform/db/embedded/postmaster.ts';
import { runAlone, SERVICE_ROLE } from '../src/platform/db/embedded/roles.ts';
import { chooseServerUser } from '../src/platform/db/embedded/server-user.ts';
import { createLogger } from '../src/platform/logger.ts';
import { runChild, startChild } from './child.ts';
import { onCleanUp } from './cleanup.ts';

/** Debian's packages put each major below this. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const MAJORS = [18, 17, 16, 15];
const START_TIMEOUT_MS = 30_000;

/** The same for pgbench and the service: every commit waits for the disk, and no checkpoint falls into one load only. */
export const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  max_connections: '200',
  // Parallel workers take the second core from whoever is measured, and need more /dev/shm than containers have.
  max_parallel_workers_per_gather: '0',
};

export interface PostgresServer {
  kind: 'debian' | 'embedded' | 'yours';
  version: string;
  settings: Record<string, string>;
  /** Folder of the client tools, where there are any. */
  tools: string | undefined;
  socketFolder: string;
  port: number;
  pid: number;
  /** Postmasters of other servers that have a part of its tables. */
  others?: readonly number[];
  /** The address of a database, made when it is not there. */
  database(name: string): Promise<string>;
}

export const SUPERUSER = 'postgres';

/** A folder of this run that the server's user can enter, gone at the end. */
export function makeWorkFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manilla-bench-'));
  chmodSync(folder, 0o755);
  onCleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A PostgreSQL of our own: Debian's where its package is installed, else the one that comes with the product. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const tools = MAJORS.map((major) => join(DEBIAN_POSTGRES, String(major), 'bin')).find((bin) =>
    existsSync(join(bin, 'initdb')),
  );
  return tools === undefined ? startEmbedded(folder) : startDebian(folder, tools);
}

async function startDebian(folder: string, tools: string): Promise<PostgresServer> {
  const user = chooseServerUser(folder);
  const data = join(folder, 'data');
  // Whoever may enter this folder may enter the database: it has no password and no port on the network.
  const sockets = join(folder, 'sockets');
  for (const path of [data, sockets]) {
    mkdirSync(path, { mode: 0o700 });
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
  const as = { cwd: data, env: { LC_ALL: 'C', TZ: 'UTC' }, ...user };
  const initdb = ['-D', data, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--data-checksums', '-N'];
  await runChild(join(tools, 'initdb'), initdb, { ...as, timeoutMs: START_TIMEOUT_MS });
  const settings = { ...SETTINGS, listen_addresses: '', unix_socket_directories: sockets };
  const server = await startChild(
    join(tools, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...as, detached: true, ready: /ready to accept connections/, timeoutMs: START_TIMEOUT_MS, stopSignal: 'SIGINT' },
  );
  const base = new URL(`postgres://${SUPERUSER}@127.0.0.1:5432/postgres?host=${sockets}`);
  return describe({ kind: 'debian', tools, socketFolder: sockets, port: 5432, pid: server.pid }, base);
}

async function startEmbedded(folder: string): Promise<PostgresServer> {
  const logger = createLogger('error');
  runAlone(openCluster(folder, logger), 'postgres', [
    ...Object.entries(SETTINGS).map(([name, value]) => `alter system set ${name} = '${value}'`),
    `alter role ${SERVICE_ROLE} createdb`,
    `grant pg_checkpoint to ${SERVICE_ROLE}`,
  ]);
  const server = await startEmbeddedPostgres({ dataDir: folder, logger });
  onCleanUp(() => server.stop());
  const base = new URL(server.connectionString);
  const pid = readPostmaster(join(folder, 'pg', 'data'))?.pid ?? -1;
  const socketFolder = base.searchParams.get('host') ?? '';
  return describe({ kind: 'embedded', tools: undefined, socketFolder, port: Number(base.port), pid }, base);
}

async function describe(
  server: Pick<PostgresServer, 'kind' | 'tools' | 'socketFolder' | 'port' | 'pid'>,
  base: URL,
): Promise<PostgresServer> {
  const made = new Set<string>();
  return {
    ...server,
    ...(await readSettings(base.href, Object.keys(SETTINGS))),
    async database(name) {
      if (!made.has(name)) await onServer(base.href, `create database ${name}`);
      made.add(name);
      const address = new URL(base);
      address.pathname = name;
      return address.href;
    },
  };
}

export async function readSettings(
  address: string,
  names: readonly string[],
): Promise<Pick<PostgresServer, 'version' | 'settings'>> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const shown = await client.query<{ name: string; setting: string }>(
    'select name, current_setting(name) as setting from pg_settings where name = any ($1) order by name',
    [names],
  );
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  await client.end();
  return {
    version: rows[0]?.version ?? 'unknown',
    settings: Object.fromEntries(shown.rows.map(({ name, setting }) => [name, setting])),
  };
}

/** Runs statements one after the other on a connection of their own, each as its own transaction. */
export async function onServer(address: string, ...statements: string[]): Promise<pg.QueryResult | undefined> {
  const client = new pg.Client({ connectionString: address });
  // A server that is ended under us is reported by the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    let last: pg.QueryResult | undefined;
    for (const sql of statements) last = await client.query(sql);
    return last;
  } finally {
    await client.end();
  }
}

/** Whether the folder lies on a disk at all: in memory a durable commit costs nothing, and the figures mean nothing. */
export function isInMemory(folder: string): boolean {
  if (!existsSync('/proc/mounts')) return false;
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '));
  const under = mounts.filter(([, point = '']) => point === '/' || `${folder}/`.startsWith(`${point}/`));
  const nearest = under.sort((a, b) => (b[1] ?? '').length - (a[1] ?? '').length)[0];
  return nearest?.[2] === 'tmpfs' || nearest?.[2] === 'ramfs';
}
