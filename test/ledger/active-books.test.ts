import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ActiveBooksOptions, followActiveBooks } from '../../src/ledger/active-books.ts';
import type { Ledger } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
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
/** As where there are more merchants than are looked at each time. */
const MANY: ActiveBooksOptions = { fewBooks: 0 };
const follow = (options: ActiveBooksOptions = MANY, on = database) =>
  followActiveBooks({ database: on, clock }, 'SANDBOX', options);

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
const age = () => database.pool.query(`update books set active_at = active_at - interval '1 hour'`);

/** The rows that statements of this name returned. */
function countingRows(name: string) {
  const counted = { rows: 0 };
  const query: Database['query'] = async (statement, values) => {
    const rows = await database.query(statement, values);
    if (statement.name === name) counted.rows += rows.length;
    return rows;
  };
  const counting = new Proxy(database, { get: (on, key) => (key === 'query' ? query : Reflect.get(on, key)) });
  return { counting, counted };
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

  it('is found within minutes where its activity was not told, as by a process of the release before', async () => {
    const [one] = (await open(1)) as [TestBooks];
    await age();
    const reader = await caughtUp();
    await database.pool.query('update books set event_sequence = event_sequence where merchant_id = $1', [idOf(one)]);
    expect([...(await reader.look())]).toEqual([]);
    ms += 5 * 60_000;
    expect([...(await reader.look())]).toContain(idOf(one));
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

  it('misses no movement of many merchants that commit while it looks, however long they take', async () => {
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
      all.map(async (one, at) => {
        for (let movement = 0; movement < 12; movement += 1) {
          // A group that is long on its way: its books are active before they are committed.
          if (movement === at) await slowly(one);
          await moved(one);
        }
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

/** Holds the row of the books for a while in a transaction that writes it last, as the ledger does. */
async function slowly({ tenant }: TestBooks): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from books where merchant_id = $1 and mode = $2 for update', [
      tenant.merchantId,
      tenant.mode,
    ]);
    await client.query(
      `update books set active_at = date_bin('15 seconds', statement_timestamp(), timestamptz '2000-01-01 00:00:00+00')
        where merchant_id = $1 and mode = $2`,
      [tenant.merchantId, tenant.mode],
    );
    await sleep(100);
    await client.query('commit');
  } finally {
    client.release();
  }
}
