import { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  CommitUnknownError,
  type Database,
  isUnreachable,
  openDatabase,
  sqlState,
  type Tx,
} from '../../src/platform/db/database.ts';
import { requirePooling } from '../../src/platform/db/pooler.ts';
import { followPrimary } from '../../src/platform/db/primary.ts';
import { arrayOf, setInsert, setStatement, statement, write } from '../../src/platform/db/statement.ts';
import { analyzeGrownTables } from '../../src/platform/db/statistics.ts';
import { lookThrough } from '../../src/platform/lists/totals.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { makeDataDir, removeDataDir, runCommand } from '../support/service.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const logger = createLogger('silent');
let holder: TestDatabase;
let database: Database;
const unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  holder = await createEmptyDatabase();
  database = openDatabase({ connectionString: holder.connectionString, maxConnections: 4, logger });
  await database.pool.query('create table marks (name text primary key)');
});

afterAll(async () => {
  process.off('unhandledRejection', onUnhandled);
  await database.close();
  await holder.drop();
});

beforeEach(async () => {
  unhandled.length = 0;
  await database.pool.query('truncate marks');
});

afterEach(() => expect(unhandled).toEqual([]));

const insertMark = statement('test-insert-mark', 'insert into marks (name) values ($1)');
const divideByZero = statement('test-divide', 'select 1 / $1::integer as result');
const sleepABit = statement('test-sleep', 'select pg_sleep($1)');
const insertMarks = setInsert<{ name: string }>('marks', { name: 'text' });

async function marks(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>('select name from marks order by name');
  return rows.map((row) => row.name);
}

/** Lets everything that is under way, rightly or wrongly, have its effect. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('a statement that nobody waits for any more', () => {
  const nap = statement('test-nap', 'select pg_sleep(600)');
  const napping = `select from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`;
  const stillThere = async () => (await database.pool.query(napping)).rowCount;

  it('ends in the database, alone and in a transaction', async () => {
    await expect(database.query(nap, [], { deadlineMs: 200 })).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(database.transaction((tx) => tx.query(nap), { deadlineMs: 200 })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await expect.poll(stillThere, { timeout: 20_000 }).toBe(0);
  });
});

describe('a transaction', () => {
  const short = statement('test-short-nap', 'select pg_sleep(0.4)');

  it('has a deadline for each statement, and it may be another one from some point on', async () => {
    let deadlineMs = 100;
    const twice = () =>
      database.transaction(
        async (tx) => {
          await tx.query(statement('test-one', 'select 1'));
          deadlineMs = 10_000;
          await tx.query(short);
        },
        { deadlineMs: () => deadlineMs },
      );
    await twice();
    await expect(database.transaction((tx) => tx.query(short), { deadlineMs: () => 100 })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('may idle for a minute where nothing is said, whatever the server allows', async () => {
    const show = statement<{ idle: string }>(
      'test-idle',
      `select current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    expect(await database.transaction((tx) => tx.query(show))).toEqual([{ idle: '1min' }]);
  });

  it('that idles longer than it may is ended by the server, made again, and leaves no lock', async () => {
    let attempts = 0;
    await database.transaction(
      async (tx) => {
        attempts += 1;
        await tx.query(statement('test-lock', 'select pg_advisory_xact_lock(110011)'));
        if (attempts === 1) await new Promise((resolve) => setTimeout(resolve, 600));
        await tx.run(insertMarks, [{ name: 'idle' }]);
      },
      { idleMs: 200 },
    );
    expect(attempts).toBe(2);
    expect((await marks()).filter((name) => name === 'idle')).toEqual(['idle']);
    const { rows } = await database.pool.query(`select 1 from pg_locks where locktype = 'advisory' and objid = 110011`);
    expect(rows).toEqual([]);
  });
});

describe('a search', () => {
  it('ends in the database with the client that waited for it, and its connection serves others', async () => {
    const [holder, looker] = [await database.pool.connect(), new AbortController()];
    await holder.query('select pg_advisory_lock(7)');
    const look = statement('test-wait-for-lock', 'select pg_advisory_xact_lock(7)');
    const looked = lookThrough(database, { owner: 'one', gone: looker.signal }, (queries) => queries.query(look));
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted`;
    while ((await holder.query(waiting)).rowCount === 0);
    looker.abort();
    await expect(looked).rejects.toMatchObject({ kind: 'unavailable' });
    expect((await holder.query(waiting)).rowCount).toBe(0);
    await holder.query('select pg_advisory_unlock(7)');
    holder.release();
    expect(await lookThrough(database, { owner: 'one' }, (queries) => queries.query(look))).toHaveLength(1);
  });
});

describe('a transaction', () => {
  it('commits what it did and answers with the result of the work', async () => {
    const answer = await database.transaction(async (tx) => {
      await tx.query(insertMark, ['a']);
      return 'done';
    });
    expect([answer, await marks()]).toEqual(['done', ['a']]);
  });

  it('commits statements that the work did not wait for', async () => {
    await database.transaction(async (tx) => {
      for (const name of ['a', 'b', 'c']) void tx.query(insertMark, [name]);
    });
    expect(await marks()).toEqual(['a', 'b', 'c']);
  });

  it('undoes everything when the work throws, and throws its error', async () => {
    const refusal = new Error('no');
    const work = database.transaction(async (tx) => {
      await tx.query(insertMark, ['a']);
      throw refusal;
    });
    await expect(work).rejects.toBe(refusal);
    expect(await marks()).toEqual([]);
  });

  it('fails with the first error when a statement fails that the work did not wait for', async () => {
    const work = database.transaction(async (tx) => {
      void tx.query(insertMark, ['a']);
      void tx.query(divideByZero, [0]);
      void tx.query(insertMark, ['b']);
      void tx.run(insertMarks, [{ name: 'c' }]);
    });
    await expect(work).rejects.toThrow('division by zero');
    expect(await marks()).toEqual([]);
  });

  it('fails with the first error, not with its aftermath, when the work waits for a later statement', async () => {
    const work = database.transaction(async (tx) => {
      void tx.query(divideByZero, [0]);
      await tx.query(insertMark, ['a']);
    });
    await expect(work).rejects.toThrow('division by zero');
  });

  it('fails when the work caught the error of a statement', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(divideByZero, [0]).catch(() => undefined);
      return 'as if nothing had happened';
    });
    await expect(work).rejects.toThrow('division by zero');
  });

  it('takes COMMIT answered with ROLLBACK for a failure', async () => {
    const work = database.transaction(async (tx) => {
      await tx.query(insertMark, ['a']);
      await tx.client.query('select 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toThrow(/rolled the transaction back/);
    expect(await marks()).toEqual([]);
  });

  it.each<[string, (tx: Tx) => void]>([
    ['a row without a value', (tx) => void tx.run(insertMarks, [{ wrong: 'b' }])],
    ['a value that cannot be bound', (tx) => void tx.query(insertMark, [{ amount: 1n }])],
    ['one name for two statements', (tx) => void tx.query(statement('test-insert-mark', 'select 1'))],
  ])('does not commit without a statement that never reached the server: %s', async (_, send) => {
    const work = database.transaction(async (tx) => {
      await tx.query(insertMark, ['a']);
      send(tx);
    });
    await expect(work).rejects.toThrow();
    expect(await marks()).toEqual([]);
    await Promise.all(['b', 'c', 'd', 'e'].map((name) => database.transaction((tx) => tx.query(insertMark, [name]))));
    expect(await marks()).toEqual(['b', 'c', 'd', 'e']);
  });

  it('refuses statements of a branch of the work that runs on after another branch has failed', async () => {
    const work = database.transaction(async (tx) => {
      const slow = async () => {
        await tx.query(sleepABit, [0.02]);
        await settle();
        await tx.query(insertMark, ['late']);
      };
      await Promise.all([slow(), Promise.reject(new Error('no'))]);
    });
    await expect(work).rejects.toThrow('no');
    await settle();
    await settle();
    expect(await marks()).toEqual([]);
  });

  it('refuses a statement that a branch of the work sends after the work has ended and was committed', async () => {
    let late: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await tx.query(insertMark, ['a']);
      late = settle().then(() => tx.query(insertMark, ['late']));
      late.catch(() => undefined);
    });
    await expect(late).rejects.toThrow('after its transaction had ended');
    expect(await marks()).toEqual(['a']);
  });

  it('repeats the work after a deadlock until both sides are through', async () => {
    await database.pool.query(`insert into marks values ('x'), ('y')`);
    const lock = statement('test-lock', 'select name from marks where name = $1 for update');
    let arrived = 0;
    const both = (first: string, second: string) =>
      database.transaction(async (tx) => {
        await tx.query(lock, [first]);
        arrived += 1;
        while (arrived < 2) await settle();
        await tx.query(lock, [second]);
      });
    await Promise.all([both('x', 'y'), both('y', 'x')]);
    expect(arrived).toBe(3);
  });

  it('repeats a statement that is alone after a deadlock, and its effect is there once', async () => {
    await database.pool.query(`insert into marks values ('x'), ('y')`);
    const append = statement<{ name: string }>(
      'test-append',
      `update marks set name = marks.name || '+'
         from (select name from marks order by name desc for update) locked where locked.name = marks.name returning marks.name`,
    );
    const holding = await database.pool.connect();
    await holding.query('begin');
    await holding.query(`select from marks where name = 'x' for update`);
    const appended = database.query(append, []);
    // It has one row and waits for the other.
    while ((await lockWaits(holder.connectionString)) === 0) await settle();
    // Which of the two is refused is the server's choice: as a rule the one that waited first.
    await holding.query(`select from marks where name = 'y' for update`).catch(() => undefined);
    await holding.query('commit');
    holding.release();
    await appended;
    expect(await marks()).toEqual(['x+', 'y+']);
  });

  it('leaves its connection fit for the next one, whatever happened', async () => {
    const single = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
    await single.transaction((tx) => tx.query(divideByZero, [0])).catch(() => undefined);
    await single.transaction((tx) => tx.query(insertMark, ['a']));
    expect(await marks()).toEqual(['a']);
    await single.close();
  });
});

describe('a connection', () => {
  let other: TestDatabase;
  let there: Database;

  beforeAll(async () => {
    other = await createEmptyDatabase();
    const name = new URL(other.connectionString).pathname.slice(1);
    const unlike = [
      `datestyle = 'German, DMY'`,
      `timezone = 'America/New_York'`,
      `bytea_output = 'escape'`,
      'jit = on',
    ];
    for (const setting of unlike) await database.pool.query(`alter database ${name} set ${setting}`);
    there = openDatabase({ connectionString: other.connectionString, maxConnections: 1, logger });
  });

  afterAll(async () => {
    await there.close();
    await other.drop();
  });

  /** As one of the pool says it, and as one that reads whole tables does. */
  async function saidBy<Row>(name: string, text: string): Promise<Row[]> {
    const said = statement<Row>(name, text);
    return [
      ...(await there.query(said, [])),
      ...(await there.readApart(1, async ([one]) => (one as Tx).query(said, []))),
    ];
  }

  it('reads times as what they are and writes rows as one text, whatever the database has for both', async () => {
    const said = await saidBy(
      'test-written',
      String.raw`select timestamptz '2026-11-27 08:00:00.123+00' as at, date '2026-12-03' as day,
                        row('\x6f'::bytea, date '2026-12-03')::text as text`,
    );
    const meant = {
      at: new Date('2026-11-27T08:00:00.123Z'),
      day: '2026-12-03',
      text: String.raw`("\\x6f",2026-12-03)`,
    };
    expect(said).toEqual([meant, meant]);
  });

  it('begins transactions of the same isolation, whatever the database has for those that do not say', async () => {
    const name = new URL(other.connectionString).pathname.slice(1);
    await database.pool.query(`alter database ${name} set default_transaction_isolation = 'serializable'`);
    const anew = openDatabase({ connectionString: other.connectionString, maxConnections: 1, logger });
    const isolation = statement<{ is: string }>(
      'test-isolation',
      `select current_setting('transaction_isolation') as is`,
    );
    try {
      expect(await anew.transaction((tx) => tx.query(isolation))).toEqual([{ is: 'read committed' }]);
      expect(await anew.snapshot((queries) => queries.query(isolation))).toEqual([{ is: 'repeatable read' }]);
    } finally {
      await anew.close();
      await database.pool.query(`alter database ${name} reset default_transaction_isolation`);
    }
  });

  it('has the options of its address, and ours beside them and before them', async () => {
    const options = encodeURIComponent('-c statement_timeout=4321 -c jit=on');
    const address = `${other.connectionString}${other.connectionString.includes('?') ? '&' : '?'}options=${options}&application_name=given`;
    const given = openDatabase({ connectionString: address, maxConnections: 1, logger });
    const said = statement(
      'test-options',
      `select current_setting('statement_timeout') as own, current_setting('jit') as jit,
              current_setting('TimeZone') as zone, current_setting('application_name') as name`,
    );
    expect(await given.query(said, [])).toEqual([{ own: '4321ms', jit: 'off', zone: 'UTC', name: 'given' }]);
    await requirePooling(address, 'test');
    await given.close();
  });

  it('compiles nothing, also where it reads whole tables', async () => {
    expect(await saidBy('test-jit', `select current_setting('jit') as jit`)).toEqual([{ jit: 'off' }, { jit: 'off' }]);
  });
});

describe('a database that lets in', () => {
  const one = statement('test-one', 'select 1');
  const away = { code: 'SERVICE_UNAVAILABLE' };
  /** As whom tests may run on a server that they did not start: a limit of connections does not count for a superuser. */
  const isSuperuser = async () =>
    (await database.pool.query('select usesuper from pg_user where usename = current_user')).rows[0].usesuper === true;

  it('no connection more goes on with those that it has', async ({ skip }) => {
    skip(await isSuperuser(), 'a superuser is let in beyond the limit');
    const other = await createEmptyDatabase();
    await database.pool.query(`alter database ${new URL(other.connectionString).pathname.slice(1)} connection limit 1`);
    const full = openDatabase({ connectionString: other.connectionString, maxConnections: 2, logger });
    let runs = 0;
    await full.transaction(async (tx) => {
      runs += 1;
      await tx.query(one, []);
      // It has none beside the pool, finds no room itself, and has the server looked at.
      const aside = full.snapshot((queries) => queries.query(one, []), { aside: true });
      await expect(aside).rejects.toMatchObject(away);
      await tx.query(one, []);
    });
    expect(runs).toBe(1);
    await full.close();
    await other.drop();
  });

  it('no connection more lets requests wait for those that it gave, and fails none', async ({ skip }) => {
    skip(await isSuperuser(), 'a superuser is let in beyond the limit');
    const other = await createEmptyDatabase();
    await database.pool.query(`alter database ${new URL(other.connectionString).pathname.slice(1)} connection limit 2`);
    const full = openDatabase({ connectionString: other.connectionString, maxConnections: 8, logger });
    await full.query(one, []);
    const read = () => full.query(one, []);
    const kept = () => full.transaction((tx) => tx.query(one, []));
    const asked = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? read() : kept()));
    expect(await Promise.allSettled(asked)).toEqual(asked.map(() => expect.objectContaining({ status: 'fulfilled' })));
    await full.close();
    await other.drop();
  });

  it('nobody by this account is away, and it is known why', async () => {
    const address = new URL(holder.connectionString);
    address.pathname = '/not_there';
    const nowhere = openDatabase({ connectionString: address.href, maxConnections: 1, logger });
    const refused: unknown[] = [];
    for (let at = 0; at < 6; at += 1) await nowhere.query(one, []).catch((error: unknown) => refused.push(error));
    expect(refused).toEqual(refused.map(() => expect.objectContaining(away)));
    expect(refused[0]).toMatchObject({ cause: { message: 'database "not_there" does not exist' } });
    const known = 'No database server takes writes: database "not_there" does not exist';
    expect(refused.at(-1)).toMatchObject({ cause: { message: known } });
    await nowhere.close();
  });
});

it('a command says beside its answer, without the places in the code, that the replica is away', async () => {
  const dataDir = makeDataDir();
  const replica = 'postgres://nobody@127.0.0.1:1/none';
  const env = {
    DATABASE_URL: holder.connectionString,
    READ_DATABASE_URL: replica,
    DEMO_DATA: 'true',
    LOG_LEVEL: 'info',
  };
  const { answer, output } = await runCommand(dataDir, ['verify'], env);
  expect(answer).toBe('');
  expect(output).toContain('the read replica cannot be used: the primary reads');
  expect(output).toContain('run npm run migrate');
  expect(output).not.toMatch(/\bat .*:\d+:\d+/);
  await removeDataDir(dataDir);
});

it('a process that is held up while it looks at its server does not take that for silence, and cuts no connection', async () => {
  const { connectionString } = holder;
  const primary = followPrimary({ connectionString, applicationName: 'held up', logger, isBusy: () => false });
  const client = new primary.Client({ connectionString });
  const ended = vi.fn();
  client.on('error', () => undefined).once('end', ended);
  await client.connect();
  primary.suspect();
  // As by files that are read at the start: nothing is heard meanwhile, and a watch has several things to hear.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
  await expect.poll(() => watchesOf('held up'), { timeout: 30_000 }).toBe(1);
  expect(primary.usable()).toBeUndefined();
  expect(ended).not.toHaveBeenCalled();
  await client.end();
  await primary.close();
});

const watchesOf = async (name: string): Promise<number> => {
  const text = 'select count(*)::int as n from pg_stat_activity where application_name = $1';
  return (await database.pool.query(text, [`${name} watch`])).rows[0].n;
};

describe('a lost connection', () => {
  let proxy: TcpProxy;
  let far: Database;

  beforeEach(async () => {
    const address = new URL(holder.connectionString);
    proxy = await startTcpProxy(Number(address.port));
    address.hostname = '127.0.0.1';
    address.port = String(proxy.port);
    address.searchParams.delete('host');
    far = openDatabase({ connectionString: address.href, maxConnections: 2, logger });
  });

  afterEach(async () => {
    await far.close();
    await proxy.close();
  });

  function once(text: string, verdict: 'cut' | 'pass-then-cut'): void {
    let done = false;
    proxy.onClientData((bytes) => {
      if (done || !bytes.includes(text)) return 'pass';
      done = true;
      return verdict;
    });
  }

  it.each(['cut', 'pass-then-cut'] as const)('before COMMIT is no loss: the work runs again (%s)', async (verdict) => {
    once('test-insert-mark', verdict);
    let runs = 0;
    await far.transaction(async (tx) => {
      runs += 1;
      await tx.query(insertMark, ['a']);
    });
    expect([runs, await marks()]).toEqual([2, ['a']]);
  });

  it('at the start of the work is no loss either', async () => {
    await far.query(statement('test-one', 'select 1'));
    once('begin', 'cut');
    await far.transaction((tx) => tx.query(insertMark, ['a']));
    expect(await marks()).toEqual(['a']);
  });

  it('after COMMIT was sent and done is reported as unknown, never as failed', async () => {
    once('commit\0', 'pass-then-cut');
    const work = far.transaction((tx) => tx.query(insertMark, ['a']));
    await expect(work).rejects.toBeInstanceOf(CommitUnknownError);
    expect(await marks()).toEqual(['a']);
  });

  it('after COMMIT was sent and lost on the way is reported as unknown too', async () => {
    once('commit\0', 'cut');
    const work = far.transaction((tx) => tx.query(insertMark, ['a']));
    await expect(work).rejects.toBeInstanceOf(CommitUnknownError);
    await settle();
    expect(await marks()).toEqual([]);
  });

  it('is replaced when the server ends it in the middle of the work', async () => {
    let runs = 0;
    await database.transaction(async (tx) => {
      runs += 1;
      void tx.query(insertMark, ['a']);
      if (runs === 1) await tx.query(statement('test-suicide', 'select pg_terminate_backend(pg_backend_pid())'));
    });
    expect([runs, await marks()]).toEqual([2, ['a']]);
  });

  it('ends no process and fails no later query when it happens to an idle connection', async () => {
    await far.query(statement('test-one', 'select 1'));
    // Not the one that watches the server: a second later, all others would be cut with it.
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name not like '%watch'`,
    );
    await settle();
    await far.transaction((tx) => tx.query(insertMark, ['a']));
    expect(await marks()).toEqual(['a']);
  });

  it('that cannot be replaced is reported as 503, soon', async () => {
    await proxy.close();
    const begun = Date.now();
    await expect(far.transaction((tx) => tx.query(insertMark, ['a']))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'SERVICE_UNAVAILABLE',
    });
    await expect(far.query(insertMark, ['a'])).rejects.toMatchObject({ kind: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(10_000);
  });
});

describe('errors', () => {
  it('of the system are not taken for SQLSTATEs, although some have five letters', () => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    expect([sqlState(broken), isUnreachable(broken)]).toEqual([undefined, true]);
  });

  it('of a missing file do not pass for a missing database', () => {
    const missing = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'open' });
    expect(isUnreachable(missing)).toBe(false);
  });
});

describe('values', () => {
  it('of int8 arrive as bigint, alone and in arrays', async () => {
    const rows = await database.query(
      statement(
        'test-int8',
        `select 9223372036854775807::int8 as one, array[1, null, -9007199254740993]::int8[] as many`,
      ),
    );
    expect(rows).toEqual([{ one: 9_223_372_036_854_775_807n, many: [1n, null, -9_007_199_254_740_993n] }]);
  });

  const LONG = '₦x'.repeat(75_000);
  const AWKWARD = [
    'plain',
    '',
    'NULL',
    'null',
    '"',
    '\\',
    '\\"',
    '"quoted" and \\back\\slashed\\',
    '{}',
    '{a,b}',
    'a,b',
    ' leading and trailing ',
    'line\nbreak\ttab\rreturn',
    "it's; drop table marks; --",
    '₦1,234.50 — Ọláyínká 😀👩‍👩‍👧',
    '$1 :rows',
    '\u2028\u0001',
  ];

  it.each([
    ['0216-05-04 12:00:00+00 BC', '0001-01-01T00:00:00.000Z'],
    ['4000-05-04 12:00:00+00 BC', '0001-01-01T00:00:00.000Z'],
    ['-infinity', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['0099-05-04 12:00:00.01+00', '0099-05-04T12:00:00.010Z'],
    ['1572-03-02 12:00:00.123+00', '1572-03-02T12:00:00.123Z'],
    ['2024-02-29 23:59:59.1+00', '2024-02-29T23:59:59.100Z'],
    ['2026-11-25 19:13:00.123456+00', '2026-11-25T19:13:00.123Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
    ['12026-01-01 00:00:00+00', '9999-12-31T23:59:59.999Z'],
    ['infinity', '9999-12-31T23:59:59.999Z'],
  ])('of times are read as ones that can be written: %s', async (stored, read) => {
    const [row] = await database.query(statement<{ at: Date }>('read-a-time', 'select $1::timestamptz as at'), [
      stored,
    ]);
    expect(row?.at.toISOString()).toBe(read);
    const back = statement<{ at: Date }>('read-a-time-back', 'select unnest($1::timestamptz[]) as at');
    const [again] = await database.query(back, [arrayOf('timestamptz', [row!.at.toISOString()])]);
    expect(again?.at).toEqual(row?.at);
  });

  it('of text survive a set-based statement, whatever is in them', async () => {
    await database.run(
      insertMarks,
      AWKWARD.map((name) => write(insertMarks, { name }).row),
    );
    expect((await marks()).sort()).toEqual([...AWKWARD].sort());
  });

  it('of every column type survive a set-based statement in their rows, nulls among them', async () => {
    const columns = {
      position: 'integer',
      id: 'uuid',
      amount: 'bigint',
      flag: 'boolean',
      at: 'timestamptz',
      note: 'text',
      data: 'jsonb',
      raw: 'json',
    } as const;
    await database.pool.query(
      'create table every_type (position integer, id uuid, amount bigint, flag boolean, at timestamptz, note text, data jsonb, raw text)',
    );
    interface EveryType {
      position: number;
      id: string | null;
      amount: bigint | null;
      flag: boolean | null;
      at: Date | null;
      note: string | null;
      data: string | null;
      raw: string | null;
    }
    const insert = setInsert<EveryType>('every_type', columns);
    const id = '019a9f6e-8f1a-7cc3-98c4-dc0c0c07398f';
    const at = new Date('2026-11-20T19:13:00.123Z');
    const values = AWKWARD.map((note) => ({ note, nested: { [note]: [note, null, 1.5] } }));
    const rows = values.map((value, position) => ({
      ...{ position, id, amount: -9_223_372_036_854_775_808n, flag: true, at, note: value.note },
      ...{ data: JSON.stringify(value), raw: JSON.stringify(value) },
    }));
    const nothing = { position: 99, id: null, amount: null, flag: null, at: null, note: null, data: null, raw: null };
    await database.run(insert, [...rows, nothing]);
    const found = await database.query(statement('test-every-type', 'select * from every_type order by position'));
    expect(found).toEqual([...values.map((value, position) => ({ ...rows[position], data: value })), nothing]);
  });

  describe('that are copied', () => {
    type Copied = {
      position: number;
      id: string | null;
      amount: bigint | null;
      flag: boolean | null;
      at: Date | null;
      day: string | null;
      note: string | null;
      raw: string | null;
    };
    const columns = {
      position: 'integer',
      id: 'uuid',
      amount: 'bigint',
      flag: 'boolean',
      at: 'timestamptz',
      day: 'date',
      note: 'text',
      raw: 'json',
    } as const;
    const copy = setInsert<Copied>('copied', columns);
    const nulls = { id: null, amount: null, flag: null, at: null, day: null, note: null, raw: null };
    const nothing: Copied = { position: 0, ...nulls };
    const readAll = statement<Copied>('test-read-copied', 'select * from copied order by position');

    beforeAll(async () => {
      await database.pool.query(
        'create table copied (position integer primary key, id uuid, amount bigint, flag boolean, at timestamptz, day date, note text, raw text)',
      );
    });
    beforeEach(() => database.pool.query('truncate copied'));

    it('arrive as they were, from the smallest to the largest, however many and whatever is in them', async () => {
      const ids = ['019a9f6e-8f1a-7cc3-98c4-dc0c0c07398f', 'FFFFFFFF-ffff-4FFF-8fff-ffffffffffff'];
      const amounts = [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n, 0n, -1n, 150n];
      const moments = ['0001-01-01T00:00:00.000Z', '1999-12-31T23:59:59.999Z', '2026-11-20T19:13:00.123Z'];
      const last = '9999-12-31T23:59:59.999Z';
      const days = ['0001-01-01', '1999-12-31', '2000-01-01', '2000-02-29', '2026-11-25', '9999-12-31'];
      const notes = [...AWKWARD, '', 'é'.repeat(47), `${'x'.repeat(47)}₦`, '₦😀'.repeat(20_000), 'x'.repeat(300_000)];
      const rows = Array.from({ length: 500 }, (_, position): Copied => {
        const text = notes[position % notes.length] as string;
        return {
          position,
          // What repeats itself takes another way: the same three times, then another.
          id: ids[Math.floor(position / 3) % 2] as string,
          amount: amounts[position % amounts.length] as bigint,
          flag: position % 2 === 0,
          at: new Date([...moments, last][position % 4] as string),
          day: days[position % days.length] as string,
          note: position % 7 === 0 ? null : text,
          raw: position < 20 ? JSON.stringify({ text }) : null,
        };
      });
      await database.run(copy, [...rows, { ...nothing, position: 1_000 }]);
      const found = await database.query(readAll);
      expect(found).toEqual([
        ...rows.map((row) => ({ ...row, id: row.id?.toLowerCase() })),
        { ...nothing, position: 1_000 },
      ]);
    });

    it('arrive as they were where each has the same long text, however much that is together', async () => {
      const rows = Array.from({ length: 30 }, (_, position) => ({ ...nothing, position, note: LONG }));
      await database.run(copy, rows);
      const found = await database.query(readAll);
      expect(found.filter(({ note }) => note !== LONG).map(({ position }) => position)).toEqual([]);
      expect(found).toHaveLength(rows.length);
    });

    it('may have moments as text, if they are in UTC to the millisecond', async () => {
      await database.run(copy, [{ ...nothing, at: '2026-11-20T19:13:00.123Z' }]);
      expect((await database.query(readAll))[0]?.at).toEqual(new Date('2026-11-20T19:13:00.123Z'));
    });

    it.each([
      ['a text that is no UUID', { id: '019a9f6e-8f1a-7cc3-98c4-dc0c0c07398g' }],
      ['a UUID without its hyphens', { id: '019a9f6e08f1a07cc3098c40dc0c0c07398f' }],
      ['a UUID with a letter of another alphabet', { id: '019a9f6e-8f1a-7cc3-98c4-dc0c0c07398é' }],
      ['an amount past 64 bits', { amount: 9_223_372_036_854_775_808n }],
      ['an integer past 32 bits', { position: 2_147_483_648 }],
      ['a moment that does not exist', { at: new Date(Number.NaN) }],
      ['a day that does not exist', { day: '2026-13-01' }],
      ['a day with a time', { day: '2026-11-20T00:00:00.000Z' }],
      ['a moment with more digits than are written', { at: '2026-11-20T19:13:00.123456Z' }],
      ['a moment in another zone', { at: '2026-11-20T19:13:00.12+01' }],
    ])('are refused before any is sent where there is %s', async (_what, wrong) => {
      const sent = database.transaction(async (tx) => {
        await tx.query(insertMark, ['beside it']);
        void tx.run(copy, [nothing, { ...nothing, position: 1, ...wrong }]);
      });
      await expect(sent).rejects.toThrow(RangeError);
      expect([await database.query(readAll), await marks()]).toEqual([[], []]);
    });

    it('arrive as they were while others are written, and more wait than the server takes at a time', async () => {
      const sent = Array.from({ length: 24 }, (_, position) => ({
        ...nothing,
        position,
        note: String.fromCharCode(0x21 + position).repeat(1_000_000 + position),
      }));
      await database.transaction(async (tx) => {
        for (const row of sent) void tx.run(copy, [row]);
      });
      const found = await database.query(readAll);
      expect(found.filter(({ note }, at) => note !== sent[at]?.note).map(({ position }) => position)).toEqual([]);
      expect(found).toHaveLength(sent.length);
    });

    it('are sent group after group from the same memory, which is not collected before all of the heap is', async () => {
      const notes = Array.from({ length: 100 }, () => 'x'.repeat(5_000));
      const used = new Set<ArrayBufferLike>();
      const write = vi.spyOn(Socket.prototype, 'write');
      try {
        for (let round = 0; round < 20; round += 1) {
          const rows = notes.map((note, at) => ({ ...nothing, position: round * notes.length + at, note }));
          await database.run(copy, rows);
        }
        for (const [chunk] of write.mock.calls) {
          if (chunk instanceof Uint8Array && chunk.length > 500_000) used.add(chunk.buffer);
        }
      } finally {
        write.mockRestore();
      }
      expect([...used].length).toBeOneOf([1, 2]);
    });

    it('fail with what the server says, all of them, and leave the connection fit for the next one', async () => {
      const narrow = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
      try {
        const gone = setInsert<{ name: string }>('no_such_table', { name: 'text' });
        const twice = [nothing, { ...nothing, position: 1 }, nothing];
        const many = Array.from({ length: 20_000 }, () => ({ name: 'x'.repeat(100) }));
        for (let round = 0; round < 3; round += 1) {
          await expect(narrow.run(copy, twice)).rejects.toMatchObject({ code: '23505' });
          // The rows are on their way when the server says that there is no such table.
          await expect(narrow.run(gone, many)).rejects.toMatchObject({ code: '42P01' });
          await expect(narrow.run(copy, [{ ...nothing, note: 'a\0b' }])).rejects.toMatchObject({ code: '22021' });
          const behind = narrow.transaction(async (tx) => {
            void tx.query(insertMark, ['never']);
            void tx.query(divideByZero, [0]);
            void tx.run(copy, [nothing]);
            void tx.query(insertMark, ['never either']);
          });
          await expect(behind).rejects.toMatchObject({ code: '22012' });
          await narrow.transaction(async (tx) => {
            void tx.run(copy, [{ ...nothing, position: 10 + round }]);
            void tx.query(insertMark, [`kept ${round}`]);
            void tx.run(copy, [{ ...nothing, position: 20 + round }]);
          });
        }
        const positions = (await narrow.query(readAll)).map(({ position }) => position);
        expect([positions, await marks()]).toEqual([
          [10, 11, 12, 20, 21, 22],
          ['kept 0', 'kept 1', 'kept 2'],
        ]);
      } finally {
        await narrow.close();
      }
    });
  });

  it('that are none leave the connection to the next one, alone as in a transaction', async () => {
    const narrow = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
    const copy = setInsert<{ at: Date }>('marks', { at: 'timestamptz' });
    const unset: { name: string } = JSON.parse('{}');
    try {
      for (let round = 0; round < 3; round += 1) {
        await expect(narrow.run(copy, [{ at: new Date(Number.NaN) }])).rejects.toThrow(RangeError);
        await expect(narrow.run(insertMarks, [unset])).rejects.toThrow('no value for column name');
      }
      await narrow.run(insertMarks, [{ name: 'next' }]);
      expect(await marks()).toEqual(['next']);
    } finally {
      await narrow.close();
    }
  });

  it('that the server does not take in time keep no connection from the next one', async () => {
    const narrow = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
    const locking = await database.pool.connect();
    try {
      await locking.query('begin; lock table marks');
      const late = narrow.run(insertMarks, [{ name: 'late' }], { deadlineMs: 200 });
      await expect(late).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await narrow.query(statement('test-one', 'select 1 as one'))).toEqual([{ one: 1 }]);
    } finally {
      await locking.query('rollback');
      locking.release();
      await narrow.close();
    }
  });

  it('take part in a hand-written set-based statement by their column names', async () => {
    await database.pool.query(`insert into marks values ('old-1'), ('old-2'), ('kept')`);
    const rename = setStatement<{ was: string; becomes: string }>(
      'test-rename',
      { was: 'text', becomes: 'text' },
      'update marks set name = rows.becomes from :rows where marks.name = rows.was',
    );
    await database.run(rename, [
      { was: 'old-1', becomes: 'new,1' },
      { was: 'old-2', becomes: 'new"2' },
    ]);
    expect(await marks()).toEqual(['kept', 'new"2', 'new,1']);
  });

  it.each([
    ['text', [...AWKWARD, null]],
    ['text', []],
    ['bigint', [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, -9_223_372_036_854_775_808n, null, 0n]],
    ['integer', [2_147_483_647, -2_147_483_648, null, 0]],
    ['boolean', [true, true, false, null]],
    ['uuid', ['01a06fcb-a2e1-7000-8000-0123456789ab', null]],
    ['text', Array.from({ length: 3_000 }, (_, at) => '₦'.repeat(at % 300))],
  ] as const)('make arrays of %s that PostgreSQL reads back as they were', async (type, values) => {
    const back = statement<{ list: unknown[] }>(`test-array-of-${type}`, `select $1::${type}[] as list`);
    expect(await database.query(back, [arrayOf(type, values)])).toEqual([{ list: [...values] }]);
  });

  it('of text have room in an array for all of their letters, repeated too, whatever memory there was before', () => {
    // However much there is: one of these takes more than that, and two thirds of it would not.
    for (let letters = 50_000; letters < 4_000_000; letters = Math.ceil(letters * 1.4)) {
      const array = arrayOf('text', ['₦'.repeat(letters)]) as Buffer;
      expect(array.subarray(-3).toString()).toBe('₦');
      expect(array).toHaveLength(24 + 3 * letters);
    }
    const [one, many] = [1, 30].map((length) => arrayOf('text', new Array<string>(length).fill(LONG)) as Buffer);
    const repeated = Buffer.concat(new Array<Buffer>(30).fill((one as Buffer).subarray(20)));
    expect(many?.subarray(20).equals(repeated)).toBe(true);
  });

  it.each([
    ['date', '2026-02-30', '22008'],
    ['bigint', 9_223_372_036_854_775_808n, '22003'],
    ['integer', 2_147_483_648, '22003'],
    ['integer', 1.5, '22P02'],
    ['uuid', '{,}', '22P02'],
    ['timestamptz', 'yesterday or so', '22007'],
    ['text', 'a\0b', '22021'],
  ] as const)('of %s that no column takes are refused by PostgreSQL: %s', async (type, value, code) => {
    const ask = statement(`test-no-array-of-${type}`, `select $1::${type}[] as list`);
    await expect(database.query(ask, [arrayOf(type, [null, value])])).rejects.toMatchObject({ code });
  });

  it('of days are read back as they were', async () => {
    const back = statement<{ list: unknown[] }>('test-array-of-days', 'select $1::date[]::text[] as list');
    const days = ['2024-02-29', '1999-12-31', '1066-10-14', null];
    expect(await database.query(back, [arrayOf('date', days)])).toEqual([{ list: days }]);
  });

  it('of a UUID without its hyphens are taken as PostgreSQL takes it', async () => {
    const ask = statement('test-array-of-bare-uuids', 'select $1::uuid[] as list');
    const rows = await database.query(ask, [arrayOf('uuid', ['01a06fcba2e1700080000123456789ab'])]);
    expect(rows).toEqual([{ list: ['01a06fcb-a2e1-7000-8000-0123456789ab'] }]);
  });

  it('of no rows need no statement', async () => {
    await database.run(setStatement<{ a: string }>('test-broken', { a: 'text' }, 'this is not SQL'), []);
  });
});

describe('a snapshot', () => {
  const countMarks = statement<{ marks: number }>('test-count-marks', 'select count(*)::int as marks from marks');

  it('shows one moment in all of its statements, whatever others commit meanwhile', async () => {
    const seen = await database.snapshot(async (queries) => {
      const [before] = await queries.query(countMarks);
      await database.query(insertMark, ['a']);
      const [after] = await queries.query(countMarks);
      return [before?.marks, after?.marks];
    });
    expect([seen, await marks()]).toEqual([[0, 0], ['a']]);
  });

  it('changes nothing', async () => {
    const writing = database.snapshot((queries) => queries.query(insertMark, ['a']));
    await expect(writing).rejects.toThrow('read-only');
    expect(await marks()).toEqual([]);
  });

  it('has no outcome to look up when its connection is lost at its end: it is read again', async () => {
    const pids: number[] = [];
    const ownPid = statement<{ pid: number }>('test-own-pid', 'select pg_backend_pid() as pid');
    const result = await database.snapshot(async (queries) => {
      const [row] = await queries.query(ownPid);
      pids.push(row?.pid ?? 0);
      if (pids.length === 1) await database.pool.query('select pg_terminate_backend($1)', [row?.pid]);
      return 'read';
    });
    expect(result).toBe('read');
    expect(pids).toHaveLength(2);
  });
});

describe('a table that grew', () => {
  const findMark = statement('test-find-mark', 'select name from growing where kind = $1 and name = $2');
  it('is analysed once, and statements that were planned when it was empty are planned again', async () => {
    const one = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
    await one.pool.query(`create table growing (kind text, name text, note text);
      create index growing_by_name on growing (name);
      create index growing_by_kind on growing (kind);
      prepare "plan" (text, text) as ${findMark.text}`);
    const plan = async () => {
      const { rows } = await one.pool.query<{ 'QUERY PLAN': string }>(`explain execute "plan"('a', 'b')`);
      return rows.map((row) => row['QUERY PLAN']).join(' ');
    };
    expect(await plan()).toContain('growing_by_kind');
    await one.pool.query(`insert into growing select 'a', n::text, '' from generate_series(1, 1100) n`);
    expect(await plan()).toContain('growing_by_kind');
    await expect.poll(() => analyzeGrownTables({ database: one, logger })).toBe(1);
    expect(await plan()).toContain('growing_by_name');
    await one.pool.query(`insert into growing select 'b', 'b' || n, '' from generate_series(1, 1100) n`);
    await one.pool.query('select pg_stat_force_next_flush()');
    expect(await analyzeGrownTables({ database: one, logger })).toBe(0);
    await one.close();
  });
});

it('a pool that ends says nothing of a connection that a server which ends behind it has closed', async () => {
  const warned = vi.fn();
  const logger = { ...createLogger('silent'), warn: warned } as unknown as ReturnType<typeof createLogger>;
  const opened = openDatabase({ connectionString: holder.connectionString, maxConnections: 1, logger });
  opened.pool.emit('error', new Error('terminating connection'), undefined);
  expect(warned).toHaveBeenCalledOnce();
  const closing = opened.close();
  opened.pool.emit('error', new Error('terminating connection'), undefined);
  await closing;
  expect(warned).toHaveBeenCalledOnce();
});
