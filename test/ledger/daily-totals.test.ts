import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addUpDays,
  busyDaysAdder,
  type DayTotals,
  type Ledger,
  type Movement,
  OWN_CODES,
  pageStatement,
  readDailyTotals,
} from '../../src/ledger/index.ts';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { POSSIBLE_MOVES } from '../../src/verify/accounts-queries.ts';
import { dailyTotalChecks } from '../../src/verify/derived-queries.ts';
import { clockOf, stillClock } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  conclude,
  debit,
  fund,
  hold,
  openTestBooks,
  openTestLedger,
  reverse,
  type TestBooks,
  type TestPayout,
} from './books.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>['database'];
let drop: () => Promise<void>;
let ledger: Ledger;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  ledger = openTestLedger(database);
});
afterAll(() => drop());

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIRST_DAY = '2026-03-01';
const BEGIN = startOfLagosDay(FIRST_DAY).getTime();
const dayAt = (at: number): string => lagosDay(new Date(BEGIN + at * DAY + MINUTE));

/** Of histories, each from its seed; the nightly run takes `DAILY_TOTALS_SEEDS=40`. */
const SEEDS = Number(process.env['DAILY_TOTALS_SEEDS'] ?? 1);

/** A linear congruential generator: the seed is in the test's name. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const commitAt = (movement: Movement, at: number) =>
  ledger.commit({ ...movement, occurredAt: new Date(at).toISOString() });
const waits = stillClock();
const jobs = createJobMonitor({ clock: waits, logger: createLogger('silent') });
const addUpAt = (at: number, leastEvents?: number) => {
  const deps = { database, clock: clockOf(() => new Date(at)), jobs };
  return leastEvents === undefined
    ? addUpDays(deps, 'SANDBOX')
    : busyDaysAdder(deps, 'SANDBOX', leastEvents, { fewBooks: 0 })();
};

const read = (books: TestBooks, walletId: string | null, from = '2026-01-01') =>
  readDailyTotals(database, books.tenant, { walletId, from });

async function statementOf(books: TestBooks, accountId: string, day: string) {
  const from = startOfLagosDay(day);
  const period = { accountId, from, to: new Date(from.getTime() + DAY) };
  const request = { page: 1, size: 1 };
  const { sums, ...balances } = await pageStatement(
    database,
    books.tenant,
    { period, asked: [day], since: undefined },
    request,
  );
  return { ...balances, ...(sums ?? { creditsMinor: -1n, debitsMinor: -1n }) };
}

const NOTHING = { creditsMinor: 0n, debitsMinor: 0n };
const onDay = (days: readonly DayTotals[], day: string) => days.find((one) => one.day === day) ?? NOTHING;

/** Every day of every wallet is, to the kobo, what its statement says of that day. */
async function expectStatements(books: TestBooks, days: readonly string[]): Promise<void> {
  for (const walletId of [books.wallet, ...books.stores]) {
    const totals = await read(books, walletId);
    let balance = totals.bookedMinor;
    for (const day of days.toReversed()) {
      const { creditsMinor, debitsMinor, openingMinor, closingMinor } = await statementOf(books, walletId, day);
      const total = onDay(totals.days, day);
      expect({ day, credits: total.creditsMinor, debits: total.debitsMinor, closing: balance }).toEqual({
        day,
        credits: creditsMinor,
        debits: debitsMinor,
        closing: closingMinor,
      });
      balance -= total.creditsMinor - total.debitsMinor;
      expect(balance).toBe(openingMinor);
    }
  }
}

async function expectTogether(books: TestBooks): Promise<void> {
  const all = await read(books, null);
  const each = await Promise.all([books.wallet, ...books.stores].map((walletId) => read(books, walletId)));
  expect(all.bookedMinor).toBe(each.reduce((sum, { bookedMinor }) => sum + bookedMinor, 0n));
  for (const { day, ...totals } of all.days) {
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) {
      const sum = each
        .flatMap(({ days }) => days.filter((one) => one.day === day))
        .reduce((more, one) => more + one[name], 0n);
      expect([day, name, totals[name]]).toEqual([day, name, sum]);
    }
  }
}

async function expectProven(): Promise<void> {
  for (const { name, find } of dailyTotalChecks) expect([name, await database.query(find)]).toEqual([name, []]);
}

/** Movements of some days in the order in which they are booked: around midnight minutes before or after their turn. */
async function history(
  books: TestBooks,
  random: () => number,
  options: { days: number; movements: number },
): Promise<void> {
  const [store = '', other = ''] = books.stores;
  const open: TestPayout[] = [];
  const paid: TestPayout[] = [];
  for (const wallet of [store, other, books.wallet]) await commitAt(fund(books, wallet, 1_000_000n), BEGIN - 3 * DAY);
  const times = Array.from({ length: options.movements }, () => {
    const at = BEGIN + random() * options.days * DAY;
    const nearMidnight = BEGIN + Math.round((at - BEGIN) / DAY) * DAY + (random() - 0.5) * 4 * MINUTE;
    return random() < 0.6 ? nearMidnight : at;
  });
  for (const at of times.sort((a, b) => a - b)) {
    const asked = at + (random() - 0.5) * 4 * MINUTE;
    const which = random();
    if (which < 0.25) await commitAt(debit(books, random() < 0.5 ? store : other, books.wallet, 10n), asked);
    else if (which < 0.45) await commitAt(fund(books, random() < 0.5 ? store : books.wallet, 300n), asked);
    else if (which < 0.65 || open.length === 0) {
      const { movement, payout } = hold(books, { payer: books.wallet, amountMinor: 500n, feeMinor: 25n });
      await commitAt(movement, asked);
      open.push(payout);
    } else if (which < 0.9 || paid.length === 0) {
      const payout = open.shift() as TestPayout;
      const kind = random() < 0.7 ? 'POST' : 'VOID';
      await commitAt(conclude(books, payout, kind), asked);
      if (kind === 'POST') paid.push(payout);
    } else await commitAt(reverse(books, paid.shift() as TestPayout), asked);
    if (random() < 0.15) await addUpAt(at + random() * MINUTE);
  }
}

/** Rolls a change back, with what the checks found of it. */
class Undone extends Error {
  readonly counts: number[];
  constructor(counts: number[]) {
    super('undone');
    this.counts = counts;
  }
}

describe('totals by day', () => {
  it.each(Array.from({ length: SEEDS }, (_, at) => at + 1))(
    'are those of the statement of each day, however far they are added up (seed %i)',
    async (seed) => {
      const books = await openTestBooks(database);
      const random = randomOf(seed);
      await history(books, random, { days: 5, movements: 150 });
      const days = Array.from({ length: 11 }, (_, at) => dayAt(at - 4));
      await expectStatements(books, days);
      await expectTogether(books);
      await expectProven();
      await addUpAt(BEGIN + 30 * DAY);
      await expectStatements(books, days);
      await expectTogether(books);
      await expectProven();
    },
  );

  it('are not added up of fewer events than are worth it, and read from the books all the same', async () => {
    const books = await openTestBooks(database);
    await addUpAt(BEGIN);
    await history(books, randomOf(7), { days: 1, movements: 20 });
    expect(await addUpAt(BEGIN + 30 * DAY, 1_000)).toBe(0);
    await expectTogether(books);
    expect(await addUpAt(BEGIN + 30 * DAY)).toBeGreaterThan(0);
    await expectTogether(books);
  });

  it('are read by plans of the moment: one that was made while the books were small reads all of a merchant for each day', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select name from pg_prepared_statements where statement ~ 'daily_totals|recursive search'`,
    );
    const kept = rows.map(({ name }) => name);
    expect(kept).not.toContain('sum-days');
    expect(kept).not.toContain('list-uncounted-wallets');
  });

  it('count a payout on the day on which it was paid, not when it was held; one that was voided never', async () => {
    const books = await openTestBooks(database);
    await commitAt(fund(books, books.wallet, 100_000n), BEGIN);
    const [paid, voided] = [1, 2].map(() => hold(books, { payer: books.wallet, amountMinor: 500n, feeMinor: 25n }));
    for (const held of [paid, voided]) if (held) await commitAt(held.movement, BEGIN + DAY - 1_000);
    await addUpAt(BEGIN + DAY + MINUTE);
    if (paid) await commitAt(conclude(books, paid.payout, 'POST'), BEGIN + DAY + 2_000);
    if (voided) await commitAt(conclude(books, voided.payout, 'VOID'), BEGIN + DAY + 3_000);
    if (paid) await commitAt(reverse(books, paid.payout), BEGIN + 3 * DAY);
    for (const after of [MINUTE, 6 * MINUTE, 10 * DAY]) {
      await addUpAt(BEGIN + DAY + after);
      const { days } = await read(books, books.wallet);
      expect(
        days.map(({ day, creditsMinor, debitsMinor, chargesMinor }) => [day, creditsMinor, debitsMinor, chargesMinor]),
      ).toEqual([
        [dayAt(0), 100_000n, 0n, 0n],
        [dayAt(1), 0n, 525n, 25n],
        [dayAt(3), 500n, 0n, 0n],
      ]);
    }
  });

  it('have every transfer once, when two workers add up the same books while money moves', async () => {
    const books = await openTestBooks(database);
    const [store = ''] = books.stores;
    await commitAt(fund(books, store, 1_000_000n), BEGIN);
    const moving = Array.from({ length: 120 }, (_, at) =>
      commitAt(debit(books, store, books.wallet, 7n), BEGIN + at * 400_000),
    );
    const adding = Array.from({ length: 12 }, (_, at) => addUpAt(BEGIN + at * DAY));
    await Promise.all([...moving, ...adding]);
    await addUpAt(BEGIN + 20 * DAY);
    const { days } = await read(books, books.wallet);
    expect(days.reduce((sum, { creditsMinor }) => sum + creditsMinor, 0n)).toBe(840n);
    await expectTogether(books);
    await expectProven();
  });

  it('go on where a run was cut off, with a history that takes several steps', async () => {
    const books = await openTestBooks(database, { stores: 1 });
    const [store = ''] = books.stores;
    await commitAt(fund(books, store, 1_000_000n), BEGIN);
    for (let day = 0; day < 40; day += 1)
      await commitAt(debit(books, store, books.wallet, 3n), BEGIN + day * DAY + MINUTE);
    await addUpAt(BEGIN + 20 * DAY);
    await addUpAt(BEGIN + 60 * DAY);
    expect(await addUpAt(BEGIN + 60 * DAY)).toBe(0);
    const { days } = await read(books, store, dayAt(1));
    expect(days).toHaveLength(39);
    expect(days.every(({ ownDebitsMinor, debitsMinor }) => ownDebitsMinor === 3n && debitsMinor === 3n)).toBe(true);
    await expectProven();
  });

  it.each([
    `update daily_totals set credits_minor = credits_minor + 1 where credits_minor > 0`,
    `update daily_totals set debits_minor = debits_minor + 1`,
    `update daily_totals set own_debits_minor = own_debits_minor - 1 where own_debits_minor > 0`,
    `update daily_totals set charges_minor = charges_minor - 1 where charges_minor > 0`,
    `update daily_totals set through_sequence = through_sequence + 1000`,
    `update daily_totals set day = day + 1000`,
    `delete from daily_totals where credits_minor > 0`,
    `update merchant_daily_totals set credits_minor = credits_minor + 1`,
    `update merchant_daily_totals set day = day - 1000`,
    `update daily_total_cursors set event_sequence = event_sequence + 1000000`,
  ])('are found wrong by the proof after: %s', async (change) => {
    const books = await openTestBooks(database);
    await history(books, randomOf(5), { days: 2, movements: 40 });
    await addUpAt(BEGIN + 30 * DAY);
    const found = database.transaction(async (tx) => {
      await tx.client.query(`${change}${change.includes('where') ? ' and' : ' where'} merchant_id = $1`, [
        books.tenant.merchantId,
      ]);
      const counts = [];
      for (const { find } of dailyTotalChecks) counts.push((await tx.query(find)).length);
      throw new Undone(counts);
    });
    const { counts } = (await found.catch((error: unknown) => error)) as Undone;
    expect(counts.some((count) => count > 0)).toBe(true);
  });

  it.each([
    [
      'of ten days on the last',
      [
        `update daily_totals set through_sequence = 30, credits_minor = 3000 where day = $2`,
        'delete from daily_totals where day <> $2',
        'update merchant_daily_totals set credits_minor = 3000 where day = $2',
        'delete from merchant_daily_totals where day <> $2',
      ],
    ],
    [
      'of one day on the next',
      [
        'update daily_totals set through_sequence = through_sequence - 2, credits_minor = 100 where day = $2',
        'update daily_totals set credits_minor = 500 where day = $2::date + 1',
        'update merchant_daily_totals set credits_minor = 100 where day = $2',
        'update merchant_daily_totals set credits_minor = 500 where day = $2::date + 1',
      ],
    ],
    [
      'of one day on the day before',
      [
        'update daily_totals set through_sequence = through_sequence + 2, credits_minor = 500 where day = $2',
        'update daily_totals set credits_minor = 100 where day = $2::date + 1',
        'update merchant_daily_totals set credits_minor = 500 where day = $2',
        'update merchant_daily_totals set credits_minor = 100 where day = $2::date + 1',
      ],
    ],
  ])('are found wrong by the proof with transfers %s, though all sums agree', async (which, changes) => {
    const books = await openTestBooks(database);
    for (let at = 0; at < 30; at += 1)
      await commitAt(fund(books, books.wallet, 100n), BEGIN + (Math.floor(at / 3) + 0.5) * DAY + (at % 3) * MINUTE);
    await addUpAt(BEGIN + 40 * DAY);
    const day = dayAt(which.includes('ten') ? 9 : 4);
    const found = database.transaction(async (tx) => {
      for (const change of changes)
        await tx.client.query(`${change} and merchant_id = $1`, [books.tenant.merchantId, day]);
      const counts = [];
      for (const { find } of dailyTotalChecks) counts.push((await tx.query(find)).length);
      throw new Undone(counts);
    });
    const { counts } = (await found.catch((error: unknown) => error)) as Undone;
    expect(counts.some((count) => count > 0)).toBe(true);
  });

  it('are added up of everybody else where those of one merchant cannot be written, who is left alone for a while', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => openTestBooks(database)));
    await addUpAt(BEGIN);
    const bad = all[1]!.tenant.merchantId;
    const counted = async () => {
      const { rows } = await database.pool.query<{ merchant_id: string }>(
        `select merchant_id from books b join daily_total_cursors c using (merchant_id, mode)
          where c.event_sequence = b.event_sequence and merchant_id = any($1::uuid[])`,
        [all.map(({ tenant }) => tenant.merchantId)],
      );
      return rows.map(({ merchant_id }) => merchant_id);
    };
    await database.pool.query(
      `alter table daily_totals add constraint poison check (merchant_id <> '${bad}') not valid`,
    );
    try {
      for (let round = 0; round < 3; round += 1) {
        for (const books of all) await commitAt(fund(books, books.wallet, 100n), BEGIN + round * MINUTE);
        await addUpAt(BEGIN + 30 * DAY);
        expect(await counted()).toHaveLength(4);
      }
    } finally {
      await database.pool.query('alter table daily_totals drop constraint poison');
    }
    expect(await counted()).not.toContain(bad);
    expect(jobs.backingOff()).toEqual([{ job: 'ledger.totals', mode: 'SANDBOX', count: 1 }]);
    waits.advance(1_000);
    await addUpAt(BEGIN + 30 * DAY);
    expect(await counted()).toHaveLength(5);
    expect(jobs.backingOff()).toEqual([]);
  });

  it('know which codes move between wallets of one merchant', () => {
    const wallets = ['MERCHANT_WALLET', 'STORE_WALLET', 'SUBACCOUNT_WALLET'];
    const own = POSSIBLE_MOVES.filter(([, from, to]) => wallets.includes(from) && wallets.includes(to)).map(
      ([code]) => code,
    );
    expect(OWN_CODES).toBe(`('${[...new Set(own)].join("', '")}')`);
  });
});
