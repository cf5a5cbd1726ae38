import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAlone } from '../../src/platform/db/alone.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/index.ts';
import { chooseServerUser } from '../../src/platform/db/embedded/server-user.ts';
import { PLANNING } from '../../src/platform/db/planning.ts';
import { requirePooling } from '../../src/platform/db/pooler.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { makeDataDir, removeDataDir } from '../support/service.ts';
import { rowsOf } from '../support/world.ts';

/** Debian's package `pgbouncer`, or another build by `PGBOUNCER`. Where there is none, these tests are left out. */
const PROGRAM = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer';
const version = existsSync(PROGRAM)
  ? /PgBouncer (\d+)\.(\d+)/.exec(String(execFileSync(PROGRAM, ['--version'])))
  : null;
const keepsStatements = Number(version?.[1]) > 1 || Number(version?.[2]) >= 21;

const dataDir = makeDataDir();
const running: ChildProcess[] = [];
let database: EmbeddedPostgres;

beforeAll(async () => {
  database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await database.stop();
  await removeDataDir(dataDir);
});

/** The address of the database through a PgBouncer with these settings beside the plain ones. */
async function startPooler(settings: Record<string, string>): Promise<string> {
  const { port, username, password, pathname } = new URL(database.connectionString);
  const listenPort = await freePort();
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
  return `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`;
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
      await expect(asked(await startPooler(dropping))).rejects.toThrow(
        /times are written as "German, \w+"[\s\S]*set DateStyle = ISO;/,
      );
      await rowsOf(database.connectionString, 'alter role manilla reset datestyle', []);
      if (!keepsStatements) return;
      await expect(asked(await startPooler({ ...dropping, max_prepared_statements: '500' }))).resolves.toBeUndefined();
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

    it('that gives every client a connection of its own is taken, and so is the server itself', async () => {
      const own = { ignore_startup_parameters: 'options', pool_mode: 'session' };
      await expect(asked(await startPooler(own))).resolves.toBeUndefined();
      await expect(asked(database.connectionString)).resolves.toBeUndefined();
    });
  },
);
