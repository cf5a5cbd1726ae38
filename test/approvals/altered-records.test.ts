import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findApproval } from '../../src/approvals/queries.ts';
import { digestOf } from '../../src/approvals/shown-lines.ts';
import { violatedCheck } from '../../src/platform/db/database.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { readMetrics } from '../support/app.ts';
import { moved } from '../support/moved.ts';
import { rowsOf } from '../support/world.ts';
import {
  approve,
  type Business,
  balanceOf,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  sends,
  statusOf,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
let shop: Business;
beforeAll(async () => {
  t = await createTestApp();
});
// Sessions end while the clock is moved.
beforeEach(async () => {
  shop = await business(t);
});
afterAll(async () => {
  // The index for searching has what it read while records were altered behind its back.
  await t.database.pool.query('delete from search_cursors');
  await t.database.pool.query('delete from search_documents');
  await expectBooksRight(t);
  await t.close();
});

const ALTERED = '409 APPROVAL_SUBJECT_ALTERED';

interface Column {
  table: string;
  column: string;
  type: string;
}

/** What may change while a payout waits, or names the record itself. */
const FREE: Readonly<Record<string, readonly string[]>> = {
  transactions: ['merchant_id', 'mode', 'id', 'status', 'reason', 'updated_at', 'paid_at'],
  // Which batch it is of stands in both, and the transaction's counts.
  payouts: [
    'merchant_id',
    'mode',
    'id',
    'batch_id',
    'due_at',
    'lease_id',
    'ended_by',
    'operator_reason',
    'operator_since',
    // Only the release before looks at it.
    'mark',
  ],
};

/** Another value of its type; where the database takes only some, one that it takes. */
function otherValue({ column, type }: Column): string {
  const only: Record<string, string> = {
    category: `'WALLET_FUNDING'`,
    currency: `'USD'`,
    purpose: `case purpose when 'GENERAL' then 'SALARY' else 'GENERAL' end`,
    next_step: `case next_step when 'SEND' then 'QUERY' else 'SEND' end`,
  };
  if (only[column] !== undefined) return only[column];
  if (type === 'boolean') return `not ${column}`;
  if (type === 'uuid') return `'${crypto.randomUUID()}'`;
  if (type === 'bigint' || type === 'integer') return `coalesce(${column}, 0) + 1`;
  if (type === 'date') return `coalesce(${column}, date '2026-01-01') + 1`;
  if (type.startsWith('timestamp')) return moved(`coalesce(${column}, timestamptz '2026-01-01Z')`, '1 hour');
  return `coalesce(${column}, '') || '1'`;
}

async function columns(): Promise<Column[]> {
  const rows = await rowsOf<Column>(
    t.connectionString,
    `select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_name in ('transactions', 'payouts') order by 1, 2`,
  );
  return rows.filter(({ table, column }) => !FREE[table]?.includes(column));
}

/** Alters one column. @returns what puts it right again; undefined where the database refuses such a value. */
async function altered(id: string, one: Column): Promise<(() => Promise<unknown>) | undefined> {
  const { table, column, type } = one;
  const sql = `select ${column}::text as value from ${table} where id = $1`;
  const [before] = await rowsOf<{ value: unknown }>(t.connectionString, sql, [id]);
  try {
    const set = `update ${table} set ${column} = ${otherValue(one)} where id = $1`;
    expect((await t.database.pool.query(set, [id])).rowCount, set).toBe(1);
  } catch (error) {
    if (violatedCheck(error) !== undefined) return undefined;
    throw error;
  }
  const back = `update ${table} set ${column} = $2::text::${type} where id = $1`;
  return () => t.database.pool.query(back, [id, before?.value]);
}

const brokenChecks = async () => (await verifyBooks(t.database)).checks.filter(({ ok }) => !ok).map(({ name }) => name);

type Ids = Record<'transactionId' | 'approvalId', string>;
const tenMinutesAhead = () => new Date(t.clock.now().getTime() + 600_000).toISOString();

async function schedule() {
  const scheduledFor = tenMinutesAhead();
  const reply = await shop.maker.call('POST', '/payout/single/schedule', payment({ scheduledFor }));
  const { transactionId, approvalId } = reply.body.data;
  const { digest } = (await shop.maker.call('GET', `/approval/${approvalId}`)).body.data;
  return { transactionId, approvalId, digest };
}

describe('a payout whose record was altered behind the service while it waited', () => {
  it.each(['payout', 'schedule'])(
    'is not released, whichever of its columns it was: a %s',
    async (what) => {
      const path = what === 'payout' ? '/payout/single' : '/payout/single/schedule';
      const scheduledFor = what === 'payout' ? undefined : tenMinutesAhead();
      const waiting: { name: string; approval: Ids; putRight: () => Promise<unknown> }[] = [];
      const ofAll = async (sql: string, idOf: (approval: Ids) => string) => {
        const rows = await rowsOf<{ id: string; value: string }>(t.connectionString, sql, [
          waiting.map(({ approval }) => idOf(approval)),
        ]);
        return new Map(rows.map(({ id, value }) => [id, value]));
      };
      for (const one of await columns()) {
        const approval: Ids = (await shop.maker.call('POST', path, payment({ scheduledFor }))).body.data;
        const putRight = await altered(approval.transactionId, one);
        if (putRight === undefined) await reject(shop.ann, approval);
        else waiting.push({ name: `${one.table}.${one.column}`, approval, putRight });
      }
      expect(waiting.length).toBeGreaterThan(45);
      const digests = await ofAll(
        'select id, digest as value from approvals where id = any($1)',
        (one) => one.approvalId,
      );
      const [before, sent] = [await balanceOf(shop), await sends(t, shop.merchant)];
      const released: string[] = [];
      for (const { name, approval } of waiting) {
        const digest = digests.get(approval.approvalId) as string;
        const code = codeOf(await approve(shop.ann, { ...approval, digest }));
        if (code !== ALTERED) released.push(`${name}: ${code}`);
      }
      await t.app.worker.runOnce();
      expect(released).toEqual([]);
      expect(await sends(t, shop.merchant)).toBe(sent);
      expect(await balanceOf(shop)).toEqual(before);
      const statuses = await ofAll(
        'select id, status as value from transactions where id = any($1)',
        (one) => one.transactionId,
      );
      for (const { name, approval, putRight } of waiting) {
        expect(statuses.get(approval.transactionId), name).toBe('PENDING_APPROVAL');
        await putRight();
        // Put right again, nothing of it is lost.
        expect(codeOf(await reject(shop.ann, approval)), name).toBe('DONE');
      }
    },
    300_000,
  );

  it('is seen by the proof, in the log, in the metrics and by the operator', async () => {
    const waiting = await waitingPayout(shop.maker.call);
    const account = { table: 'transactions', column: 'beneficiary_account_number', type: 'text' };
    const putRight = await altered(waiting.transactionId, account);
    expect(await brokenChecks()).toContain('what-was-approved-is-what-is-there');
    expect(codeOf(await approve(shop.ann, waiting))).toBe(ALTERED);
    const metrics = await readMetrics(t);
    expect(metrics).toMatch(/money_alarms_total\{alarm="APPROVAL_SUBJECT_ALTERED",mode="SANDBOX",rail=""\} \d+/);
    const [row] = await rowsOf<{ operator_reason: string }>(
      t.connectionString,
      'select operator_reason from payouts where id = $1',
      [waiting.transactionId],
    );
    expect(row?.operator_reason).toBe('APPROVAL_SUBJECT_ALTERED');
    await putRight!();
    expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('SUCCESS');
  });

  it('releases nothing either: a rejection, a withdrawal and its end in time wait until it is put right', async () => {
    const waiting = await waitingPayout(shop.maker.call);
    const before = await balanceOf(shop);
    const putRight = await altered(waiting.transactionId, {
      table: 'transactions',
      column: 'amount_minor',
      type: 'bigint',
    });
    expect(codeOf(await reject(shop.ann, waiting))).toBe(ALTERED);
    expect(codeOf(await shop.maker.call('POST', `/approval/${waiting.approvalId}/withdraw`, {}))).toBe(ALTERED);
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 8 * 86_400 });
    await t.app.worker.runOnce();
    expect(await balanceOf(shop)).toEqual(before);
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('PENDING_APPROVAL');
    await putRight!();
    t.clock.advance(3_600_000);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('CANCELLED');
  });
});

describe('what was approved and is altered before it leaves', () => {
  const operatorReason = async (id: string) => {
    const sql = 'select operator_reason from payouts where id = $1';
    return (await rowsOf<{ operator_reason: string }>(t.connectionString, sql, [id]))[0]?.operator_reason;
  };
  const account = { table: 'transactions', column: 'beneficiary_account_number', type: 'text' };

  it('is not sent while it is another payout, and is once it is put right', async () => {
    const waiting = await waitingPayout(shop.maker.call);
    expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
    const putRight = await altered(waiting.transactionId, account);
    const sent = await sends(t, shop.merchant);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('QUEUED');
    const { attempts } = (await shop.byKey('GET', `/transaction/${waiting.transactionId}/evidence`)).body.data;
    expect(attempts).toMatchObject([{ kind: 'SEND', outcome: 'unknown', reason: 'APPROVAL_SUBJECT_ALTERED' }]);
    expect(await operatorReason(waiting.transactionId)).toBe('APPROVAL_SUBJECT_ALTERED');
    // The attempt that was made and not sent counts here.
    expect(await sends(t, shop.merchant)).toBe(sent + 1);
    await putRight!();
    t.clock.advance(300_000);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('SUCCESS');
  });

  it('as a schedule is not paid on its day, nor cancelled, before it is put right, whatever of it was altered', async () => {
    const alterations: [string, Column][] = [
      ['account', account],
      ['amount', { table: 'transactions', column: 'amount_minor', type: 'bigint' }],
      ['day', { table: 'payouts', column: 'scheduled_for', type: 'timestamptz' }],
      ['approval', { table: 'payouts', column: 'approval_id', type: 'uuid' }],
    ];
    const schedules: { what: string; id: string; putRight: () => Promise<unknown> }[] = [];
    for (const [what, one] of alterations) {
      const waiting = await schedule();
      expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
      const putRight = await altered(waiting.transactionId, one);
      schedules.push({ what, id: waiting.transactionId, putRight: putRight! });
    }
    const before = await balanceOf(shop);
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 601 });
    await t.app.worker.runOnce();
    for (const { what, id, putRight } of schedules) {
      expect(codeOf(await shop.byKey('POST', '/payout/single/schedule/cancel', { scheduleId: id })), what).toBe(
        ALTERED,
      );
      expect(await statusOf(shop.byKey, id), what).toBe('SCHEDULED');
      expect(await balanceOf(shop), what).toEqual(before);
      expect(await operatorReason(id), what).toBe('APPROVAL_SUBJECT_ALTERED');
      await putRight();
    }
    t.clock.advance(300_000);
    await t.app.worker.runOnce();
    for (const { what, id } of schedules) expect(await statusOf(shop.byKey, id), what).toBe('SUCCESS');
  });

  it('as a schedule is not paid where it was called released', async () => {
    const waiting = await schedule();
    const [before, sent] = [await balanceOf(shop), await sends(t, shop.merchant)];
    const { pool } = t.database;
    const call = 'update transactions set status = $2 where id = $1';
    const makeDue = 'update payouts set due_at = $2 where id = $1';
    await pool.query(call, [waiting.transactionId, 'SCHEDULED']);
    await pool.query(makeDue, [waiting.transactionId, t.clock.now()]);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('SCHEDULED');
    expect([await balanceOf(shop), await sends(t, shop.merchant)]).toEqual([before, sent]);
    await pool.query(call, [waiting.transactionId, 'PENDING_APPROVAL']);
    await pool.query(makeDue, [waiting.transactionId, null]);
    expect(codeOf(await reject(shop.ann, waiting))).toBe('DONE');
  });

  it('as a schedule is not paid while the approval that was given is not its own', async () => {
    const waiting = await schedule();
    expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
    const give = (to: string) =>
      t.database.pool.query('update approvals set subject_id = $2 where id = $1', [waiting.approvalId, to]);
    await give(crypto.randomUUID());
    const [before, sent] = [await balanceOf(shop), await sends(t, shop.merchant)];
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 601 });
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('SCHEDULED');
    expect([await balanceOf(shop), await sends(t, shop.merchant)]).toEqual([before, sent]);
    await give(waiting.transactionId);
    t.clock.advance(300_000);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, waiting.transactionId)).toBe('SUCCESS');
  });

  it('as a beneficiary is neither added nor removed, whichever of its fields it was', async () => {
    const account = { bankCode: '058', accountNumber: '0123456785', nickname: 'Landlord' };
    const { beneficiaryId, approvalId } = (await shop.maker.call('POST', '/beneficiary', account)).body.data;
    const { digest } = (await shop.maker.call('GET', `/approval/${approvalId}`)).body.data;
    for (const column of ['bank_code', 'bank_name', 'account_number', 'account_name', 'nickname']) {
      const putRight = await altered(beneficiaryId, { table: 'beneficiaries', column, type: 'text' });
      expect(await brokenChecks(), column).toContain('what-was-approved-is-what-is-there');
      expect(codeOf(await approve(shop.ann, { approvalId, digest })), column).toBe(ALTERED);
      expect(codeOf(await reject(shop.ann, { approvalId })), column).toBe(ALTERED);
      await putRight!();
    }
    expect(codeOf(await approve(shop.ann, { approvalId, digest }))).toBe('DONE');
  });

  it('is found by what it showed where its approval is older than that it kept the record', async () => {
    const waiting = await waitingPayout(shop.maker.call);
    const [row] = await t.database.query(findApproval, [shop.merchant.merchantId, 'SANDBOX', waiting.approvalId]);
    const digest = digestOf({ ...row!, payload: '{}' });
    const older = `update approvals set payload = '{}', digest = $2 where id = $1`;
    await t.database.pool.query(older, [waiting.approvalId, digest]);
    const told = `update event_rows set data = replace(data::text, $2, $3)::json where subject_id = $1`;
    await t.database.pool.query(told, [waiting.approvalId, waiting.digest, digest]);
    const putRight = await altered(waiting.transactionId, account);
    expect(codeOf(await approve(shop.ann, { ...waiting, digest }))).toBe(ALTERED);
    await putRight!();
    expect(codeOf(await approve(shop.ann, { ...waiting, digest }))).toBe('DONE');
  });
});
