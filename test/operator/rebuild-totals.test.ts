import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { addUpDays } from '../../src/ledger/index.ts';
import { payoutDirectoryKeeper } from '../../src/payout-directory/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { dailyTotalChecks, payoutDirectoryChecks } from '../../src/verify/derived-queries.ts';
import { statementTotalChecks } from '../../src/verify/statement-totals-queries.ts';
import { createTestApp, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { dyingAt } from '../support/dying-database.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { bearer, rowsOf } from '../support/world.ts';

const DEBITS = 520;
const AT_ONCE = 40;
const MODES = ['SANDBOX', 'LIVE'] as const;
const TABLES = ['daily_totals', 'merchant_daily_totals', 'statement_totals', 'payout_directory', 'rail_daily_totals'];

let t: TestApp;
let one: TestMerchant;
let other: TestMerchant;
let paid: string;

beforeAll(async () => {
  t = await createTestApp();
  [one, other] = [await t.addMerchant(), await t.addMerchant()];
  for (let at = 0; at < DEBITS; at += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, () => debit(one)));
  for (const scenario of ['success', 'success', 'failed-invalid-account', 'pending-forever']) {
    await pay(one, scenario);
    await pay(other, scenario);
  }
  await t.app.worker.runOnce();
  await keepUp();
  const [first] = await rowsOf<{ payout_id: string }>(
    t.connectionString,
    `select payout_id from payout_directory where merchant_id = $1 and status = 'SUCCESS' order by 1`,
    [one.merchantId],
  );
  paid = first?.payout_id as string;
});
afterAll(() => t.close());

async function debit(merchant: TestMerchant): Promise<void> {
  const body = { pin: TEST_PIN, storeId: merchant.storeIds[0], amount: 1, narration: 'Sales' };
  expect((await t.call('POST', '/branch/store/debit', body, bearer(merchant.secretKey))).status).toBe(200);
}

async function pay(merchant: TestMerchant, scenario: string): Promise<void> {
  const body = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'an invoice' };
  const headers = { ...bearer(merchant.secretKey), 'x-sandbox-scenario': scenario };
  const reply = await t.call('POST', '/payout/single', { ...body, pin: TEST_PIN, allowDuplicate: true }, headers);
  expect(reply.status, reply.text).toBe(200);
}

/** As the jobs of a worker do it. */
async function keepUp(): Promise<void> {
  for (const mode of MODES) {
    await addUpDays(t, mode);
    await payoutDirectoryKeeper(t, mode)();
  }
}

async function rebuild(argv: string[] = [], database: Database = t.database) {
  const warned: string[] = [];
  const deps = { ...t, database, actor: 'test', print: () => undefined, warn: (line: string) => warned.push(line) };
  const code = await runAdmin(['rebuild-totals', ...argv], deps as unknown as AdminDeps);
  return { code, warned };
}

const contents = () =>
  Promise.all(
    TABLES.map((table) => rowsOf(t.connectionString, `select to_jsonb(r)::text as row from ${table} r order by 1`)),
  );

async function broken(): Promise<string[]> {
  const names: string[] = [];
  for (const { name, find } of [...dailyTotalChecks, ...statementTotalChecks, ...payoutDirectoryChecks])
    if ((await t.database.query(find)).length > 0) names.push(name);
  return names;
}

/** Something wrong in every table, and of every sort: another figure, a row too many, a row too few. */
const WRONG = [
  `update daily_totals set debits_minor = debits_minor + 7`,
  `delete from statement_totals`,
  `update payout_directory set session_id = 'elsewhere', rail = 'elsewhere' where status = 'SUCCESS'`,
  `update payout_directory set mode = 'LIVE' where status = 'PROCESSING'`,
  `delete from payout_directory where status = 'FAILED'`,
  `insert into payout_directory
   select merchant_id, gen_random_uuid(), mode, status, 1, rail, '1', null from payout_directory where rail = 'elsewhere'`,
  `update event_cursors set event_sequence = event_sequence + 1000`,
  `update rail_daily_totals set payouts = payouts + 5, amount_minor = amount_minor + 1 where outcome = 'SUCCESS'`,
  `delete from rail_daily_totals where outcome = 'FAILED'`,
  `insert into rail_daily_totals values ('2026-01-01', 'LIVE', 'nobody', 'SUCCESS', 3, 1, 1)`,
];

async function makeWrong(): Promise<void> {
  for (const sql of WRONG) expect((await t.database.pool.query(sql)).rowCount, sql).toBeGreaterThan(0);
  expect((await broken()).length).toBeGreaterThanOrEqual(6);
}

describe('what is kept behind the books', () => {
  beforeEach(async () => {
    await rebuild();
    expect(await broken()).toEqual([]);
  });

  it('is made anew as it was, whatever was wrong in it, and once more it stays so', async () => {
    const before = await contents();
    await makeWrong();
    const { code, warned } = await rebuild();
    expect(code).toBe(0);
    expect(warned.join()).not.toContain('totals of rails 0 were wrong');
    expect(await broken()).toEqual([]);
    expect(await contents()).toEqual(before);
    expect((await rebuild()).warned.join()).toContain('totals of rails 0 were wrong');
    expect(await contents()).toEqual(before);
    await keepUp();
    expect(await contents()).toEqual(before);
  });

  it('is made anew of one merchant, and what others have stays', async () => {
    await t.database.pool.query('update daily_totals set debits_minor = debits_minor + 7');
    await rebuild(['--merchant', one.merchantId]);
    const wrong = await t.database.query(dailyTotalChecks[0]!.find);
    expect(wrong.length).toBeGreaterThan(0);
    expect(wrong.some(({ merchant_id }) => merchant_id === one.merchantId)).toBe(false);
  });

  it('is on record: who asked for it, and that it was done', async () => {
    const entries = await rowsOf<{ outcome: string }>(
      t.connectionString,
      `select outcome from audit_entries where action = 'admin rebuild-totals' order by at, id desc limit 2`,
    );
    expect(entries.map(({ outcome }) => outcome).sort()).toEqual(['ASKED', 'DONE']);
  });

  it('is right after a kill at any step, once the command or the jobs have gone on', async () => {
    const before = await contents();
    for (let step = 0; step < 60; step += 3) {
      await t.database.pool.query('update rail_daily_totals set payouts = payouts + 1');
      await t.database.pool.query('delete from payout_directory where status = $1', ['SUCCESS']);
      await expect(rebuild([], dyingAt(t.database, step))).rejects.toThrow('died');
      expect((await broken()).filter((name) => !name.startsWith('rail-') && !name.startsWith('payout-'))).toEqual([]);
      await rebuild();
      expect(await contents()).toEqual(before);
    }
  });

  it('is made anew only once the job that has the same books has written what it read', async () => {
    const job = new pg.Client({ connectionString: t.connectionString });
    await job.connect();
    await job.query('begin');
    await job.query('select from event_cursors where merchant_id = $1 for update', [one.merchantId]);
    let isDone = false;
    const rebuilt = rebuild().finally(() => {
      isDone = true;
    });
    let isWaiting = false;
    while (!isWaiting && !isDone) isWaiting = (await lockWaits(t.connectionString)) > 0;
    expect(isWaiting).toBe(true);
    for (const set of [
      `update payouts set session_id = '42' where id = $1`,
      `update payout_directory set session_id = '42' where payout_id = $1`,
    ])
      await job.query(set, [paid]);
    await job.query('commit');
    await job.end();
    expect((await rebuilt).code).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it('has no day that a job wrote while it was made anew', async () => {
    const before = await contents();
    const job = new pg.Client({ connectionString: t.connectionString });
    await job.connect();
    await job.query('begin');
    const cursor = `select from daily_total_cursors where merchant_id = $1 and mode = 'SANDBOX' for update`;
    expect((await job.query(cursor, [one.merchantId])).rowCount).toBe(1);
    const rebuilt = rebuild();
    await expect.poll(() => lockWaits(t.connectionString)).toBe(1);
    const { rowCount } = await job.query(
      `insert into daily_totals
       select (jsonb_populate_record(d, '{"day": "2020-01-01"}')).* from daily_totals d where merchant_id = $1 limit 1`,
      [one.merchantId],
    );
    expect(rowCount).toBe(1);
    await job.query('commit');
    await job.end();
    expect((await rebuilt).code).toBe(0);
    expect(await contents()).toEqual(before);
  });

  it('is made anew beside traffic and the jobs, by one process at a time, and comes to the books', async () => {
    await makeWrong();
    let isOver = false;
    const traffic = async () => {
      while (!isOver) {
        await Promise.all([debit(one), debit(other), pay(one, 'success'), pay(other, 'failed-invalid-account')]);
        await t.app.worker.runOnce();
      }
    };
    const jobs = async () => {
      while (!isOver) await keepUp();
    };
    const rebuilds = async () => {
      for (let at = 0; at < 5; at += 1) {
        const both = await Promise.all([rebuild(), rebuild()]);
        expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([0, 1]);
      }
      isOver = true;
    };
    await Promise.all([traffic(), jobs(), rebuilds()]);
    expect(await broken()).toEqual([]);
    await keepUp();
    expect(await broken()).toEqual([]);
  });
});
