import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAlone } from '../../src/platform/db/alone.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { chooseServerUser } from '../../src/platform/db/embedded/server-user.ts';
import { PLANNING } from '../../src/platform/db/planning.ts';
import { requirePooling } from '../../src/platform/db/pooler.ts';
import { setInsert, statement, write as writeOf } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { makeDataDir, removeDataDir, startService } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/** Debian's package `pgbouncer`, or another build by `PGBOUNCER`. Where there is none, these tests are left out. */
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';
const version = existsSync(PROGRAM)
  ? /PgBouncer (\d+)\.(\d+)/.exec(String(execFileSync(PROGRAM, ['--version'])))
  : null;
const isFrom = (minor: number) => Number(version?.[1]) > 1 || Number(version?.[2]) >= minor;
const keepsStatements = isFrom(21);

const dataDir = makeDataDir();
const running: ChildProcess[] = [];
const databases: Database[] = [];
let database: EmbeddedPostgres;

beforeAll(async () => {
  database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
});
afterAll(async () => {
  for (const each of databases) await each.close();
  for (const child of running) child.kill('SIGKILL');
  await database.stop();
  await removeDataDir(dataDir);
});

/** The address of the database through a PgBouncer with these settings beside the plain ones. */
const startPooler = async (settings: Record<string, string>) => (await startObservedPooler(settings)).address;

/** The same, and all that it wrote. */
async function startObservedPooler(settings: Record<string, string>) {
  const { port, username, password, pathname } = new URL(database.connectionString);
  const listenPort = Number(settings['listen_port'] ?? (await freePort()));
  const users = join(dataDir, `users-${listenPort}.txt`);
  const file = join(dataDir, `pooler-${listenPort}.ini`);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(listenPort),
    auth_type: 'plain',
    auth_file: users,
    pool_mode: 'transaction',
    unix_socket_dir: '',
    ...settings,
  };
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    file,
    [
      '[databases]',
      `${pathname.slice(1)} = host=127.0.0.1 port=${port} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  );
  for (const path of [users, file]) chmodSync(path, 0o644);
  const child = spawn(PROGRAM, [file], { stdio: ['ignore', 'ignore', 'pipe'], ...chooseServerUser(dataDir) });
  running.push(child);
  let log = '';
  child.stderr?.on('data', (bytes: Buffer) => (log += String(bytes)));
  await expect.poll(() => log, { timeout: 10_000 }).toContain('process up');
  return { address: `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`, log: () => log };
}

/** As docs/settings.md has them. */
const AS_DOCUMENTED: Record<string, string> = {
  ignore_startup_parameters: 'options',
  ...(keepsStatements && { max_prepared_statements: '500' }),
};

function openThrough(address: string, maxConnections: number): Database {
  const opened = openDatabase({ connectionString: address, maxConnections, logger: createLogger('silent') });
  databases.push(opened);
  return opened;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const asked = (address: string) => requirePooling(address, 'test');

describe.skipIf(version === null)(
  `PgBouncer in front of the database${version === null ? ' (not installed here)' : ''}`,
  () => {
    it('that refuses start-up options is refused with what to set', async () => {
      await expect(asked(await startPooler({}))).rejects.toThrow(
        /ignore_startup_parameters[\s\S]*alter role "manilla" set enable_seqscan = off;/,
      );
    });

    it('that drops start-up options is refused until the role has them, and one without prepared statements always', async () => {
      const dropping = { ignore_startup_parameters: 'options' };
      const unable = keepsStatements ? { ...dropping, max_prepared_statements: '0' } : dropping;
      await expect(asked(await startPooler(unable))).rejects.toThrow(/drops start-up options[\s\S]*alter role/);
      for (const [name, setting] of Object.entries(PLANNING))
        await rowsOf(database.connectionString, `alter role manilla set ${name} = ${setting}`, []);
      await expect(asked(await startPooler(unable))).rejects.toThrow(/prepared statements/);
      await rowsOf(database.connectionString, `alter role manilla set datestyle = 'German'`, []);
      // From 1.20 on it passes on, of the start-up options, the style and the zone of times.
      if (keepsStatements) await expect(asked(await startPooler(AS_DOCUMENTED))).resolves.toBe(true);
      else await expect(asked(await startPooler(dropping))).rejects.toThrow(/DateStyle is[\s\S]*set DateStyle = ISO;/);
      await rowsOf(database.connectionString, 'alter role manilla reset datestyle', []);
    });

    it.each([
      ['bytea_output', 'escape', 'hex'],
      ['timezone', 'Africa/Lagos', 'UTC'],
    ])(
      'that gives its clients %s = %s is refused, whatever its mode: rows that are hashed would have another text',
      async (name, wrong, right) => {
        await rowsOf(database.connectionString, `alter role manilla set ${name} = '${wrong}'`, []);
        const answer = asked(await startPooler({ ...AS_DOCUMENTED, pool_mode: 'session' }));
        if (name === 'timezone' && keepsStatements) await expect(answer).resolves.toBe(true);
        else await expect(answer).rejects.toThrow(new RegExp(`alter role "manilla" set ${name} = ${right};`, 'i'));
        await rowsOf(database.connectionString, `alter role manilla reset ${name}`, []);
      },
    );

    it('that was not there at the start of a service ends it once it is, where it is wrong', async () => {
      const { username, password, pathname } = new URL(database.connectionString);
      const port = await freePort();
      const ownDir = makeDataDir();
      const DATABASE_URL = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
      const service = await startService({
        dataDir: ownDir,
        args: ['serve'],
        env: { DATABASE_URL, LOG_LEVEL: 'info', DEMO_DATA: 'true' },
      });
      const ended = once(service.child, 'close');
      await startPooler({ listen_port: String(port) });
      expect(await ended).toEqual([1, null]);
      expect(service.output()).toContain('ignore_startup_parameters = options');
      await removeDataDir(ownDir, [service]);
    });

    it('that shares connections lets one of two do what is done alone, and the next when that one has ended', async () => {
      const address = await startPooler({ ignore_startup_parameters: 'options' });
      const pools = [1, 2].map(() => new pg.Pool({ connectionString: address, max: 2 }));
      const [one, other] = pools.map((pool) => ({ pool })) as [{ pool: pg.Pool }, { pool: pg.Pool }];
      const LOCK = 77;
      try {
        const inside = await runAlone(one, LOCK, async () => {
          const beside = await runAlone(other, LOCK, async () => 'did it, too');
          // Others have the connections meanwhile.
          await Promise.all(pools.map((pool) => pool.query('select 1')));
          return [beside, 'did it'];
        });
        expect(inside).toEqual([undefined, 'did it']);
        expect(await runAlone(other, LOCK, async () => 'did it next')).toBe('did it next');
      } finally {
        await Promise.all(pools.map((pool) => pool.end()));
      }
    });

    it.skipIf(!keepsStatements)('is sent rows and statements together, and counts no answer wrongly', async () => {
      await rowsOf(database.connectionString, 'create table sent (id bigint, words text)', []);
      const sent = setInsert<{ id: bigint; words: string }>('sent', { id: 'bigint', words: 'text' });
      const count = statement<{ n: number }>('count-sent', 'select count(*)::int as n from sent');
      const { address, log } = await startObservedPooler({ ...AS_DOCUMENTED, default_pool_size: '2' });
      const [one, other] = [openThrough(address, 1), openThrough(address, 1)];
      await one.query(count);
      const write = (id: bigint) =>
        other.transaction(async (tx) => {
          const rows = [writeOf(sent, { id, words: 'x' }).row];
          const [, counted] = await Promise.all([tx.run(sent, rows), tx.query(count)]);
          return counted;
        });
      expect(await write(1n)).toEqual([{ n: 1 }]);
      expect(await write(2n)).toEqual([{ n: 2 }]);
      await other.run(sent, [writeOf(sent, { id: 3n, words: 'y' }).row]);
      expect(await one.query(count)).toEqual([{ n: 3 }]);
      expect(log()).not.toMatch(/WARNING|ERROR/);
    });

    it('that gives a proof one connection of the server after another leaves nothing of it on any', async () => {
      const address = await startPooler({ ...AS_DOCUMENTED, server_round_robin: '1', default_pool_size: '4' });
      const pool = new pg.Pool({ connectionString: address, max: 4 });
      // From here on the pooler has several connections of the server, and takes the one that has waited longest.
      await Promise.all([1, 2, 3, 4].map(() => pool.query('select pg_sleep(0.05)')));
      const read = statement<{ n: number }>('count-own', 'select count(*)::int as n from only_here');
      const readApart = openThrough(address, 2).readApart(
        2,
        (each) => Promise.all(each.map((queries) => queries.query(read))),
        'create temp table only_here (id int)',
      );
      await expect(readApart).resolves.toEqual([[{ n: 0 }], [{ n: 0 }]]);
      const left = await Promise.all(
        [1, 2, 3, 4].map(() => pool.query(`select to_regclass('only_here') as it, pg_sleep(0.05)`)),
      );
      expect(left.map(({ rows }) => rows[0].it)).toEqual([null, null, null, null]);
      await pool.end();
    });

    it.skipIf(!isFrom(24))('that has no room for the watch keeps the connections that it gave', async () => {
      const address = await startPooler({ ...AS_DOCUMENTED, max_db_client_connections: '2' });
      const opened = openThrough(address, 2);
      const ask = () => opened.query(statement<{ at: Date }>('sleep-a-while', 'select pg_sleep(3) as at'));
      // The watch looks each second, and finds no room.
      await expect(Promise.all([ask(), ask()])).resolves.toHaveLength(2);
    });

    it('that gives every client a connection of its own is taken, and so is the server itself', async () => {
      const own = { ignore_startup_parameters: 'options', pool_mode: 'session' };
      await expect(asked(await startPooler(own))).resolves.toBe(true);
      await expect(asked(database.connectionString)).resolves.toBe(true);
    });
  },
);
