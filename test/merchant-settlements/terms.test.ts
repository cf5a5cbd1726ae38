import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHolidays } from '../../src/merchant-settlements/holidays.ts';
import { setRule, settleDue } from '../../src/merchant-settlements/index.ts';
import { findLastSettlement } from '../../src/merchant-settlements/queries.ts';
import { readSettlements } from '../../src/merchant-settlements/read-settlements.ts';
import { changeSettings, readSettingsView } from '../../src/merchant-settlements/settings.ts';
import { checkPause } from '../../src/merchant-settlements/why-paused.ts';
import { requireMerchant } from '../../src/merchants/index.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { inject, TEST_PIN } from '../support/base.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { atTerminal } from '../support/terminal.ts';
import { bearer } from '../support/world.ts';
import { ACCOUNT, settling, work } from './fixture.ts';

let t: TestApp;
let ada: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  ada = await signedInOperator(t);
  await ada.refresh();
});
afterAll(async () => {
  expect(await brokenChecks(t.database)).toEqual([]);
  await t.close();
});

describe('the operator’s terms', () => {
  it('of one merchant go before those of all: switched off, nothing is settled, and the merchant reads why', async () => {
    const [shop, other] = [await settling(t), await settling(t)];
    const { merchantId } = shop.merchant;
    for (const one of [shop, other]) {
      await one.set({ schedule: 'OFF' });
      await one.pay(5_000);
    }
    const terms = { merchantId, mode: 'SANDBOX', enabled: false, reason: 'Chargebacks are looked at' };
    expect((await ada.call('POST', '/operator/settlement-terms', terms)).body.data).toMatchObject({
      enabled: false,
      minimum: 1_000,
    });
    const settle = (by: typeof shop) => by.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await expect(settle(shop)).rejects.toThrow('The operator has switched settlements off');
    expect((await settle(other)).status).toBe('PROCESSING');
    await ada.call('POST', '/operator/settlement-terms', { ...terms, enabled: true, minimum: 6_000 });
    await expect(settle(shop)).rejects.toThrow('less than the minimum');
    const states = await ada.call('GET', '/operator/merchant-settlement?mode=SANDBOX');
    expect(states.body.data.records.map((row: { merchantId: string }) => row.merchantId)).toContain(merchantId);
  });
});

describe('the terms at the terminal', () => {
  it.each([
    ['--window', '0', '--window must be 60 to 86400 seconds.'],
    ['--cooling-off', '2592001', '--cooling-off must be 0 to 2592000 seconds.'],
  ])('are refused in a sentence with a %s of %s, and nothing is written', async (option, seconds, sentence) => {
    const given = ['--mode', 'SANDBOX', option, seconds, '--reason', 'a try'];
    const { exit, warned } = await atTerminal(t, 'set-settlement-terms', ...given);
    expect([exit, warned]).toEqual([1, [expect.stringContaining(sentence)]]);
    expect((await atTerminal(t, 'list-settlement-terms')).printed.join()).not.toContain('a try');
  });
});

describe('bank holidays', () => {
  it('come with the release: fixed days and Easter certain, days by the moon expected', async () => {
    const { records } = (await ada.call('GET', '/operator/bank-holiday')).body.data;
    const found = new Map(records.map((row: { day: string; certainty: string }) => [row.day, row.certainty]));
    expect(found.get('2027-03-26')).toBe('CERTAIN');
    expect(found.get('2027-12-25')).toBe('CERTAIN');
    expect(found.get('2027-03-09')).toBe('EXPECTED');
  });

  it('are added and removed by the operator, each day once, and what was removed stays on record', async () => {
    const day = { day: '2027-03-11', name: 'Eid-el-Fitr, moved', certainty: 'CERTAIN', source: 'Ministry of Interior' };
    const added = await ada.call('POST', '/operator/bank-holiday', day);
    expect(added.status, added.text).toBe(200);
    expect((await ada.call('POST', '/operator/bank-holiday', day)).body.code).toBe('BANK_HOLIDAY_TAKEN');
    expect((await ada.call('POST', '/operator/bank-holiday', { ...day, day: '2027-02-30' })).status).toBe(400);
    const { holidayId } = added.body.data;
    const removed = await ada.call('POST', `/operator/bank-holiday/${holidayId}/remove`);
    expect(removed.body.data.removedBy).toBe(ada.email);
    const isClosed = async () => (await readHolidays(t, new Date('2027-03-01T00:00:00Z'))).has(day.day);
    expect(await isClosed()).toBe(false);
    expect((await ada.call('POST', `/operator/bank-holiday/${holidayId}/remove`)).status).toBe(404);
    expect((await ada.call('POST', '/operator/bank-holiday', day)).status).toBe(200);
    expect(await isClosed()).toBe(true);
  });
});

describe('the two modes of a merchant', () => {
  it('have settings, terms, turns, pauses and settlements of their own', async () => {
    const shop = await settling(t);
    const { deps } = shop;
    const { merchantId } = shop.merchant;
    const [play, live] = (['SANDBOX', 'LIVE'] as const).map((mode) => ({ merchantId, mode })) as [Tenant, Tenant];
    await shop.set({ schedule: 'OFF', keepInWallet: 700 });
    await shop.pay(4_000);
    await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    const settlementsOf = async (tenant: Tenant) => {
      const filter = { statuses: undefined, walletId: undefined };
      return (await readSettlements(deps, tenant, filter, { page: 1, size: 9 })).records.map(({ number }) => number);
    };
    expect([await settlementsOf(play), await settlementsOf(live)]).toEqual([[1], []]);
    expect(await t.database.query(findLastSettlement, [merchantId, 'LIVE'])).toEqual([]);
    expect(await readSettingsView(deps, live)).toMatchObject({ version: 0, keepInWallet: 0, nextAt: null });
    const changes = { schedule: 'DAILY', keepInWallet: 300 } as const;
    await changeSettings(deps, { tenant: live, changes, by: 'an owner', idempotency: undefined });
    const unchanged = { isEnabled: undefined, windowSeconds: undefined, coolingOffSeconds: undefined };
    const terms = { ...unchanged, minimumMinor: 9_000_00n, effectiveFrom: undefined, source: 'Of live money' };
    await setRule(deps, { merchantId, mode: 'LIVE', ...terms });
    const both = async () => [await readSettingsView(deps, play), await readSettingsView(deps, live)];
    expect(await both()).toMatchObject([
      { schedule: 'OFF', keepInWallet: 700, nextAt: null, operatorMinimum: 1_000 },
      { schedule: 'DAILY', keepInWallet: 300, nextAt: expect.any(String), operatorMinimum: 9_000 },
    ]);
    const due = t.clock.now();
    await t.database.pool.query('update merchant_settlement_schedules set due_at = $2 where merchant_id = $1', [
      merchantId,
      due,
    ]);
    await settleDue(deps, 'LIVE');
    expect(await both()).toMatchObject([
      { pausedReason: null, nextAt: due.toISOString() },
      { pausedReason: 'MERCHANT_NOT_APPROVED' },
    ]);
    // The sandbox takes the account that was given; live money waits for one that was reviewed, however approved its merchant is.
    const approved = 'update merchants set status = $2, review_status = $3 where id = $1';
    const { status, review_status } = await requireMerchant(t.database, merchantId);
    await t.database.pool.query(approved, [merchantId, 'ACTIVE', 'ACCEPTED']);
    expect(await checkPause(deps, play)).toMatchObject({ paused: null, account: ACCOUNT });
    expect(await checkPause(deps, live)).toMatchObject({ paused: 'SETTLEMENT_ACCOUNT_MISSING' });
    await t.database.pool.query(approved, [merchantId, status, review_status]);
  });
});

describe('a settlement', () => {
  it('is nobody else’s to see, is explained as CSV and PDF, and its settings are the owner’s alone', async () => {
    const [shop, other] = [await settling(t), await settling(t)];
    await shop.set({ schedule: 'OFF' });
    await shop.pay(4_000);
    const { settlementId } = await shop.must('POST', '/collection/settlement', { pin: TEST_PIN });
    await work(t);
    const path = `/collection/settlement/${settlementId}`;
    for (const end of ['', '/line', '/line.csv', '/report']) {
      const reply = await inject(t.app.server, 'GET', `${path}${end}`, undefined, bearer(other.merchant.secretKey));
      expect(reply.status, end).toBe(404);
    }
    const csv = await inject(t.app.server, 'GET', `${path}/line.csv`, undefined, bearer(shop.merchant.secretKey));
    expect(csv.text.split('\n')[1]).toContain('PAYMENT,Payments,4000.00,4000.00,yes');
    const pdf = await inject(t.app.server, 'GET', `${path}/report`, undefined, bearer(shop.merchant.secretKey));
    expect(pdf.headers['content-type']).toContain('application/pdf');
    expect(pdf.text.startsWith('%PDF-1.7')).toBe(true);
    const admin = await signedInMember(t, shop.merchant.merchantId, 'ADMIN');
    await admin.refresh();
    const refused = await admin.call('PATCH', '/collection/settlement/settings', { schedule: 'OFF', pin: TEST_PIN });
    expect(refused.status).toBe(403);
  });
});
