import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atTerminal } from '../support/terminal.ts';
import {
  approve,
  balanceOf,
  business,
  codeOf,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  sends,
  sessionOf,
  statusOf,
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

const run = (sql: string, ...values: unknown[]) => t.database.pool.query(sql, values);
const minutesAhead = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();
type By = Parameters<typeof waitingPayout>[0];

async function named(by: By, approvalId: string) {
  const { digest } = (await by('GET', `/approval/${approvalId}`)).body.data;
  return { approvalId, digest: digest as string };
}

describe('somebody who made a payout', () => {
  it('does not approve it after they were made an approver, nor by another of their sessions', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    await run(`update people set role = 'ADMIN' where id = $1`, shop.maker.personId);
    const { personId } = shop.maker;
    const again = { personId, call: await sessionOf(t, personId) };
    expect(codeOf(await approve(again, payout))).toBe('403 SELF_APPROVAL');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
  });

  it('does not approve it after they left and came back', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    const { personId } = shop.maker;
    await run('update people set disabled_at = now() where id = $1', personId);
    await run(`update people set disabled_at = null, role = 'APPROVER' where id = $1`, personId);
    const back = { personId, call: await sessionOf(t, personId) };
    expect(codeOf(await approve(back, payout))).toBe('403 SELF_APPROVAL');
  });
});

describe('an approver', () => {
  it('counts once from two devices at the same moment', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const payout = await waitingPayout(shop.maker.call);
    const second = { ...shop.ann, call: await sessionOf(t, shop.ann.personId) };
    const codes = (await Promise.all([approve(shop.ann, payout), approve(second, payout)])).map(codeOf);
    expect(codes.sort()).toEqual(['409 ALREADY_DECIDED', 'DONE']);
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
  });

  it('gets no approval of theirs where another did so under the same idempotency key', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const payout = await waitingPayout(shop.maker.call);
    const key = { 'idempotency-key': 'monday' };
    expect(codeOf(await approve(shop.ann, payout, key))).toBe('DONE');
    expect((await approve(shop.ann, payout, key)).headers['idempotency-replayed']).toBe('true');
    expect(codeOf(await approve(shop.ben, payout, key))).toBe('422 IDEMPOTENCY_KEY_REUSED');
    expect(codeOf(await approve(shop.ben, payout))).toBe('DONE');
  });

  it('sends nothing by a service that the operator took away meanwhile, and may still reject it', async () => {
    const shop = await business(t);
    const [one, other] = [await waitingPayout(shop.maker.call), await waitingPayout(shop.maker.call)];
    const { merchantId } = shop.merchant;
    await run(`delete from merchant_services where merchant_id = $1 and service_key = 'PAYOUT'`, merchantId);
    const ann = { ...shop.ann, call: await sessionOf(t, shop.ann.personId) };
    expect(codeOf(await approve(ann, one))).toBe('403 SERVICE_NOT_ENABLED');
    expect(codeOf(await reject(ann, other))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
  });

  it('approves nothing of a business that was suspended meanwhile', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    await run(`update merchants set status = 'SUSPENDED' where id = $1`, shop.merchant.merchantId);
    const ann = { ...shop.ann, call: await sessionOf(t, shop.ann.personId) };
    expect(codeOf(await approve(ann, payout))).toBe('403 MERCHANT_SUSPENDED');
    expect(await sends(t, shop.merchant)).toBe(0);
    await run(`update merchants set status = 'ACTIVE' where id = $1`, shop.merchant.merchantId);
  });

  it('does not approve what was altered in the database after it was made', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    const { rows } = await run('select payload from approvals where id = $1', payout.approvalId);
    await run(`update approvals set payload = '{"x":1}' where id = $1`, payout.approvalId);
    expect(codeOf(await approve(shop.ann, payout))).toBe('409 APPROVAL_DIGEST_MISMATCH');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
    expect(codeOf(await reject(shop.ann, payout))).toBe('DONE');
    await run('update approvals set payload = $2 where id = $1', payout.approvalId, rows[0].payload);
  });
});

describe('rules that are tightened while something waits', () => {
  it('leave what waits with what was shown, and bind what comes after', async () => {
    const shop = await business(t);
    const waits = await waitingPayout(shop.maker.call);
    const rules = [{ fromAmount: 0, approvals: 2 }];
    const { approvalId } = (await shop.owner.call('PATCH', '/approval/rules', { rules })).body.data;
    expect(codeOf(await approve(shop.ann, await named(shop.byKey, approvalId)))).toBe('DONE');
    const after = await waitingPayout(shop.maker.call);
    expect(after.approval.needed).toBe(2);
    expect((await approve(shop.ben, waits)).body.data).toMatchObject({ status: 'APPROVED', needed: 1 });
    expect((await approve(shop.ben, after)).body.data).toMatchObject({ status: 'PENDING', given: 1 });
  });
});

describe('a change of the merchant’s own limits', () => {
  it('that no longer replaces the limits that were shown is void, and the limits stay', async () => {
    const shop = await business(t);
    const set = async (perPayout: number) =>
      (await shop.owner.call('PATCH', '/payout/limit', { perPayout, perDay: null })).body.data;
    const limit = async () => (await shop.byKey('GET', '/payout/limit')).body.data.own.perPayout;
    const { approvalId } = await set(50_000);
    const waits = await named(shop.byKey, approvalId);
    const { merchantId } = shop.merchant;
    await atTerminal(t, 'switch-approvals-off', '--merchant', merchantId, '--reason', 'the owner called');
    expect((await set(700)).approvalId).toBeNull();
    expect(codeOf(await approve(shop.ann, waits))).toBe('409 APPROVAL_DIGEST_MISMATCH');
    expect((await shop.byKey('GET', `/approval/${approvalId}`)).body.data).toMatchObject({
      ...{ status: 'VOID', reason: 'SUBJECT_CHANGED' },
    });
    expect(await limit()).toBe(700);
    expect((await set(800)).approvalId).toBeNull();
  });
});

describe('an approval at the same moment as', () => {
  it('the schedule is cancelled has one outcome', async () => {
    const shop = await business(t);
    for (let round = 0; round < 5; round += 1) {
      const body = payment({ scheduledFor: minutesAhead(10) });
      const { transactionId, approvalId } = (await shop.maker.call('POST', '/payout/single/schedule', body)).body.data;
      const waits = await named(shop.byKey, approvalId);
      const [approved, cancelled] = await Promise.all([
        approve(shop.ann, waits),
        shop.maker.call('POST', '/payout/single/schedule/cancel', { scheduleId: transactionId }),
      ]);
      // A schedule that was approved can be cancelled too; one that was cancelled cannot be approved.
      expect(codeOf(cancelled)).toBe('DONE');
      expect(['DONE', '409 APPROVAL_CLOSED']).toContain(codeOf(approved));
      expect(await statusOf(shop.byKey, transactionId)).toBe('CANCELLED');
      const { status } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
      expect(status).toBe(codeOf(approved) === 'DONE' ? 'APPROVED' : 'VOID');
    }
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 3_600 });
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
  });

  it('the schedule’s time comes has one outcome, and pays once or never', async () => {
    const shop = await business(t);
    const body = payment({ scheduledFor: minutesAhead(10) });
    const { transactionId, approvalId } = (await shop.maker.call('POST', '/payout/single/schedule', body)).body.data;
    const waits = await named(shop.byKey, approvalId);
    const advance = async () => {
      await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 601 });
      await t.app.worker.runOnce();
    };
    const [approved] = await Promise.all([approve(shop.ann, waits), advance()]);
    // Approved just before the clock was moved and committed after it, its time is still ahead.
    await advance();
    const paid = codeOf(approved) === 'DONE';
    expect(await statusOf(shop.byKey, transactionId)).toBe(paid ? 'SUCCESS' : 'CANCELLED');
    expect(await sends(t, shop.merchant)).toBe(paid ? 1 : 0);
  });

  it('the beneficiary is taken out leaves it out', async () => {
    const shop = await business(t);
    for (const digit of [1, 2, 3]) {
      const account = { bankCode: '058', accountNumber: `01234500${digit}5` };
      const { beneficiaryId, approvalId } = (await shop.maker.call('POST', '/beneficiary', account)).body.data;
      const waits = await named(shop.byKey, approvalId);
      const [approved, removed] = await Promise.all([
        approve(shop.ann, waits),
        shop.maker.call('DELETE', `/beneficiary/${beneficiaryId}`),
      ]);
      expect(codeOf(removed)).toBe('DONE');
      expect(['DONE', '409 APPROVAL_CLOSED']).toContain(codeOf(approved));
      const { records } = (await shop.byKey('GET', '/beneficiary')).body.data;
      expect(records.filter(({ status }: { status: string }) => status === 'ACTIVE')).toEqual([]);
    }
  });

  it('the operator switches approvals off lets go what was approved and nothing else', async () => {
    const shop = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const before = await balanceOf(shop);
    const payout = await waitingPayout(shop.maker.call);
    await approve(shop.ann, payout);
    const { merchantId } = shop.merchant;
    const [last] = await Promise.all([
      approve(shop.ben, payout),
      atTerminal(t, 'switch-approvals-off', '--merchant', merchantId, '--reason', 'the owner called'),
    ]);
    expect(codeOf(last)).toBe('DONE');
    const lonely = await business(t, [{ fromAmount: 0, approvals: 2 }]);
    const one = await waitingPayout(lonely.maker.call);
    await Promise.all([
      approve(lonely.ann, one),
      atTerminal(t, 'switch-approvals-off', '--merchant', lonely.merchant.merchantId, '--reason', 'the owner called'),
    ]);
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('SUCCESS');
    expect((await balanceOf(shop)).booked).toBe(before.booked - 1_010.75);
    expect(await statusOf(lonely.byKey, one.transactionId)).toBe('PENDING_APPROVAL');
    expect(await sends(t, lonely.merchant)).toBe(0);
  });
});
