import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../../src/platform/db/embedded/binaries.ts';
import { type Cluster, openCluster } from '../../src/platform/db/embedded/cluster.ts';
import {
  type EmbeddedPostgres,
  findRunningEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/db/embedded/index.ts';
import { ensurePostmaster, livePostmaster, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { runAlone } from '../../src/platform/db/embedded/roles.ts';
import { processOptions } from '../../src/platform/db/embedded/server-user.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createLogger } from '../../src/platform/logger.ts';

const logger = createLogger('silent');
let dataDir: string;
let running: EmbeddedPostgres | undefined;

beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'manilla-roles-')));
  chmodSync(dataDir, 0o755);
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  const left = existsSync(join(dataDir, 'pg', 'data')) ? livePostmaster(join(dataDir, 'pg', 'data')) : undefined;
  if (left !== undefined) process.kill(left.pid, 'SIGQUIT');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<string> {
  running = await startEmbeddedPostgres({ dataDir, logger });
  return running.connectionString;
}

async function query(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What nobody who gets at the service's connection may do. */
const BEYOND_IT: readonly [string, string][] = [
  ['run a program on the machine', `copy (select 1) to program 'true'`],
  ['read a file of the machine', `select pg_read_file('/etc/hostname')`],
  ['write a file on the machine', `copy (select 1) to '/tmp/manilla-was-here'`],
  ['make a role', 'create role thief superuser'],
  ['make itself a superuser', 'alter role manilla superuser'],
  ['become the superuser', 'set role manilla_superuser'],
  ['read the stored passwords', 'select rolpassword from pg_authid'],
  ['turn durability off', 'alter system set fsync = off'],
  ['make a database', 'create database elsewhere'],
  ['load code into the server', `load '$libdir/auto_explain'`],
  ['skip triggers', `set session_replication_role = 'replica'`],
];

async function expectNoSuperuser(connectionString: string): Promise<void> {
  for (const [what, sql] of BEYOND_IT) {
    const code = await query(connectionString, sql).then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
    expect(code, what).toBe('42501');
  }
  const who = `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
                where rolname = current_user`;
  expect(await query(connectionString, who)).toEqual([
    {
      rolname: 'manilla',
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    },
  ]);
}

async function expectClosedSuperuser(connectionString: string): Promise<void> {
  const supers = `select rolname, rolcanlogin from pg_roles where rolsuper`;
  expect(await query(connectionString, supers)).toEqual([{ rolname: 'manilla_superuser', rolcanlogin: false }]);
  const asSuperuser = new URL(connectionString);
  asSuperuser.username = 'manilla_superuser';
  await expect(query(asSuperuser.href, 'select 1')).rejects.toThrow(/password authentication failed|not permitted/);
}

/** As the release before made it: the service's role is the superuser of `initdb`. */
function makeOldCluster(): Cluster {
  const cluster = openCluster(dataDir, logger);
  const { data, binaries, user, home, password } = cluster;
  rmSync(data, { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  const pwfile = join(home, 'pwfile');
  writeFileSync(pwfile, password);
  if (user !== undefined) for (const path of [data, pwfile]) chownSync(path, user.uid, user.gid);
  execFileSync(
    program(binaries, 'initdb'),
    ['--pgdata', data, '--username', 'manilla', '--pwfile', pwfile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    { ...processOptions(user, home), stdio: 'pipe' },
  );
  return cluster;
}

/** The server of such a release, with tables in its database. */
async function runOldCluster(cluster: Cluster): Promise<void> {
  runAlone(cluster, 'postgres', ['create database manilla']);
  await ensurePostmaster(cluster, logger);
  await query(
    findRunningEmbeddedPostgres(dataDir) as string,
    `create table kept as select 7 as x; create view seen as select x from kept;
     create function answer() returns int language sql as 'select 42'`,
  );
}

async function expectTakenOver(connectionString: string): Promise<void> {
  await expectNoSuperuser(connectionString);
  await expectClosedSuperuser(connectionString);
  await query(connectionString, 'alter table kept add column y int; drop view seen; drop function answer()');
  expect(await query(connectionString, 'select x from kept')).toEqual([{ x: 7 }]);
}

describe('the role that the service comes with', () => {
  it('is no superuser, and can run no program, make no role, read no password and turn off no durability', async () => {
    await expectNoSuperuser(await start());
  });

  it('is the only one that may sign in, with the only password that lies in the folder', async () => {
    const address = await start();
    await expectClosedSuperuser(address);
    expect(readFileSync(join(dataDir, 'pg', 'password'), 'utf8').trim()).toBe(new URL(address).password);
    expect(existsSync(join(dataDir, 'pg', 'pwfile'))).toBe(false);
  });

  it('owns the database that it is given: the whole of the schema is made by it', async () => {
    const connectionString = await start();
    await migrate({ connectionString, logger });
    const strangers = `select distinct tableowner from pg_tables where schemaname = 'public'`;
    expect(await query(connectionString, strangers)).toEqual([{ tableowner: 'manilla' }]);
  });
});

describe('a data directory of a release where it was the superuser', () => {
  it('is changed at the next start, with everything in it', async () => {
    const cluster = makeOldCluster();
    await runOldCluster(cluster);
    await stopPostmaster(cluster, logger);
    const connectionString = await start();
    await expectTakenOver(connectionString);
    await running?.stop();
    expect(await start()).toBe(connectionString);
    await expectNoSuperuser(connectionString);
  });

  it('is changed too where its server outlived a crash and is adopted', async () => {
    await runOldCluster(makeOldCluster());
    const before = findRunningEmbeddedPostgres(dataDir) as string;
    expect(await query(before, `select rolsuper from pg_roles where rolname = current_user`)).toEqual([
      { rolsuper: true },
    ]);
    await expectTakenOver(await start());
  });

  it('is changed where an earlier start was killed before it had made the database', async () => {
    makeOldCluster();
    await expectNoSuperuser(await start());
  });
});
