import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findServerPackage, installServer } from '../../src/platform/db/embedded/binaries.ts';
import {
  type EmbeddedPostgres,
  findRunningEmbeddedPostgres,
  joinEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/db/embedded/index.ts';
import { keepServerLogShort, turnServerLog } from '../../src/platform/db/embedded/server-log.ts';
import { barrier, type ServerUser } from '../../src/platform/db/embedded/server-user.ts';
import { createLogger } from '../../src/platform/logger.ts';

const STARTER = fileURLToPath(new URL('../support/embedded-starter.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const logger = createLogger('silent');

/** A cluster that was made and stopped; each test works on a copy, since making one takes a second. */
let made: string;
let dataDir: string;
let running: EmbeddedPostgres[];
let children: ChildProcess[];

beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'manilla-embedded-'));
  chmodSync(made, 0o755);
  await (await startEmbeddedPostgres({ dataDir: made, logger })).stop();
});

afterAll(() => rmSync(made, { recursive: true, force: true }));

function copyMade(): void {
  const pg = join(dataDir, 'pg');
  mkdirSync(pg);
  for (const name of ['data', 'sockets', 'password', 'port']) execFileSync('cp', ['-a', join(made, 'pg', name), pg]);
  // The server's files are never written to, so links will do.
  execFileSync('cp', [process.platform === 'linux' ? '-al' : '-a', join(made, 'pg', 'server'), pg]);
}

beforeEach(() => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'manilla-embedded-')));
  chmodSync(dataDir, 0o755);
  running = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) await kill(child);
  for (const embedded of running) await embedded.stop();
  const left = postmasterPid();
  if (left !== undefined && isAlive(left)) process.kill(left, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const embedded = await startEmbeddedPostgres({ dataDir, logger });
  running.push(embedded);
  return embedded;
}

async function query(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: address });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The lock that a supervisor holds for as long as it lives. */
async function holdLock(connectionString: string, application_name: string): Promise<pg.Client> {
  const url = new URL(connectionString);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href, application_name });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [0x6d616e69]);
  return client;
}

interface Told {
  connectionString?: string;
  error?: string;
}

/** Starts the database in a process of its own; resolves with what that process says first. */
async function startInChild(user?: ServerUser): Promise<{ child: ChildProcess; told: Told }> {
  const child = spawn(process.execPath, [STARTER, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], ...user });
  children.push(child);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, told: JSON.parse(line) as Told };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function postmasterPid(): number | undefined {
  const file = join(dataDir, 'pg', 'data', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('a first start', () => {
  it('makes a database that is durable, checksummed, byte-ordered UTF-8, and closed to who has no password', async () => {
    const { connectionString } = await start();
    const settings = await query(
      connectionString,
      `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit',
         'data_checksums', 'listen_addresses', 'server_encoding', 'password_encryption') order by name`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      password_encryption: 'scram-sha-256',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    });
    expect(
      await query(
        connectionString,
        'select datlocprovider as p, datlocale as l from pg_database where datname = current_database()',
      ),
    ).toEqual([{ p: 'b', l: 'C.UTF-8' }]);
    const wrong = new URL(connectionString);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    wrong.searchParams.delete('host');
    await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  });

  it('keeps its secrets from other users and its server files out of node_modules', async () => {
    await start();
    expect(statSync(join(dataDir, 'pg', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'pg', 'data')).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(dataDir, 'pg', 'data', 'postmaster.opts'), 'utf8')).toContain(
      join(dataDir, 'pg', 'server'),
    );
  });

  it('answers on the network address too, where the folder is too deep for a Unix socket', async () => {
    const above = dataDir;
    dataDir = join(above, 'x'.repeat(60), 'y'.repeat(60));
    mkdirSync(dataDir, { recursive: true });
    try {
      const { connectionString, stop } = await start();
      expect(new URL(connectionString).searchParams.has('host')).toBe(false);
      expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
      await stop();
    } finally {
      rmSync(above, { recursive: true, force: true });
    }
  });

  it('is not in the way of another one at the same moment, whose folder has its final name by now', async () => {
    symlinkSync(join(dataDir, 'gone'), join(dataDir, 'pg.new-gone'));
    const { connectionString } = await start();
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('says so where no program may be run in its folder', () => {
    const directory = mkdtempSync(join(tmpdir(), 'manilla-noexec-'));
    mkdirSync(join(directory, 'native', 'bin'), { recursive: true });
    // What may not be run either, as all files of such a file system.
    for (const name of ['postgres', 'initdb']) writeFileSync(join(directory, 'native', 'bin', name), '#!/etc/passwd\n');
    expect(() => installServer(directory, { version: '1.0.0', directory }, undefined)).toThrow(
      `may not be run from ${join(directory, 'server')}: the file system may be mounted noexec. Choose another DATA_DIR`,
    );
    rmSync(directory, { recursive: true });
  });

  it('says what to do on a platform that has no server', () => {
    expect(() => findServerPackage('sunos-sparc')).toThrow(/no embedded PostgreSQL for sunos-sparc\. Set DATABASE_URL/);
  });
});

describe('stopping and starting', () => {
  beforeEach(copyMade);

  it('ends the server cleanly, and the next start has the same data under the same address', async () => {
    const first = await start();
    await query(first.connectionString, 'create table kept as select 7 as x');
    const pid = postmasterPid()!;
    expect(findRunningEmbeddedPostgres(dataDir)).toBe(first.connectionString);
    await first.stop();
    expect([postmasterPid(), findRunningEmbeddedPostgres(dataDir)]).toEqual([undefined, undefined]);
    // It has ended; until whoever inherited it has taken note, its id still answers.
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
    expect(readFileSync(join(dataDir, 'pg', 'postgres.log'), 'utf8')).toMatch(/database system is shut down\s*$/);
    const second = await start();
    expect(second.connectionString).toBe(first.connectionString);
    expect(await query(second.connectionString, 'select x from kept')).toEqual([{ x: 7 }]);
  });

  it('keeps the log of the server short while it runs, and the server goes on in the emptied file', async () => {
    const { connectionString } = await start();
    const home = join(dataDir, 'pg');
    const [log, before] = [join(home, 'postgres.log'), join(home, 'postgres.log.1')];
    const others = join(dataDir, 'of-others');
    writeFileSync(others, 'theirs');
    symlinkSync(others, before);
    await turnServerLog(home);
    expect(lstatSync(before).isSymbolicLink(), 'a short log stays').toBe(true);
    appendFileSync(log, `${'a line of a year\n'.repeat(700_000)}the last of them\n`);
    const end = keepServerLogShort(home, logger, 10);
    await expect.poll(() => statSync(log).size).toBe(0);
    end();
    expect(readFileSync(before, 'utf8').slice(-34)).toBe('a line of a year\nthe last of them\n');
    expect([lstatSync(before).isFile(), readFileSync(others, 'utf8')]).toEqual([true, 'theirs']);
    await query(connectionString, `do $$ begin raise warning 'written afterwards'; end $$`);
    await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/^[^\0]*written afterwards/);
  });

  it('says so where a link is in place of its log, and writes nowhere', async () => {
    const others = join(dataDir, 'of-others');
    writeFileSync(others, 'theirs');
    symlinkSync(others, join(dataDir, 'pg', 'postgres.log'));
    await expect(start()).rejects.toThrow(/postgres\.log is a link, and not followed: remove it\./);
    expect(readFileSync(others, 'utf8')).toBe('theirs');
  });

  it('ends the server with sessions open, and may be asked twice', async () => {
    const { connectionString, stop } = await start();
    const idle = new pg.Client({ connectionString });
    idle.on('error', () => undefined);
    await idle.connect();
    await idle.query('begin; create table never ()');
    await Promise.all([stop(), stop()]);
    await stop();
    expect(postmasterPid()).toBeUndefined();
  });

  it('takes another port when the one of the last time is taken', async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.connectionString).port);
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const second = await start();
    expect(Number(new URL(second.connectionString).port)).not.toBe(port);
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    squatter.close();
  });
});

describe('a service beside others', () => {
  beforeEach(copyMade);

  it('waits for a command that runs the database, which ends with it, and runs it then', async () => {
    const command = await startEmbeddedPostgres({ dataDir, logger, by: 'COMMAND' });
    const said: string[] = [];
    const listening = { ...logger, info: (...words: unknown[]) => said.push(String(words.at(-1))) } as typeof logger;
    const joining = joinEmbeddedPostgres({ dataDir, logger: listening });
    await until(async () => said.includes('waiting for a command that runs the embedded database'));
    const stopped = new AbortController();
    const given = joinEmbeddedPostgres({ dataDir, logger, stopped: stopped.signal });
    stopped.abort();
    await expect(given, 'who is asked to end waits no longer').rejects.toThrow('aborted');
    await command.stop();
    const { connectionString, stop } = await joining;
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
    expect(postmasterPid()).toBeUndefined();
  });

  it('uses the database that another service runs, and leaves it running', async () => {
    const { connectionString } = await start();
    const joined = await joinEmbeddedPostgres({ dataDir, logger });
    expect(joined.connectionString).toBe(connectionString);
    await joined.stop();
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('that starts at the same moment as they do runs on one database with them: none is refused', async () => {
    const both = await Promise.all([
      joinEmbeddedPostgres({ dataDir, logger }),
      joinEmbeddedPostgres({ dataDir, logger }),
    ]);
    running.push(...both);
    expect(both[1].connectionString).toBe(both[0].connectionString);
    expect(await query(both[0].connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('looks after the server of one that was killed: it ends with the service, and not when the machine does', async () => {
    const { child, told } = await startInChild();
    await kill(child);
    const { connectionString, stop } = await joinEmbeddedPostgres({ dataDir, logger });
    expect(connectionString).toBe(told.connectionString);
    await stop();
    expect(postmasterPid()).toBeUndefined();
  });

  it.each([
    ['its process is gone', () => '2147483646'],
    ['its process is ending', () => String(process.pid)],
  ])('looks after it also where the server has not noticed yet that the other was killed: %s', async (_how, pidOf) => {
    const { child, told } = await startInChild();
    await kill(child);
    const killed = await holdLock(told.connectionString!, `manilla supervisor ${pidOf()}`);
    const noticed = sleep(50).then(() => killed.end());
    const { connectionString, stop } = await joinEmbeddedPostgres({ dataDir, logger });
    await noticed;
    expect(connectionString).toBe(told.connectionString);
    await stop();
    expect(postmasterPid()).toBeUndefined();
  });
});

describe('after a crash', () => {
  beforeEach(copyMade);

  it('of our process alone, the next start adopts the server that is still running', async () => {
    const { child, told } = await startInChild();
    await query(told.connectionString!, 'create table kept as select 7 as x');
    const pid = postmasterPid()!;
    await kill(child);
    expect(isAlive(pid)).toBe(true);
    const { connectionString, stop } = await start();
    expect([postmasterPid(), connectionString]).toEqual([pid, told.connectionString]);
    expect(await query(connectionString, 'select x from kept')).toEqual([{ x: 7 }]);
    await stop();
    expect(postmasterPid()).toBeUndefined();
  });

  it('of our process and the server, the next start recovers what was committed', async () => {
    const { child, told } = await startInChild();
    await query(told.connectionString!, 'create table kept as select 7 as x');
    await kill(child);
    process.kill(postmasterPid()!, 'SIGKILL');
    const { connectionString } = await start();
    expect(await query(connectionString, 'select x from kept')).toEqual([{ x: 7 }]);
  });

  it('of the server alone, it is started again under the same address while we live, and the log has the alarm', async () => {
    const alarms: unknown[] = [];
    const heard = { ...logger, error: (...words: unknown[]) => alarms.push(words.at(-1)) } as typeof logger;
    const embedded = await startEmbeddedPostgres({ dataDir, logger: heard });
    running.push(embedded);
    const { connectionString } = embedded;
    await query(connectionString, 'create table kept as select 7 as x');
    const pid = postmasterPid()!;
    process.kill(pid, 'SIGKILL');
    const seen = async () => (await query(connectionString, 'select x from kept'))[0];
    await until(async () => (await seen().catch(() => undefined)) !== undefined);
    expect(await seen()).toEqual({ x: 7 });
    expect(postmasterPid()).not.toBe(pid);
    expect(alarms[0]).toBe('the embedded database is down; starting it again');
  });

  it('a lock file whose process id now belongs to another program of that user does not stop the start', async () => {
    const data = join(dataDir, 'pg', 'data');
    const { uid, gid } = statSync(data);
    const other = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.push(other);
    await once(other, 'spawn');
    const port = readFileSync(join(dataDir, 'pg', 'port'), 'utf8').trim();
    const lock = `${other.pid}\n${data}\n1700000000\n${port}\n${join(dataDir, 'pg', 'sockets')}\n127.0.0.1\n  123 456\nready   \n`;
    for (const file of [join(data, 'postmaster.pid'), join(dataDir, 'pg', 'sockets', `.s.PGSQL.${port}.lock`)]) {
      writeFileSync(file, lock, { mode: 0o600 });
      if (isRoot) chownSync(file, uid, gid);
    }
    const { connectionString } = await start();
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(other.pid!)).toBe(true);
  });
});

describe('refusing', () => {
  it('lets one of two processes have a data directory that both start at once, and tells the other so', async () => {
    const both = await Promise.all([startInChild(), startInChild()]);
    const [winner, loser] = both.map(({ told }) => told).sort((a) => (a.error === undefined ? -1 : 1));
    expect(loser?.error).toMatch(/Another process \(\d+\) already runs the database in .*choose another DATA_DIR/);
    expect(await query(winner!.connectionString!, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('tells a second start while the first one runs, and leaves the first one alone', async () => {
    copyMade();
    const { connectionString } = await start();
    await expect(startEmbeddedPostgres({ dataDir, logger })).rejects.toThrow(`Another process (${process.pid})`);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('a data directory of another PostgreSQL major, with the steps, and without touching it', async () => {
    copyMade();
    const file = join(dataDir, 'pg', 'data', 'PG_VERSION');
    writeFileSync(file, '17\n');
    await expect(startEmbeddedPostgres({ dataDir, logger })).rejects.toThrow(
      /made by PostgreSQL 17; .* PostgreSQL 18[\s\S]*pg_dump[\s\S]*pg_restore/,
    );
    expect([readFileSync(file, 'utf8'), postmasterPid()]).toEqual(['17\n', undefined]);
  });

  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])('to run with %s off', async (name) => {
    copyMade();
    appendFileSync(join(dataDir, 'pg', 'data', 'postgresql.conf'), `\n${name} = off\n`);
    await expect(startEmbeddedPostgres({ dataDir, logger })).rejects.toThrow(`${name} = off`);
    expect(postmasterPid()).toBeUndefined();
  });

  it('a server that cannot start, with what its log says', async () => {
    copyMade();
    appendFileSync(join(dataDir, 'pg', 'data', 'postgresql.conf'), '\nshared_buffers = nonsense\n');
    await expect(startEmbeddedPostgres({ dataDir, logger })).rejects.toThrow(/did not start[\s\S]*shared_buffers/);
  });

  it('a folder named pg that is no database of ours', async () => {
    mkdirSync(join(dataDir, 'pg'));
    await expect(startEmbeddedPostgres({ dataDir, logger })).rejects.toThrow(/not a database of ours/);
  });
});

describe.runIf(isRoot)('as root', () => {
  const nobody: ServerUser = { uid: 65_534, gid: 65_534 };

  it('the server runs as a user without rights', async () => {
    copyMade();
    await start();
    expect(statSync(`/proc/${postmasterPid()}`).uid).not.toBe(0);
  });

  it('the server does not have the group of root where a folder was given to a user without a group', async () => {
    chownSync(dataDir, nobody.uid, 0);
    await start();
    const { uid, gid } = statSync(`/proc/${postmasterPid()}`);
    expect([uid, gid]).toEqual([nobody.uid, nobody.gid]);
  });

  it('what it writes and removes in a folder of another user is there, wherever links of that user lead', async () => {
    copyMade();
    const [home, theirs] = [join(dataDir, 'pg'), join(dataDir, 'of-others')];
    mkdirSync(theirs);
    const kept = join(theirs, 'kept');
    const { uid, gid } = statSync(join(home, 'data'));
    const other = spawn('sleep', ['60'], { uid, gid });
    children.push(other);
    await once(other, 'spawn');
    const first = `${other.pid}\n${join(home, 'data')}\n1700000000\n1\n`;
    writeFileSync(kept, first);
    const swapFor = (path: string, target: string) => {
      rmSync(path, { recursive: true, force: true });
      symlinkSync(target, path);
      lchownSync(path, uid, gid);
    };
    swapFor(join(home, 'port'), kept);
    const started = await start();
    await started.stop();
    expect(lstatSync(join(home, 'port')).isFile()).toBe(true);
    swapFor(join(home, 'data', 'postmaster.pid'), kept);
    await expect(start()).rejects.toThrow(/postmaster\.pid is a link, and not followed/);
    rmSync(join(home, 'data', 'postmaster.pid'));
    swapFor(join(home, 'server'), theirs);
    await expect(start()).rejects.toThrow(/server is a link of another user \(uid \d+\), and not followed/);
    expect([readFileSync(kept, 'utf8'), readdirSync(theirs)]).toEqual([first, ['kept']]);
  });

  it('a folder that only root may enter is no obstacle: the data go where the server can reach them', async () => {
    chmodSync(dataDir, 0o700);
    const closed = dataDir;
    dataDir = join(closed, 'data');
    const { connectionString, stop } = await start();
    const home = realpathSync(join(dataDir, 'pg'));
    expect(home.startsWith(closed)).toBe(false);
    await query(connectionString, 'create table kept as select 7 as x');
    await stop();
    const again = await start();
    expect(await query(again.connectionString, 'select x from kept')).toEqual([{ x: 7 }]);
    await again.stop();
    for (const path of [home, closed]) rmSync(path, { recursive: true, force: true });
  });

  it.skipIf(barrier(dirname(STARTER), nobody) !== undefined)(
    'a folder of an ordinary user stays usable by that user',
    async () => {
      chownSync(dataDir, nobody.uid, nobody.gid);
      const asRoot = await start();
      await query(asRoot.connectionString, 'create table kept as select 7 as x');
      await asRoot.stop();
      const { told } = await startInChild(nobody);
      expect(told.error).toBeUndefined();
      expect(await query(told.connectionString!, 'select x from kept')).toEqual([{ x: 7 }]);
    },
  );
});
