import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { findPayout } from '../../src/payouts/index.ts';
import { paySingle } from '../../src/payouts/single-payout.ts';
import { lagosDay, startOfLagosDay } from '../../src/platform/clock.ts';
import { AppError } from '../../src/platform/errors.ts';
import { NOTHING_REPORTED } from '../../src/rails/index.ts';
import { tally } from '../ledger/books.ts';
import { noPerson } from './batch-fixture.ts';
import { createPayoutFixture, executed, type Merchant, type PayoutFixture, payment } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const WINDOW_MS = 120_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Without a word on duplicates, as a client would send it. */
const pay = (merchant: Merchant, fields: Record<string, unknown> = {}, headers = {}) =>
  merchant.call('POST', '/payout/single', payment({ allowDuplicate: undefined, ...fields }), headers);

const schedule = (merchant: Merchant, scheduledFor: string, fields: Record<string, unknown> = {}) =>
  merchant.call('POST', '/payout/single/schedule', payment({ allowDuplicate: undefined, scheduledFor, ...fields }));

const inMs = (milliseconds: number) => new Date(fixture.clock.now().getTime() + milliseconds).toISOString();

async function keysOf({ merchantId }: Merchant): Promise<string[]> {
  const sql = 'select scope, value from dedupe_keys where merchant_id = $1 order by 1, 2';
  const { rows } = await fixture.database.pool.query<{ scope: string; value: string }>(sql, [merchantId]);
  return rows.map(({ scope, value }) => `${scope} ${value}`);
}

describe('the same amount to the same account', () => {
  it('50 times at once without a key is paid once, and each refusal names the one that was', async () => {
    const merchant = await fixture.addMerchant();
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(merchant)));
    const accepted = replies.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(1);
    const { transactionId } = accepted[0]!.body.data;
    const refused = replies.filter(({ status, body }) => status === 409 && body.code === 'PAYOUT_DUPLICATE');
    expect(refused).toHaveLength(49);
    expect(refused.every(({ body }) => body.message.includes(transactionId))).toBe(true);
    expect(await merchant.balance()).toMatchObject({ bookedMinor: 1_000_000_000n, availableMinor: 999_898_925n });
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(1);
  });

  it('is paid once also where two processes are asked', async () => {
    const merchant = await fixture.addMerchant();
    const other = await fixture.otherProcess();
    const input = {
      ...{
        maker: noPerson(merchant),
        tenant: merchant.tenant,
        amountMinor: 100_000n,
        bankCode: '058',
        accountNumber: '0123456785',
      },
      ...{ narration: 'Rent', phoneNumber: undefined, reference: undefined, purpose: undefined, metadata: null },
      ...{ scenario: null, allowDuplicate: false, idempotency: undefined },
    };
    const asked = Array.from({ length: 20 }, (_, at) =>
      paySingle(at % 2 === 0 ? fixture.deps : other.deps, input).then(
        () => 'accepted',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      ),
    );
    expect(tally(await Promise.all(asked))).toEqual({ accepted: 1, PAYOUT_DUPLICATE: 19 });
    await other.close();
  });

  it('is paid again where it is meant, and the last one is what a third meets', async () => {
    const merchant = await fixture.addMerchant();
    await pay(merchant);
    const meant = await pay(merchant, { allowDuplicate: true });
    expect(meant.status).toBe(200);
    const third = await pay(merchant);
    expect([third.status, third.body.code]).toEqual([409, 'PAYOUT_DUPLICATE']);
    const { transactionId } = meant.body.data;
    expect(third.body.message).toContain(transactionId);
    const params = { amountMinor: '100000', transactionId, withinSeconds: 120 };
    expect(third.body.problems).toMatchObject([{ code: 'DUPLICATE_OF_PAYOUT', field: null, params }]);
  });

  it('is no duplicate after two minutes, but is until then', async () => {
    const merchant = await fixture.addMerchant();
    await pay(merchant);
    fixture.clock.advance(WINDOW_MS - 1);
    expect((await pay(merchant)).body.code).toBe('PAYOUT_DUPLICATE');
    fixture.clock.advance(1);
    expect((await pay(merchant)).status).toBe(200);
  });

  it('is recognised by either code of the bank, and not confused with another amount, account or merchant', async () => {
    const merchant = await fixture.addMerchant();
    await pay(merchant, { bankCode: '058' });
    expect((await pay(merchant, { bankCode: '000013' })).body.code).toBe('PAYOUT_DUPLICATE');
    const others = [
      await pay(merchant, { amount: 1_000.01 }),
      await pay(merchant, { accountNumber: '0123456784' }),
      await pay(merchant, { bankCode: '044' }),
      await pay(await fixture.addMerchant()),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('under its own key is not a duplicate of itself, and its refusal stays its answer', async () => {
    const merchant = await fixture.addMerchant();
    const key = (name: string) => ({ 'idempotency-key': name });
    const first = await pay(merchant, {}, key('first'));
    const again = await pay(merchant, {}, key('first'));
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await pay(merchant, {}, key('second'))).status).toBe(409);
    fixture.clock.advance(WINDOW_MS);
    expect((await pay(merchant, {}, key('second'))).body.code).toBe('PAYOUT_DUPLICATE');
    expect((await pay(merchant, {}, key('third'))).status).toBe(200);
  });

  it('may be paid again at once where the first was not accepted for want of money, or failed', async () => {
    const merchant = await fixture.addMerchant(5_000);
    expect((await pay(merchant, { amount: 6_000 })).body.code).toBe('INSUFFICIENT_FUNDS');
    expect((await pay(merchant, { amount: 6_000 })).body.code).toBe('INSUFFICIENT_FUNDS');
    const failing = { accountNumber: '0000999911' };
    expect((await pay(merchant, failing)).status).toBe(200);
    expect((await pay(merchant, failing)).body.code).toBe('PAYOUT_DUPLICATE');
    await fixture.worker.runOnce();
    expect((await pay(merchant, failing)).status).toBe(200);
  });

  it('may be paid again at once where the bank took the first back after its success', async () => {
    const merchant = await fixture.addMerchant();
    const { transactionId } = (await pay(merchant)).body.data;
    await fixture.worker.runOnce();
    expect((await pay(merchant)).body.code).toBe('PAYOUT_DUPLICATE');
    const { merchantId, mode } = merchant.tenant;
    const [paid] = await fixture.database.query(findPayout, [merchantId, mode, transactionId]);
    const said = {
      outcome: 'reversed',
      code: '00',
      reason: 'RAIL_REVERSED',
      message: 'back',
      sessionId: null,
    } as const;
    const answer = { ...said, at: fixture.clock.now(), reported: NOTHING_REPORTED };
    expect(await applyOutcome(fixture.deps, paid!, answer, { kind: 'PROVIDER_WEBHOOK' })).toBe('APPLIED');
    expect(await keysOf(merchant)).toEqual([]);
    expect((await pay(merchant)).status).toBe(200);
  });

  it('is refused while the first is unknown, which is not failed', async () => {
    const merchant = await fixture.addMerchant();
    const hanging = { accountNumber: '0000999934' };
    await pay(merchant, hanging);
    await fixture.worker.runOnce();
    expect((await pay(merchant, hanging)).body.code).toBe('PAYOUT_DUPLICATE');
  });
});

describe('schedules', () => {
  it('of the same salary for twelve months are twelve, and twice for one day in Lagos is a duplicate', async () => {
    const merchant = await fixture.addMerchant();
    const months = Array.from({ length: 12 }, (_, at) => inMs((at + 1) * 30 * DAY_MS));
    const replies = await Promise.all(months.map((month) => schedule(merchant, month)));
    expect(tally(replies.map(({ status }) => String(status)))).toEqual({ '200': 12 });
    const twice = await schedule(merchant, months[3]!);
    expect([twice.status, twice.body.code]).toEqual([409, 'PAYOUT_DUPLICATE']);
    expect(twice.body.message).toContain(replies[3]!.body.data.scheduleId);
    expect((await schedule(merchant, months[3]!, { allowDuplicate: true })).status).toBe(200);
    expect((await pay(merchant)).status).toBe(200);
  });

  it('that are called off may be made again at once', async () => {
    const merchant = await fixture.addMerchant();
    const at = inMs(DAY_MS);
    const made = await schedule(merchant, at);
    expect((await schedule(merchant, at)).status).toBe(409);
    await merchant.call('POST', '/payout/single/schedule/cancel', { scheduleId: made.body.data.scheduleId });
    expect((await schedule(merchant, at)).status).toBe(200);
  });

  it('are what a payment by hand meets shortly before and after their time, and are paid beside one that is meant', async () => {
    const merchant = await fixture.addMerchant();
    const made = await schedule(merchant, inMs(600_000));
    fixture.clock.advance(480_000);
    expect((await pay(merchant)).status).toBe(200);
    fixture.clock.advance(119_000);
    const before = await pay(merchant);
    expect([before.status, before.body.code]).toEqual([409, 'PAYOUT_DUPLICATE']);
    expect((await pay(merchant, { allowDuplicate: true })).status).toBe(200);
    fixture.clock.advance(1_000);
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(3);
    const byHand = await pay(merchant);
    expect(byHand.body.code).toBe('PAYOUT_DUPLICATE');
    expect(byHand.body.message).toContain(made.body.data.scheduleId);
  });

  it('name their day and time to a payment by hand that comes before them', async () => {
    const merchant = await fixture.addMerchant();
    const made = await schedule(merchant, inMs(60_000));
    const { message } = (await pay(merchant)).body;
    expect(message).toMatch(
      /^The same amount, ₦1,000.00, is scheduled for this account on .* Lagos time: transaction /,
    );
    expect(message).toContain(made.body.data.scheduleId);
  });

  it('for the same day, asked for at one moment, are duplicates of each other and of what was just paid', async () => {
    const merchant = await fixture.addMerchant();
    const day = lagosDay(new Date(inMs(30 * DAY_MS)));
    const [morning, evening] = [`${day}T09:00:00+01:00`, `${day}T18:00:00+01:00`];
    expect((await schedule(merchant, morning)).status).toBe(200);
    expect((await schedule(merchant, evening)).body.code).toBe('PAYOUT_DUPLICATE');
    fixture.clock.advance(WINDOW_MS);
    expect((await schedule(merchant, evening)).status).toBe(200);
  });

  it('for later today in Lagos are duplicates of what was just paid, and for tomorrow at that hour are none', async () => {
    const nine = startOfLagosDay(lagosDay(new Date(inMs(DAY_MS)))).getTime() + 9 * HOUR_MS;
    fixture.clock.advance(nine - fixture.clock.now().getTime());
    const merchant = await fixture.addMerchant();
    expect((await pay(merchant)).status).toBe(200);
    expect((await schedule(merchant, inMs(14 * HOUR_MS))).body.code).toBe('PAYOUT_DUPLICATE');
    expect((await schedule(merchant, inMs(16 * HOUR_MS))).status).toBe(200);
  });

  it('that were just made for later today in Lagos are what a payment by hand meets, and for tomorrow are not', async () => {
    const nine = startOfLagosDay(lagosDay(new Date(inMs(DAY_MS)))).getTime() + 9 * HOUR_MS;
    fixture.clock.advance(nine - fixture.clock.now().getTime());
    const merchant = await fixture.addMerchant();
    const made = await schedule(merchant, inMs(14 * HOUR_MS));
    const byHand = await pay(merchant);
    expect([byHand.status, byHand.body.code]).toEqual([409, 'PAYOUT_DUPLICATE']);
    expect(byHand.body.message).toContain(made.body.data.scheduleId);
    const other = await fixture.addMerchant();
    expect((await schedule(other, inMs(16 * HOUR_MS))).status).toBe(200);
    expect((await pay(other)).status).toBe(200);
  });

  it('that are late are not paid beside what was paid meanwhile, unless they were meant twice', async () => {
    const merchant = await fixture.addMerchant();
    await schedule(merchant, inMs(60_000));
    const meant = await schedule(merchant, inMs(60_000), { allowDuplicate: true });
    fixture.clock.advance(HOUR_MS);
    expect((await pay(merchant)).status).toBe(200);
    await fixture.worker.runOnce();
    const { rows } = await fixture.database.pool.query(
      `select id, status, reason from transactions where merchant_id = $1 and status <> 'SUCCESS'
        and category = 'PAYOUT'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ id: expect.any(String), status: 'FAILED', reason: 'PAYOUT_DUPLICATE' }]);
    expect(rows[0].id).not.toBe(meant.body.data.scheduleId);
    expect(await executed(fixture, merchant.tenant)).toHaveLength(2);
  });

  it('that sandbox time brings on early are paid at their own times: two months at once are no duplicates, nor is a payment now', async () => {
    const merchant = await fixture.addMerchant();
    for (const months of [1, 2]) expect((await schedule(merchant, inMs(months * 30 * DAY_MS))).status).toBe(200);
    for (const days of [30, 30])
      await merchant.call('POST', '/sandbox/clock/advance', { seconds: (days * DAY_MS) / 1_000 });
    await fixture.worker.runOnce();
    expect(await executed(fixture, merchant.tenant)).toHaveLength(2);
    expect((await pay(merchant)).status).toBe(200);
  });

  it('that fail leave no key behind', async () => {
    const merchant = await fixture.addMerchant(500);
    await schedule(merchant, inMs(600_000));
    fixture.clock.advance(600_000);
    await fixture.worker.runOnce();
    expect(await keysOf(merchant)).toEqual([]);
  });
});
