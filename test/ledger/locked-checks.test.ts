import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger, lockedCheck, type Movement, numberedWrite } from '../../src/ledger/index.ts';
import { success } from '../../src/platform/answer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { setQuestion, setStatement } from '../../src/platform/db/statement.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { openTestBooks, openTestDatabase, openTestLedger, outcomeOf, type TestBooks, tally } from './books.ts';

/** Seats of a module of its own: as many rows as are taken, and a question about them. */
const takeSeat = setStatement<{ merchant_id: string; seat: string; sequence: bigint }>(
  'take-test-seat',
  { merchant_id: 'uuid', seat: 'text', sequence: 'bigint' },
  'insert into test_seats select * from :rows',
);
const findSeat = setQuestion<{ merchant_id: string; seat: string }, { place: number; taken: number }>(
  'find-test-seat',
  { merchant_id: 'uuid', seat: 'text' },
  `select rows.place::int as place, count(*)::int as taken
     from :rows join test_seats s on s.merchant_id = rows.merchant_id and s.seat = rows.seat
    group by 1`,
);

let holder: TestDatabase;
let database: Database;
let ledger: Ledger;
let farDatabase: Database;
let farLedger: Ledger;
const groups: number[] = [];

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  farDatabase = openTestDatabase(holder.connectionString);
  const onGroup = (movements: number) => groups.push(movements);
  ledger = createLedger({ database, logger: createLogger('silent'), clock: systemClock, committers: 1, onGroup });
  farLedger = openTestLedger(farDatabase);
  await database.pool.query('create table test_seats (merchant_id uuid, seat text, sequence bigint)');
});
afterAll(async () => {
  await database.close();
  await farDatabase.close();
  await holder.drop();
});

function movement({ tenant }: TestBooks, rest: Partial<Movement> = {}): Movement {
  const id = newId();
  const events = [{ id: newId(), type: 'seated', subjectId: id, data: '{}' }];
  return { tenant, id, occurredAt: new Date().toISOString(), events, answer: success('Done'), ...rest };
}

/** Takes a seat, if nobody has it. */
function seated(books: TestBooks, seat: string, asks = true): Movement {
  const row = { merchant_id: books.tenant.merchantId, seat };
  const check = lockedCheck({
    question: findSeat,
    rows: [row],
    about: [seat],
    refusal: ([found]) => found && new AppError('conflict', `TAKEN ${found.taken}`, 'It is taken.'),
  });
  return movement(books, {
    checks: asks ? [check] : [],
    changes: [seat],
    numbered: [numberedWrite(takeSeat, row)],
  });
}

const commit = (one: Movement, through = ledger) => outcomeOf(through.commit(one));
const seatsOf = async ({ tenant }: TestBooks) => {
  const sql = 'select seat, sequence from test_seats where merchant_id = $1 order by sequence';
  const { rows } = await database.pool.query<{ seat: string; sequence: bigint }>(sql, [tenant.merchantId]);
  return rows;
};

describe('a check under the lock', () => {
  it('lets one of 40 pass that come at once to two processes', async () => {
    const books = await openTestBooks(database);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, at) => commit(seated(books, 'front'), at % 2 === 0 ? ledger : farLedger)),
    );
    expect(tally(outcomes)).toEqual({ applied: 1, 'TAKEN 1': 39 });
  });

  it('sees what every movement before it wrote, in its own group’s time too', async () => {
    const books = await openTestBooks(database);
    const outcomes = await Promise.all(
      [seated(books, 'a'), seated(books, 'b'), seated(books, 'a', false), seated(books, 'a'), seated(books, 'c')].map(
        (one) => commit(one),
      ),
    );
    expect(outcomes).toEqual(['applied', 'applied', 'applied', 'TAKEN 2', 'applied']);
    expect((await seatsOf(books)).map(({ seat }) => seat).sort()).toEqual(['a', 'a', 'b', 'c']);
  });

  it('that waits for one before it holds up nobody who comes after', async () => {
    const [books, others] = [await openTestBooks(database), await openTestBooks(database)];
    groups.length = 0;
    const same = Array.from({ length: 5 }, () => commit(seated(books, 'hot')));
    const rest = Array.from({ length: 30 }, (_, at) => commit(seated(others, `seat ${at}`)));
    expect(tally(await Promise.all(rest))).toEqual({ applied: 30 });
    expect(tally(await Promise.all(same))).toEqual({ applied: 1, 'TAKEN 1': 4 });
    // All the others rode with the first of them; each of the four waited for the one before it.
    expect(groups).toEqual([31, 1, 1, 1, 1]);
  });

  it('refused leaves nothing behind, and is asked again for another movement', async () => {
    const books = await openTestBooks(database);
    await commit(seated(books, 'one'));
    expect(await commit(seated(books, 'one'))).toBe('TAKEN 1');
    expect(await commit(seated(books, 'two'))).toBe('applied');
    expect((await seatsOf(books)).map(({ seat }) => seat)).toEqual(['one', 'two']);
  });
});

describe('a numbered write', () => {
  it('carries the number of its movement’s first event', async () => {
    const books = await openTestBooks(database);
    await Promise.all([commit(seated(books, 'x')), commit(movement(books)), commit(seated(books, 'y'))]);
    const { rows } = await database.pool.query<{ sequence: bigint; type: string }>(
      'select sequence from events where merchant_id = $1 order by sequence',
      [books.tenant.merchantId],
    );
    const [first, , third] = rows.slice(-3);
    expect((await seatsOf(books)).map(({ sequence }) => sequence)).toEqual([first?.sequence, third?.sequence]);
  });

  it('without an event is a defect', async () => {
    const books = await openTestBooks(database);
    expect(() => ledger.commit({ ...seated(books, 'z'), events: [] })).toThrow('has no event');
  });
});
