import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUpDays, type Ledger, type Movement, pageStatement, type StatementEntry } from '../../src/ledger/index.ts';
import { insertStatementTotals, STATEMENT_STEP } from '../../src/ledger/statement-total-queries.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { statementTotalChecks } from '../../src/verify/statement-totals-queries.ts';
import { clockOf } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import { touchedBy } from '../support/touched.ts';
import {
  conclude,
  debit,
  fund,
  hold,
  openTestBooks,
  openTestLedger,
  type TestBooks,
  type TestPayout,
} from './books.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>['database'];
let drop: () => Promise<void>;
let ledger: Ledger;
let books: TestBooks;

const BEGIN = Date.parse('2026-03-01T08:00:00Z');
const SECOND = 1_000;
/** Enough for four totals, and a part of a step behind the last. */
const MOVEMENTS = 3 * STATEMENT_STEP;
const AT_ONCE = 100;
let booked = 0;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  ledger = openTestLedger(database);
  books = await openTestBooks(database);
  await commit([fund(books, books.wallet, 9_000_000n), fund(books, books.stores[0] as string, 9_000_000n)]);
  await fillUp(MOVEMENTS);
});
afterAll(() => drop());

const commit = (movements: readonly Movement[]) => {
  const occurredAt = new Date(BEGIN + booked * SECOND).toISOString();
  booked += 1;
  return Promise.all(movements.map((movement) => ledger.commit({ ...movement, occurredAt })));
};

/** Debits of a store, and holds of the wallet that are posted, voided or left: two of four have no line in a statement. */
async function fillUp(movements: number): Promise<void> {
  for (let at = 0; at < movements; at += AT_ONCE) {
    const held: TestPayout[] = [];
    const group = Array.from({ length: AT_ONCE }, (_, number) => {
      if (number % 3 !== 0) return debit(books, books.stores[0] as string, books.wallet, BigInt(100 + number));
      const { movement, payout } = hold(books, { payer: books.wallet, amountMinor: 500n, feeMinor: 10n });
      held.push(payout);
      return movement;
    });
    await commit(group);
    await commit(
      held.slice(0, -1).map((payout, number) => conclude(books, payout, number % 2 === 0 ? 'POST' : 'VOID')),
    );
  }
}

const jobs = createJobMonitor({ clock: systemClock, logger: createLogger('silent') });
const addUp = (now = BEGIN + booked * SECOND) =>
  addUpDays({ database, clock: clockOf(() => new Date(now)), jobs }, 'SANDBOX');
const periodOf = (from: number, to: number) => ({ accountId: books.wallet, from: new Date(from), to: new Date(to) });
const whole = () => periodOf(BEGIN, BEGIN + 100_000 * SECOND);

/** Transfers that the totals may be behind; undefined is as the service has it. */
let mostBehind: number | undefined;

const pageOf = (
  period: ReturnType<typeof periodOf>,
  page: number,
  size: number,
  queries = database as Parameters<typeof pageStatement>[0],
) => {
  const asked = { period, asked: ['x'], since: undefined, ...(mostBehind !== undefined && { mostBehind }) };
  return pageStatement(queries, books.tenant, asked, { page, size });
};

async function expectPages(period: ReturnType<typeof periodOf>, size: number): Promise<void> {
  const { found: all, sums } = await pageOf(period, 1, 100_000);
  const sum = (direction: string) =>
    all.rows.filter((row) => row.direction === direction).reduce((total, row) => total + row.amount_minor, 0n);
  expect(sums).toEqual({ creditsMinor: sum('CREDIT'), debitsMinor: sum('DEBIT') });
  const pages = Math.ceil(all.rows.length / size);
  for (let page = 1; page <= pages + 1; page += 1) {
    const { found } = await pageOf(period, page, size);
    const expected: StatementEntry[] = all.rows.slice((page - 1) * size, page * size);
    expect(found.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(found.wrapper).toMatchObject({ page, totalRecords: all.rows.length, totalPages: pages, totalIsExact: true });
    expect(found.wrapper.nextCursor === null).toBe(page >= pages);
  }
}

const totals = async () =>
  (await database.pool.query('select * from statement_totals where account_id = $1 order by sequence', [books.wallet]))
    .rows;

describe('the pages of a statement', () => {
  it('are the same, line by line, with the totals far behind, behind, half there and all there', async () => {
    const halfway = periodOf(BEGIN + 3 * SECOND, BEGIN + 19 * SECOND);
    await expectPages(whole(), 97);
    await expectPages(halfway, 97);
    mostBehind = 0;
    await expectPages(whole(), 97);
    mostBehind = undefined;
    await addUp();
    expect((await totals()).length).toBeGreaterThanOrEqual(4);
    await expectPages(whole(), 97);
    await expectPages(halfway, 31);
    await fillUp(STATEMENT_STEP);
    await expectPages(whole(), 97);
    await addUp();
    await addUp();
    await expectPages(whole(), 50);
    await expectPages(periodOf(BEGIN + 11 * SECOND, BEGIN + 29 * SECOND), 13);
    expect((await database.pool.query(statementTotalChecks[0]?.find.text as string)).rows).toEqual([]);
  });

  it('are found by totals that several workers add up at once, each written once', async () => {
    await fillUp(2 * STATEMENT_STEP);
    await Promise.all([addUp(), addUp(), addUp()]);
    await addUp();
    const rows = await totals();
    const [account] = (await database.pool.query('select sequence from accounts where id = $1', [books.wallet])).rows;
    expect(rows.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: Math.floor(Number(account.sequence) / STATEMENT_STEP) }, (_, at) =>
        BigInt((at + 1) * STATEMENT_STEP),
      ),
    );
  });

  it('are found by totals also in a wallet at rest that an earlier release left without some', async () => {
    await addUp();
    const before = await totals();
    expect(before.length).toBeGreaterThan(4);
    const lacking = () => database.pool.query(statementTotalChecks[1]?.find.text as string);
    await database.pool.query('delete from statement_totals where sequence > $1', [STATEMENT_STEP]);
    expect((await lacking()).rows).not.toEqual([]);
    await database.pool.query('update daily_total_cursors set has_statement_totals = false');
    expect((await lacking()).rows).toEqual([]);
    await addUp();
    expect(await totals()).toEqual(before);
    const { rows } = await database.pool.query('select distinct has_statement_totals from daily_total_cursors');
    expect(rows).toEqual([{ has_statement_totals: true }]);
    expect((await lacking()).rows).toEqual([]);
  });

  it('cost the same, whichever it is: what is read does not grow with its number', async () => {
    await addUp();
    const near = await touchedBy(database, (queries) => pageOf(whole(), 2, 10, queries));
    const last = near.found.found.wrapper.totalPages as number;
    expect(last).toBeGreaterThan(200);
    const atMost = near.pages + STATEMENT_STEP;
    for (const page of [Math.floor(last / 3), Math.floor(last / 2), last]) {
      const { pages } = await touchedBy(database, (queries) => pageOf(whole(), page, 10, queries));
      expect(pages).toBeLessThan(atMost);
    }
    const kept = (await database.pool.query('delete from statement_totals returning *')).rows;
    const counted = await touchedBy(database, (queries) => pageOf(whole(), last, 10, queries));
    expect(counted.pages).toBeGreaterThan(atMost);
    await database.run(insertStatementTotals, kept);
  });
});

describe('the proof', () => {
  it.each([
    ['a total that counts an entry too much', 'set entries = entries - 1'],
    ['a total of more than came in', 'set credits_minor = credits_minor + 1'],
    ['a total of less than went out', 'set debits_minor = debits_minor - 1'],
    ['a total at another transfer', 'set sequence = sequence + 1'],
  ])('finds %s', async (_what, change) => {
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(`update statement_totals ${change} where sequence = ${2 * STATEMENT_STEP}`);
      const found = await client.query(statementTotalChecks[0]?.find.text as string);
      expect(found.rows.length).toBeGreaterThan(0);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
