import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFreeze } from '../../src/compliance/index.ts';
import { createContainer } from '../../src/container.ts';
import { setRule, settleDue } from '../../src/merchant-settlements/index.ts';
import { settleNow } from '../../src/merchant-settlements/settle-now.ts';
import { changeMerchantStatus } from '../../src/merchants/index.ts';
import { decideOnboarding } from '../../src/onboarding/index.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { fillEverything } from '../onboarding/upload.ts';
import { mailsTo } from '../people/mails.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { TEST_PIN } from '../support/base.ts';
import { letStand, saysPaid } from '../support/contradicted.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { DAY_SECONDS, type Settling, settling, work } from './fixture.ts';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

const accountOf = (accountNumber: string) => ({ bankCode: '058', accountNumber });

describe('a settlement whose payout', () => {
  it('fails is FAILED with the reason, leaves the money in the wallet, and is tried again the next working day', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    await shop.untilSettled();
    await work(t);
    const [failed] = await shop.settlements();
    expect(failed).toMatchObject({ status: 'FAILED', reason: expect.any(String), attempts: 1, number: 1 });
    expect(failed.tryAgainAt).not.toBeNull();
    expect(await shop.balance()).toEqual({ booked: 5_000, available: 5_000 });
    expect((await mailsTo(t, shop.owner.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^A settlement to the bank of .* failed$/),
    );
    await shop.advance(5 * DAY_SECONDS);
    await work(t);
    const [again, ...others] = await shop.settlements();
    expect(others).toEqual([]);
    expect(again).toMatchObject({ number: 1, status: 'FAILED', amount: failed.amount });
    expect(again.attempts).toBeGreaterThan(1);
    expect(again.payoutId).not.toBe(failed.payoutId);
  });

  it('comes back after it was paid is FAILED, and is paid once more', async () => {
    const shop = await settling(t, accountOf('0009999935'));
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    await shop.untilSettled();
    await work(t);
    t.clock.advance(60_000);
    await work(t);
    const [returned] = await shop.settlements();
    expect(returned).toMatchObject({ status: 'FAILED', reason: 'RETURNED_BY_BANK' });
    expect((await shop.balance()).booked).toBe(5_000);
  });

  it('nobody knows anything of is not paid a second time, however many days go by', async () => {
    const shop = await settling(t, accountOf('0006999934'));
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    const first = await shop.untilSettled();
    await shop.advance(7 * DAY_SECONDS);
    const all = await shop.settlements();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ status: 'PROCESSING', attempts: 1, payoutId: first.payoutId });
    await expect(
      shop.must('POST', '/collection/settlement', { settlementId: first.settlementId, pin: TEST_PIN }),
    ).rejects.toThrow('NOT_FAILED');
  });

  it('failed, though its rail has said since that it paid, is not paid once more before the operator has decided', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    await shop.untilSettled();
    await work(t);
    const [failed] = await shop.settlements();
    expect(failed).toMatchObject({ status: 'FAILED', attempts: 1 });
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
    const deps = createContainer({ ...t, logger: createLogger('silent') });
    await saysPaid(deps, tenant, failed.payoutId);
    await shop.advance(5 * DAY_SECONDS);
    await work(t);
    expect(await shop.settlements()).toMatchObject([{ status: 'FAILED', attempts: 1, payoutId: failed.payoutId }]);
    const again = { settlementId: failed.settlementId, pin: TEST_PIN };
    await expect(shop.must('POST', '/collection/settlement', again)).rejects.toThrow('OUTCOME_UNCERTAIN');
    await letStand(deps, tenant, failed.payoutId);
    await shop.must('POST', '/collection/settlement', again);
    expect(await shop.settlements()).toMatchObject([{ attempts: 2 }]);
  });

  it('failed twice, though a rail has said since of the first that it paid, is not paid once more before the operator has decided', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'OFF' });
    await shop.pay(5_000);
    const { settlementId, payoutId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    const again = { settlementId, pin: TEST_PIN };
    await shop.must('POST', '/collection/settlement', again);
    await work(t);
    expect(await shop.settlements()).toMatchObject([{ status: 'FAILED', attempts: 2 }]);
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
    const deps = createContainer({ ...t, logger: createLogger('silent') });
    await saysPaid(deps, tenant, payoutId);
    await expect(shop.must('POST', '/collection/settlement', again)).rejects.toThrow('OUTCOME_UNCERTAIN');
    await letStand(deps, tenant, payoutId);
    await shop.must('POST', '/collection/settlement', again);
    expect(await shop.settlements()).toMatchObject([{ attempts: 3 }]);
  });

  it('failed is not paid once more where its rail says that it paid while the bank is asked for the name', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'OFF' });
    await shop.pay(5_000);
    const { settlementId, payoutId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
    const container = createContainer({ ...t, logger: createLogger('silent') });
    const fees: typeof container.fees = {
      ...container.fees,
      async quotePayout(input) {
        await saysPaid(container, tenant, payoutId);
        return container.fees.quotePayout(input);
      },
    };
    const asked = { tenant, walletId: undefined, settlementId, by: 'Ada', idempotency: undefined };
    await expect(settleNow({ ...container, fees }, asked)).rejects.toMatchObject({
      code: 'MERCHANT_SETTLEMENT_OUTCOME_UNCERTAIN',
    });
    expect(await shop.settlements()).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
  });

  it('failed is tried again by hand by one of twenty at one moment', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'OFF' });
    await shop.pay(5_000);
    const { settlementId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => shop.must('POST', '/collection/settlement', { settlementId, pin: TEST_PIN })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await shop.settlements())[0]).toMatchObject({ attempts: 2 });
  });
});

/** A merchant whose account was reviewed, which settles in the sandbox; the operator's two are signed in anew. */
async function reviewed(): Promise<Settling> {
  [ada, bola] = [await signedInOperator(t), await signedInOperator(t)];
  const shop = await settling(t, null);
  await fillEverything(t, shop.owner);
  await shop.owner.call('POST', '/onboarding/submit');
  await decideOnboarding(t, 'approve', { merchantId: shop.merchant.merchantId, actor: ada.email });
  t.clock.advance(5_000);
  await shop.set({ schedule: 'DAILY' });
  return shop;
}

const THIEFS = '0123456792';

describe('a sandbox that is moved forward', () => {
  it('settles nothing of another merchant, neither what is due there next nor what is tried again', async () => {
    const failing = await settling(t, accountOf('0009999911'));
    await failing.set({ schedule: 'DAILY' });
    await failing.pay(5_000);
    await failing.untilSettled();
    await work(t);
    const waiting = await settling(t);
    await waiting.set({ schedule: 'DAILY' });
    await waiting.pay(3_000);
    const read = async () => [
      await failing.settlements(),
      await waiting.settlements(),
      (await waiting.must('GET', '/collection/settlement/settings')).nextAt,
    ];
    const before = await read();
    expect(before).toMatchObject([[{ status: 'FAILED', attempts: 1 }], [], expect.any(String)]);
    const other = await settling(t);
    await other.set({ schedule: 'DAILY' });
    await other.advance(5 * DAY_SECONDS);
    await work(t);
    expect(await read()).toEqual(before);
  });
});

describe('a thief with one password', () => {
  it('of an owner redirects no settlement: two of the operator look at the account, and every owner is mailed', async () => {
    const shop = await reviewed();
    const { merchantId } = shop.merchant;
    await shop.owner.call('PATCH', '/onboarding/settlement-account', accountOf(THIEFS));
    await shop.owner.call('POST', '/onboarding/submit');
    expect((await mailsTo(t, shop.owner.email))[0]?.subject).toMatch(
      /^Another settlement account of .* is under review$/,
    );
    await shop.pay(5_000);
    const settled = await shop.untilSettled();
    expect(settled.accountNumber).toBe('0123456785');
    const approve = (person: TestPerson) => person.call('POST', `/operator/merchant/${merchantId}/approve`);
    await Promise.all([ada.refresh(), bola.refresh()]);
    const first = await approve(ada);
    expect(first.body.message).toContain('another of your people');
    expect((await approve(ada)).body.code).toBe('SECOND_PERSON_NEEDED');
    await shop.pay(4_000);
    expect((await shop.untilSettled(2)).accountNumber).toBe('0123456785');
    await Promise.all([ada.refresh(), bola.refresh()]);
    expect((await approve(bola)).status).toBe(200);
    // Accepted by two, and still nothing goes there before the cooling-off is over, also where a later rule has none.
    t.clock.advance(1_000);
    const unchanged = { isEnabled: undefined, minimumMinor: undefined, windowSeconds: undefined };
    const none = { ...unchanged, coolingOffSeconds: 0, effectiveFrom: undefined, source: 'Nobody waits any more' };
    await setRule(shop.deps, { merchantId, mode: 'SANDBOX', ...none });
    await shop.pay(3_000);
    await shop.advance(3_600);
    await expect(shop.must('POST', '/collection/settlement', { pin: TEST_PIN })).rejects.toThrow('PAUSED');
    await shop.advance(5 * DAY_SECONDS);
    expect(await shop.settlements()).toHaveLength(2);
    const { pausedReason } = await shop.must('GET', '/collection/settlement/settings');
    expect(pausedReason).toBe('SETTLEMENT_ACCOUNT_CHANGED');
    t.clock.advance(DAY_SECONDS * 1000);
    await work(t);
    expect((await shop.untilSettled(3)).accountNumber).toBe(THIEFS);
  });

  it('has no account accepted by the word that was given for another, whatever the clocks of processes say', async () => {
    const shop = await reviewed();
    const { merchantId } = shop.merchant;
    const submit = async (accountNumber: string) => {
      await shop.owner.call('PATCH', '/onboarding/settlement-account', accountOf(accountNumber));
      return shop.owner.call('POST', '/onboarding/submit');
    };
    await submit('0123456808');
    const ahead = { ...t, clock: { ...t.clock, now: () => new Date(t.clock.now().getTime() + 60_000) } };
    expect(await decideOnboarding(ahead, 'approve', { merchantId, actor: ada.email })).toBe('CONFIRMED');
    await decideOnboarding(t, 'reject', { merchantId, actor: bola.email, reason: 'Another account, please' });
    expect((await submit(THIEFS)).status).toBe(200);
    expect(await decideOnboarding(t, 'approve', { merchantId, actor: bola.email })).toBe('CONFIRMED');
    expect(await decideOnboarding(t, 'approve', { merchantId, actor: ada.email })).toBe('DECIDED');
  });

  it('of one of the operator’s people accepts no account alone', async () => {
    const shop = await reviewed();
    const { merchantId } = shop.merchant;
    await shop.owner.call('PATCH', '/onboarding/settlement-account', accountOf(THIEFS));
    await shop.owner.call('POST', '/onboarding/submit');
    await ada.refresh();
    for (let times = 0; times < 3; times += 1) await ada.call('POST', `/operator/merchant/${merchantId}/approve`);
    const onboarding = (await shop.owner.call('GET', '/onboarding')).body.data;
    expect(onboarding).toMatchObject({ changesAccount: true, confirmedBy: ada.email });
    await shop.pay(5_000);
    expect((await shop.untilSettled()).accountNumber).toBe('0123456785');
  });

  it('and a PIN turns nothing on or off: settings take an owner who gives the password anew', async () => {
    const shop = await reviewed();
    const asKey = await t.app.server.inject({
      method: 'PATCH',
      url: '/collection/settlement/settings',
      headers: { authorization: `Bearer ${shop.merchant.secretKey}` },
      payload: { schedule: 'OFF', pin: TEST_PIN },
    });
    expect(asKey.statusCode).toBe(403);
    await shop.owner.refresh();
    const wrongPin = await shop.owner.call('PATCH', '/collection/settlement/settings', {
      schedule: 'OFF',
      pin: '1111',
    });
    expect(wrongPin.body.status).toBe(false);
    t.clock.advance(20 * 60_000);
    const stale = await shop.owner.call('PATCH', '/collection/settlement/settings', { schedule: 'OFF', pin: TEST_PIN });
    expect(stale.status).toBe(403);
  });
});

describe('settlements of a merchant that the operator has suspended', () => {
  it('are paused, reported once, and go on by themselves when the suspension ends', async () => {
    const shop = await reviewed();
    const { merchantId } = shop.merchant;
    await shop.pay(5_000);
    const status = { queries: t.database, clock: t.clock };
    await changeMerchantStatus(status, 'suspend', { merchantId, actor: ada.email, reason: 'to look' });
    await t.database.pool.query(`update merchant_settlement_schedules set due_at = $2 where merchant_id = $1`, [
      merchantId,
      t.clock.now(),
    ]);
    await work(t);
    const found = async () =>
      (
        await t.database.pool.query(
          `select paused_reason,
                  (select count(*)::int from events e where e.merchant_id = s.merchant_id and e.type = 'merchant_settlement.paused') as paused,
                  (select count(*)::int from merchant_settlements m where m.merchant_id = s.merchant_id) as made
             from merchant_settlement_schedules s where merchant_id = $1`,
          [merchantId],
        )
      ).rows[0];
    expect(await found()).toEqual({ paused_reason: 'MERCHANT_SUSPENDED', paused: 1, made: 0 });
    t.clock.advance(301_000);
    await work(t);
    expect(await found()).toEqual({ paused_reason: 'MERCHANT_SUSPENDED', paused: 1, made: 0 });
    await changeMerchantStatus(status, 'reinstate', { merchantId, actor: ada.email });
    t.clock.advance(301_000);
    await work(t);
    expect(await found()).toMatchObject({ paused_reason: null });
    expect((await shop.untilSettled()).net).toBe(5_000);
  });
});

describe('what stands against settlements otherwise, such as a debt after a dispute', () => {
  it('pauses them with its own reason, and what was due is settled when it is over', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'INSTANT' });
    const deps = createContainer({ ...t, logger: createLogger('silent') });
    let owes: string | undefined = 'DISPUTE_DEBT';
    const stopped = { ...deps, settlementStops: [async () => owes] };
    await shop.pay(5_000);
    await shop.must('POST', '/sandbox/clock/advance', { seconds: 301 });
    await settleDue(stopped, 'SANDBOX');
    expect(await shop.must('GET', '/collection/settlement/settings')).toMatchObject({ pausedReason: 'DISPUTE_DEBT' });
    expect(await shop.settlements()).toEqual([]);
    owes = undefined;
    t.clock.advance(301_000);
    await settleDue(stopped, 'SANDBOX');
    await work(t);
    expect((await shop.settlements())[0]).toMatchObject({ net: 5_000 });
  });
});

describe('a merchant whose limit of a day is below what it collected', () => {
  it('has it settled over as many days as that takes', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'DAILY' });
    const limited = await shop.owner.call('PATCH', '/payout/limit', { perPayout: null, perDay: 2_000 });
    expect(limited.status, limited.text).toBe(200);
    await shop.pay(5_000);
    const first = await shop.untilSettled();
    expect(first).toMatchObject({ amount: 2_000, total: 2_000 + first.fee + first.vat + first.stampDuty });
    expect(first.carriedOut).toBeCloseTo(5_000 - first.total);
  });

  it('has settled what the day has left, where something was paid out before', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'OFF' });
    const limited = await shop.owner.call('PATCH', '/payout/limit', { perPayout: null, perDay: 3_000 });
    expect(limited.status, limited.text).toBe(200);
    await shop.pay(9_000);
    await shop.must('POST', '/payout/single', {
      ...{ bankCode: '058', accountNumber: '0123456785', narration: 'Stock' },
      ...{ pin: TEST_PIN, amount: 1_000 },
    });
    await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    expect(await shop.settlements()).toMatchObject([{ amount: 2_000, status: 'PAID' }]);
    await expect(shop.must('POST', '/collection/settlement', { pin: TEST_PIN })).rejects.toThrow(
      'DAILY_LIMIT_EXCEEDED',
    );
  });

  it('learns by mail that one which failed is above a limit that was lowered since, once on each working day, and has it once that is raised', async () => {
    const shop = await settling(t, accountOf('0009999911'));
    await shop.set({ schedule: 'OFF' });
    await shop.pay(5_000);
    await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    expect(await shop.settlements()).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
    const limit = (perDay: number | null) => shop.owner.call('PATCH', '/payout/limit', { perPayout: null, perDay });
    expect((await limit(2_000)).status).toBe(200);
    t.clock.advance(61_000);
    const mailed = async () =>
      (await mailsTo(t, shop.owner.email)).filter(({ subject }) => subject.endsWith('is above a limit')).length;
    const untilTried = async () => {
      const [{ tryAgainAt }] = await shop.settlements();
      await shop.advance(Math.ceil((new Date(tryAgainAt).getTime() - t.clock.now().getTime()) / 1_000) + 60);
    };
    await untilTried();
    for (let looks = 0; looks < 3; looks += 1) {
      t.clock.advance(301_000);
      await work(t);
    }
    expect(await mailed()).toBe(1);
    expect(await shop.settlements()).toMatchObject([{ status: 'FAILED', attempts: 1 }]);
    await untilTried();
    expect(await mailed()).toBe(2);
    await shop.owner.refresh();
    expect((await limit(null)).status).toBe(200);
    t.clock.advance(61_000);
    await shop.advance(7 * DAY_SECONDS);
    expect((await shop.settlements())[0].attempts).toBeGreaterThan(1);
  });
});

const pausedBy = async (shop: Settling) => (await shop.must('GET', '/collection/settlement/settings')).pausedReason;

/** A payer's bank wants the last payment back, whose money has left the wallet. */
async function disputeOfSpentMoney(shop: Settling, scenario: string): Promise<void> {
  const { records } = await shop.must('GET', '/collection/payment?size=1');
  const { subaccountId } = await shop.must('POST', '/subaccount', { name: 'Savings' });
  await shop.must('POST', '/subaccount/credit', { subaccountId, amount: 4_000, narration: 'Put aside' });
  const dispute = { paymentId: records[0].paymentId, scenario, answerWithinSeconds: 6 * DAY_SECONDS };
  await shop.must('POST', '/sandbox/collection/dispute', dispute);
  await shop.advance(60);
  const { records: opened } = await shop.must('GET', '/collection/dispute');
  expect(opened).toMatchObject([{ status: 'OPEN' }]);
}

describe('settlements to the bank stop', () => {
  it('while an open dispute is over more than the wallet holds for it, and while the merchant owes after it', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    await disputeOfSpentMoney(shop, 'lost');
    await shop.advance(4 * DAY_SECONDS);
    expect(await pausedBy(shop)).toBe('DISPUTE_NOT_COVERED');
    await shop.advance(4 * DAY_SECONDS);
    // What holds it up is looked at every five minutes.
    await shop.advance(600);
    expect(await pausedBy(shop)).toBe('DISPUTE_DEBT');
    expect(await shop.settlements()).toEqual([]);
    await shop.pay(20_000);
    await work(t);
    expect(await shop.untilSettled()).toMatchObject({ number: 1 });
    expect(await pausedBy(shop)).toBeNull();
  });

  it('while the merchant is frozen, in words that tell it of no freeze', async () => {
    const shop = await settling(t);
    await shop.set({ schedule: 'DAILY' });
    await shop.pay(5_000);
    const { personId } = await signedInOperator(t);
    const { merchantId } = shop.merchant;
    await makeFreeze(shop.deps, {
      mode: 'SANDBOX',
      subject: 'MERCHANT',
      merchantId,
      reason: 'A court order',
      legalBasis: 'Order of 20 November',
      owner: 'Legal',
      personId,
    } as never);
    t.clock.advance(6_000);
    await shop.advance(5 * DAY_SECONDS);
    const settings = await shop.must('GET', '/collection/settlement/settings');
    expect(settings.pausedReason).toBe('UNDER_REVIEW');
    expect(JSON.stringify(settings)).not.toMatch(/freez|frozen/i);
    expect(await shop.settlements()).toEqual([]);
  });
});
