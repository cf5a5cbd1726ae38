import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { formerDigest, migrate } from '../../src/platform/db/migrate.ts';
import { readinessOf } from '../../src/platform/db/readiness.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { debit, fund, openTestBooks, openTestDatabase, openTestLedger } from '../ledger/books.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

const logger = createLogger('silent');
let directory: string;
let empty: TestDatabase;
let database: Database;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'manilla-migrations-'));
  empty = await createEmptyDatabase();
  database = openDatabase({ connectionString: empty.connectionString, maxConnections: 4, logger });
});

afterEach(async () => {
  await database.close();
  await empty.drop();
  rmSync(directory, { recursive: true, force: true });
});

function file(name: string, sql: string): void {
  writeFileSync(join(directory, name), sql);
}

function run(): Promise<{ applied: string[] }> {
  return migrate({ connectionString: empty.connectionString, directory, logger });
}

async function names(sql: string): Promise<string[]> {
  return (await database.pool.query<{ name: string }>(sql)).rows.map((row) => row.name);
}

const TABLES = `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;

describe('applying migrations', () => {
  it('applies each file once, in the order of their names', async () => {
    file('0002_fill.sql', '-- Needs the first.\ninsert into a values (1);');
    file('0001_make.sql', '-- Comes first.\ncreate table a (x integer);');
    expect(await run()).toEqual({ applied: ['0001_make.sql', '0002_fill.sql'] });
    file('0003_more.sql', '-- Later.\ninsert into a values (2);');
    expect(await run()).toEqual({ applied: ['0003_more.sql'] });
    expect((await database.pool.query('select x from a order by x')).rows).toEqual([{ x: 1 }, { x: 2 }]);
  });

  it('undoes a file that fails halfway, keeps those before it, and says which one failed', async () => {
    file('0001_good.sql', '-- Good.\ncreate table good ();');
    file('0002_bad.sql', '-- Fails in its second statement.\ncreate table bad ();\nselect 1 / 0;');
    await expect(run()).rejects.toThrow(/0002_bad\.sql failed and was undone: division by zero/);
    expect(await names(TABLES)).toEqual(['good', 'schema_migrations']);
    file('0002_bad.sql', '-- Corrected.\ncreate table bad ();');
    expect(await run()).toEqual({ applied: ['0002_bad.sql'] });
  });

  it('refuses a file that was changed after it was applied, and applies nothing then', async () => {
    file('0001_make.sql', '-- One.\ncreate table a ();');
    await run();
    file('0001_make.sql', '-- One.\ncreate table a (x integer);');
    file('0002_next.sql', '-- Two.\ncreate table b ();');
    await expect(run()).rejects.toThrow(/0001_make\.sql was changed after it was applied/);
    expect(await names(TABLES)).toEqual(['a', 'schema_migrations']);
  });

  it('refuses an empty database that is not in UTF8, and only warns of one that it has been applied to', async () => {
    file('0001_make.sql', '-- One.\ncreate table a ();');
    const latin = `${new URL(empty.connectionString).pathname.slice(1)}_latin`;
    const how = `encoding 'LATIN1' locale 'C' locale_provider libc template template0`;
    await database.pool.query(`create database ${latin} ${how}`);
    const connectionString = Object.assign(new URL(empty.connectionString), { pathname: `/${latin}` }).href;
    const there = () => migrate({ connectionString, directory, logger });
    await expect(there()).rejects.toThrow(/encoded in LATIN1, and has to be in UTF8/);
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query('create table schema_migrations (name text primary key, checksum text, applied_at timestamptz)');
    await client.end();
    expect(await there()).toEqual({ applied: ['0001_make.sql'] });
    await database.pool.query(`drop database ${latin} with (force)`);
  });

  it('takes a file with other line ends for the same file', async () => {
    file('0001_make.sql', '-- One.\ncreate table a ();\n');
    await run();
    file('0001_make.sql', '-- One.\r\ncreate table a ();\r\n');
    expect(await run()).toEqual({ applied: [] });
  });

  it('lets five processes migrate at once: each file is applied by exactly one of them', async () => {
    file('0001_make.sql', '-- Slow enough to be waited for.\ncreate table a (x integer);\nselect pg_sleep(0.3);');
    file('0002_fill.sql', '-- Not to be repeated.\ninsert into a values (1);');
    const results = await Promise.all(Array.from({ length: 5 }, run));
    expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_make.sql', '0002_fill.sql']);
    expect((await database.pool.query('select x from a')).rows).toEqual([{ x: 1 }]);
  });

  it('runs a file marked no-transaction outside one, once, with others migrating at the same time', async () => {
    file('0001_make.sql', '-- A table.\ncreate table a (x integer);');
    file('0002_index.sql', '-- no-transaction: a busy table is not locked.\ncreate index concurrently a_x on a (x);');
    const results = await Promise.all([run(), run(), run()]);
    expect(results.flatMap((result) => result.applied).sort()).toEqual(['0001_make.sql', '0002_index.sql']);
    expect(
      await names(
        `select indexrelid::regclass::text as name from pg_index where indisvalid and indrelid = 'a'::regclass`,
      ),
    ).toEqual(['a_x']);
  });

  it('holds up nobody who reads a table that it has to wait for, and is applied once that is free', async () => {
    file('0001_make.sql', '-- A table.\ncreate table a (x integer);');
    await run();
    file('0002_change.sql', '-- Needs the table for itself.\nalter table a add column y integer;');
    const busy = await database.pool.connect();
    await busy.query('begin; lock table a in access share mode');
    const migrated = run();
    const isWaiting = async () =>
      (await names(`select pid::text as name from pg_locks where mode = 'AccessExclusiveLock' and not granted`))
        .length > 0;
    await expect.poll(isWaiting, { interval: 20 }).toBe(true);
    expect((await database.pool.query('select x from a')).rows).toEqual([]);
    await busy.query('commit');
    busy.release();
    expect(await migrated).toEqual({ applied: ['0002_change.sql'] });
  });

  it('holds up no debit for longer than it waits for a lock itself, while a long reader has what it wants', async () => {
    const books = await createTestDatabase();
    const service = openTestDatabase(books.connectionString);
    const ledger = openTestLedger(service);
    const merchant = await openTestBooks(service);
    const store = merchant.stores[0] as string;
    await ledger.commit(fund(merchant, store, 1_000n));
    // The moment of a dump, or of verify: it reads for as long as it likes.
    const reader = await service.pool.connect();
    await reader.query('begin isolation level repeatable read read only');
    await reader.query('select count(*) from transfers');
    file('0099_change.sql', '-- Needs the table for itself.\nalter table transfers add column note text;');
    const migrated = migrate({ connectionString: books.connectionString, directory, logger });
    const isWaiting = async () =>
      (await service.pool.query(`select from pg_locks where mode = 'AccessExclusiveLock' and not granted`)).rowCount;
    const waits: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      await expect.poll(isWaiting, { interval: 10, timeout: 20_000 }).toBe(1);
      const begun = performance.now();
      await ledger.commit(debit(merchant, store, merchant.wallet, 1n));
      waits.push(performance.now() - begun);
    }
    // The reader has not ended: each waited for the migration's second, and was let through.
    expect(Math.min(...waits)).toBeLessThan(1_500);
    await reader.query('commit');
    reader.release();
    expect(await migrated).toEqual({ applied: ['0099_change.sql'] });
    await service.close();
    await books.drop();
  });

  it('builds an index anew that was cut short before', async () => {
    file('0001_make.sql', '-- A table.\ncreate table a (x integer);\ninsert into a values (1), (1);');
    const index = 'create unique index concurrently if not exists a_x on a (x);';
    file('0002_index.sql', `-- no-transaction: a busy table is not locked.\n${index}`);
    await expect(run()).rejects.toThrow(/0002_index\.sql failed and was undone: could not create unique index/);
    await database.pool.query('delete from a where ctid = (select min(ctid) from a)');
    expect(await run()).toEqual({ applied: ['0002_index.sql'] });
    expect(await names(`select indexrelid::regclass::text as name from pg_index where indisvalid`)).toContain('a_x');
  });

  it('goes on behind an index that was built while its process ended before that was written down', async () => {
    file('0001_make.sql', '-- A table.\ncreate table a (x integer);');
    file('0002_index.sql', '-- no-transaction: a busy table is not locked.\ncreate index concurrently a_x on a (x);');
    await run();
    await database.pool.query(`delete from schema_migrations where name = '0002_index.sql'`);
    expect(await run()).toEqual({ applied: ['0002_index.sql'] });
    expect(await names(`select indexrelid::regclass::text as name from pg_index where indisvalid`)).toContain('a_x');
  });

  it('builds an index beside others whatever isolation the database has as its default', async () => {
    file('0001_make.sql', '-- A table.\ncreate table a (x integer);');
    file('0002_index.sql', '-- no-transaction: a busy table is not locked.\ncreate index concurrently a_x on a (x);');
    const { connectionString } = empty;
    const name = new URL(connectionString).pathname.slice(1);
    await database.pool.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    expect(await run()).toEqual({ applied: ['0001_make.sql', '0002_index.sql'] });
  });

  it.each(['1_short.sql', '0001-dash.sql', '0001_UPPER.sql'])('refuses the misnamed file %s', async (name) => {
    file(name, '-- Whatever.\nselect 1;');
    await expect(run()).rejects.toThrow(/is named 0001_what-it-does\.sql/);
  });

  it('refuses two files with one number', async () => {
    file('0001_a.sql', '-- One.\nselect 1;');
    file('0001_b.sql', '-- Also one.\nselect 1;');
    await expect(run()).rejects.toThrow(/another migration has the number 0001/);
  });
});

describe('a database that the files of before made', () => {
  const old = [
    { name: '0001_old.sql', checksum: 'one' },
    { name: '0009_last.sql', checksum: 'two' },
  ];
  const former = { first: '0001_old.sql', replacedUpTo: '0002_rest.sql', digest: formerDigest(old) };
  const runFormer = () => migrate({ connectionString: empty.connectionString, directory, former, logger });

  async function madeBy(files: readonly { name: string; checksum: string }[]): Promise<void> {
    await migrate({
      connectionString: empty.connectionString,
      directory: mkdtempSync(join(directory, 'none-')),
      logger,
    });
    await database.pool.query('create table a (x integer)');
    for (const { name, checksum } of files) {
      await database.pool.query('insert into schema_migrations values ($1, $2, now())', [name, checksum]);
    }
    file('0001_all.sql', '-- The same.\ncreate table a (x integer);');
    file('0002_rest.sql', '-- Nothing more.\nselect 1;');
    file('0003_later.sql', '-- Came after.\ninsert into a values (1);');
  }

  it('counts as migrated by the files that replaced them, and gets those that came after, also of three at once', async () => {
    await madeBy(old);
    const results = await Promise.all([runFormer(), runFormer(), runFormer()]);
    expect(results.flatMap(({ applied }) => applied)).toEqual(['0003_later.sql']);
    expect(await names('select name from schema_migrations order by 1')).toEqual([
      '0001_all.sql',
      '0002_rest.sql',
      '0003_later.sql',
    ]);
    expect((await database.pool.query('select x from a')).rows).toEqual([{ x: 1 }]);
    expect(await runFormer()).toEqual({ applied: [] });
  });

  it.each([
    ['lacks one of them', old.slice(0, 1)],
    ['has one with other contents', [{ name: '0001_old.sql', checksum: 'other' }, ...old.slice(1)]],
    ['has one more', [...old, { name: '0010_more.sql', checksum: 'three' }]],
  ])('is refused, and left as it is, where it %s', async (_, files) => {
    await madeBy(files);
    await expect(runFormer()).rejects.toThrow(/made by an early development version.*or begin with an empty database/);
    expect(await names('select name from schema_migrations order by 1')).toEqual(files.map(({ name }) => name));
  });
});

describe('readiness', () => {
  it('is missing for an empty database, there after migrating, and missing again when a file comes', async () => {
    file('0001_make.sql', '-- One.\ncreate table transfers ();');
    expect(await readinessOf(database, directory)).toBe('NOT_MIGRATED');
    await run();
    expect(await readinessOf(database, directory)).toBe('READY');
    file('0002_more.sql', '-- Two.\ncreate table b ();');
    expect(await readinessOf(database, directory)).toBe('NOT_MIGRATED');
  });
});

describe('the migrations of the service', () => {
  let migrated: TestDatabase;
  beforeAll(async () => {
    migrated = await createTestDatabase();
  });
  afterAll(() => migrated.drop());

  it('are all in the database that tests are given', async () => {
    const own = openDatabase({ connectionString: migrated.connectionString, maxConnections: 1, logger });
    expect(await readinessOf(own)).toBe('READY');
    expect(await migrate({ connectionString: migrated.connectionString, logger })).toEqual({ applied: [] });
    await own.close();
  });
});
