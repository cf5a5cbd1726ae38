import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { verifyAll } from '../../src/verify/index.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

const locksHeld = statement<{ mode: string; relation: string }>(
  'test-locks-held',
  `select distinct mode, coalesce(relation::regclass::text, locktype) as relation from pg_locks
    where pid = pg_backend_pid() and mode <> 'AccessShareLock' and locktype <> 'virtualxid'`,
);

/** Not what is asked between them. */
const CHECKS = /^verify-(?!take-memory|join-|set-mark|count-rows)/;

it('debits are made at every step of a proof, which holds no lock that one waits for, and says how old it is', async () => {
  const stronger: unknown[] = [];
  let made = 0;
  const debit = async () => {
    const body = { pin: TEST_PIN, storeId: t.merchant.storeIds[0], amount: 1, narration: 'Sweep' };
    expect((await t.call('POST', '/branch/store/debit', body)).status).toBe(200);
    made += 1;
  };
  const watched: Pick<Database, 'readApart'> = {
    readApart: (connections, work) =>
      t.database.readApart(connections, (each) =>
        work(
          each.map((queries) => ({
            ...queries,
            query: async (asked, values) => {
              const found = await queries.query(asked, values);
              // Both transactions of the proof are open until the end: a debit that waited for one would never be made.
              if (CHECKS.test(asked.name)) {
                await debit();
                stronger.push(...(await queries.query(locksHeld)));
              }
              return found;
            },
          })),
        ),
      ),
  };
  const before = await t.database.pool.query('select count(*)::int as n from transfers');
  const { ok, sizes, seconds } = await verifyAll({ database: watched, secrets: t.secrets });
  expect(ok).toBe(true);
  expect(made).toBeGreaterThan(50);
  expect(stronger).toEqual([]);
  // What was debited meanwhile is not of its moment.
  expect(Number(sizes.transfers)).toBe(before.rows[0].n);
  expect(Math.abs(Date.now() - seconds * 1_000 - sizes.read_at.getTime())).toBeLessThan(5_000);
  expect(sizes.is_replica).toBe(false);
});
