import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setLimits } from '../../src/limits/set-limits.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';
import {
  approve,
  balanceOf,
  business,
  callWith,
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
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

/** ₦1,000 costs ₦10.75 in charges. */
const HELD = 1_010.75;

describe('a payout of a merchant with approvals', () => {
  it('is held and not sent until somebody else approves exactly what was shown', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
    expect(await balanceOf(shop)).toEqual({ booked: 1_000_000, available: 1_000_000 - HELD });
    expect(payout.approval).toMatchObject({
      ...{ kind: 'PAYOUT', subjectId: payout.transactionId, status: 'PENDING', needed: 1, given: 0 },
      ...{ amount: 1_000, charges: 10.75, total: 1_010.75, currency: 'NGN', decisions: [] },
      madeBy: { personId: shop.maker.personId, name: 'Musa', via: 'DASHBOARD' },
    });
    expect(payout.approval.shown).toContainEqual({
      ...{ field: 'accountNumber', label: 'Account number', value: '0123456785' },
      ...{ subjectType: null, subjectId: null },
    });
    expect(codeOf(await approve(shop.ann, payout))).toBe('DONE');
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('QUEUED');
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('SUCCESS');
    expect(await sends(t, shop.merchant)).toBe(1);
    expect(await balanceOf(shop)).toEqual({ booked: 1_000_000 - HELD, available: 1_000_000 - HELD });
  });

  it('releases everything to the kobo when it is rejected, withdrawn or not decided in a week', async () => {
    const shop = await business(t);
    const before = await balanceOf(shop);
    const limit = async () => (await shop.byKey('GET', '/payout/limit')).body.data.usedToday;
    for (const end of [
      (one: { approvalId: string }) => reject(shop.ann, one),
      (one: { approvalId: string }) => shop.maker.call('POST', `/approval/${one.approvalId}/withdraw`, {}),
      async () => {
        const moved = await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 7 * 86_400 + 1 });
        await t.app.worker.runOnce();
        return moved;
      },
    ]) {
      // Without allowDuplicate: the mark of the one before is gone too.
      const payout = await waitingPayout(shop.maker.call, { allowDuplicate: false });
      expect(await limit()).toBe(1_000);
      expect(codeOf(await end(payout))).toBe('DONE');
      expect(await statusOf(shop.byKey, payout.transactionId)).toBe('CANCELLED');
      expect(await balanceOf(shop)).toEqual(before);
      expect(await limit()).toBe(0);
      expect(codeOf(await approve(shop.ben, payout))).toBe('409 APPROVAL_CLOSED');
    }
    await t.app.worker.runOnce();
    expect(await sends(t, shop.merchant)).toBe(0);
    const reasons = (await shop.byKey('GET', '/transaction?status=CANCELLED')).body.data.records;
    expect(reasons.map(({ reason }: { reason: string }) => reason)).toEqual([
      'APPROVAL_EXPIRED',
      'APPROVAL_WITHDRAWN',
      'APPROVAL_REJECTED',
    ]);
  });

  it('counts against the limit of the day on which it is approved: nobody saves up days by asking early', async () => {
    // Ten minutes before midnight in Lagos.
    const dayMs = 24 * 60 * 60_000;
    t.clock.advance(dayMs - ((t.clock.now().getTime() + 70 * 60_000) % dayMs));
    const shop = await business(t);
    const { merchantId } = shop.merchant;
    await setLimits(t, {
      ...{ merchantId, mode: 'SANDBOX', perPayoutMinor: undefined, perDayMinor: 1_500_00n, source: 'a test' },
      ...{ duplicateWindowSeconds: 0, effectiveFrom: undefined, effectiveTo: null },
    });
    t.clock.advance(61_000);
    const early = await waitingPayout(shop.maker.call);
    t.clock.advance(10 * 60_000);
    const other = await waitingPayout(shop.maker.call);
    expect(codeOf(await approve(shop.ann, early))).toBe('422 DAILY_LIMIT_EXCEEDED');
    expect(codeOf(await reject(shop.ann, other))).toBe('DONE');
    expect(codeOf(await approve(shop.ann, early))).toBe('DONE');
    const used = `select used_minor::int as used from limit_usage
      where merchant_id = $1 and scope = 'PAYOUT_DAY' order by period`;
    expect(await rowsOf(t.connectionString, used, [merchantId])).toEqual([{ used: 0 }, { used: 1_000_00 }]);
  });

  it('is never approved by who made it, be it by session, by a key of theirs or by a token from it', async () => {
    const shop = await business(t);
    const { keyId, key } = await issueKey(t, shop.merchant.merchantId, 'SANDBOX');
    await t.database.pool.query('update api_keys set created_by = $2 where id = $1', [keyId, shop.owner.personId]);
    const byOwnersKey = callWith(t, bearer(key));
    const token = (await byOwnersKey('POST', '/auth/token', {})).body.data.accessToken;
    const ways = [shop.owner.call, byOwnersKey, callWith(t, bearer(token))];
    for (const way of ways) {
      const payout = await waitingPayout(way);
      expect(payout.approval.madeBy.personId).toBe(shop.owner.personId);
      expect(codeOf(await approve(shop.owner, payout))).toBe('403 SELF_APPROVAL');
      expect(codeOf(await reject(shop.owner, payout))).toBe('403 SELF_APPROVAL');
      expect((await shop.owner.call('GET', `/approval/${payout.approvalId}`)).body.data).toMatchObject({
        mayDecide: false,
        whyNot: expect.stringContaining('You made this'),
      });
      for (const key of ways.slice(1)) {
        const asked = await key('POST', `/approval/${payout.approvalId}/approve`, { digest: payout.digest });
        expect(codeOf(asked)).toBe('403 PERSON_REQUIRED');
      }
      expect(codeOf(await approve(shop.ann, payout))).toBe('DONE');
    }
  });

  it('is approved by nobody without the permission, of another business, or removed a moment ago', async () => {
    const shop = await business(t);
    const other = await business(t);
    const payout = await waitingPayout(shop.byKey);
    expect(codeOf(await approve(shop.maker, payout))).toBe('403 PERMISSION_NOT_GRANTED');
    expect(codeOf(await approve(other.ann, payout))).toBe('404 APPROVAL_NOT_FOUND');
    expect((await shop.ann.call('GET', `/approval/${payout.approvalId}`)).body.data.mayDecide).toBe(true);
    // The session of the one who was removed is still remembered.
    await t.database.pool.query('update people set disabled_at = now() where id = $1', [shop.ann.personId]);
    expect(codeOf(await approve(shop.ann, payout))).toMatch(/^403 DECIDER_NOT_ACTIVE|^401 SESSION_EXPIRED/);
    await t.database.pool.query(`update people set role = 'VIEWER' where id = $1`, [shop.ben.personId]);
    expect(codeOf(await approve(shop.ben, payout))).toMatch(/^403 (DECIDER_NOT_ACTIVE|PERMISSION_NOT_GRANTED)/);
    expect(await statusOf(shop.byKey, payout.transactionId)).toBe('PENDING_APPROVAL');
  });

  it('takes only the digest that it has', async () => {
    const shop = await business(t);
    const [one, other] = [await waitingPayout(shop.byKey), await waitingPayout(shop.byKey)];
    const crossed = await approve(shop.ann, { ...one, digest: other.digest });
    expect(codeOf(crossed)).toBe('409 APPROVAL_DIGEST_MISMATCH');
    const malformed = await shop.ann.call('POST', `/approval/${one.approvalId}/approve`, { digest: 'yes' });
    expect([malformed.status, malformed.body.errors[0].field]).toEqual([400, 'digest']);
    expect(codeOf(await shop.ann.call('POST', `/approval/${one.approvalId}/reject`, {}))).toBe('400 VALIDATION_FAILED');
    expect(codeOf(await approve(shop.ann, one))).toBe('DONE');
  });

  it('needs as many people as its amount says, each of them once', async () => {
    const rules = [
      { fromAmount: 5_000, approvals: 1 },
      { fromAmount: 20_000, approvals: 2 },
    ];
    const shop = await business(t, rules);
    const small = await shop.byKey('POST', '/payout/single', payment({ amount: 4_999.99 }));
    expect(small.body.data).toMatchObject({ status: 'QUEUED', approvalId: null });
    const middle = await waitingPayout(shop.byKey, { amount: 5_000 });
    expect(middle.approval.needed).toBe(1);
    const large = await waitingPayout(shop.byKey, { amount: 20_000 });
    expect(large.approval.needed).toBe(2);
    expect((await approve(shop.ann, large)).body.data).toMatchObject({ status: 'PENDING', given: 1 });
    expect(codeOf(await approve(shop.ann, large))).toBe('409 ALREADY_DECIDED');
    expect(await statusOf(shop.byKey, large.transactionId)).toBe('PENDING_APPROVAL');
    expect((await approve(shop.ben, large)).body.data).toMatchObject({ status: 'APPROVED', given: 2 });
    expect(await statusOf(shop.byKey, large.transactionId)).toBe('QUEUED');
  });

  it('can be withdrawn by who made it alone', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    const withdraw = (by: typeof shop.byKey) => by('POST', `/approval/${payout.approvalId}/withdraw`, {});
    expect(codeOf(await withdraw(shop.owner.call))).toBe('403 NOT_THE_MAKER');
    expect(codeOf(await withdraw(shop.byKey))).toBe('403 NOT_THE_MAKER');
    expect(codeOf(await withdraw(shop.maker.call))).toBe('DONE');
    expect(codeOf(await withdraw(shop.maker.call))).toBe('409 APPROVAL_CLOSED');
  });

  it('is sent to the merchant’s receivers, when it waits and when it is decided', async () => {
    const shop = await business(t);
    const payout = await waitingPayout(shop.maker.call);
    await approve(shop.ann, payout);
    const about = await rowsOf<{ type: string }>(
      t.connectionString,
      'select type from events where merchant_id = $1 and subject_id = any($2) order by sequence',
      [shop.merchant.merchantId, [payout.transactionId, payout.approvalId]],
    );
    expect(about.map(({ type }) => type)).toEqual([
      'payout.pending_approval',
      'approval.requested',
      'approval.decided',
      'payout.queued',
    ]);
  });
});

describe('a schedule of a merchant with approvals', () => {
  const later = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();
  const schedule = async (by: Parameters<typeof waitingPayout>[0]) => {
    const reply = await by('POST', '/payout/single/schedule', payment({ scheduledFor: later(10) }));
    expect(reply.body, reply.text).toMatchObject({ status: true, data: { status: 'PENDING_APPROVAL' } });
    const { transactionId, approvalId } = reply.body.data;
    const { digest } = (await by('GET', `/approval/${approvalId}`)).body.data;
    return { transactionId, approvalId, digest };
  };

  it('is paid at its time when it was approved before, and no sooner', async () => {
    const shop = await business(t);
    const one = await schedule(shop.maker.call);
    expect(codeOf(await approve(shop.ann, one))).toBe('DONE');
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, one.transactionId)).toBe('SCHEDULED');
    expect(await sends(t, shop.merchant)).toBe(0);
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 601 });
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, one.transactionId)).toBe('SUCCESS');
  });

  it('is off at its time when nobody approved it, and not paid after', async () => {
    const shop = await business(t);
    const one = await schedule(shop.maker.call);
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 601 });
    expect(codeOf(await approve(shop.ann, one))).toBe('409 APPROVAL_CLOSED');
    await t.app.worker.runOnce();
    expect(await statusOf(shop.byKey, one.transactionId)).toBe('CANCELLED');
    expect(await sends(t, shop.merchant)).toBe(0);
  });

  it('takes its approval with it when it is cancelled', async () => {
    const shop = await business(t);
    const one = await schedule(shop.maker.call);
    const cancelled = await shop.byKey('POST', '/payout/single/schedule/cancel', { scheduleId: one.transactionId });
    expect(cancelled.body.data).toMatchObject({ status: 'CANCELLED' });
    const { data } = (await shop.byKey('GET', `/approval/${one.approvalId}`)).body;
    expect(data).toMatchObject({ status: 'VOID', reason: 'SCHEDULE_CANCELLED' });
    expect(codeOf(await approve(shop.ann, one))).toBe('409 APPROVAL_CLOSED');
  });
});
