import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import { NOT_OF_MERCHANTS } from '../../src/placements.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { nameMerchantsFor, setInsert, write } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import {
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

const logger = createLogger('silent');
const TIMEOUT_MS = 60_000;

let holder: TestDatabase;
/** Stands for the coordinator of Citus. */
let database: Database;
let proxy: TcpProxy;
/** The same books at the server that has them: connections that can be lost. */
let server: Database;
let books: TestBooks;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString);
  const address = new URL(holder.connectionString);
  proxy = await startTcpProxy(Number(address.port));
  address.hostname = '127.0.0.1';
  address.port = String(proxy.port);
  address.searchParams.delete('host');
  server = openTestDatabase(address.href);
  books = await openTestBooks(database, { stores: 3 });
});

afterEach(() => {
  nameMerchantsFor({ isDistributed: false });
  proxy.onClientData(() => 'pass');
});

afterAll(async () => {
  await server.close();
  await proxy.close();
  await expectProven(database);
  await database.close();
  await holder.drop();
});

interface Near {
  ledger: Ledger;
  /** Transactions that were begun at the server, and at the coordinator. */
  begun: { server: number; coordinator: number };
}

/** A ledger that takes its database for one of Citus, with all merchants at one server that is asked by itself. */
function ledgerNear(at: Database = server): Near {
  const begun = { server: 0, coordinator: 0 };
  const counted = (one: Database, name: keyof typeof begun): Database => ({
    ...one,
    transaction: (work, how) => {
      begun[name] += 1;
      return one.transaction(work, how);
    },
  });
  const near = counted(at, 'server');
  const distributed: Database = {
    ...counted(database, 'coordinator'),
    isDistributed: async () => true,
    at: () => near,
    query: async <Row>(...[asked, values]: Parameters<Database['query']>): Promise<Row[]> =>
      asked.name === 'find-shards'
        ? ((values as [string[]])[0].map((merchant_id) => ({ merchant_id, shard: '7', server: '1' })) as Row[])
        : ((await database.query(asked, values)) as Row[]),
  };
  const ledger = createLedger({
    database: distributed,
    logger,
    clock: systemClock,
    committers: 1,
    elsewhere: NOT_OF_MERCHANTS,
  });
  return { ledger, begun };
}

const bookedOf = async (account: string) =>
  (await openTestLedger(database).readBalance(books.tenant, account)).bookedMinor;

/** Loses the next COMMIT of the server: `cut` before it has it, `pass-then-cut` after. */
function lose(fate: 'cut' | 'pass-then-cut'): () => boolean {
  let isLost = false;
  proxy.onClientData((bytes) => {
    if (isLost || !bytes.includes('commit\0')) return 'pass';
    isLost = true;
    return fate;
  });
  return () => isLost;
}

describe('a group that is sent to the server of Citus that has its books', () => {
  it('commits there, without the coordinator', async () => {
    const { ledger, begun } = ledgerNear();
    await ledger.commit(fund(books, books.stores[0]!, 100n));
    await ledger.commit(debit(books, books.stores[0]!, books.wallet, 10n));
    expect(begun).toEqual({ server: 2, coordinator: 0 });
  });

  it.each(['cut', 'pass-then-cut'] as const)(
    'has exactly one effect where its COMMIT is lost there (%s), and is looked up by the coordinator',
    { timeout: TIMEOUT_MS },
    async (fate) => {
      const store = books.stores[0]!;
      const { ledger, begun } = ledgerNear();
      await ledger.commit(fund(books, store, 100n));
      const before = { booked: await bookedOf(store), count: await transactionsOf(database, books) };
      let found = 0;
      for (let at = 1; at <= 20; at += 1) {
        const isLost = lose(fate);
        const looks = begun.coordinator;
        const one = debit(books, store, books.wallet, 1n, { key: `${fate}-${at}`, inputHash: 'same' });
        expect(await ledger.commit(one)).toEqual({ answer: one.answer, replayed: false });
        expect(isLost()).toBe(true);
        // Looked up; and written again, where it was not in the books.
        if (begun.coordinator - looks === 1) found += 1;
        else expect(begun.coordinator - looks).toBe(2);
        expect(await transactionsOf(database, books)).toBe(before.count + at);
        expect(await ledger.commit(one)).toEqual({ answer: one.answer, replayed: true });
      }
      expect(await bookedOf(store)).toBe(before.booked - 20n);
      if (fate === 'cut') expect(found).toBe(0);
      // A connection that is gone by then is noticed before COMMIT, where Citus takes longer to come to it.
      else if (CITUS_SERVERS.length === 0) expect(found).toBeGreaterThan(0);
    },
  );

  it('is committed by the coordinator where the server cannot be reached, or loses the connection before COMMIT', async () => {
    const store = books.stores[1]!;
    const gone = openTestDatabase('postgres://nobody@127.0.0.1:1/none');
    const { ledger, begun } = ledgerNear(gone);
    await ledger.commit(fund(books, store, 5n));
    expect(begun).toEqual({ server: 1, coordinator: 1 });
    await gone.close();
    const other = ledgerNear();
    proxy.onClientData((bytes) => (bytes.includes('lock-accounts') ? 'cut' : 'pass'));
    await other.ledger.commit(debit(books, store, books.wallet, 5n));
    expect(other.begun).toEqual({ server: 1, coordinator: 1 });
    expect(await bookedOf(store)).toBe(0n);
  });

  it('gives no more than there is, where others go by the coordinator at the same time', async () => {
    const store = books.stores[2]!;
    const near = ledgerNear();
    const far = openTestLedger(database);
    await near.ledger.commit(fund(books, store, 50n));
    const outcomes = await Promise.all(
      Array.from({ length: 80 }, (_, at) =>
        outcomeOf((at % 2 === 0 ? near.ledger : far).commit(debit(books, store, books.wallet, 1n))),
      ),
    );
    expect(outcomes.filter((one) => one === 'applied')).toHaveLength(50);
    expect(outcomes.filter((one) => one === 'INSUFFICIENT_FUNDS')).toHaveLength(30);
    expect(near.begun.server).toBeGreaterThan(0);
    expect(await bookedOf(store)).toBe(0n);
  });
});

describe('a movement goes by the coordinator', () => {
  it('where it writes a table that other servers have a copy of', async () => {
    const { ledger, begun } = ledgerNear();
    const store = books.stores[1]!;
    await ledger.commit(fund(books, store, 2n));
    const before = { ...begun };
    const elsewhere = setInsert<{ id: string }>('rail_references', { id: 'uuid' });
    const one = debit(books, store, books.wallet, 1n);
    // Nothing of the kind can be written here: that it was tried by the coordinator is what is seen.
    await expect(
      ledger.commit({ ...one, writes: [...(one.writes ?? []), write(elsewhere, { id: one.id })] }),
    ).rejects.toThrow();
    expect(begun.server).toBe(before.server);
    expect(begun.coordinator).toBeGreaterThan(before.coordinator);
  });

  it('and not where all it writes is beside its books, such as a payout’s', async () => {
    const { ledger, begun } = ledgerNear();
    const store = books.stores[1]!;
    await ledger.commit(fund(books, store, 2n));
    await ledger.commit(hold(books, { payer: store, amountMinor: 1n }).movement);
    expect(begun).toEqual({ server: 2, coordinator: 0 });
  });
});
