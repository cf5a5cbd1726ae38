import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBothLimits } from '../../src/limits/check-limits.ts';
import { createKnownLimits, readLimit } from '../../src/limits/index.ts';
import { insertPayoutLimits } from '../../src/limits/queries.ts';
import { endOwnLimits, setLimits } from '../../src/limits/set-limits.ts';
import { paySingle } from '../../src/payouts/single-payout.ts';
import type { Database, Queries } from '../../src/platform/db/database.ts';
import { statement } from '../../src/platform/db/statement.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { tally } from '../ledger/books.ts';
import { noPerson } from './batch-fixture.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, untilQuiet } from './payout-fixture.ts';

let fixture: PayoutFixture;
beforeAll(async () => {
  fixture = await createPayoutFixture();
});
afterAll(() => fixture.close());

const MINUTE_MS = 60_000;
/** As `setLimits` with everything else left as it is. */
const UNCHANGED = {
  perPayoutMinor: undefined,
  perDayMinor: undefined,
  duplicateWindowSeconds: undefined,
  effectiveFrom: undefined,
  effectiveTo: null,
  source: 'a test',
};

/** A merchant with limits of its own, in naira, that every process knows. */
async function limited(limits: { perPayout?: bigint; perDay?: bigint }): Promise<Merchant> {
  const merchant = await fixture.addMerchant();
  await setOwn(merchant, limits);
  return merchant;
}

async function setOwn({ tenant }: Merchant, { perPayout, perDay }: { perPayout?: bigint; perDay?: bigint }) {
  await setLimits(fixture.deps, {
    ...UNCHANGED,
    ...tenant,
    perPayoutMinor: perPayout === undefined ? undefined : perPayout * 100n,
    perDayMinor: perDay === undefined ? undefined : perDay * 100n,
  });
  fixture.clock.advance(MINUTE_MS);
}

const pay = (merchant: Merchant, fields: Record<string, unknown> = {}) =>
  merchant.call('POST', '/payout/single', payment(fields));

const limitOf = async (merchant: Merchant) => (await merchant.call('GET', '/payout/limit')).body.data;

/** Moves time to so long before the next midnight in Lagos. */
function beforeMidnight(milliseconds: number): void {
  const day = 24 * 60 * MINUTE_MS;
  const sinceMidnight = (fixture.clock.now().getTime() + 60 * MINUTE_MS) % day;
  fixture.clock.advance((2 * day - sinceMidnight - milliseconds) % day);
}

/** Well inside a day, so that a test does not run over midnight. */
function atNoon(): void {
  beforeMidnight(12 * 60 * MINUTE_MS);
}

describe('the limit of one payout', () => {
  it('lets pass what it says and refuses a kobo more, in words, with nothing moved', async () => {
    const merchant = await limited({ perPayout: 5_000n });
    const refused = await pay(merchant, { amount: 5_000.01 });
    expect([refused.status, refused.body.code]).toEqual([422, 'PAYOUT_LIMIT_EXCEEDED']);
    expect(refused.body.message).toContain('₦5,000.00');
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 0 });
    expect((await pay(merchant, { amount: 5_000 })).status).toBe(200);
  });

  it('counts when a schedule is made, and again when it fires', async () => {
    const merchant = await limited({ perPayout: 5_000n });
    const schedule = (amount: number) => {
      const scheduledFor = new Date(fixture.clock.now().getTime() + 10 * MINUTE_MS).toISOString();
      return merchant.call('POST', '/payout/single/schedule', payment({ amount, scheduledFor }));
    };
    expect((await schedule(5_001)).body.code).toBe('PAYOUT_LIMIT_EXCEEDED');
    const made = await schedule(5_000);
    await setOwn(merchant, { perPayout: 4_000n });
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    const list = await merchant.call('GET', '/payout/single/schedule');
    expect(list.body.data.records).toMatchObject([
      { scheduleId: made.body.data.scheduleId, status: 'FAILED', reason: 'PAYOUT_LIMIT_EXCEEDED', conclusive: true },
    ]);
    expect(await merchant.balance()).toMatchObject({ availableMinor: 1_000_000_000n });
  });
});

describe('the limit of a day', () => {
  it('lets one of two pass that only fit alone, whichever process takes them', async () => {
    atNoon();
    const merchant = await limited({ perDay: 10_000n });
    const other = await fixture.otherProcess();
    expect((await pay(merchant, { amount: 4_000 })).status).toBe(200);
    const input = {
      ...{
        maker: noPerson(merchant),
        tenant: merchant.tenant,
        amountMinor: 400_000n,
        bankCode: '058',
        narration: 'Rent',
      },
      ...{ phoneNumber: undefined, reference: undefined, purpose: undefined, metadata: null, scenario: null },
      ...{ allowDuplicate: true, idempotency: undefined },
    };
    const outcomes = await Promise.all(
      [fixture.deps, other.deps].map((deps, at) =>
        paySingle(deps, { ...input, accountNumber: `012345678${at}` }).then(
          () => 'accepted',
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      ),
    );
    await other.close();
    expect(tally(outcomes)).toEqual({ accepted: 1, DAILY_LIMIT_EXCEEDED: 1 });
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 8_000, leftToday: 2_000 });
  });

  it('is met exactly by many at once', async () => {
    atNoon();
    const merchant = await limited({ perDay: 10_000n });
    const replies = await Promise.all(Array.from({ length: 40 }, () => pay(merchant, { amount: 700 })));
    expect(tally(replies.map(({ body }) => body.code ?? 'accepted'))).toEqual({
      accepted: 14,
      DAILY_LIMIT_EXCEEDED: 26,
    });
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 9_800, leftToday: 200 });
    const { message } = replies.find(({ status }) => status === 422)!.body;
    expect(message).toContain('₦10,000.00');
    expect(message).toContain('₦9,800.00');
    expect(message).toContain('₦200.00');
  });

  it('counts amounts without charges, and ends at midnight in Lagos', async () => {
    const merchant = await limited({ perDay: 1_000n });
    beforeMidnight(1_000);
    const today = (await limitOf(merchant)).day;
    expect((await pay(merchant, { amount: 1_000 })).status).toBe(200);
    expect((await pay(merchant, { amount: 1 })).body.code).toBe('DAILY_LIMIT_EXCEEDED');
    fixture.clock.advance(1_000);
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 0, leftToday: 1_000 });
    expect((await limitOf(merchant)).day > today).toBe(true);
    expect((await pay(merchant, { amount: 1_000 })).status).toBe(200);
  });

  it('gets back what failed on the day on which it was counted, once, and not what was reversed later', async () => {
    const merchant = await limited({ perDay: 10_000n });
    beforeMidnight(1_000);
    const today = (await limitOf(merchant)).day;
    await pay(merchant, { amount: 1_000, accountNumber: '0000999911' });
    await pay(merchant, { amount: 2_000, accountNumber: '0000999932' });
    await pay(merchant, { amount: 3_000, accountNumber: '0000999935' });
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 6_000 });
    fixture.clock.advance(1_000);
    await untilQuiet(fixture);
    await untilQuiet(fixture);
    const list = await fixture.database.pool.query(
      'select status, amount_minor from transactions where merchant_id = $1 and category = $2 order by amount_minor',
      [merchant.merchantId, 'PAYOUT'],
    );
    expect(list.rows.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'REVERSED']);
    const { rows } = await fixture.database.pool.query(
      'select period, used_minor from limit_usage where merchant_id = $1 order by period',
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ period: today, used_minor: 300_000n }]);
  });

  it('is used by a schedule when it fires, and ends one that does not fit with that reason and an event', async () => {
    atNoon();
    const merchant = await limited({ perDay: 1_500n });
    const scheduledFor = new Date(fixture.clock.now().getTime() + 10 * MINUTE_MS).toISOString();
    for (const accountNumber of ['0123456785', '0123456786']) {
      const made = await merchant.call('POST', '/payout/single/schedule', payment({ accountNumber, scheduledFor }));
      expect(made.status).toBe(200);
    }
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 0 });
    fixture.clock.advance(10 * MINUTE_MS);
    await fixture.worker.runOnce();
    const list = (await merchant.call('GET', '/payout/single/schedule')).body.data.records;
    expect(tally(list.map((one: { status: string; reason: string }) => `${one.status} ${one.reason}`))).toEqual({
      'SUCCESS null': 1,
      'FAILED DAILY_LIMIT_EXCEEDED': 1,
    });
    expect(await limitOf(merchant)).toMatchObject({ usedToday: 1_000, leftToday: 500 });
    const { rows } = await fixture.database.pool.query(
      `select data::json ->> 'reason' as reason from events where merchant_id = $1 and type = 'payout.failed'`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([{ reason: 'DAILY_LIMIT_EXCEEDED' }]);
  });

  it('that is lowered beneath what is used leaves nothing, and says what is used', async () => {
    atNoon();
    const merchant = await limited({ perDay: 5_000n });
    await pay(merchant, { amount: 4_000 });
    await setOwn(merchant, { perDay: 3_000n });
    expect(await limitOf(merchant)).toMatchObject({ perDay: 3_000, usedToday: 4_000, leftToday: 0 });
    const refused = await pay(merchant, { amount: 1 });
    expect(refused.body.message).toMatch(/₦3,000\.00.*₦4,000\.00.*₦0\.00/);
  });
});

describe('limits that an operator sets', () => {
  it('are a merchant’s own before those for all, from their moment on, until they end', async () => {
    const merchant = await fixture.addMerchant();
    const at = fixture.clock.now().getTime();
    const effectiveFrom = new Date(at + 10 * MINUTE_MS);
    const effectiveTo = new Date(at + 20 * MINUTE_MS);
    await setLimits(fixture.deps, {
      ...UNCHANGED,
      ...merchant.tenant,
      perPayoutMinor: 100_00n,
      effectiveFrom,
      effectiveTo,
    });
    fixture.clock.advance(MINUTE_MS);
    const seen: number[] = [];
    for (let minutes = 0; minutes < 3; minutes += 1) {
      seen.push((await limitOf(merchant)).perPayout);
      fixture.clock.advance(9.5 * MINUTE_MS);
    }
    expect(seen).toEqual([10_000_000, 100, 10_000_000]);
  });

  it('keep what they do not name, and give way to those for all when they are ended', async () => {
    const merchant = await limited({ perPayout: 100n });
    const general = await limitOf(await fixture.addMerchant());
    expect(await limitOf(merchant)).toMatchObject({
      perPayout: 100,
      perDay: general.perDay,
      duplicateWindowSeconds: 120,
    });
    expect(await endOwnLimits(fixture.deps, merchant.tenant)).toBe(true);
    fixture.clock.advance(MINUTE_MS);
    expect(await limitOf(merchant)).toMatchObject({ perPayout: general.perPayout });
    expect(await endOwnLimits(fixture.deps, merchant.tenant)).toBe(false);
  });

  it('and end leave what the merchant set itself, and those of its other mode, in force or still to come', async () => {
    const { tenant } = await limited({ perPayout: 100n });
    const live = { ...tenant, mode: 'LIVE' as const };
    const now = fixture.clock.now();
    const ahead = new Date(now.getTime() + 10 * MINUTE_MS);
    await setLimits(fixture.deps, { ...UNCHANGED, ...live, perPayoutMinor: 300_00n });
    await setLimits(fixture.deps, { ...UNCHANGED, ...live, perPayoutMinor: 200_00n, effectiveFrom: ahead });
    const itself = { owner: 'MERCHANT', merchant_id: tenant.merchantId, mode: tenant.mode, per_payout_minor: 50_00n };
    const always = { duplicate_window_seconds: 0, effective_from: now.toISOString(), effective_to: null };
    await fixture.database.run(insertPayoutLimits, [
      { ...itself, ...always, id: newId(), per_day_minor: null, source: 'a test' },
    ]);
    fixture.clock.advance(MINUTE_MS);
    expect(await endOwnLimits(fixture.deps, tenant)).toBe(true);
    const inForce = (of: typeof tenant) => readBothLimits({ ...fixture, queries: fixture.database }, of);
    expect((await inForce(tenant)).own.perPayoutMinor).toBe(50_00n);
    expect((await inForce(live)).operator.perPayoutMinor).toBe(300_00n);
    fixture.clock.advance(10 * MINUTE_MS);
    expect((await inForce(live)).operator.perPayoutMinor).toBe(200_00n);
  });

  it('are for the future only', async () => {
    const { tenant } = await fixture.addMerchant();
    const early = { ...UNCHANGED, ...tenant, effectiveFrom: new Date(fixture.clock.now().getTime() - 1) };
    await expect(setLimits(fixture.deps, early)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const turned = { ...UNCHANGED, ...tenant, effectiveTo: fixture.clock.now() };
    await expect(setLimits(fixture.deps, turned)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('may be none', async () => {
    const merchant = await fixture.addMerchant();
    await setLimits(fixture.deps, { ...UNCHANGED, ...merchant.tenant, perPayoutMinor: null, perDayMinor: null });
    fixture.clock.advance(MINUTE_MS);
    expect(await limitOf(merchant)).toMatchObject({ perPayout: null, perDay: null, leftToday: null });
    expect((await pay(merchant, { amount: 99_000_000 })).body.code).toBe('INSUFFICIENT_FUNDS');
  });
});

describe('what one merchant goes by', () => {
  it('is read without the limits and tiers of any other, however many those are and however often they were changed', async () => {
    const [other, merchant] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const { deps } = fixture;
    await deps.database.query(
      statement(
        'insert-many-limits',
        `insert into payout_limits (id, owner, merchant_id, mode, per_day_minor, duplicate_window_seconds, effective_from, source)
         select 'own-' || n, 'MERCHANT', $1, 'SANDBOX', 1000000 + n, 0, timestamptz '2026-01-01' + n * interval '1 second', 'x'
           from generate_series(1, 500) n`,
      ),
      [other.tenant.merchantId],
    );
    await deps.database.query(
      statement(
        'insert-many-tiers',
        `insert into merchant_tiers (merchant_id, mode, id, tier, reason, set_by, set_at)
         select gen_random_uuid(), 'SANDBOX', gen_random_uuid(), 'TIER_1', 'x', 'x', now() from generate_series(1, 500)`,
      ),
    );
    let read = 0;
    const counting = (queries: Queries): Queries => ({
      ...queries,
      query: async (asked, values) => {
        const rows = await queries.query(asked, values);
        read += rows.length;
        return rows;
      },
    });
    const { database, clock } = deps;
    const counted = {
      ...database,
      ...counting(database),
      snapshot: (work) => database.snapshot((queries) => work(counting(queries))),
    } as Database;
    const payoutLimits = createKnownLimits({ database: counted, clock });
    const limits = { database: counted, clock, payoutLimits };
    await readLimit(limits, merchant.tenant);
    await readBothLimits({ queries: counted, clock }, merchant.tenant);
    expect(read).toBeLessThan(50);
    // Whose own they are, the last counts.
    expect(await readLimit(limits, other.tenant)).toMatchObject({ perDayMinor: 1_000_500n });
    expect(read).toBeLessThan(100);
    // One that changes its own is no reason to read those of others anew.
    payoutLimits.forget(other.tenant);
    const before = read;
    await readLimit(limits, merchant.tenant);
    expect(read).toBe(before);
  });
});
