import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Ledger,
  type Movement,
  pageStatement,
  type StatementEntry,
  streamStatement,
} from '../../src/ledger/index.ts';
import { decodeCursor, type ListRequest } from '../../src/platform/lists/list.ts';
import { openTestDatabase } from '../support/database.ts';
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

const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const SECOND = 1_000;
const MOVEMENTS = 300;

beforeAll(async () => {
  ({ database, drop } = await openTestDatabase());
  ledger = openTestLedger(database);
  books = await openTestBooks(database);
  await fillWithHistory();
});
afterAll(() => drop());

/** A movement a second, each timed when it was asked for: up to three seconds before or after its turn. */
async function fillWithHistory(): Promise<void> {
  const [store = ''] = books.stores;
  const waiting: TestPayout[] = [];
  const first = new Date(BEGIN - 5 * SECOND).toISOString();
  for (const wallet of [store, books.wallet])
    await ledger.commit({ ...fund(books, wallet, 90_000n), occurredAt: first });
  for (let at = 0; at < MOVEMENTS; at += 1) {
    const jitter = (Math.random() * 2 - 1) * 3 * SECOND;
    const occurredAt = new Date(BEGIN + at * SECOND + jitter).toISOString();
    await ledger.commit({ ...next(at, store, waiting), occurredAt });
  }
}

function next(at: number, store: string, waiting: TestPayout[]): Movement {
  const ended = at % 4 === 3 ? waiting.shift() : undefined;
  if (ended !== undefined) return conclude(books, ended, at % 8 === 3 ? 'POST' : 'VOID');
  if (at % 4 === 2) {
    const { movement, payout } = hold(books, { payer: books.wallet, amountMinor: 500n, feeMinor: 10n });
    waiting.push(payout);
    return movement;
  }
  return at % 4 === 1
    ? debit(books, store, books.wallet, 250n)
    : fund(books, at % 8 === 0 ? store : books.wallet, 3_000n);
}

const statement = (from: number, to: number, request: ListRequest = { page: 1, size: 10_000 }) => {
  const period = { accountId: books.wallet, from: new Date(from), to: new Date(to) };
  return pageStatement(database, books.tenant, { period, asked: [from, to], since: undefined }, request);
};

const changeOf = ({ direction, amount_minor }: StatementEntry) =>
  direction === 'CREDIT' ? amount_minor : -amount_minor;
const END = BEGIN + (MOVEMENTS + 10) * SECOND;
const moment = fc.integer({ min: BEGIN - 10 * SECOND, max: END });

describe('a statement', () => {
  it('adds up: opening balance, what came in, what went out, closing balance', async () => {
    await fc.assert(
      fc.asyncProperty(moment, moment, async (one, other) => {
        fc.pre(one !== other);
        const { found, openingMinor, closingMinor, sums } = await statement(Math.min(one, other), Math.max(one, other));
        expect(openingMinor + (sums?.creditsMinor ?? 0n) - (sums?.debitsMinor ?? 0n)).toBe(closingMinor);
        expect(found.rows.reduce((sum, entry) => sum + changeOf(entry), openingMinor)).toBe(closingMinor);
        expect(found.rows[0]?.balance_minor ?? openingMinor).toBe(closingMinor);
      }),
      { numRuns: 60 },
    );
  });

  it('closes as the next one opens, and each entry is in exactly one of them', async () => {
    const whole = await statement(BEGIN - 10 * SECOND, END);
    expect(whole.openingMinor).toBe(0n);
    expect(whole.closingMinor).toBe((await ledger.readBalance(books.tenant, books.wallet)).bookedMinor);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(moment, { minLength: 1, maxLength: 6 }), async (cuts) => {
        const edges = [BEGIN - 10 * SECOND, ...cuts, END]
          .sort((a, b) => a - b)
          .filter((edge, at, all) => edge !== all[at - 1]);
        const parts = [];
        for (let at = 1; at < edges.length; at += 1)
          parts.push(await statement(edges[at - 1] as number, edges[at] as number));
        for (let at = 1; at < parts.length; at += 1) expect(parts[at]?.openingMinor).toBe(parts[at - 1]?.closingMinor);
        const ids = parts.toReversed().flatMap(({ found }) => found.rows.map(({ sequence }) => sequence));
        expect(ids).toEqual(whole.found.rows.map(({ sequence }) => sequence));
      }),
      { numRuns: 40 },
    );
  });

  it('has what was timed at its first moment, and leaves what was timed at its end to the next one', async () => {
    const { tenant, wallet, ...own } = await openTestBooks(database);
    const moments = [BEGIN, BEGIN + SECOND, BEGIN + 2 * SECOND];
    for (const [at, moment] of moments.entries()) {
      const movement = fund({ tenant, wallet, ...own }, wallet, BigInt(at + 1));
      await ledger.commit({ ...movement, occurredAt: new Date(moment).toISOString() });
    }
    const period = { accountId: wallet, from: new Date(BEGIN + SECOND), to: new Date(BEGIN + 2 * SECOND) };
    const page = await pageStatement(database, tenant, { period, asked: [], since: undefined }, { page: 1, size: 10 });
    expect(page).toMatchObject({ openingMinor: 1n, closingMinor: 3n, sums: { creditsMinor: 2n, debitsMinor: 0n } });
    expect(page.found.rows.map(({ amount_minor }) => amount_minor)).toEqual([2n]);
  });

  it('has what was timed in its period, but where two at its very edge were booked in the other order', async () => {
    const [from, to] = [BEGIN + 100 * SECOND, BEGIN + 200 * SECOND];
    const { rows } = (await statement(from, to)).found;
    const early = from - 6 * SECOND;
    const late = to + 6 * SECOND;
    expect(rows.filter(({ created_at }) => created_at.getTime() < early || created_at.getTime() > late)).toEqual([]);
    const all = (await statement(BEGIN - 10 * SECOND, END)).found.rows;
    const surely = all.filter(
      ({ created_at }) => created_at.getTime() > from + 6 * SECOND && created_at.getTime() < to - 6 * SECOND,
    );
    expect(surely.every(({ sequence }) => rows.some((row) => row.sequence === sequence))).toBe(true);
  });

  it('is the same by page, by cursor and as a file, where money moves meanwhile', async () => {
    const whole = (await statement(BEGIN - 10 * SECOND, END)).found.rows;
    const walked: StatementEntry[] = [];
    let { found } = await statement(BEGIN - 10 * SECOND, END, { page: 1, size: 17 });
    for (;;) {
      walked.push(...found.rows);
      if (found.wrapper.nextCursor === null) break;
      await ledger.commit(fund(books, books.wallet, 1n));
      const cursor = decodeCursor(found.wrapper.nextCursor);
      const page = await statement(BEGIN - 10 * SECOND, END, { size: 17, direction: 'after', cursor });
      expect(page.sums).toBeNull();
      found = page.found;
    }
    expect(walked.map(({ sequence }) => sequence)).toEqual(whole.map(({ sequence }) => sequence));

    const open = { accountId: books.wallet, from: new Date(BEGIN), to: new Date(Date.now() + 60_000) };
    const before = (await ledger.readBalance(books.tenant, books.wallet)).bookedMinor;
    const lines: StatementEntry[] = [];
    for await (const entries of streamStatement(database, books.tenant, open)) {
      await ledger.commit(fund(books, books.wallet, 1n));
      lines.push(...entries);
    }
    expect(lines.at(-1)?.balance_minor).toBe(before);
  });

  it('of an account without entries, or of a time before or after them, has the balance at both ends', async () => {
    expect(await statement(0, BEGIN - 60 * SECOND)).toMatchObject({ openingMinor: 0n, closingMinor: 0n });
    const { bookedMinor } = await ledger.readBalance(books.tenant, books.wallet);
    const future = await statement(Date.now() + 3_600_000, Date.now() + 7_200_000);
    expect(future).toMatchObject({ openingMinor: bookedMinor, closingMinor: bookedMinor, sums: { creditsMinor: 0n } });
    const empty = { accountId: books.stores[1] ?? '', from: new Date(0), to: new Date() };
    const none = await pageStatement(
      database,
      books.tenant,
      { period: empty, asked: [], since: undefined },
      { page: 1, size: 5 },
    );
    expect(none).toMatchObject({
      openingMinor: 0n,
      closingMinor: 0n,
      found: { rows: [], wrapper: { totalRecords: 0 } },
    });
  });
});
