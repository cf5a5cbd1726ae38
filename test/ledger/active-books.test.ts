import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ActiveBooksOptions, followActiveBooks } from '../../src/ledger/active-books.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { debit, fund, openTestBooks, openTestDatabase, openTestLedger, type TestBooks } from './books.ts';

let holder: TestDatabase;
let database: Database;
let ledger: Ledger;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  ledger = openTestLedger(database);
});

afterAll(async () => {
  await database.close();
  await holder.drop();
});

let ms = 0;
const clock = { now: () => new Date(), elapsedMs: () => ms };
/** Up to when activity is over, where a test says so in place of the database. */
let nowIs: Date | undefined;
/** As where there are more merchants than are looked at each time. */
const MANY: ActiveBooksOptions = { fewBooks: 0 };
const follow = (options: ActiveBooksOptions = MANY, on = database) =>
  followActiveBooks({ database: atMoment(on), clock }, 'SANDBOX', options);

function atMoment(on: Database): Database {
  const query: Database['query'] = async (statement, values) => {
    const rows = await on.query(statement, values);
    return nowIs === undefined || statement.name !== 'find-activity-ended'
      ? rows
      : [{ ended_at: nowIs } as (typeof rows)[0]];
  };
  return withQuery(on, query);
}

const withQuery = (on: Database, query: Database['query']): Database =>
  new Proxy(on, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) });

const moved = (books: TestBooks) => ledger.commit(fund(books, books.stores[0]!, 1_000n));
const idOf = ({ tenant }: TestBooks) => tenant.merchantId;
const open = (count: number) => Promise.all(Array.from({ length: count }, () => openTestBooks(database)));

/** A reader that has looked at all and read it, so that only what is active from here on is new. */
async function caughtUp(options: ActiveBooksOptions = MANY, on = database) {
  const books = follow(options, on);
  for (let look = 0; look < 20; look += 1) books.answered([...(await books.look())], []);
  expect([...(await books.look())]).toEqual([]);
  return books;
}

/** As time would: who was active is so no longer. */
const age = () => database.pool.query(`update books set active_at = timestamptz '2001-01-01 00:00:00+00'`);

/** The rows that statements of this name returned. */
function countingRows(name: string) {
  const counted = { rows: 0 };
  const query: Database['query'] = async (statement, values) => {
    const rows = await database.query(statement, values);
    if (statement.name === name) counted.rows += rows.length;
    return rows;
  };
  return { counting: withQuery(database, query), counted };
}

describe('what a reader behind the books looks at', () => {
  it('is at first all books, and then those that went on', async () => {
    const all = await open(5);
    const books = follow();
    expect([...(await books.look())]).toEqual(expect.arrayContaining(all.map(idOf)));
    const reader = await caughtUp();
    await moved(all[1]!);
    await moved(all[3]!);
    expect(new Set(await reader.look())).toEqual(new Set([idOf(all[1]!), idOf(all[3]!)]));
  });

  it('stays until the reader has read it, and comes again with the next movement', async () => {
    const [one] = (await open(1)) as [TestBooks];
    const reader = await caughtUp();
    await moved(one);
    const behind = [{ merchant_id: idOf(one) }];
    for (let look = 0; look < 3; look += 1) {
      const found = [...(await reader.look())];
      expect(found).toEqual([idOf(one)]);
      reader.answered(found, behind);
    }
    reader.answered([idOf(one)], []);
    expect([...(await reader.look())]).toEqual([]);
    await ledger.commit(debit(one, one.stores[0]!, one.wallet, 1n));
    expect([...(await reader.look())]).toEqual([idOf(one)]);
  });

  it('comes page by page where more went on than one look reads', async () => {
    const all = await open(7);
    const reader = await caughtUp({ ...MANY, pageSize: 3, lapSize: 3 });
    for (const one of all) await moved(one);
    const found = new Set<string>();
    for (let look = 0; look < 6; look += 1) {
      const some = [...(await reader.look())];
      for (const id of some) found.add(id);
      reader.answered(some, []);
    }
    expect(found).toEqual(new Set(all.map(idOf)));
  });

  it('reads no row of merchants of whom nobody asked for anything', async () => {
    await open(5);
    await age();
    const { counting, counted } = countingRows('list-active-books');
    const reader = await caughtUp(MANY, counting);
    counted.rows = 0;
    await reader.look();
    expect(counted.rows).toBe(0);
  });

  it('is found within seconds where its activity was not told, as by a process of the release before', async () => {
    const [one] = (await open(1)) as [TestBooks];
    await age();
    const reader = await caughtUp();
    await database.pool.query('update books set event_sequence = event_sequence where merchant_id = $1', [idOf(one)]);
    expect([...(await reader.look())]).toEqual([]);
    ms += 6_000;
    expect([...(await reader.look())]).toContain(idOf(one));
  });

  it('comes by again a page every six seconds, with as many looks between as there are', async () => {
    const { counting, counted } = countingRows('list-active-books');
    await open(4);
    await age();
    const reader = await caughtUp({ ...MANY, lapSize: 2 }, counting);
    const read: number[] = [];
    for (let seconds = 0; seconds < 24; seconds += 2) {
      counted.rows = 0;
      ms += 2_000;
      reader.answered(await reader.look(), []);
      read.push(counted.rows);
    }
    expect(Math.max(...read)).toBeLessThanOrEqual(2);
    expect(read.filter((rows) => rows > 0).length).toBeGreaterThan(2);
    expect(read.filter((rows) => rows === 0).length).toBeGreaterThan(6);
  });

  it('goes on for those who move while as many as may be are handed out and not read', async () => {
    const all = await open(3);
    const reader = await caughtUp();
    reader.handOut(Array.from({ length: 20_000 }, () => newId()));
    await moved(all[1]!);
    expect(await reader.look()).toContain(idOf(all[1]!));
  });

  it('hands out those that are still behind after all others', async () => {
    const reader = await caughtUp();
    const [first, second] = [newId(), newId()];
    reader.handOut([first, second]);
    reader.answered([first], [{ merchant_id: first }]);
    expect([...(await reader.look())]).toEqual([second, first]);
  });

  it('misses nobody who moves while a walk of several pages takes longer than is looked back', async () => {
    const all = await open(6);
    const reader = await caughtUp({ ...MANY, pageSize: 3 });
    const moments = [0, 16, 32, 48, 64, 80, 96, 112].map(
      (seconds) => new Date(Date.parse('2040-01-01') + seconds * 1_000),
    );
    const says = async (books: TestBooks, at: Date) =>
      database.pool.query(
        'update books set event_sequence = event_sequence + 1, active_at = $2 where merchant_id = $1',
        [idOf(books), at],
      );
    const byId = all.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    const found = new Set<string>();
    const look = async (at: Date) => {
      nowIs = new Date(at.getTime() - 30_000);
      for (const id of await reader.look()) found.add(id);
      reader.answered([...found], []);
    };
    for (const books of byId.slice(1)) await says(books, moments[2]!);
    await look(moments[2]!);
    // Its id is before those of the page that was read, in the step of fifteen seconds that the page ended in.
    await says(byId[0]!, moments[2]!);
    for (const at of moments.slice(5)) await look(at);
    nowIs = undefined;
    await age();
    expect(found).toContain(idOf(byId[0]!));
  });

  it('is all books each time where they are few', async () => {
    const all = await open(2);
    const reader = follow({ fewBooks: 500 });
    for (let look = 0; look < 3; look += 1) {
      const found = [...(await reader.look())];
      expect(found).toEqual(expect.arrayContaining(all.map(idOf)));
      reader.answered(found, []);
    }
  });

  it('misses no movement of many merchants that commit while it looks', async () => {
    const all = await open(6);
    const reader = await caughtUp({ ...MANY, pageSize: 4 });
    const seen = new Map<string, bigint>();
    let moving = true;
    /** Reads as a reader does: what the books have come to when it looks at them. */
    const read = async () => {
      const asked = [...(await reader.look())];
      const { rows } = await database.pool.query(
        `select merchant_id, event_sequence from books where mode = 'SANDBOX' and merchant_id = any($1::uuid[])`,
        [asked],
      );
      for (const { merchant_id, event_sequence } of rows) seen.set(merchant_id, event_sequence);
      reader.answered(asked, []);
    };
    const reading = (async () => {
      while (moving) await read();
    })();
    onTestFinished(() => {
      moving = false;
    });
    await Promise.all(
      all.map(async (one) => {
        for (let movement = 0; movement < 12; movement += 1) await moved(one);
      }),
    );
    moving = false;
    await reading;
    for (let look = 0; look < 4; look += 1) await read();
    const { rows } = await database.pool.query(
      `select merchant_id, event_sequence from books where mode = 'SANDBOX' and merchant_id = any($1::uuid[])`,
      [all.map(idOf)],
    );
    for (const { merchant_id, event_sequence } of rows) expect(seen.get(merchant_id)).toBe(event_sequence);
  });
});
