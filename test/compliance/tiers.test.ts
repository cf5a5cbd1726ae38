import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setAvailability } from '../../src/availability/index.ts';
import { setMerchantTier, setTierLimit, type TierLimitRow } from '../../src/limits/index.ts';
import { setReserveRule } from '../../src/reserves/index.ts';
import { createSuspenseFixture, type SuspenseFixture } from '../collections/suspense-fixture.ts';
import { createPayoutFixture, type PayoutFixture, payment } from '../payouts/payout-fixture.ts';
import { brokenChecks } from '../support/proof.ts';

let fixture: SuspenseFixture;
let payouts: PayoutFixture;
beforeAll(async () => {
  fixture = await createSuspenseFixture();
  payouts = await createPayoutFixture();
});
afterAll(async () => {
  for (const { database } of [fixture, payouts]) {
    expect((await brokenChecks(database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  }
  await Promise.all([fixture.close(), payouts.close()]);
});

type Limits = Partial<
  Pick<TierLimitRow, 'singleInMinor' | 'dailyInMinor' | 'balanceMinor' | 'singleOutMinor' | 'dailyOutMinor'>
>;
const NONE = { singleInMinor: null, dailyInMinor: null, balanceMinor: null, singleOutMinor: null, dailyOutMinor: null };

/** A merchant of a tier with these limits from now on. */
async function limited(tier: TierLimitRow['tier'], limits: Limits) {
  const payee = await fixture.payee();
  const { deps } = fixture;
  const source = 'A rule of the central bank';
  await setTierLimit(deps, { ...NONE, ...limits, tier, mode: 'LIVE', source, effectiveFrom: undefined });
  await setMerchantTier(deps, { tenant: payee.tenant, tier, reason: 'Verified by BVN', by: 'ada' });
  deps.payoutLimits.forget();
  deps.payoutLimits.forget(payee.tenant);
  return payee;
}

const pay = async ({ accountNumber }: { accountNumber: string }, amountMinor: bigint) =>
  (await fixture.takeWebhook(fixture.script.receive({ accountNumber, amountMinor })))[0];

describe('a tier', () => {
  it('has a credit above its limit held with the reason, and never lost', async () => {
    const payee = await limited('TIER_1', { singleInMinor: 100_00n });
    expect(await pay(payee, 100_00n)).toBe('CREDITED');
    expect(await pay(payee, 100_01n)).toBe('HELD');
    const held = (await fixture.paymentsOf(payee)).find(({ status }) => status === 'SUSPENSE');
    expect(held).toMatchObject({ reason: 'TIER_LIMIT', amount: 100.01 });
    await fixture.decidePayment({ tenant: payee.tenant, paymentId: held?.paymentId ?? '' }, { action: 'ATTRIBUTE' });
    expect(await payee.balance()).toBe(200_01n);
  });

  it('counts a day exactly, however many come at once, and begins anew at midnight in Lagos', async () => {
    const payee = await limited('TIER_2', { dailyInMinor: 100_00n });
    const taken = await Promise.all(Array.from({ length: 25 }, () => pay(payee, 10_00n)));
    expect(taken.filter((one) => one === 'CREDITED')).toHaveLength(10);
    expect(taken.filter((one) => one === 'HELD')).toHaveLength(15);
    expect(await payee.balance()).toBe(100_00n);
    fixture.clock.advance(24 * 3_600_000);
    expect(await pay(payee, 100_00n)).toBe('CREDITED');
  });

  it('keeps all wallets together below its balance, however many come at once', async () => {
    const payee = await limited('TIER_3', { balanceMinor: 100_00n });
    const taken = await Promise.all(Array.from({ length: 12 }, () => pay(payee, 30_00n)));
    expect(taken.filter((one) => one === 'CREDITED')).toHaveLength(3);
    expect(await payee.balance()).toBe(90_00n);
  });

  it('counts towards its balance what waits for its settlement and what is kept in reserve', async () => {
    const payee = await limited('TIER_3', { balanceMinor: 100_00n });
    const rule = { merchantId: payee.merchantId, mode: 'LIVE', source: 'A rule', effectiveFrom: undefined } as const;
    await setReserveRule(fixture.deps, { ...rule, channel: null, rateBasisPoints: 5_000, days: 30 });
    fixture.clock.advance(180_000);
    expect([await pay(payee, 60_00n), await pay(payee, 60_00n)]).toEqual(['CREDITED', 'HELD']);
    await setAvailability(fixture.deps, { ...rule, channel: null, availability: 'ON_SETTLEMENT' });
    fixture.clock.advance(180_000);
    expect([await pay(payee, 30_00n), await pay(payee, 30_00n)]).toEqual(['PENDING', 'HELD']);
  });

  it('says nothing of a merchant that has none', async () => {
    const payee = await fixture.payee();
    expect(await pay(payee, 999_999_00n)).toBe('CREDITED');
  });

  it('limits payouts beside the limits of the operator and the merchant, and is shown to the merchant, however much was used', async () => {
    const merchant = await payouts.addMerchant();
    const { deps } = payouts;
    const limits = { ...NONE, singleOutMinor: 2_000_00n, dailyOutMinor: 3_000_00n };
    const dated = { tier: 'TIER_2', mode: 'SANDBOX', source: 'A rule', effectiveFrom: undefined } as const;
    await setTierLimit(deps, { ...limits, ...dated });
    await setMerchantTier(deps, { tenant: merchant.tenant, tier: 'TIER_2', reason: 'Verified', by: 'ada' });
    deps.payoutLimits.forget();
    deps.payoutLimits.forget(merchant.tenant);
    const codeOf = async (amount: number, accountNumber: string) =>
      (await merchant.call('POST', '/payout/single', payment({ amount, accountNumber }))).body.code ?? 'ACCEPTED';
    expect(await codeOf(2_001, '2800000001')).toBe('PAYOUT_LIMIT_EXCEEDED');
    expect(await codeOf(2_000, '2800000001')).toBe('ACCEPTED');
    expect(await codeOf(1_001, '2800000002')).toBe('DAILY_LIMIT_EXCEEDED');
    const shown = (await merchant.call('GET', '/payout/limit')).body.data;
    expect(shown).toMatchObject({ perPayout: 2_000, perDay: 3_000, leftToday: 1_000 });
    expect(shown.tier).toMatchObject({ tier: 'TIER_2', singleOut: 2_000, singleIn: null });
    const use = (minor: bigint) =>
      payouts.database.pool.query('update limit_usage set used_minor = used_minor + $2 where merchant_id = $1', [
        merchant.merchantId,
        minor,
      ]);
    await use(10n ** 16n);
    const beyond = await merchant.call('GET', '/payout/limit');
    await use(-(10n ** 16n));
    expect(beyond.body.data, beyond.text).toMatchObject({ usedToday: null, leftToday: 0 });
  });
});
