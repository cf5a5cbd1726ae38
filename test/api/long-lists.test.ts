import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addUpDays } from '../../src/ledger/index.ts';
import { payoutDetails } from '../../src/payouts/views.ts';
import type { Queries } from '../../src/platform/db/database.ts';
import { MAX_COUNTED } from '../../src/platform/lists/list.ts';
import { readList } from '../../src/platform/lists/read-list.ts';
import { addUpList } from '../../src/platform/lists/totals.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { type TransactionFilter, transactionList } from '../../src/transactions/list-queries.ts';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { fillHistory } from '../support/long-history.ts';
import { touchedBy } from '../support/touched.ts';

/** How many transactions the merchant gets. `npm run test:long` asks for more than are counted, and for times. */
const TRANSACTIONS = Number(process.env['LONG_LISTS'] ?? 6_000);
const IS_LONG = TRANSACTIONS > 2 * MAX_COUNTED;
/** What the owner of a list waits for at most, with everything in memory: the machine may be busy. */
const WITHIN_MS = 100;
const DAYS = 60;
const DAY_MS = 24 * 60 * 60_000;
const SIZE = 50;
const TIME_LIMIT_MS = 900_000;

let t: TestApp;
let tenant: Tenant;

beforeAll(async () => {
  t = await createTestApp();
  const { merchantId, storeIds } = t.merchant;
  tenant = { merchantId, mode: 'SANDBOX' };
  const debit = { pin: TEST_PIN, storeId: storeIds[0], amount: 1, narration: 'Sweep' };
  expect((await t.call('POST', '/branch/store/debit', debit)).status).toBe(200);
  const payout = { pin: TEST_PIN, amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Salary' };
  expect((await t.call('POST', '/payout/single', { ...payout, reference: 'INV' })).status).toBe(200);
  for (let round = 0; round < 3; round += 1) {
    await t.app.worker.runOnce();
    t.clock.advance(60_000);
  }
  const now = t.clock.now().getTime();
  middle = new Date(now - (DAYS / 2) * DAY_MS);
  const period = { from: new Date(now - DAYS * DAY_MS), to: new Date(now - 60_000) };
  await fillHistory(t.connectionString, { merchantId, transactions: TRANSACTIONS, ...period });
  await addUpDays(t, 'SANDBOX');
}, TIME_LIMIT_MS);
afterAll(() => t.close());

const listOf = (filter: TransactionFilter) => transactionList(tenant, filter, payoutDetails);
const rowsOf = async (sql: string, ...values: unknown[]) =>
  (await t.database.pool.query(sql, [tenant.merchantId, ...values])).rows;

/** Since the middle of the history. */
let middle: Date;
const half = () => ({ from: middle });
const FILTERS: [string, () => TransactionFilter, string][] = [
  ['all', () => ({}), 'true'],
  ['of a period', half, 'created_at >= $2'],
  ['that succeeded', () => ({ statuses: ['SUCCESS'] }), `status = 'SUCCESS'`],
  [
    'that succeeded in a period',
    () => ({ statuses: ['SUCCESS'], ...half() }),
    `status = 'SUCCESS' and created_at >= $2`,
  ],
  ['that failed', () => ({ statuses: ['FAILED'] }), `status = 'FAILED'`],
  ['that failed or came back', () => ({ statuses: ['FAILED', 'REVERSED'] }), `status in ('FAILED', 'REVERSED')`],
  ['that ended', () => ({ statuses: ['FAILED', 'SUCCESS'] }), `status in ('FAILED', 'SUCCESS')`],
  ['of stores', () => ({ category: 'STORE_TO_MERCHANT' }), `category = 'STORE_TO_MERCHANT'`],
  ['of payouts', () => ({ category: 'PAYOUT' }), `category = 'PAYOUT'`],
  [
    'of payouts that were paid',
    () => ({ category: 'PAYOUT', statuses: ['SUCCESS'] }),
    `category = 'PAYOUT' and status = 'SUCCESS'`,
  ],
  [
    'of payouts to an account',
    () => ({ category: 'PAYOUT', accountNumber: '1000000017' }),
    `category = 'PAYOUT' and beneficiary_account_number = '1000000017'`,
  ],
];

describe('pages of transactions by number', () => {
  it.each(FILTERS)(
    '%s are the rows at their place, with the total',
    async (_what, filter, sql) => {
      const values = sql.includes('$2') ? [middle] : [];
      const [counted] = await rowsOf(
        `select count(*)::int as n from transactions where merchant_id = $1 and ${sql}`,
        ...values,
      );
      const pages = Math.ceil(counted.n / SIZE);
      for (const page of new Set([1, 2, Math.ceil(pages / 2), Math.max(1, pages), pages + 1])) {
        const { rows, wrapper } = await readList(t.database, listOf(filter()), { page, size: SIZE });
        const expected = await rowsOf(
          `select id from transactions where merchant_id = $1 and ${sql}
          order by created_at desc, id desc offset ${(page - 1) * SIZE} limit ${SIZE}`,
          ...values,
        );
        expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(wrapper.totalIsExact).toBe(counted.n <= MAX_COUNTED);
        if (counted.n <= MAX_COUNTED) expect(wrapper.totalRecords).toBe(counted.n);
        else expect(wrapper.totalRecords).toBeGreaterThanOrEqual(Math.min(MAX_COUNTED, page * SIZE));
      }
    },
    TIME_LIMIT_MS,
  );

  it(
    'read no row of what goes before them, nor of what is counted',
    async () => {
      await t.database.pool.query('vacuum (analyze) transactions');
      const deep = Math.floor((TRANSACTIONS * 0.14) / SIZE);
      for (const filter of [{}, { statuses: ['FAILED'] as const }, { category: 'PAYOUT' as const }]) {
        const page = 'statuses' in filter ? Math.floor(deep / 3) : deep;
        const { pages, found } = await touchedBy(t.database, (queries) =>
          readList(queries, listOf(filter), { page, size: SIZE }),
        );
        expect(found.rows.length).toBe(SIZE);
        // A row of the table is a page of it or a part of one; entries of an index go a hundred to a page.
        const counted = Math.min(TRANSACTIONS, MAX_COUNTED);
        expect(pages).toBeLessThan((page * SIZE + counted) / 50 + 15 * SIZE);
      }
    },
    TIME_LIMIT_MS,
  );

  it('are not read to say that there are too many to add up', async () => {
    const { pages, found } = await touchedBy(t.database, (queries) => {
      const reading = { ...t.database.reading, snapshot: <T>(work: (each: Queries) => Promise<T>) => work(queries) };
      return addUpList({ reading }, { owner: 'm' }, listOf({}), ['charges_minor'], 1_000);
    });
    expect(found).toEqual({ records: 1_000, sums: null });
    expect(pages).toBeLessThan(200);
  });

  it.runIf(IS_LONG)('answer within a tenth of a second, also far behind, and so does a statement', async () => {
    const to = t.clock.now().toISOString();
    const from = new Date(t.clock.now().getTime() - (DAYS + 1) * DAY_MS).toISOString();
    const deep = Math.min(5_000, Math.floor(TRANSACTIONS / SIZE));
    for (const path of [
      '/transaction',
      `/transaction?page=${deep}`,
      '/transaction?status=SUCCESS',
      '/transaction?status=FAILED',
      '/transaction?category=STORE_TO_MERCHANT',
      '/transaction?category=PAYOUT&status=SUCCESS',
      `/wallet/merchant/statement?from=${from}&to=${to}&page=${deep}`,
    ]) {
      const times: number[] = [];
      for (let run = 0; run < 5; run += 1) {
        const begun = performance.now();
        const reply = await t.call('GET', path);
        times.push(performance.now() - begun);
        expect(reply.status, reply.text).toBe(200);
      }
      process.stdout.write(`${path.slice(0, 60)} ${times.map((ms) => ms.toFixed(0)).join(' ')} ms\n`);
      expect(Math.min(...times), path).toBeLessThan(WITHIN_MS);
    }
  });
});
