import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import {
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
  transactionsOf,
} from './books.ts';

/** Lost COMMITs: enough to meet both fates many times; 1,000 and more by `COMMIT_UNKNOWN_RUNS`. */
const RUNS = Number(process.env['COMMIT_UNKNOWN_RUNS'] ?? 200);
/** Each makes a new connection; where the look is lost too, the ledger waits a moment before it looks again. */
const TIMEOUT_MS = 30_000 + RUNS * 200;

let holder: TestDatabase;
let database: Database;
let proxy: TcpProxy;
let far: Database;
let ledger: Ledger;
let books: TestBooks;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  const address = new URL(holder.connectionString);
  proxy = await startTcpProxy(Number(address.port));
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  address.searchParams.delete('host');
  far = openTestDatabase(address.href);
  ledger = openTestLedger(far);
  books = await openTestBooks(database);
});

afterAll(async () => {
  await far.close();
  await proxy.close();
  await expectProven(database);
  await database.close();
  await holder.drop();
});

type Fate = 'cut' | 'pass-then-cut' | 'hold';

interface Watched {
  /** COMMITs that were lost. */
  lost: number;
  /** Times that the movement was sent to be written. */
  writes: number;
}

/** Loses the next COMMITs, each by its fate: `cut` before the server has it, `pass-then-cut` after, `hold` long before. */
function lose(fates: readonly Fate[]): Watched {
  const watched: Watched = { lost: 0, writes: 0 };
  proxy.onClientData((bytes) => {
    if (bytes.includes('copy idempotency_keys')) watched.writes += 1;
    if (!bytes.includes('commit\0') || watched.lost >= fates.length) return 'pass';
    watched.lost += 1;
    return fates[watched.lost - 1] ?? 'pass';
  });
  return watched;
}

const bookedOf = async (account: string) =>
  (await openTestLedger(database).readBalance(books.tenant, account)).bookedMinor;

interface Case {
  name: string;
  runs: number;
  fates: (at: number) => Fate[];
}

describe.each<Case>([
  { name: 'before the server has it', runs: RUNS * 0.3, fates: () => ['cut'] },
  { name: 'after the server has it', runs: RUNS * 0.3, fates: () => ['pass-then-cut'] },
  {
    name: 'and so is the look at what became of it',
    runs: RUNS * 0.1,
    fates: (at) => [at % 2 === 0 ? 'cut' : 'pass-then-cut', 'pass-then-cut'],
  },
])('a COMMIT that is lost $name', ({ runs: wanted, fates }) => {
  it('has exactly one effect, and the client gets that answer', { timeout: TIMEOUT_MS }, async () => {
    const [store] = books.stores as [string];
    const runs = Math.ceil(wanted);
    await ledger.commit(fund(books, store, BigInt(runs)));
    const before = { booked: await bookedOf(store), count: await transactionsOf(database, books) };
    let found = 0;
    let kept = 0;
    for (let at = 1; at <= runs; at += 1) {
      const planned = fates(at);
      const watched = lose(planned);
      const one = debit(books, store, books.wallet, 1n, {
        key: `${planned.join()}${before.count + at}`,
        inputHash: 'same',
      });
      const result = await ledger.commit(one);
      expect(result).toEqual({ answer: one.answer, replayed: false });
      expect(watched.lost).toBe(planned.length);
      expect(await transactionsOf(database, books)).toBe(before.count + at);
      if (watched.writes === 1) found += 1;
      if (planned[0] === 'pass-then-cut') kept += 1;
      // The key tells the same truth later, and moves nothing again.
      expect(await ledger.commit(one)).toEqual({ answer: result.answer, replayed: true });
    }
    expect(await bookedOf(store)).toBe(before.booked - BigInt(runs));
    // Each that the server had before it was lost had its effect, and nothing was written again.
    expect(found).toBe(kept);
  });
});

describe('a COMMIT that is lost', () => {
  it('behind a whole group tells each of its movements its own truth', { timeout: TIMEOUT_MS }, async () => {
    const [, store] = books.stores as [string, string];
    for (let at = 0; at < RUNS * 0.15; at += 1) {
      lose([]);
      await ledger.commit(fund(books, store, 10n));
      const { movement, payout } = hold(books, { payer: store, amountMinor: 1n });
      await ledger.commit(movement);
      const count = await transactionsOf(database, books);
      lose([at % 2 === 0 ? 'cut' : 'pass-then-cut']);
      const outcomes = await Promise.all(
        [
          debit(books, store, books.wallet, 5n),
          debit(books, store, books.wallet, 5n, { key: `refused-${at}`, inputHash: 'same' }),
          conclude(books, payout, 'POST'),
          debit(books, store, books.wallet, 4n),
        ].map((one) => outcomeOf(ledger.commit(one))),
      );
      expect(outcomes).toEqual(['applied', 'INSUFFICIENT_FUNDS', 'applied', 'applied']);
      expect(await transactionsOf(database, books)).toBe(count + 2);
    }
  });

  it('before the server has it is not taken for what another process commits before it is looked up', async () => {
    lose([]);
    const [store] = books.stores as [string];
    await ledger.commit(fund(books, store, 10n));
    const before = { booked: await bookedOf(store), count: await transactionsOf(database, books) };
    const other = openTestLedger(database);
    const overtaken: Database = {
      ...far,
      transaction: (work, options) =>
        far.transaction(work, options).catch(async (error: unknown) => {
          await other.commit(debit(books, store, books.wallet, 2n));
          throw error;
        }),
    };
    const watched = lose(['cut']);
    const one = debit(books, store, books.wallet, 1n, { key: 'overtaken', inputHash: 'same' });
    expect(await openTestLedger(overtaken).commit(one)).toEqual({ answer: one.answer, replayed: false });
    expect(watched).toEqual({ lost: 1, writes: 2 });
    expect(await bookedOf(store)).toBe(before.booked - 3n);
    expect(await transactionsOf(database, books)).toBe(before.count + 2);
  });

  it('before the server has it, and reaches it while its fate is looked up, is waited for', async () => {
    lose([]);
    const [store] = books.stores as [string];
    await ledger.commit(fund(books, store, 10n));
    const count = await transactionsOf(database, books);
    for (const idempotency of [undefined, { key: 'under-way', inputHash: 'same' }]) {
      const watched = lose(['hold']);
      const one = debit(books, store, books.wallet, 1n, idempotency);
      const committed = ledger.commit(one);
      // The locks of the transaction that is lost are still its own.
      await expect.poll(() => lockWaits(holder.connectionString)).toBeGreaterThan(0);
      proxy.passHeld();
      expect(await committed).toEqual({ answer: one.answer, replayed: false });
      expect(watched.lost).toBe(1);
    }
    expect(await transactionsOf(database, books)).toBe(count + 2);
  });

  it('behind nothing but refusals tells the refusal, and nothing moves', { timeout: TIMEOUT_MS }, async () => {
    const poor = await openTestBooks(database);
    for (let at = 0; at < RUNS * 0.15; at += 1) {
      lose([at % 2 === 0 ? 'cut' : 'pass-then-cut']);
      const idempotency = { key: `poor-${at}`, inputHash: 'same' };
      const committed = ledger.commit(debit(poor, poor.stores[0]!, poor.wallet, 1n, idempotency));
      const told = await committed.catch((error: { code: string }) => error.code);
      // Where the lost COMMIT had kept the refusal, it is read back as the answer of the key.
      expect(typeof told === 'string' ? told : JSON.parse(told.answer.body.toString()).code).toBe('INSUFFICIENT_FUNDS');
    }
    expect(await transactionsOf(database, poor)).toBe(0);
  });
});

describe('connections that the network has swallowed', () => {
  it.each([
    ['are not heard by the server', () => proxy.swallowOpen(' watch')],
    ['are heard by the server, which then ends their locks', () => proxy.muteOpen(' watch')],
  ] as const)('and %s hold up neither what ends a hold nor what is behind it', async (_name, goSilent) => {
    lose([]);
    const [store] = books.stores as [string];
    await ledger.commit(fund(books, store, 100n));
    const { movement, payout } = hold(books, { payer: store, amountMinor: 1n });
    await ledger.commit(movement);
    const count = await transactionsOf(database, books);
    goSilent();
    const ends = outcomeOf(ledger.commit(conclude(books, payout, 'POST')));
    // In a later group.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const behind = outcomeOf(ledger.commit(debit(books, store, books.wallet, 5n)));
    expect(await Promise.all([ends, behind])).toEqual(['applied', 'applied']);
    expect(await transactionsOf(database, books)).toBe(count + 1);
  });

  it('are tried once more for a debit, too', async () => {
    lose([]);
    const [store] = books.stores as [string];
    await ledger.commit(fund(books, store, 100n));
    const count = await transactionsOf(database, books);
    proxy.muteOpen(' watch');
    expect(await outcomeOf(ledger.commit(debit(books, store, books.wallet, 5n)))).toBe('applied');
    expect(await transactionsOf(database, books)).toBe(count + 1);
  });
});
