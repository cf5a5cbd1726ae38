import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { nameMerchantsFor } from '../../src/platform/db/statement.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { debit, expectProven, fund, openTestBooks, openTestDatabase, type TestBooks } from './books.ts';

const logger = createLogger('silent');

let holder: TestDatabase;
let database: Database;

beforeAll(async () => {
  holder = await createTestDatabase();
  database = openTestDatabase(holder.connectionString, 8);
});

afterEach(() => nameMerchantsFor({ isDistributed: false }));

afterAll(async () => {
  await expectProven(database);
  await database.close();
  await holder.drop();
});

interface Watched {
  ledger: Ledger;
  /** Movements of each group that committed. */
  groups: number[];
  /** The most transactions that were under way at one moment. */
  mostAtOnce: () => number;
}

/** A ledger that takes its database for a distributed one. Where a merchant's shard is, is all that is played. */
function ledgerOn(placeOf: (merchantId: string) => { shard: string; server: string }): Watched {
  const groups: number[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  const distributed: Database = {
    ...database,
    isDistributed: async () => true,
    query: async <Row>(...[asked, values]: Parameters<Database['query']>): Promise<Row[]> => {
      if (asked.name !== 'find-shards') return (await database.query(asked, values)) as Row[];
      const ids = values?.[0] as string[];
      return ids.map((merchant_id) => ({ merchant_id, ...placeOf(merchant_id) })) as Row[];
    },
    async transaction(work, how) {
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      try {
        return await database.transaction(work, how);
      } finally {
        underWay -= 1;
      }
    },
  };
  const onGroup = (movements: number) => void groups.push(movements);
  const ledger = createLedger({ database: distributed, logger, clock: systemClock, committers: 1, onGroup });
  return { ledger, groups, mostAtOnce: () => mostAtOnce };
}

async function fundedBooks(count: number, mode: Mode = 'SANDBOX'): Promise<TestBooks[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const books = await openTestBooks(database, { mode });
      await ledgerOn(() => ({ shard: 'first', server: '1' })).ledger.commit(fund(books, books.stores[0]!, 1_000n));
      return books;
    }),
  );
}

const debitEach = (ledger: Ledger, all: readonly TestBooks[], times: number) =>
  Promise.all(
    all.flatMap((books) =>
      Array.from({ length: times }, () => ledger.commit(debit(books, books.stores[0]!, books.wallet, 10n))),
    ),
  );

const leftOf = async ({ ledger }: Watched, { tenant, stores }: TestBooks) =>
  (await ledger.readBalance(tenant, stores[0]!)).bookedMinor;

describe('in a distributed database', () => {
  it('movements of a hundred merchants of one shard share a group, and each wallet has what is left', async () => {
    const all = await fundedBooks(100);
    const watched = ledgerOn(() => ({ shard: 'first', server: '1' }));
    await debitEach(watched.ledger, all, 3);
    expect(Math.max(...watched.groups)).toBeGreaterThanOrEqual(100);
    expect(watched.mostAtOnce()).toBe(1);
    for (const books of all) expect(await leftOf(watched, books)).toBe(970n);
  });

  it('a group is of one shard, and shards of one server take turns', async () => {
    const all = await fundedBooks(12);
    const shards = new Map(all.map(({ tenant }, at) => [tenant.merchantId, `shard ${at % 4}`]));
    const watched = ledgerOn((merchantId) => ({ shard: shards.get(merchantId)!, server: '1' }));
    await debitEach(watched.ledger, all, 5);
    expect(watched.mostAtOnce()).toBe(1);
    expect(Math.max(...watched.groups)).toBeLessThanOrEqual(15);
    expect(watched.groups.length).toBeGreaterThanOrEqual(4);
    for (const books of all) expect(await leftOf(watched, books)).toBe(950n);
  });

  it('a server waits for no other one, and what is live for nothing in the sandbox', async () => {
    const sandbox = await fundedBooks(4);
    const live = await fundedBooks(4, 'LIVE');
    const servers = new Map([...sandbox, ...live].map(({ tenant }, at) => [tenant.merchantId, String(at % 2)]));
    const place = (merchantId: string) => ({ shard: servers.get(merchantId)!, server: servers.get(merchantId)! });
    const watched = ledgerOn(place);
    await debitEach(watched.ledger, [...sandbox, ...live], 5);
    expect(watched.mostAtOnce()).toBe(4);
    for (const books of [...sandbox, ...live]) expect(await leftOf(watched, books)).toBe(950n);
  });
});
