import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ShownLine } from '../../src/approvals/index.ts';
import type { ApprovalRow } from '../../src/approvals/queries.ts';
import { digestOf } from '../../src/approvals/shown-lines.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { TEST_PIN } from '../support/app.ts';
import {
  approve,
  business,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

/** The table has another name since 0132. */
const MIGRATION = readFileSync('migrations/0016_approval-lines.sql', 'utf8').replace(
  /\bupdate events\b/,
  'update event_rows',
);
const KEPT = [
  'select * from approvals order by id',
  'select approval_id, person_id, digest from approval_decisions order by approval_id, person_id',
  `select sequence, data from events where type like 'approval.%' order by merchant_id, mode, sequence`,
];

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
  const { maker, ann, owner, byKey } = await business(t);
  const narration = 'Rent "May" \\ 1/2 é';
  await approve(ann, await waitingPayout(maker.call, { narration, phoneNumber: '08012345678' }));
  await waitingPayout(byKey, { reference: 'RENT-1' });
  await reject(ann, await waitingPayout(maker.call));
  const scheduledFor = new Date(t.clock.now().getTime() + 3 * 24 * 3_600_000).toISOString();
  await maker.call('POST', '/payout/single/schedule', payment({ amount: 700, scheduledFor }));
  const account = { bankCode: '058', accountNumber: '0123456785', nickname: 'Ada' };
  await maker.call('POST', '/beneficiary', account);
  await owner.call('PATCH', '/payout/limit', { perPayout: 5_000, perDay: null });
  await owner.call('PATCH', '/approval/rules', { isMakerCheckerEnabled: false });
  const items = [{ amount: 500, bankCode: '058', accountNumber: '1234567890', narration: 'Salary' }];
  const { batchReference } = (await byKey('POST', '/payout/bulk', { items })).body.data;
  await t.app.worker.runOnce();
  await withoutAddress();
  await maker.call('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference });
});
afterAll(() => t.close());

const rows = async (): Promise<unknown[][]> => {
  const found: unknown[][] = [];
  for (const text of KEPT) found.push((await t.database.pool.query(text)).rows);
  return found;
};

/** As an approval that is older than the address that it was made from. */
async function withoutAddress(): Promise<void> {
  const [row] = (await t.database.pool.query<ApprovalRow>(`select * from approvals where kind = 'LIMIT'`)).rows;
  if (row === undefined) throw new Error('no change of limits waits');
  const digest = digestOf({ ...row, made_ip: null });
  await t.database.pool.query('update approvals set made_ip = null, digest = $2 where id = $1', [row.id, digest]);
  await t.database.pool.query('update event_rows set data = replace(data, $2, $3) where subject_id = $1', [
    ...[row.id, row.digest, digest],
  ]);
}

/** As the release before kept it: lines of label and value, and the digest over those. */
async function makeOld(): Promise<void> {
  const { rows: approvals } = await t.database.pool.query<ApprovalRow>('select * from approvals');
  for (const row of approvals) {
    const lines = (JSON.parse(row.shown) as ShownLine[]).map(({ label, value }) => ({ label, value }));
    const shown = JSON.stringify(lines);
    const digest = digestOf({ ...row, shown });
    await t.database.pool.query('update approvals set shown = $2, digest = $3 where id = $1', [row.id, shown, digest]);
    await t.database.pool.query('update approval_decisions set digest = $2 where approval_id = $1', [row.id, digest]);
    await t.database.pool.query(
      `update event_rows set data = replace(replace(replace(data, $3, $4), $5, $6),
                                        '"subjectType":"' || $2 || '","subjectId":', '"subjectId":') where subject_id = $1`,
      [row.id, row.kind === 'SCHEDULE' ? 'PAYOUT' : row.kind, row.shown, shown, row.digest, digest],
    );
  }
}

it('approvals that were kept with labels alone become what they would be now: lines, digests, decisions and events', async () => {
  const now = await rows();
  expect(new Set((now[0] as ApprovalRow[]).map(({ kind }) => kind)).size).toBe(6);
  await expectBooksRight(t);
  await makeOld();
  const [old = [], , told = []] = (await rows()) as [ApprovalRow[], unknown[], { data: string }[]];
  const texts = [...old.map(({ shown }) => shown), ...told.map(({ data }) => data)];
  expect(texts.filter((text) => /"field"|"subjectType"/.test(text))).toEqual([]);
  await t.database.pool.query(MIGRATION);
  expect(await rows()).toEqual(now);
  await expectBooksRight(t);
});

it('an approval that was altered before the migration stays as it is, and the proof finds it', async () => {
  await makeOld();
  const [altered] = (
    await t.database.pool.query<ApprovalRow>(
      `update approvals set shown = replace(shown, '0123456785', '9876543210') where kind = 'BENEFICIARY' returning *`,
    )
  ).rows;
  await t.database.pool.query(MIGRATION);
  const [after] = (await t.database.pool.query<ApprovalRow>('select * from approvals where id = $1', [altered?.id]))
    .rows;
  expect(after).toEqual(altered);
  const { checks } = await verifyBooks(t.database);
  const broken = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(broken).toContain('approvals-are-what-was-shown');
});
