import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { answersWithin } from '../../src/platform/db/within.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const one = statement<{ one: number }>('test-one', 'select 1 as one');
const nap = statement<{ one: number }>('test-nap', 'select 1 as one from pg_sleep($1::double precision)');
const makeRow = statement('test-make', 'create table held_rows as select 1 as one');
const lockRow = statement<{ one: number }>('test-lock', 'select one from held_rows for update');
/** How the connection that watches the server calls itself. */
const WATCH = ' watch';

let holder: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: TcpProxy;

beforeAll(async () => {
  holder = await createTestDatabase();
  proxy = await startTcpProxy(Number(new URL(holder.connectionString).port));
});
afterAll(async () => {
  await proxy.close();
  await holder.drop();
});

function openFar(): Database {
  const address = new URL(holder.connectionString);
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  address.searchParams.delete('host');
  const database = openDatabase({
    connectionString: address.href,
    maxConnections: 2,
    logger: createLogger('silent'),
  });
  onTestFinished(() => database.close());
  return database;
}

describe('one connection that the network has swallowed', () => {
  it.each([
    ['a statement', (database: Database) => database.query(one)],
    ['a read of the primary that decides nothing', (database: Database) => database.reading.query(one)],
    ['a transaction', (database: Database) => database.transaction((tx) => tx.query(one))],
    ['a snapshot', (database: Database) => database.snapshot((queries) => queries.query(one))],
  ])('fails %s of a request as that of a database that is away, and the next one has another', async (_, ask) => {
    const database = answersWithin(openFar(), 1_000);
    expect(await ask(database)).toEqual([{ one: 1 }]);
    proxy.swallowOpen(WATCH);
    await expect(ask(database)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await ask(database)).toEqual([{ one: 1 }]);
  });
});

describe('a lock that somebody holds for longer than a request waits', () => {
  it('is answered as a database that did not answer in time, and not as one that cannot be reached', async () => {
    const [far, other] = [openFar(), openFar()];
    await far.query(makeRow);
    const database = answersWithin(far, 500);
    const message = expect.stringMatching(/did not answer in time: .*waits for a lock/);
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = other.transaction(async (tx) => {
      await tx.query(lockRow);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    try {
      for (const ask of [() => database.query(lockRow), () => database.transaction((tx) => tx.query(lockRow))])
        await expect(ask()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message });
    } finally {
      release.resolve();
      await holding;
    }
    expect(await database.query(lockRow)).toEqual([{ one: 1 }]);
  });
});

describe('a server that keeps its watch waiting and answers everybody else', () => {
  it('keeps its connections, and what is under way on them', async () => {
    const database = openFar();
    await database.query(one);
    // Longer than a server may be silent, for the watch that is there and for the one that is opened in its place.
    proxy.delay(WATCH, 2_500);
    onTestFinished(() => proxy.delay('', 0));
    let isOver = false;
    const long = database.transaction((tx) => tx.query(nap, [7])).finally(() => (isOver = true));
    while (!isOver) {
      expect(await database.query(one)).toEqual([{ one: 1 }]);
      await sleep(50);
    }
    expect(await long).toEqual([{ one: 1 }]);
  });
});
