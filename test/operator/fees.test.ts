import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { lockWaits } from '../support/lock-waits.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { checked } from './operator-operations.ts';

let t: TestApp;
let operator: TestPerson;

beforeAll(async () => {
  // One holds a table while two wait for it.
  t = await createTestApp({ DATABASE_POOL_SIZE: '3' });
  operator = checked(t.app, await signedInOperator(t));
});
afterAll(() => t.close());

const inMinutes = (minutes: number) => new Date(t.clock.now().getTime() + minutes * 60_000).toISOString();

/** The seeded fee for amounts up to ₦5,000, dearer. */
const small = (changed: object = {}) => ({
  kind: 'TRANSFER_FEE',
  minAmount: 0,
  maxAmount: 5_000,
  flat: 15,
  rateBasisPoints: 0,
  payer: 'SENDER',
  exemptPurposes: [],
  rounding: 'HALF_UP',
  effectiveFrom: inMinutes(10),
  effectiveTo: null,
  source: 'our own decision of November',
  ...changed,
});
const SMALL = 'ngn-transfer-fee-2020-small';
const MEDIUM = 'ngn-transfer-fee-2020-medium';
const quote = async (amount: number) => (await t.call('POST', '/payout/quote', { amount })).body.data;
const fees = async () => (await operator.call('GET', '/operator/fee')).body.data.records;

describe('the preview of a change', () => {
  it('says to the kobo what payouts cost now and would cost, as a quote does', async () => {
    const amounts = [0.01, 4_999.99, 5_000, 5_000.01, 10_000, 1_234_567.89];
    const change = { rules: [small({ flat: 12.34, rateBasisPoints: 33 })], endsRuleIds: [SMALL], amounts };
    const { body } = await operator.call('POST', '/operator/fee/preview', change);
    for (const [index, amount] of amounts.entries()) {
      const { fee, vat, stampDuty, total } = await quote(amount);
      expect(body.data.lines[index]).toMatchObject({ amount, before: { fee, vat, stampDuty, total } });
    }
    // 12.34 and 0.33 % of 5,000.00 are 28.84; VAT of 7.5 % is 2.163, rounded half up.
    expect(body.data.lines[2]).toMatchObject({ after: { fee: 28.84, vat: 2.16, charges: 31 }, difference: 20.25 });
    expect(body.data.lines[3].difference).toBe(0);
    expect(await fees()).toHaveLength(6);
  });

  it('refuses what the change would be refused for', async () => {
    const reply = await operator.call('POST', '/operator/fee/preview', { rules: [small()], amounts: [100] });
    expect([reply.status, reply.body.code]).toEqual([409, 'FEE_RULES_OVERLAP']);
  });
});

describe('a fee on payments in', () => {
  const collection = (changed: object = {}) => ({
    ...small({ kind: 'COLLECTION_FEE', maxAmount: null, flat: 0, rateBasisPoints: 100, payer: 'RECEIVER' }),
    cap: 300,
    ...changed,
  });

  it('is looked at, planned and ended as any other, and prices no payout', async () => {
    const today = await quote(100_000);
    const amounts = [0.01, 1_000, 100_000];
    const { body } = await operator.call('POST', '/operator/fee/preview', { rules: [collection()], amounts });
    expect(body.data.lines).toMatchObject([
      { difference: 0, collectionBefore: { fee: 0, net: 0.01 }, collectionAfter: { fee: 0, vat: 0, net: 0.01 } },
      { difference: 0, collectionAfter: { fee: 10, vat: 0.75, net: 989.25 } },
      { difference: 0, collectionAfter: { fee: 300, vat: 22.5, net: 99_677.5 } },
    ]);
    const planned = await operator.call('POST', '/operator/fee', { rules: [collection()] });
    expect(planned.body.data.records).toMatchObject([{ kind: 'COLLECTION_FEE', cap: 300, state: 'AHEAD' }]);
    t.clock.advance(11 * 60_000);
    await operator.refresh();
    expect(await quote(100_000)).toEqual(today);
    const [{ ruleId }] = planned.body.data.records;
    const again = await operator.call('POST', '/operator/fee', {
      rules: [collection({ effectiveFrom: inMinutes(10) })],
    });
    expect([again.status, again.body.code]).toEqual([409, 'FEE_RULES_OVERLAP']);
    const end = { rules: [], endsRuleIds: [ruleId], endsAt: inMinutes(10) };
    expect((await operator.call('POST', '/operator/fee', end)).status).toBe(200);
  });

  it.each([
    ['is the sender’s', { payer: 'SENDER' }],
    ['spares a purpose of payouts', { exemptPurposes: ['SALARY'] }],
    ['has a cap below zero', { cap: -1 }],
  ])('that %s is refused', async (_what, changed) => {
    const rules = [collection({ effectiveFrom: inMinutes(30), ...changed })];
    const reply = await operator.call('POST', '/operator/fee', { rules });
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });
});

describe('a change of fees', () => {
  it.each([
    ['prices something twice', () => ({ rules: [small()] }), 409, 'FEE_RULES_OVERLAP'],
    [
      'reaches into the next band',
      () => ({ rules: [small({ maxAmount: 6_000 })], endsRuleIds: [SMALL] }),
      409,
      'FEE_RULES_OVERLAP',
    ],
    [
      'leaves amounts without a fee',
      () => ({ rules: [small({ maxAmount: 4_000 })], endsRuleIds: [SMALL] }),
      409,
      'FEE_RULES_GAP',
    ],
    [
      'ends before the next one begins',
      () => ({ rules: [small({ effectiveTo: inMinutes(99) })], endsRuleIds: [SMALL] }),
      409,
      'FEE_RULES_GAP',
    ],
    [
      'ends a fee and puts none in its place',
      () => ({ rules: [], endsRuleIds: [SMALL], endsAt: inMinutes(9) }),
      409,
      'FEE_RULES_GAP',
    ],
    [
      'begins now',
      () => ({ rules: [small({ effectiveFrom: inMinutes(1) })], endsRuleIds: [SMALL] }),
      422,
      'FEE_CHANGE_TOO_SOON',
    ],
    [
      'begins in the past',
      () => ({ rules: [small({ effectiveFrom: '2024-01-01T00:00:00Z' })], endsRuleIds: [SMALL] }),
      422,
      'FEE_CHANGE_TOO_SOON',
    ],
    ['names a rule that is not there', () => ({ rules: [small()], endsRuleIds: ['x'] }), 404, 'FEE_RULE_NOT_FOUND'],
    [
      'ends what has ended',
      () => ({ rules: [small()], endsRuleIds: [SMALL, 'ngn-stamp-duty-2021-receiver'] }),
      400,
      'VALIDATION_FAILED',
    ],
    [
      'begins at two moments',
      () => ({ rules: [small(), small({ effectiveFrom: inMinutes(11) })] }),
      400,
      'VALIDATION_FAILED',
    ],
    ['is no change', () => ({ rules: [] }), 400, 'VALIDATION_FAILED'],
    ['has half a kobo', () => ({ rules: [small({ flat: 1.005 })] }), 400, 'VALIDATION_FAILED'],
    ['has an upside-down band', () => ({ rules: [small({ minAmount: 9, maxAmount: 8 })] }), 400, 'VALIDATION_FAILED'],
    ['takes more than all', () => ({ rules: [small({ rateBasisPoints: 10_001 })] }), 400, 'VALIDATION_FAILED'],
  ])('that %s is refused, and changes nothing', async (_what, change, status, code) => {
    const before = await fees();
    const reply = await operator.call('POST', '/operator/fee', change());
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(await fees()).toEqual(before);
  });

  it('takes effect at its moment and not before, and what was priced stays', async () => {
    const before = await quote(100);
    const { body } = await operator.call('POST', '/operator/fee', { rules: [small()], endsRuleIds: [SMALL] });
    expect(body.data.records).toMatchObject([{ flat: 15, state: 'AHEAD', source: 'our own decision of November' }]);
    t.clock.advance(9 * 60_000);
    expect(await quote(100)).toMatchObject({ fee: before.fee });
    t.clock.advance(2 * 60_000);
    expect(await quote(100)).toMatchObject({ fee: 15, vat: 1.13 });
    const rules: { ruleId: string; state: string }[] = await fees();
    expect(rules.find(({ ruleId }) => ruleId === SMALL)?.state).toBe('ENDED');
    await operator.refresh();
  });

  it('moves the border between two bands in one go', async () => {
    const old = (await fees()).find(
      (each: { flat: number; state: string }) => each.flat === 15 && each.state === 'IN_FORCE',
    );
    const effectiveFrom = inMinutes(10);
    const change = {
      rules: [
        small({ maxAmount: 10_000, flat: 12, effectiveFrom }),
        small({ minAmount: 10_000.01, maxAmount: 50_000, flat: 25, effectiveFrom }),
      ],
      endsRuleIds: [old.ruleId, MEDIUM],
    };
    expect((await operator.call('POST', '/operator/fee', change)).status).toBe(200);
    t.clock.advance(11 * 60_000);
    expect(await quote(10_000)).toMatchObject({ fee: 12 });
    expect(await quote(10_000.01)).toMatchObject({ fee: 25 });
    await operator.refresh();
  });

  it('that has not begun can be taken back by the one before it', async () => {
    const inForce = (await fees()).filter((each: { state: string }) => each.state === 'IN_FORCE');
    const band = inForce.find((each: { maxAmount: number | null }) => each.maxAmount === 10_000);
    const wrong = await operator.call('POST', '/operator/fee', {
      rules: [small({ maxAmount: 10_000, flat: 9_999 })],
      endsRuleIds: [band.ruleId],
    });
    const [{ ruleId }] = wrong.body.data.records;
    const begins = wrong.body.data.records[0].effectiveFrom;
    const back = { rules: [small({ maxAmount: 10_000, flat: 12, effectiveFrom: begins })], endsRuleIds: [ruleId] };
    expect((await operator.call('POST', '/operator/fee', back)).status).toBe(200);
    expect((await fees()).map((each: { ruleId: string }) => each.ruleId)).not.toContain(ruleId);
    t.clock.advance(11 * 60_000);
    expect(await quote(100)).toMatchObject({ fee: 12 });
    await operator.refresh();
  });

  it('of two at once that hold only alone, takes one', async () => {
    const band = (await fees()).find(
      (each: { state: string; maxAmount: number }) => each.state === 'IN_FORCE' && each.maxAmount === 10_000,
    );
    const change = { rules: [small({ maxAmount: 10_000 })], endsRuleIds: [band.ruleId] };
    // Both have come as far as they come before either writes.
    const holder = await t.database.pool.connect();
    await holder.query('begin; lock table fee_rules in share mode');
    const asked = [1, 2].map(() => operator.call('POST', '/operator/fee', change));
    await expect.poll(() => lockWaits(t.connectionString)).toBe(2);
    await holder.query('commit');
    holder.release();
    const replies = await Promise.all(asked);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  });
});
