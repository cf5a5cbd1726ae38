import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRulesNow } from '../../src/approvals/approval-rules.ts';
import { followRules } from '../../src/approvals/index.ts';
import { changeOwnLimit } from '../../src/limits/change-own-limit.ts';
import { createKnownLimits, readBothLimits } from '../../src/limits/check-limits.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { clockOf } from '../support/clock.ts';
import {
  approve,
  type Business,
  business,
  codeOf,
  createTestApp,
  payment,
  personOf,
  reject,
  type TestApp,
  waitingPayout,
} from './approval-fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  // One test takes a version of the rules out behind the service, and it is made anew.
  const report = await verifyBooks(t.database);
  const broken = report.checks.filter(({ ok }) => !ok).map(({ name }) => name);
  expect(broken).toEqual(['rules-of-approval-are-reported-as-they-are']);
  await t.close();
});

const rulesOf = async (shop: Business) => (await shop.byKey('GET', '/approval/rules')).body.data;
const change = (shop: Business, body: object) => shop.owner.call('PATCH', '/approval/rules', body);
const named = async (shop: Business, approvalId: string) => {
  const { digest } = (await shop.byKey('GET', `/approval/${approvalId}`)).body.data;
  return { approvalId, digest };
};

describe('the rules of approval', () => {
  it('are off at first, and on with one approval from the first naira', async () => {
    const shop = await business(t, []);
    expect(await rulesOf(shop)).toMatchObject({ isMakerCheckerEnabled: false, rules: [], deciders: 3 });
    const on = await change(shop, { isMakerCheckerEnabled: true });
    expect(on.body.data).toMatchObject({ isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 1 }] });
    const profile = await shop.byKey('GET', '/merchant/info');
    expect(profile.body.data.isMakerCheckerEnabled).toBe(true);
  });

  it('hold in both modes, also where the process died between the two', async () => {
    const shop = await business(t, []);
    const { merchantId } = shop.merchant;
    await change(shop, { isMakerCheckerEnabled: true, rules: [{ fromAmount: 500, approvals: 2 }] });
    const modes = () =>
      Promise.all((['SANDBOX', 'LIVE'] as const).map((mode) => readRulesNow(t.database, { merchantId, mode })));
    const [sandbox, live] = await modes();
    expect(live).toEqual(sandbox);
    // As if it had died before the other mode followed.
    await t.database.pool.query(`delete from approval_rules where merchant_id = $1 and mode = 'LIVE'`, [merchantId]);
    await t.database.pool.query(`delete from unique_keys where merchant_id = $1 and mode = 'LIVE'`, [merchantId]);
    await followRules({ ...t, ...t.app }, 'LIVE');
    expect((await modes())[1]).toEqual(sandbox);
    expect(await followRules({ ...t, ...t.app }, 'LIVE')).toBe(0);
  });

  it('are refused where too few could decide, or where they contradict themselves', async () => {
    const shop = await business(t, []);
    const tooMany = await change(shop, { isMakerCheckerEnabled: true, rules: [{ fromAmount: 0, approvals: 3 }] });
    expect([codeOf(tooMany), tooMany.body.message]).toEqual([
      '422 APPROVERS_MISSING',
      expect.stringContaining('need 4 people who can decide'),
    ]);
    for (const rules of [
      [
        { fromAmount: 5, approvals: 1 },
        { fromAmount: 5, approvals: 2 },
      ],
      [
        { fromAmount: 0, approvals: 2 },
        { fromAmount: 5, approvals: 1 },
      ],
      [{ fromAmount: -1, approvals: 1 }],
      [{ fromAmount: 0.001, approvals: 1 }],
      [{ fromAmount: 0, approvals: 0 }],
      [{ fromAmount: 0, approvals: 6 }],
      [],
    ]) {
      const reply = await change(shop, { isMakerCheckerEnabled: true, rules });
      expect([codeOf(reply), JSON.stringify(reply.body.errors)]).toEqual([
        '400 VALIDATION_FAILED',
        expect.stringContaining('rules'),
      ]);
    }
    expect(codeOf(await change(shop, { isMakerCheckerEnabled: false }))).toBe('409 APPROVAL_RULES_UNCHANGED');
    expect((await rulesOf(shop)).version).toBe(0);
  });

  it('are changed by owners and admins with a fresh password alone, never by a key', async () => {
    const shop = await business(t, []);
    const body = { isMakerCheckerEnabled: true };
    for (const who of [shop.maker, shop.ann]) {
      expect(codeOf(await who.call('PATCH', '/approval/rules', body))).toBe('403 PERMISSION_NOT_GRANTED');
    }
    expect(codeOf(await shop.byKey('PATCH', '/approval/rules', body))).toBe('403 PERSON_REQUIRED');
    const admin = await personOf(t, shop.merchant, 'ADMIN');
    await t.database.pool.query('update sessions set step_up_until = null where person_id = $1', [admin.personId]);
    expect(codeOf(await admin.call('PATCH', '/approval/rules', body))).toBe('403 STEP_UP_REQUIRED');
  });

  it('need as many approvals to be loosened as the strictest of them asks, and one change waits at a time', async () => {
    const shop = await business(t, [
      { fromAmount: 0, approvals: 1 },
      { fromAmount: 100_000, approvals: 2 },
    ]);
    const waits = await change(shop, { isMakerCheckerEnabled: false });
    const { approvalId } = waits.body.data;
    expect(waits.body.data).toMatchObject({ isMakerCheckerEnabled: true, approvalId: expect.any(String) });
    expect(await rulesOf(shop)).toMatchObject({ isMakerCheckerEnabled: true, approvalId });
    expect(codeOf(await change(shop, { isMakerCheckerEnabled: false }))).toBe('409 APPROVAL_WAITS');
    const off = await named(shop, approvalId);
    expect(codeOf(await approve(shop.owner, off))).toBe('403 SELF_APPROVAL');
    expect((await approve(shop.ann, off)).body.data).toMatchObject({ status: 'PENDING', needed: 2 });
    const waiting = await waitingPayout(shop.byKey);
    expect((await approve(shop.ben, off)).body.data).toMatchObject({ status: 'APPROVED' });
    expect(await rulesOf(shop)).toMatchObject({ isMakerCheckerEnabled: false, approvalId: null });
    expect((await shop.byKey('POST', '/payout/single', payment())).body.data.status).toBe('QUEUED');
    // What waited before needs what it needed then.
    expect((await shop.byKey('GET', `/approval/${waiting.approvalId}`)).body.data).toMatchObject({
      status: 'PENDING',
      needed: 1,
    });
    expect(codeOf(await approve(shop.ann, waiting))).toBe('DONE');
  });

  it('stay as they are when the change is rejected, and then another may be asked for', async () => {
    const shop = await business(t);
    const first = (await change(shop, { isMakerCheckerEnabled: false })).body.data;
    expect(codeOf(await reject(shop.ann, first))).toBe('DONE');
    expect(await rulesOf(shop)).toMatchObject({ isMakerCheckerEnabled: true, approvalId: null });
    const second = (await change(shop, { rules: [{ fromAmount: 10, approvals: 1 }] })).body.data;
    expect(codeOf(await approve(shop.ben, await named(shop, second.approvalId)))).toBe('DONE');
    expect((await rulesOf(shop)).rules).toEqual([{ fromAmount: 10, approvals: 1 }]);
  });
});

describe('a merchant’s own limits', () => {
  const set = (shop: Business, perPayout: number | null, perDay: number | null) =>
    shop.owner.call('PATCH', '/payout/limit', { perPayout, perDay });
  const limitOf = async (shop: Business) => (await shop.byKey('GET', '/payout/limit')).body.data;

  it('count beside the operator’s, the stricter of each, from the moment they are set', async () => {
    const shop = await business(t, []);
    const operator = (await limitOf(shop)).operator;
    expect((await set(shop, 5_000, null)).body.data).toEqual({
      own: { perPayout: 5_000, perDay: null },
      approvalId: null,
    });
    expect(await limitOf(shop)).toMatchObject({ perPayout: 5_000, perDay: operator.perDay, operator });
    const over = await shop.byKey('POST', '/payout/single', payment({ amount: 5_000.01 }));
    expect(codeOf(over)).toBe('422 PAYOUT_LIMIT_EXCEEDED');
    await set(shop, operator.perPayout * 2, 6_000);
    expect(await limitOf(shop)).toMatchObject({ perPayout: operator.perPayout, perDay: 6_000, leftToday: 6_000 });
    expect((await shop.byKey('POST', '/payout/single', payment({ amount: 5_500 }))).status).toBe(200);
    expect(codeOf(await shop.byKey('POST', '/payout/single', payment({ amount: 501 })))).toBe(
      '422 DAILY_LIMIT_EXCEEDED',
    );
    await set(shop, null, null);
    expect(await limitOf(shop)).toMatchObject({ perPayout: operator.perPayout, perDay: operator.perDay });
  });

  it('are those that were set last, also where the clock of whoever set the ones before is ahead', async () => {
    const shop = await business(t, []);
    const { merchantId } = shop.merchant;
    const maker = { merchantId, personId: null, name: null, via: 'DASHBOARD', keyId: null, ip: null } as const;
    const tenant = { merchantId, mode: 'SANDBOX' } as const;
    for (const [aheadMs, perPayoutMinor] of [
      [30_000, 500_000n],
      [0, 300_000n],
      [-30_000, 100_000n],
    ] as const) {
      const clock = clockOf(() => new Date(t.clock.now().getTime() + aheadMs));
      const limit = { perPayoutMinor, perDayMinor: null };
      const payoutLimits = createKnownLimits({ ...t, clock });
      await changeOwnLimit({ ...t, ...t.app, clock, payoutLimits }, { tenant, maker, limit, idempotency: undefined });
      for (const at of [-30_000, 0, 30_000]) {
        const read = { queries: t.database, clock: clockOf(() => new Date(t.clock.now().getTime() + at)) };
        expect((await readBothLimits(read, tenant)).own.perPayoutMinor).toBe(perPayoutMinor);
      }
    }
  });

  it('are changed by people with the permission and a fresh password, to amounts', async () => {
    const shop = await business(t, []);
    expect(codeOf(await shop.byKey('PATCH', '/payout/limit', { perPayout: 1, perDay: 1 }))).toBe('403 PERSON_REQUIRED');
    const asked = await shop.maker.call('PATCH', '/payout/limit', { perPayout: 1, perDay: 1 });
    expect(codeOf(asked)).toBe('403 PERMISSION_NOT_GRANTED');
    for (const wrong of [0, -1, 1.001]) {
      const reply = await set(shop, wrong, null);
      expect([codeOf(reply), reply.body.errors?.[0].field]).toEqual(['400 VALIDATION_FAILED', 'perPayout']);
    }
  });

  it('wait for approval where approvals are on, and are in force with the last one', async () => {
    const shop = await business(t);
    const before = await limitOf(shop);
    const waits = (await set(shop, 500, null)).body.data;
    expect(waits).toMatchObject({ own: { perPayout: null, perDay: null }, approvalId: expect.any(String) });
    expect(codeOf(await set(shop, 600, null))).toBe('409 APPROVAL_WAITS');
    expect((await limitOf(shop)).perPayout).toBe(before.perPayout);
    const limit = await named(shop, waits.approvalId);
    expect(codeOf(await approve(shop.owner, limit))).toBe('403 SELF_APPROVAL');
    expect(codeOf(await approve(shop.ann, limit))).toBe('DONE');
    expect((await limitOf(shop)).perPayout).toBe(500);
    expect((await set(shop, null, null)).body.data.approvalId).toEqual(expect.any(String));
    expect((await limitOf(shop)).perPayout).toBe(500);
  });
});
