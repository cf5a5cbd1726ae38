import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFreeze } from '../../src/compliance/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { containerOf } from '../support/base.ts';
import { signedInOperator } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { DAY_SECONDS, type Settling, settling, work } from './fixture.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
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
    const deps = containerOf(t as never);
    const { merchantId } = shop.merchant;
    await makeFreeze(deps, {
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
