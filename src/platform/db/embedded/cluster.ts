import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../logger.ts';
import { findServerPackage, installServer, program, type ServerPackage } from './binaries.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { createRoles, SUPERUSER } from './roles.ts';
import { barrier, chooseServerUser, giveToOwnerOf, processOptions, type ServerUser } from './server-user.ts';

/** Where a cluster is made when root's `dataDir` is in a folder that no other user may enter, such as /root. */
const SHARED_BASE = '/var/lib/manilla';
const STAGING_PREFIX = 'pg.new-';
/** A staging folder this old belongs to a start that was killed. */
const STAGING_LEFTOVER_MS = 60 * 60 * 1000;

/**
 * First settings of a new cluster, for a small machine. They are written to postgresql.conf, so an operator may tune
 * them.
 */
const FIRST_SETTINGS: Readonly<Record<string, string>> = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  wal_compression: 'off',
  // Hot rows (books, balances) are updated thousands of times a minute: clean them often.
  autovacuum_naptime: '15s',
  jit: 'off',
  // No I/O processes and no shared-memory segments beside the workers: two cores, and containers with a tiny /dev/shm.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  // A client that went away or hangs must not keep row locks.
  client_connection_check_interval: '10s',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Statements and the details of errors carry customers' data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/** A data directory with all that belongs to it. `home` is `dataDir/pg`, or what that link points to. */
export interface Cluster {
  readonly home: string;
  readonly data: string;
  readonly sockets: string;
  readonly binaries: string;
  /** The password of the service's role. The superuser has none. */
  readonly password: string;
  readonly user: ServerUser | undefined;
}

/**
 * Finds the cluster of `dataDir`, or makes it: server files, data directory and password appear in one rename, so that
 * two starts or a crash never leave half a cluster.
 * @throws EmbeddedPostgresError when it belongs to another user or another PostgreSQL major, or cannot be made.
 */
export function openCluster(dataDir: string, logger: Logger): Cluster {
  mkdirSync(dataDir, { recursive: true });
  const from = findServerPackage();
  const user = chooseServerUser(dataDir);
  if (user !== undefined && (statSync(dataDir).mode & 0o011) !== 0o011) {
    // Others may enter the folder but not read it: the secrets in it are 0600.
    chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  }
  const link = join(dataDir, 'pg');
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) createCluster(dataDir, from, user, logger);
  if (!existsSync(link)) throw new EmbeddedPostgresError(`${link} points to a folder that does not exist.`);
  const home = realpathSync(link);
  requireAccess(home, user);
  requireMajor(home, from);
  const binaries = installServer(home, from, user);
  const password = readPassword(home);
  return { home, data: join(home, 'data'), sockets: join(home, 'sockets'), binaries, password, user };
}

/** The cluster of `dataDir` if there is one that we may read; changes nothing. */
export function findCluster(dataDir: string): Pick<Cluster, 'data' | 'sockets' | 'password'> | undefined {
  const link = join(dataDir, 'pg');
  if (!existsSync(link)) return undefined;
  const home = realpathSync(link);
  requireAccess(home, chooseServerUser(dataDir));
  const password = readPassword(home);
  return { data: join(home, 'data'), sockets: join(home, 'sockets'), password };
}

/** @throws EmbeddedPostgresError */
function readPassword(home: string): string {
  const file = join(home, 'password');
  if (!existsSync(file)) {
    throw new EmbeddedPostgresError(
      `${file} is missing: nobody can sign in to this database without it. Restore it with its folder.`,
    );
  }
  return readFileSync(file, 'utf8').trim();
}

function requireAccess(home: string, user: ServerUser | undefined): void {
  const data = join(home, 'data');
  if (!existsSync(data)) throw new EmbeddedPostgresError(`${home} is not a database of ours: move it away.`);
  const blocked = user === undefined ? undefined : barrier(home, user);
  if (blocked !== undefined) {
    throw new EmbeddedPostgresError(
      `The database's user (uid ${user?.uid}) cannot enter ${blocked}. Allow it with: chmod o+x ${blocked}`,
    );
  }
  const owner = statSync(data).uid;
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && owner !== uid) {
    throw new EmbeddedPostgresError(
      `The database in ${home} belongs to another user (uid ${owner}), and this process runs as uid ${uid}. ` +
        'Start as the user who started first, or choose another DATA_DIR.',
    );
  }
}

function requireMajor(home: string, from: ServerPackage): void {
  const file = join(home, 'data', 'PG_VERSION');
  const have = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
  const need = from.version.split('.')[0] ?? '';
  if (have === need) return;
  throw new EmbeddedPostgresError(
    `The database in ${home} was made by PostgreSQL ${have}; this version comes with PostgreSQL ${need}. ` +
      'Nothing was touched. To move it:\n' +
      `  1. start the earlier version of this product, which still has PostgreSQL ${have}\n` +
      `  2. dump it: pg_dump --format=custom --file=manilla.dump --host=127.0.0.1 --username=manilla manilla, with the\n` +
      `     pg_dump of PostgreSQL ${need}, the port in ${join(home, 'port')} and the password in ${join(home, 'password')}\n` +
      `  3. stop it and move ${home} aside; leave the other files of DATA_DIR where they are\n` +
      '  4. start this version with DEMO_DATA=false: it makes an empty database\n' +
      '  5. restore in the same way: pg_restore --clean --if-exists --dbname=manilla manilla.dump, and start again',
  );
}

function createCluster(dataDir: string, from: ServerPackage, user: ServerUser | undefined, logger: Logger): void {
  const elsewhere = user !== undefined && barrier(dataDir, user) !== undefined;
  const base = elsewhere ? SHARED_BASE : dataDir;
  if (elsewhere) {
    mkdirSync(base, { recursive: true });
    chmodSync(base, 0o755);
    logger.warn(
      { dataDir, database: base },
      'the database cannot live in a folder that only root may enter: it goes here',
    );
  }
  removeLeftovers(base);
  const staging = mkdtempSync(join(base, STAGING_PREFIX));
  try {
    chmodSync(staging, 0o755);
    fillCluster(staging, from, user, elsewhere ? base : dataDir);
    const home = elsewhere ? join(base, randomBytes(6).toString('hex')) : join(dataDir, 'pg');
    moveIntoPlace(staging, home);
    if (elsewhere) symlinkSync(home, join(dataDir, 'pg'));
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    // Another start was faster: its cluster is used.
    if (!existsSync(join(dataDir, 'pg', 'data'))) throw error;
  }
}

function fillCluster(staging: string, from: ServerPackage, user: ServerUser | undefined, owner: string): void {
  const binaries = installServer(staging, from, user);
  const data = join(staging, 'data');
  const pwfile = join(staging, 'pwfile');
  const password = randomBytes(24).toString('base64url');
  for (const folder of [data, join(staging, 'sockets')]) mkdirSync(folder, { mode: 0o700 });
  // Not needed any more once the superuser is closed.
  writeFileSync(pwfile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  writeFileSync(join(staging, 'password'), password, { mode: 0o600, flush: true });
  for (const path of [staging, join(staging, 'server'), join(staging, 'password')]) giveToOwnerOf(owner, path);
  if (user !== undefined) {
    for (const path of [data, join(staging, 'sockets'), pwfile]) chownSync(path, user.uid, user.gid);
  }
  const settings = Object.entries(FIRST_SETTINGS).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  try {
    execFileSync(
      program(binaries, 'initdb'),
      [
        ...['--pgdata', data, '--username', SUPERUSER, '--pwfile', pwfile, '--auth', 'scram-sha-256'],
        ...['--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
        ...['--data-checksums', '--no-instructions', ...settings],
      ],
      { ...processOptions(user, staging), stdio: 'pipe' },
    );
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new EmbeddedPostgresError(`The database could not be made: ${stderr?.toString().trim() || message}`, error);
  }
  rmSync(pwfile);
  createRoles({ data, binaries, user }, password);
}

/** Atomic and durable: the name appears with everything in it, and survives a power cut. */
function moveIntoPlace(staging: string, home: string): void {
  renameSync(staging, home);
  if (process.platform === 'win32') return;
  for (const folder of [home, dirname(home)]) {
    const handle = openSync(folder, 'r');
    fsyncSync(handle);
    closeSync(handle);
  }
}

function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const path = join(base, name);
    if (!name.startsWith(STAGING_PREFIX)) continue;
    // Of another start at this moment, it may have its final name by now.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || Date.now() - found.mtimeMs < STAGING_LEFTOVER_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
