import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShownLine } from '../../src/approvals/index.ts';
import type { ApprovalRow } from '../../src/approvals/queries.ts';
import { digestOf } from '../../src/approvals/shown-lines.ts';
import { TEST_PIN } from '../support/app.ts';
import {
  approve,
  type Business,
  balanceOf,
  business,
  type Call,
  codeOf,
  createTestApp,
  expectBooksRight,
  type Person,
  reject,
  sends,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

const item = (at: number, fields: Record<string, unknown> = {}) => ({
  ...{ amount: 1_000 + at, bankCode: '058', accountNumber: String(1_000_000_000 + at), narration: 'Salary' },
  ...fields,
});

async function readyBatch(shop: Business, items = [item(0), item(1), item(2)]): Promise<string> {
  const made = await shop.byKey('POST', '/payout/bulk', { items });
  expect(made.status, made.text).toBe(200);
  await t.app.worker.runOnce();
  return made.body.data.batchReference;
}

const batchOf = async (by: Call, reference: string) => (await by('GET', `/payout/bulk/${reference}`)).body.data;
const dispatch = (by: Call, batchReference: string, fields = {}) =>
  by('POST', '/payout/bulk/dispatch', { pin: TEST_PIN, batchReference, allowDuplicate: true, ...fields });

async function waitingBatch(shop: Business, by = shop.maker.call, items?: ReturnType<typeof item>[]) {
  const reference = await readyBatch(shop, items);
  const reply = await dispatch(by, reference);
  expect(reply.body, reply.text).toMatchObject({ status: true, data: { status: 'PENDING_APPROVAL' } });
  const { approvalId } = reply.body.data as { approvalId: string };
  const approval = (await by('GET', `/approval/${approvalId}`)).body.data;
  return { reference, approvalId, digest: approval.digest as string, approval };
}

describe('a batch of a merchant with approvals', () => {
  it('holds nothing while it waits, and the last approval is its dispatch', async () => {
    const shop = await business(t);
    const before = await balanceOf(shop);
    const batch = await waitingBatch(shop);
    expect(batch.approval).toMatchObject({ kind: 'BATCH', amount: 3_003, needed: 1, status: 'PENDING' });
    expect((await batchOf(shop.byKey, batch.reference)).digest).toMatch(/^[0-9a-f]{64}$/);
    expect(codeOf(await dispatch(shop.byKey, batch.reference))).toBe('409 BATCH_PENDING_APPROVAL');
    await t.app.worker.runOnce();
    expect(await balanceOf(shop)).toEqual(before);
    expect(codeOf(await approve(shop.ann, batch))).toBe('DONE');
    expect((await balanceOf(shop)).available).toBe(before.available - 3_003 - 3 * 10.75);
    await t.app.worker.runOnce();
    const { approvalId } = batch;
    expect(await batchOf(shop.byKey, batch.reference)).toMatchObject({ status: 'COMPLETED', approvalId });
    expect(await sends(t, shop.merchant)).toBe(3);
    const paid = (await shop.byKey('GET', `/transaction?batchReference=${batch.reference}`)).body.data.records;
    const evidence = await shop.byKey('GET', `/transaction/${paid[0].transactionId}/evidence`);
    expect(evidence.body.data.approvalId).toBe(approvalId);
  });

  it('loses its approval with any edit, and an approval of what was shown before does nothing', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]).catch(() => undefined);
    // Two approvals need three who can decide: the owner and the two approvers.
    if (shop === undefined) throw new Error('no business');
    const batch = await waitingBatch(shop);
    expect((await approve(shop.ann, batch)).body.data).toMatchObject({ status: 'PENDING', given: 1 });
    const records = (await shop.byKey('GET', `/payout/bulk/${batch.reference}/item`)).body.data.records;
    const corrected = await shop.byKey('PATCH', '/payout/bulk/item', {
      bulkPayoutItemId: records[0].id,
      amount: 900_000,
    });
    expect(corrected.status, corrected.text).toBe(200);
    expect(await batchOf(shop.byKey, batch.reference)).toMatchObject({ status: 'READY', approvalId: null });
    const { data } = (await shop.byKey('GET', `/approval/${batch.approvalId}`)).body;
    expect(data).toMatchObject({ status: 'VOID', reason: 'BATCH_CHANGED', given: 1 });
    expect(codeOf(await approve(shop.ben, batch))).toBe('409 APPROVAL_CLOSED');
    const again = await dispatch(shop.maker.call, batch.reference);
    expect(again.body.data.approvalId).not.toBe(batch.approvalId);
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
  });

  it('goes back to its maker when it is rejected, withdrawn, dropped from or run out, and may be dispatched again', async () => {
    const shop = await business(t);
    const ends: ((batch: Awaited<ReturnType<typeof waitingBatch>>) => Promise<unknown>)[] = [
      (batch) => reject(shop.ann, batch),
      (batch) => shop.maker.call('POST', `/approval/${batch.approvalId}/withdraw`, {}),
      async (batch) => {
        const { records } = (await shop.byKey('GET', `/payout/bulk/${batch.reference}/item`)).body.data;
        return shop.byKey('DELETE', `/payout/bulk/item/${records[2].id}`);
      },
      async () => {
        await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 7 * 86_400 + 1 });
        return t.app.worker.runOnce();
      },
    ];
    for (const end of ends) {
      const batch = await waitingBatch(shop);
      await end(batch);
      expect(await batchOf(shop.byKey, batch.reference)).toMatchObject({ status: 'READY', approvalId: null });
      expect(codeOf(await approve(shop.ben, batch))).toBe('409 APPROVAL_CLOSED');
      expect((await dispatch(shop.maker.call, batch.reference)).body.data.status).toBe('PENDING_APPROVAL');
      const cancelled = await shop.byKey('POST', '/payout/bulk/cancel', { batchReference: batch.reference });
      expect(cancelled.body.data).toMatchObject({ status: 'CANCELLED', approvalId: null });
    }
    expect((await shop.byKey('GET', '/approval?status=PENDING')).body.data.totalRecords).toBe(0);
    expect(await sends(t, shop.merchant)).toBe(0);
  });

  it('leaves the approval undecided when the money is not there, and says so to the approver', async () => {
    const shop = await business(t);
    const batch = await waitingBatch(shop, shop.maker.call, [item(0, { amount: 2_000_000 })]);
    const refused = await approve(shop.ann, batch, { 'idempotency-key': 'first' });
    expect(codeOf(refused)).toBe('422 INSUFFICIENT_FUNDS');
    expect((await shop.byKey('GET', `/approval/${batch.approvalId}`)).body.data).toMatchObject({
      ...{ status: 'PENDING', given: 0, decisions: [] },
    });
    await shop.byKey('POST', '/sandbox/wallet/fund', { walletId: shop.merchant.walletId, amount: 2_000_000 });
    expect(codeOf(await approve(shop.ann, batch, { 'idempotency-key': 'second' }))).toBe('DONE');
  });

  it('is called one payout where it is one; one requested under an earlier title can still be given', async () => {
    const shop = await business(t);
    const titleOf = async ({ approvalId }: { approvalId: string }) =>
      (await shop.byKey('GET', `/approval/${approvalId}`)).body.data.title;
    expect(await titleOf(await waitingBatch(shop, shop.maker.call, [item(0), item(1)]))).toBe(
      '2 payouts, ₦2,001.00 in all',
    );
    const one = await waitingBatch(shop, shop.maker.call, [item(2)]);
    expect(await titleOf(one)).toBe('One payout, ₦1,002.00');

    const { pool } = t.database;
    const [row] = (await pool.query<ApprovalRow>('select * from approvals where id = $1', [one.approvalId])).rows;
    if (row === undefined) throw new Error('no approval waits');
    const title = '1 payouts, ₦1,002.00 in all';
    const digest = digestOf({ ...row, title });
    await pool.query('update approvals set title = $2, digest = $3 where id = $1', [one.approvalId, title, digest]);
    await pool.query(
      `update event_rows set data = (data::jsonb || jsonb_build_object('digest', $2::text, 'title', $3::text))::json
        where subject_id = $1 and type = 'approval.requested'`,
      [one.approvalId, digest, title],
    );
    expect(await titleOf(one)).toBe(title);
    expect(codeOf(await approve(shop.ann, { approvalId: one.approvalId, digest }))).toBe('DONE');
  });

  it('says how many names differ from the bank’s; one requested before approvals said so can still be given', async () => {
    const shop = await business(t);
    const named = (nth: number) => item(nth, { accountName: 'NOBODY OF THIS NAME' });
    const said = await waitingBatch(shop, shop.maker.call, [named(0), named(1), item(2)]);
    const lines = {
      shown: expect.arrayContaining([expect.objectContaining({ field: 'namesDiffer', value: '2 of 3' })]),
    };
    expect((await shop.byKey('GET', `/approval/${said.approvalId}`)).body.data).toMatchObject(lines);

    const { approvalId } = await waitingBatch(shop, shop.maker.call, [named(3)]);
    const { pool } = t.database;
    const [row] = (await pool.query<ApprovalRow>('select * from approvals where id = $1', [approvalId])).rows;
    if (row === undefined) throw new Error('no approval waits');
    const before = (JSON.parse(row.shown) as ShownLine[]).filter(({ field }) => field !== 'namesDiffer');
    const shown = JSON.stringify(before);
    const digest = digestOf({ ...row, shown });
    await pool.query('update approvals set shown = $2, digest = $3 where id = $1', [approvalId, shown, digest]);
    await pool.query(
      `update event_rows set data = (data::jsonb || jsonb_build_object('digest', $2::text, 'shown', $3::jsonb))::json
        where subject_id = $1 and type = 'approval.requested'`,
      [approvalId, digest, shown],
    );
    expect(codeOf(await approve(shop.ann, { approvalId, digest }))).toBe('DONE');
  });

  it('that was rejected says on its maker’s first page by whom, when and why, until it is sent anew', async () => {
    const shop = await business(t);
    const rejected = async () => (await shop.maker.call('GET', '/home')).body.data.rejectedBatches;
    const nothing = { count: 0, batchReference: null, by: null, at: null, note: null };
    const batch = await waitingBatch(shop);
    expect(await rejected()).toEqual(nothing);
    expect(codeOf(await reject(shop.ann, batch))).toBe('DONE');
    const said = { by: 'Ann', at: expect.any(String), note: 'Not this month' };
    expect(await rejected()).toEqual({ count: 1, batchReference: batch.reference, ...said });
    expect((await shop.maker.call('GET', '/home')).body.data.batchesReady.count).toBe(0);
    await dispatch(shop.maker.call, batch.reference);
    expect(await rejected()).toEqual(nothing);
  });

  it('with invalid items waits and goes without them, as its maker said', async () => {
    const shop = await business(t);
    const reference = await readyBatch(shop, [item(0), item(1, { accountNumber: '12' })]);
    expect(codeOf(await dispatch(shop.maker.call, reference))).toBe('422 BATCH_HAS_INVALID_ITEMS');
    const reply = await dispatch(shop.maker.call, reference, { skipInvalid: true });
    const { approvalId } = reply.body.data;
    const { data } = (await shop.byKey('GET', `/approval/${approvalId}`)).body;
    expect(data.shown).toContainEqual(expect.objectContaining({ field: 'itemsLeftOut', value: '1' }));
    expect(codeOf(await reject(shop.ann, { approvalId }))).toBe('DONE');
    expect((await batchOf(shop.byKey, reference)).status).toBe('NEEDS_FIX');
    const second = (await dispatch(shop.maker.call, reference, { skipInvalid: true })).body.data;
    const { digest } = (await shop.byKey('GET', `/approval/${second.approvalId}`)).body.data;
    expect(codeOf(await approve(shop.ann, { approvalId: second.approvalId, digest }))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(1);
  });
});

describe('at the same moment', () => {
  it('an approval and an edit have a serial outcome: what was approved is paid, or nothing', async () => {
    let [approved, edited] = [0, 0];
    for (let round = 0; round < 6; round += 1) {
      // One that was paid before would be asked about as a duplicate.
      const shop = await business(t);
      const batch = await waitingBatch(shop);
      const { records } = (await shop.byKey('GET', `/payout/bulk/${batch.reference}/item`)).body.data;
      const [decision, edit] = await Promise.all([
        new Promise((resolve) => setTimeout(resolve, round * 8)).then(() => approve(shop.ann, batch)),
        shop.byKey('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, amount: 50_000 }),
      ]);
      const { status } = await batchOf(shop.byKey, batch.reference);
      if (codeOf(decision) === 'DONE') {
        expect([codeOf(edit), status]).toEqual(['409 BATCH_ALREADY_DISPATCHED', 'DISPATCHING']);
        approved += 1;
      } else {
        expect([codeOf(decision), codeOf(edit), status]).toEqual(['409 APPROVAL_CLOSED', 'DONE', 'READY']);
        edited += 1;
      }
    }
    expect(approved + edited).toBe(6);
  });

  it('ten approvals by two people dispatch once', async () => {
    const shop = await business(t);
    const batch = await waitingBatch(shop);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => approve(at % 2 === 0 ? shop.ann : shop.ben, batch)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const others = new Set(replies.map(codeOf).filter((code) => code !== 'DONE'));
    for (const code of others) expect(code).toMatch(/^409 (APPROVAL_CLOSED|ALREADY_DECIDED)$/);
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(3);
  });
});

/** As the page sends them: a request for each, with its own key and the digest that was seen, some at a time. */
async function decideAll(who: Person, chosen: readonly { approvalId: string; digest: string }[]): Promise<string[]> {
  const replies = await Promise.all(
    chosen.map((one) => approve(who, one, { 'idempotency-key': `several-${who.personId}-${one.approvalId}` })),
  );
  return replies.map(codeOf);
}

describe('several approvals that are decided at once', () => {
  it('each have a result of their own: what was withdrawn, changed or made by the decider stops none of the others', async () => {
    const shop = await business(t);
    // The maker of one of them is somebody who decides.
    const own = await waitingPayout(shop.owner.call, { accountNumber: '0100000001' });
    const withdrawn = await waitingPayout(shop.maker.call, { accountNumber: '0100000002' });
    const payouts = [await waitingPayout(shop.maker.call, { accountNumber: '0100000003' })];
    payouts.push(await waitingPayout(shop.maker.call, { accountNumber: '0100000004', amount: 2_000 }));
    const [batch, changed] = [
      await waitingBatch(shop),
      await waitingBatch(shop, shop.maker.call, [item(10), item(11), item(12)]),
    ];
    await shop.maker.call('POST', `/approval/${withdrawn.approvalId}/withdraw`, {});
    const { records } = (await shop.byKey('GET', `/payout/bulk/${changed.reference}/item`)).body.data;
    await shop.byKey('PATCH', '/payout/bulk/item', { bulkPayoutItemId: records[0].id, amount: 999_999 });
    const chosen = [own, withdrawn, payouts[0], changed, batch, payouts[1]] as (typeof batch)[];
    const stale = { ...chosen[5], digest: '0'.repeat(64) } as typeof batch;
    expect(await decideAll(shop.owner, [...chosen.slice(0, 5), stale])).toEqual([
      '403 SELF_APPROVAL',
      '409 APPROVAL_CLOSED',
      'DONE',
      '409 APPROVAL_CLOSED',
      'DONE',
      '409 APPROVAL_DIGEST_MISMATCH',
    ]);
    // What was refused is as it was; what was lost on the way is asked again and counts once.
    expect(await decideAll(shop.ben, chosen.slice(4))).toEqual(['409 APPROVAL_CLOSED', 'DONE']);
    expect((await batchOf(shop.byKey, changed.reference)).status).toBe('READY');
    expect((await batchOf(shop.byKey, batch.reference)).status).toBe('DISPATCHING');
    for (let looks = 0; looks < 3; looks += 1) await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(2 + 3);
  });

  it('by two people at the same moment are each released once, and count each of them where two are needed', async () => {
    for (const needed of [1, 2]) {
      const shop = await business(t, [{ fromAmount: 0, approvals: needed }]);
      const chosen = [];
      for (let at = 0; at < 4; at += 1) {
        chosen.push(await waitingPayout(shop.maker.call, { accountNumber: `010000010${at}`, amount: 1_000 + at }));
      }
      const codes = (await Promise.all([decideAll(shop.ann, chosen), decideAll(shop.ben, chosen.toReversed())])).flat();
      const done = codes.filter((code) => code === 'DONE');
      expect(done).toHaveLength(4 * needed);
      expect(new Set(codes)).toEqual(new Set(needed === 1 ? ['DONE', '409 APPROVAL_CLOSED'] : ['DONE']));
      // Asked once more under the same keys, they answer the same and do nothing.
      const again = [await decideAll(shop.ann, chosen), await decideAll(shop.ben, chosen.toReversed())].flat();
      expect(again).toEqual(codes);
      await t.app.worker.runOnce();
      expect(await sends(t, shop.merchant)).toBe(4);
    }
  });
});
