import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger, Movement } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import {
  ask,
  conclude,
  debit,
  expectProven,
  fund,
  hold,
  openTestBooks,
  openTestDatabase,
  openTestLedger,
  outcomeOf,
  type TestBooks,
  take,
  tally,
  transactionsOf,
} from './books.ts';

let holder: TestDatabase;
let database: Database;
let ledger: Ledger;
/** Another process: its own connections to the same books. */
let farDatabase: Database;
let farLedger: Ledger;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  farDatabase = openTestDatabase(holder.connectionString);
  ledger = openTestLedger(database);
  farLedger = openTestLedger(farDatabase);
});

afterAll(async () => {
  await expectProven(database);
  await database.close();
  await farDatabase.close();
  await holder.drop();
});

const booked = async (books: TestBooks, account: string) =>
  (await ledger.readBalance(books.tenant, account)).bookedMinor;

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** Cheap and repeatable: numbers from 0 to below `limit`. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

/** A process whose database transactions are counted. */
function countingLedger(): { ledger: Ledger; transactions: () => number } {
  let transactions = 0;
  const counted: Database = {
    ...database,
    transaction(work, how) {
      transactions += 1;
      return database.transaction(work, how);
    },
  };
  return { ledger: openTestLedger(counted), transactions: () => transactions };
}

async function fundedStore(amountMinor: bigint): Promise<{ books: TestBooks; store: string }> {
  const books = await openTestBooks(database);
  const store = books.stores[0]!;
  await ledger.commit(fund(books, store, amountMinor));
  return { books, store };
}

describe('movements that ride in one group', () => {
  it('do not suffer from a defect of one of them', async () => {
    const { books, store } = await fundedStore(1_000n);
    const good = () => debit(books, store, books.wallet, 100n);
    const defect = debit(books, store, newId(), 100n);
    const settled = await Promise.allSettled([good(), good(), defect, good()].map((one) => ledger.commit(one)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const [, , failed] = settled;
    expect(failed?.status === 'rejected' && failed.reason).not.toBeInstanceOf(AppError);
    expect(await booked(books, store)).toBe(700n);
    expect(await transactionsOf(database, books)).toBe(4);
  });

  it('do not suffer from one whose rows the database refuses', async () => {
    const { books, store } = await fundedStore(1_000n);
    const first = debit(books, store, books.wallet, 100n);
    await ledger.commit(first);
    // The same transaction again, with no key that would tell: its primary key is taken.
    const twin: Movement = { ...debit(books, store, books.wallet, 100n), id: first.id, writes: first.writes! };
    const settled = await Promise.allSettled(
      [debit(books, store, books.wallet, 100n), twin, debit(books, store, books.wallet, 100n)].map((one) =>
        ledger.commit(one),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await booked(books, store)).toBe(700n);
  });

  it('are not committed one by one for a defect of one of them, which is found in halves', async () => {
    const { books, store } = await fundedStore(100_000n);
    const { ledger: counting, transactions } = countingLedger();
    const all = times(256, (at) => debit(books, store, at === 171 ? newId() : books.wallet, 1n));
    const settled = await Promise.allSettled(all.map((one) => counting.commit(one)));
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(settled[171]?.status).toBe('rejected');
    // Nine that fail and at most as many that do not, and what waited apart of the same merchant.
    expect(transactions()).toBeLessThan(60);
    expect(await booked(books, store)).toBe(100_000n - 255n);
  });

  it('do not ride with those of a merchant whose movement failed by a defect, until one of its succeeds', async () => {
    const neighbours = await Promise.all(times(10, () => fundedStore(1_000n)));
    const { books, store } = await fundedStore(1_000n);
    const { ledger: counting, transactions } = countingLedger();
    const good = () => neighbours.map((one) => debit(one.books, one.store, one.books.wallet, 1n));
    const bad = () => debit(books, store, newId(), 1n);
    const send = async (movements: readonly Movement[]) => {
      const before = transactions();
      const settled = await Promise.allSettled(movements.map((one) => counting.commit(one)));
      return { statuses: settled.map(({ status }) => status), transactions: transactions() - before };
    };
    const all = times(10, () => 'fulfilled');
    await send([bad()]);
    for (let round = 0; round < 3; round += 1) {
      // One for the neighbours, whatever becomes of the one apart, and that one's own.
      expect(await send([...good(), bad()])).toEqual({ statuses: [...all, 'rejected'], transactions: 2 });
    }
    expect((await send([debit(books, store, books.wallet, 1n)])).statuses).toEqual(['fulfilled']);
    expect(await send([...good(), debit(books, store, books.wallet, 1n)])).toEqual({
      statuses: [...all, 'fulfilled'],
      transactions: 1,
    });
  });

  it('wait no longer than a few of who is at fault, however many of those are there', async () => {
    const { books, store } = await fundedStore(1_000n);
    const neighbour = await fundedStore(1_000n);
    const { ledger: counting, transactions } = countingLedger();
    const flood = times(500, () => counting.commit(debit(books, store, newId(), 1n)).catch(() => undefined));
    await flood[0];
    const before = transactions();
    await counting.commit(debit(neighbour.books, neighbour.store, neighbour.books.wallet, 1n));
    expect(transactions() - before).toBeLessThan(40);
    await Promise.all(flood);
  });

  it('of live never wait for a group of sandbox, however long that hangs', async () => {
    const sandbox = await openTestBooks(database);
    const live = await openTestBooks(database, { mode: 'LIVE' });
    await ledger.commit(fund(live, live.wallet, 100n));
    const client = await farDatabase.pool.connect();
    await client.query('begin');
    await client.query('select 1 from books where merchant_id = $1 for update', [sandbox.tenant.merchantId]);
    const hanging = ledger.commit(fund(sandbox, sandbox.wallet, 1n));
    await ledger.commit(fund(live, live.wallet, 1n));
    expect(await booked(live, live.wallet)).toBe(101n);
    await client.query('rollback');
    client.release();
    await hanging;
  });

  it('do not wait for a large one of another merchant, nor for what that merchant sends meanwhile', async () => {
    const { books, store } = await fundedStore(1_000n);
    const neighbour = await fundedStore(1_000n);
    const { ledger: counting, transactions } = countingLedger();
    const small = () => debit(books, store, books.wallet, 1n);
    const [transfer] = small().transfers ?? [];
    const large = { ...small(), transfers: times(400, () => ({ ...transfer!, id: newId(), amountMinor: 10n })) };
    const client = await farDatabase.pool.connect();
    await client.query('begin');
    await client.query('select 1 from books where merchant_id = $1 for update', [books.tenant.merchantId]);
    const theirs = [counting.commit(large).catch((error: AppError) => error.code), counting.commit(small())];
    for (let at = 0; at < 3; at += 1) {
      await counting.commit(debit(neighbour.books, neighbour.store, neighbour.books.wallet, 1n));
    }
    expect(await booked(neighbour.books, neighbour.store)).toBe(997n);
    expect(await booked(books, store)).toBe(1_000n);
    await client.query('rollback');
    client.release();
    expect(await Promise.all(theirs)).toMatchObject(['INSUFFICIENT_FUNDS', { replayed: false }]);
    // From then on they share groups again.
    const before = transactions();
    await Promise.all([
      counting.commit(small()),
      counting.commit(debit(neighbour.books, neighbour.store, neighbour.books.wallet, 1n)),
    ]);
    expect(transactions() - before).toBe(1);
    expect(await booked(books, store)).toBe(998n);
  });

  it('may be of several merchants and modes: each has its own effect', async () => {
    const merchantId = newId();
    const all = [
      await openTestBooks(database, { merchantId }),
      await openTestBooks(database, { merchantId, mode: 'LIVE' }),
      await openTestBooks(database),
    ];
    await Promise.all(all.map((books, at) => ledger.commit(fund(books, books.wallet, BigInt(at + 1)))));
    expect(await Promise.all(all.map((books) => booked(books, books.wallet)))).toEqual([1n, 2n, 3n]);
  });

  it('lock their books in the order of the ids, so that no two groups wait for each other', async () => {
    const opened = await Promise.all(times(6, () => openTestBooks(database)));
    const idOf = ({ tenant }: TestBooks) => tenant.merchantId;
    const lastFirst = opened.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1));
    const ids = lastFirst.map(idOf);
    const client = await farDatabase.pool.connect();
    await client.query('begin');
    await client.query('select 1 from books where merchant_id = $1 for update', [ids.at(-1)]);
    const group = Promise.all(lastFirst.map((books) => ledger.commit(fund(books, books.wallet, 1n))));
    await expect.poll(() => lockWaits(holder.connectionString)).toBe(1);
    // It waits for the first one, and holds none behind it.
    const held = 'select 1 from books where merchant_id = any($1) for update skip locked';
    const { rowCount } = await client.query(held, [ids]);
    await client.query('rollback');
    client.release();
    expect(rowCount).toBe(ids.length);
    expect(await group).toHaveLength(ids.length);
  });

  it('may walk one payout through several states: the last one stays', async () => {
    const { books, store } = await fundedStore(1_000n);
    const { movement, payout } = hold(books, { payer: store, amountMinor: 400n });
    await ledger.commit(movement);
    const steps = [take(books, payout), ask(books, payout), ask(books, payout), conclude(books, payout, 'POST')];
    expect(await Promise.all(steps.map((one) => outcomeOf(ledger.commit(one))))).toEqual(times(4, () => 'applied'));
    const { rows } = await database.pool.query('select status from transactions where id = $1', [payout.id]);
    expect(rows).toEqual([{ status: 'SUCCESS' }]);
    await expectProven(database);
  });

  it('change no row of another merchant, nor of the same one in the other mode', async () => {
    const { books, store } = await fundedStore(1_000n);
    const { movement, payout } = hold(books, { payer: store, amountMinor: 400n });
    await ledger.commit(movement);
    const live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
    for (const other of [live, await openTestBooks(database)])
      expect(await outcomeOf(ledger.commit(take(other, payout)))).toBe('TRANSACTION_CONCLUDED');
    expect(await outcomeOf(ledger.commit(take(books, payout)))).toBe('applied');
  });

  it('end a hold once, whoever comes first', async () => {
    const { books, store } = await fundedStore(1_000n);
    const { movement, payout } = hold(books, { payer: store, amountMinor: 400n, feeMinor: 10n });
    await ledger.commit(movement);
    const ends = times(20, (at) => conclude(books, payout, at % 2 === 0 ? 'POST' : 'VOID'));
    const outcomes = await Promise.all(ends.map((one, at) => outcomeOf((at % 3 ? ledger : farLedger).commit(one))));
    expect(tally(outcomes)).toEqual({ applied: 1, TRANSACTION_CONCLUDED: 19 });
    await expectProven(database);
  });

  it('end holds in wallets that no hold was in before, each to the kobo', async () => {
    const { books, store } = await fundedStore(1_000n);
    await ledger.commit(fund(books, books.wallet, 1_000n));
    // Those of the first group are between the accounts of none before, and those of the second between some of them.
    for (const payers of [[store], [books.wallet, store], [store, books.wallet]]) {
      const held = payers.map((payer) => hold(books, { payer, amountMinor: 100n, feeMinor: 10n }));
      await Promise.all(held.map(({ movement }) => ledger.commit(movement)));
      const ends = held.map(({ payout }, at) => conclude(books, payout, at === 0 ? 'POST' : 'VOID'));
      const outcomes = await Promise.all(ends.map((one) => outcomeOf(ledger.commit(one))));
      expect(tally(outcomes)).toEqual({ applied: payers.length });
    }
    expect([await booked(books, store), await booked(books, books.wallet)]).toEqual([780n, 890n]);
    await expectProven(database);
  });

  it('without an event are refused before they start when they would change something', async () => {
    const { books, store } = await fundedStore(1_000n);
    const { events: _events, ...silent } = debit(books, store, books.wallet, 100n);
    expect(() => ledger.commit(silent)).toThrow('has no event');
    expect(await booked(books, store)).toBe(1_000n);
    const { transfers: _transfers, writes: _writes, ...idle } = silent;
    for (const part of [
      ...(['transfers', 'transitions', 'firstSteps', 'writes', 'numbered'] as const),
      ...(['reservations', 'releases', 'limitUsages'] as const),
    ])
      expect(() => ledger.commit({ ...idle, [part]: [{}] }), part).toThrow('has no event');
  });
});

describe('an account', () => {
  it.each([1, 2])(
    'that can pay for 50 of 200 parallel debits pays for exactly 50 (%d processes)',
    async (processes) => {
      const { books, store } = await fundedStore(5_000n);
      const outcomes = await Promise.all(
        times(200, (at) => {
          const through = at % processes === 0 ? ledger : farLedger;
          return outcomeOf(through.commit(debit(books, store, books.wallet, 100n)));
        }),
      );
      expect(tally(outcomes)).toEqual({ applied: 50, INSUFFICIENT_FUNDS: 150 });
      expect([await booked(books, store), await booked(books, books.wallet)]).toEqual([0n, 5_000n]);
      expect(await transactionsOf(database, books)).toBe(51);
    },
  );
});

describe('an idempotency key', () => {
  it.each([1, 2])('used by 100 parallel requests has one effect and one answer (%d processes)', async (processes) => {
    const { books, store } = await fundedStore(100_000n);
    const idempotency = { key: 'pay-once', inputHash: 'same' };
    const results = await Promise.all(
      times(100, (at) => {
        const through = at % processes === 0 ? ledger : farLedger;
        return through.commit(debit(books, store, books.wallet, 100n, idempotency));
      }),
    );
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(results.map(({ answer }) => answer.body)).size).toBe(1);
    expect(await booked(books, store)).toBe(99_900n);
    expect(await transactionsOf(database, books)).toBe(2);
  });

  it('remembers a refusal: money that comes later does not let a copy through', async () => {
    const { books, store } = await fundedStore(100n);
    const idempotency = { key: 'too-much', inputHash: 'same' };
    const tooMuch = () => debit(books, store, books.wallet, 101n, idempotency);
    const refusal = await ledger.commit(tooMuch()).catch((error: AppError) => error);
    expect(refusal).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await ledger.commit(fund(books, store, 1_000n));
    for (const through of [ledger, farLedger]) {
      const late = await through.commit(tooMuch());
      expect(late).toMatchObject({ replayed: true, answer: { status: 422 } });
      expect(JSON.parse(late.answer.body.toString())).toMatchObject({ status: false, code: 'INSUFFICIENT_FUNDS' });
    }
    expect(await booked(books, store)).toBe(1_100n);
  });

  it('with another input is refused, in this process and in another', async () => {
    const { books, store } = await fundedStore(1_000n);
    await ledger.commit(debit(books, store, books.wallet, 100n, { key: 'mine', inputHash: 'one' }));
    for (const through of [ledger, farLedger]) {
      const other = debit(books, store, books.wallet, 200n, { key: 'mine', inputHash: 'two' });
      expect(await outcomeOf(through.commit(other))).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    expect(await booked(books, store)).toBe(900n);
  });

  it('of one merchant is nothing to another, nor to the same merchant in another mode', async () => {
    const { books, store } = await fundedStore(1_000n);
    const idempotency = { key: 'common', inputHash: 'same' };
    await ledger.commit(debit(books, store, books.wallet, 100n, idempotency));
    const live = await openTestBooks(database, { merchantId: books.tenant.merchantId, mode: 'LIVE' });
    const stranger = await openTestBooks(database);
    for (const other of [live, stranger]) {
      expect(await outcomeOf(ledger.commit(fund(other, other.wallet, 1n, idempotency)))).toBe('applied');
    }
  });

  it('whose answer is an event gets that of its own books, whatever has the same number in others', async () => {
    const merchantId = newId();
    const all = [
      await openTestBooks(database, { merchantId }),
      await openTestBooks(database, { merchantId, mode: 'LIVE' }),
      await openTestBooks(database),
    ];
    const told = (books: TestBooks, at: number): Movement => {
      const one = fund(books, books.wallet, 1n, { key: 'told', inputHash: 'same' });
      const events = (one.events ?? []).map((event) => ({ ...event, data: `{"at":${at}}` }));
      return { ...one, events, answer: { message: 'Done' } };
    };
    for (const [at, books] of all.entries()) await ledger.commit(told(books, at));
    for (const through of [ledger, farLedger])
      for (const [at, books] of all.entries()) {
        const { answer, replayed } = await through.commit(told(books, 9));
        expect([replayed, JSON.parse(answer.body.toString()).data]).toEqual([true, { at }]);
      }
  });
});

describe('two processes that hammer the same books', () => {
  it('with accounts that pay each other crosswise never deadlock, and lose or make no money', async () => {
    const random = numbers(7);
    // Two lanes a process, and merchants on both: groups of several books meet in every order.
    const near = openTestLedger(database, 2);
    const far = openTestLedger(farDatabase, 2);
    const all = await Promise.all(times(4, () => openTestBooks(database, { stores: 3 })));
    const accounts = (books: TestBooks) => [books.wallet, ...books.stores];
    await Promise.all(all.flatMap((books) => accounts(books).map((id) => near.commit(fund(books, id, 10_000n)))));
    const before = await deadlocks();
    const outcomes: string[] = [];
    const client = async (through: Ledger) => {
      for (let at = 0; at < 40; at += 1) {
        const books = all[random(all.length)]!;
        const from = random(4);
        const [payer, payee] = [accounts(books)[from]!, accounts(books)[(from + 1 + random(3)) % 4]!];
        outcomes.push(await outcomeOf(through.commit(debit(books, payer, payee, BigInt(1 + random(4_000))))));
      }
    };
    await Promise.all(times(16, (at) => client(at % 2 === 0 ? near : far)));
    expect(Object.keys(tally(outcomes)).filter((word) => !['applied', 'INSUFFICIENT_FUNDS'].includes(word))).toEqual(
      [],
    );
    expect(outcomes).toHaveLength(640);
    expect(await deadlocks()).toBe(before);
    for (const books of all) {
      const sums = await Promise.all(accounts(books).map((id) => booked(books, id)));
      expect(sums.reduce((sum, one) => sum + one)).toBe(40_000n);
    }
    await expectProven(database);
  });
});

describe('the proof', () => {
  it('is green at every moment of live traffic', async () => {
    const { books, store } = await fundedStore(1_000_000n);
    let open = true;
    const traffic = times(4, async (at) => {
      while (open) {
        const { movement, payout } = hold(books, { payer: store, amountMinor: 10n, feeMinor: 1n });
        await ledger.commit(movement);
        const through = at % 3 === 0 ? ledger : farLedger;
        await through.commit(conclude(books, payout, at % 2 === 0 ? 'POST' : 'VOID'));
      }
    });
    try {
      for (let round = 0; round < 3; round += 1) await expectProven(database);
    } finally {
      open = false;
      await Promise.all(traffic);
    }
  });
});

async function deadlocks(): Promise<unknown> {
  const sql = 'select deadlocks from pg_stat_database where datname = current_database()';
  return (await database.pool.query<{ deadlocks: bigint }>(sql)).rows[0]?.deadlocks;
}
