import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type EventReader, eventFollower, followEvents, type Ledger, readFollowedTo } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { stillClock } from '../support/clock.ts';
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

/** What the books of these tests say of a store's debit; the funding says something else. */
const WANTED = 'store.debited';

function readerOf(name: string) {
  const taken: string[] = [];
  const reader: EventReader = {
    name,
    job: `test.${name}`,
    types: [WANTED],
    take: async (_tx, { merchantId }, events) => void taken.push(...events.map(() => merchantId)),
  };
  return { reader, taken };
}

const clock = stillClock();
const jobs = createJobMonitor({ clock, logger: createLogger('silent') });
const follow = (reader: EventReader) => followEvents({ database, clock: systemClock, jobs }, 'SANDBOX', reader);

/** A movement whose event the reader wants. */
const wanted = (books: TestBooks) => {
  const movement = debit(books, books.stores[0]!, books.wallet, 1n);
  return ledger.commit({ ...movement, events: (movement.events ?? []).map((event) => ({ ...event, type: WANTED })) });
};
const unwanted = (books: TestBooks) => ledger.commit(fund(books, books.stores[0]!, 1_000n));

describe('a reader of events', () => {
  it('is past books that have none for it, and takes each that it wants once, however its books are mixed', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => openTestBooks(database)));
    const { reader, taken } = readerOf('mixed');
    const expected: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (const [at, books] of all.entries()) {
        await unwanted(books);
        if ((at + round) % 3 !== 0) continue;
        await wanted(books);
        expected.push(books.tenant.merchantId);
      }
      const before = taken.length;
      expect(await follow(reader)).toBe(expected.length - before);
      expect(taken.toSorted()).toEqual(expected.toSorted());
      expect(await readFollowedTo(database, reader.name)).toBeNull();
    }
    expect(await follow(reader)).toBe(0);
  });

  it('takes each once where there are more merchants than are looked at each time, in whatever order they go on', async () => {
    const all = await Promise.all(Array.from({ length: 7 }, () => openTestBooks(database)));
    const ids = new Set(all.map(({ tenant }) => tenant.merchantId));
    const { reader, taken } = readerOf('many');
    const deps = { database, clock: systemClock, jobs };
    const run = eventFollower(deps, 'SANDBOX', reader, { fewBooks: 0, pageSize: 3, lapSize: 2 });
    const expected: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (const [at, books] of all.entries()) {
        await unwanted(books);
        if ((at + round) % 2 === 0) continue;
        await wanted(books);
        expected.push(books.tenant.merchantId);
      }
      for (let look = 0; look < 20; look += 1) await run();
      expect(taken.filter((id) => ids.has(id)).toSorted()).toEqual(expected.toSorted());
    }
    expect(await run()).toBe(0);
  });

  it('takes each event once where several read at one moment and money moves', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => openTestBooks(database)));
    const { reader, taken } = readerOf('crowded');
    for (const books of all) await unwanted(books);
    await follow(reader);
    const before = taken.length;
    const move = async () => {
      for (let at = 0; at < 20; at += 1)
        await Promise.all(all.map((books) => (at % 4 === 0 ? wanted(books) : unwanted(books))));
    };
    const read = async () => {
      for (let at = 0; at < 20; at += 1) await follow(reader);
    };
    await Promise.all([move(), read(), read()]);
    await follow(reader);
    expect(taken.length - before).toBe(all.length * 5);
    expect(await readFollowedTo(database, reader.name)).toBeNull();
  });

  it('takes each event once where its worker is held up while it locks its cursor, and another goes on meanwhile', async () => {
    const books = await openTestBooks(database);
    const { reader, taken } = readerOf('held-up');
    const address = new URL(holder.connectionString);
    address.searchParams.set('options', `-c manilla.holds_up=${books.tenant.merchantId}`);
    const slow = openTestDatabase(address.href);
    const pool = database.pool;
    await unwanted(books);
    await follow(reader);
    // One who has seen the books needs a second more to lock the cursor.
    await pool.query('alter table books rename to books_as_stored');
    onTestFinished(async () => {
      await pool.query('drop view books');
      await pool.query('alter table books_as_stored rename to books');
      await slow.close();
    });
    await pool.query(`create function held_up(merchant uuid) returns boolean language plpgsql volatile as $$
      begin
        if current_setting('manilla.holds_up', true) = merchant::text then perform pg_sleep(1); end if;
        return true;
      end $$`);
    await pool.query('create view books as select * from books_as_stored where held_up(merchant_id)');
    await wanted(books);
    const behind = followEvents({ database: slow, clock: systemClock, jobs }, 'SANDBOX', reader);
    await sleep(1_500);
    for (let at = 0; at < 3; at += 1) await wanted(books);
    await follow(reader);
    await behind;
    await follow(reader);
    expect(taken.filter((merchant) => merchant === books.tenant.merchantId)).toHaveLength(4);
  });

  it('reads on from the beginning of books with more events than are looked at together', async () => {
    const books = await openTestBooks(database);
    const { reader, taken } = readerOf('long');
    await unwanted(books);
    await follow(reader);
    await Promise.all(Array.from({ length: 150 }, () => unwanted(books)));
    await wanted(books);
    await follow(reader);
    expect(taken.filter((merchantId) => merchantId === books.tenant.merchantId)).toHaveLength(1);
    expect(await readFollowedTo(database, reader.name)).toBeNull();
  });

  it('reads on for everybody else where it fails for one merchant, whom it leaves alone for a while', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => openTestBooks(database)));
    const bad = all[2]!.tenant.merchantId;
    const { reader, taken } = readerOf('poisoned');
    for (const books of all) await unwanted(books);
    await follow(reader);
    taken.length = 0;
    let attempts = 0;
    let isPoisoned = true;
    const poisoned: EventReader = {
      ...reader,
      take: async (tx, tenant, events) => {
        if (tenant.merchantId === bad) attempts += 1;
        if (tenant.merchantId === bad && isPoisoned) throw new Error('not this one');
        await reader.take(tx, tenant, events);
      },
    };
    for (let round = 0; round < 3; round += 1) {
      for (const books of all) await wanted(books);
      expect(await follow(poisoned)).toBe(5);
    }
    expect(attempts).toBe(1);
    expect(jobs.backingOff()).toEqual([{ job: reader.job, mode: 'SANDBOX', count: 1 }]);
    isPoisoned = false;
    clock.advance(1_000);
    expect(await follow(poisoned)).toBe(3);
    expect(taken.toSorted()).toEqual(
      all.flatMap(({ tenant: { merchantId } }) => [merchantId, merchantId, merchantId]).toSorted(),
    );
  });

  it('passes everybody else’s books together where those of one merchant cannot be passed', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => openTestBooks(database)));
    const { reader } = readerOf('unpassed');
    for (const books of all) await unwanted(books);
    await follow(reader);
    for (const books of all) await unwanted(books);
    const bad = all[2]!.tenant.merchantId;
    await database.pool.query(
      `alter table event_cursors add constraint poison check (merchant_id <> '${bad}') not valid`,
    );
    const unread = async () =>
      (
        await database.pool.query<{ merchant_id: string }>(
          `select merchant_id from books b join event_cursors c using (merchant_id, mode)
            where c.reader = $1 and c.event_sequence < b.event_sequence`,
          [reader.name],
        )
      ).rows.map(({ merchant_id }) => merchant_id);
    try {
      expect(await follow(reader)).toBe(0);
    } finally {
      await database.pool.query('alter table event_cursors drop constraint poison');
    }
    expect(await unread()).toEqual([bad]);
    expect(jobs.failuresOf(reader.job).hasAny()).toBe(true);
    clock.advance(1_000);
    await follow(reader);
    expect(await unread()).toEqual([]);
    expect(jobs.failuresOf(reader.job).hasAny()).toBe(false);
  });

  it('takes none of the other mode, and moves no cursor but its own', async () => {
    const books = await openTestBooks(database);
    const live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
    const [first, second] = [readerOf('first of two'), readerOf('second of two')];
    const OTHER = 'wanted.by.the.second';
    const other = { ...second.reader, types: [OTHER] };
    const ofThese = ({ taken }: typeof first) => taken.filter((merchantId) => merchantId === books.tenant.merchantId);
    for (const each of [books, live]) await unwanted(each);
    await unwanted(books);
    await wanted(live);
    for (const reader of [first.reader, other]) await follow(reader);
    expect([ofThese(first), ofThese(second)]).toEqual([[], []]);
    // The first passes this one, and takes the next.
    const { events, ...movement } = fund(books, books.stores[0]!, 1n);
    await ledger.commit({ ...movement, events: (events ?? []).map((event) => ({ ...event, type: OTHER })) });
    await follow(first.reader);
    await wanted(books);
    await follow(first.reader);
    expect([ofThese(first).length, ofThese(second).length]).toEqual([1, 0]);
    await follow(other);
    expect(ofThese(second)).toHaveLength(1);
  });
});
