import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Cluster, openCluster } from '../../src/platform/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { livePostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { runAlone, SERVICE_ROLE } from '../../src/platform/db/embedded/roles.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { CITUS_SERVERS, distributeTemplate, onEachServer } from './citus.ts';
import { removeDataDir } from './service.ts';

export interface TestServer {
  /** The address of a role that may make databases, with no database of the product in it. */
  connectionString: string;
  /** The migrated database that test databases are cloned from. */
  template: string;
}

/** What `global-setup.ts` hands to every file of tests. */
declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer;
  }
}

export interface TestCluster {
  server: TestServer;
  stop(): Promise<void>;
}

const FOLDER_PREFIX = 'manilla-test-';
const logger = createLogger(process.env.TEST_LOG_LEVEL ?? 'warn');
/** What tests do and the service may not: a database for each file, and rows changed behind the back of triggers. */
const FOR_TESTS = [
  `alter role ${SERVICE_ROLE} createdb`,
  // Else a database that autovacuum is in at that moment cannot be dropped.
  `grant pg_signal_backend to ${SERVICE_ROLE}`,
  `grant set on parameter session_replication_role to ${SERVICE_ROLE}`,
];
/**
 * Nobody needs these data after a power cut, or tables that are kept tidy for longer than a file of tests. The guarantees
 * about durability have clusters of their own. Commits wait for the server's log as always, or the service would not start.
 */
const NOT_DURABLE = '\nfsync = off\nfull_page_writes = off\nautovacuum = off\njit = off\n';

/**
 * A PostgreSQL for one test run: the embedded one in a temporary folder that is removed at the end, or the server of
 * `TEST_DATABASE_URL` (another version, a distributed one) on which only databases come and go.
 */
export async function startTestCluster(): Promise<TestCluster> {
  const own = process.env.TEST_DATABASE_URL === undefined ? await startOwn() : undefined;
  const server = own?.address ?? process.env.TEST_DATABASE_URL ?? '';
  const template = `manilla_template_${process.pid}`;
  try {
    if (CITUS_SERVERS.length > 0) {
      await onEachServer(server, 'postgres', `create database ${template}`);
      await onEachServer(server, template, 'create extension citus');
    } else await onServer(server, `create database ${template}`);
    await migrate({ connectionString: databaseAddress(server, template), logger });
    if (CITUS_SERVERS.length > 0) await distributeTemplate(server, databaseAddress(server, template));
  } catch (error) {
    await own?.stop();
    throw error;
  }
  return {
    server: { connectionString: server, template },
    async stop() {
      const drop = `drop database if exists ${template} with (force)`;
      if (CITUS_SERVERS.length > 0) await onEachServer(server, 'postgres', drop);
      else if (own === undefined) await onServer(server, drop);
      else await own.stop();
    },
  };
}

/** The address of another database of the same server. */
export function databaseAddress(server: string, name: string): string {
  const address = new URL(server);
  address.pathname = name;
  return address.href;
}

/** Runs one statement on the server itself, not in a test's database. */
async function onServer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseAddress(server, 'postgres') });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function startOwn(): Promise<{ address: string; stop(): Promise<void> }> {
  await removeLeftovers();
  const dataDir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX));
  writeFileSync(join(dataDir, 'run-by'), String(process.pid));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    const cluster = openCluster(dataDir, logger);
    runAlone(cluster, 'postgres', FOR_TESTS);
    const running = await startEmbeddedPostgres({ dataDir, logger });
    favourSpeed(cluster);
    const stop = async () => {
      await running.stop();
      remove();
    };
    return { address: running.connectionString, stop };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Once it runs: the service refuses to start a server that may lose what it acknowledged. Thousands of connections are
 * made in a run, and a password costs each a quarter of its time.
 */
function favourSpeed(cluster: Cluster): void {
  const pid = livePostmaster(cluster.data)?.pid;
  if (pid === undefined) throw new Error('the server of the tests does not run');
  appendFileSync(join(cluster.data, 'postgresql.conf'), NOT_DURABLE);
  const access = join(cluster.data, 'pg_hba.conf');
  writeFileSync(access, `local all all trust\n${readFileSync(access, 'utf8')}`);
  process.kill(pid, 'SIGHUP');
}

/** A run that was killed left its server behind: nothing else would ever stop it. */
async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(FOLDER_PREFIX)) continue;
    const dataDir = join(tmpdir(), name);
    try {
      if (isAlive(Number(readFileSync(join(dataDir, 'run-by'), 'utf8')))) continue;
      await removeDataDir(dataDir);
    } catch (error) {
      logger.debug({ err: error, dataDir }, 'left where it is');
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
