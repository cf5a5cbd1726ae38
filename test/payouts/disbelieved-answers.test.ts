import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome } from '../../src/outcomes/propose-outcome.ts';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { findPayout, type PayoutRecord } from '../../src/payouts/index.ts';
import { sentTransferOf } from '../../src/payouts/rails.ts';
import type { Alarm } from '../../src/platform/alarm.ts';
import type { ReportedFacts } from '../../src/rails/index.ts';
import { addOperator } from '../reconciliation/files.ts';
import { brokenChecks } from '../support/proof.ts';
import {
  createPayoutFixture,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  railsOfTest,
} from './payout-fixture.ts';
import {
  answerOf,
  DECLINED,
  NO_FUNDS,
  NOT_FOUND,
  PAID,
  reportOf,
  type ScriptedRail,
  scriptedRail,
  UNKNOWN,
} from './scripted-rail.ts';

const OTHER_ACCOUNT = { accountNumber: '9876543210' };
const REVERSED = { outcome: 'reversed', reason: 'RAIL_REVERSED' } as const;

let rail: ScriptedRail;
let second: ScriptedRail;
let fixture: PayoutFixture;
let merchant: Merchant;
const alarms: Alarm[] = [];

beforeAll(async () => {
  fixture = await createPayoutFixture({ rails: railsOfTest(() => railsOf(rail.caller, second.caller)) });
  fixture.deps.onAlarm = (alarm) => void alarms.push(alarm);
});
// Rails that nobody has asked anything yet. Every test ends its payouts: the next one's rails are asked about no other.
beforeEach(async () => {
  alarms.length = 0;
  [rail, second] = [scriptedRail('first'), scriptedRail('second')];
  merchant = await fixture.addMerchant();
});
afterEach(async () => {
  const { rows } = await fixture.database.pool.query('select id from payouts where due_at is not null');
  expect(rows).toEqual([]);
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

async function payoutOf(id: string): Promise<PayoutRecord> {
  const [payout] = await fixture.database.query(findPayout, [merchant.merchantId, 'SANDBOX', id]);
  return payout as PayoutRecord;
}

async function pay(): Promise<string> {
  const reply = await merchant.call('POST', '/payout/single', payment());
  await fixture.worker.runOnce();
  return reply.body.data.transactionId;
}

async function hoursPass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    fixture.clock.advance(3_600_000);
    await fixture.worker.runOnce();
  }
}

const told = async (payout: PayoutRecord, said: typeof PAID, facts: Partial<ReportedFacts> = {}) =>
  applyOutcome(fixture.deps, payout, answerOf(said, { ...reportOf(sentTransferOf(payout)), ...facts }), {
    kind: 'PROVIDER_WEBHOOK',
  });

describe('an answer about another transfer', () => {
  it('raises an alarm each time, and is asked about again until the rail says the right thing', async () => {
    rail.reports = OTHER_ACCOUNT;
    rail.query = PAID;
    const id = await pay();
    expect(await payoutOf(id)).toMatchObject({ status: 'PROCESSING', operator_reason: 'RAIL_ANSWER_MISMATCH' });
    const { operator_since: since } = await payoutOf(id);
    await hoursPass(3);
    expect(alarms.length).toBeGreaterThan(2);
    expect(new Set(alarms.map((alarm) => JSON.stringify(alarm)))).toEqual(
      new Set([JSON.stringify({ alarm: 'RAIL_ANSWER_MISMATCH', mode: 'SANDBOX', rail: 'first' })]),
    );
    expect((await payoutOf(id)).operator_since).toEqual(since);
    expect(rail.sends).toHaveLength(1);
    rail.reports = {};
    await hoursPass(1);
    // People still look at what the rail said before.
    expect(await payoutOf(id)).toMatchObject({ status: 'SUCCESS', operator_reason: 'RAIL_ANSWER_MISMATCH' });
  });

  it('is not made better by another that leaves the wrong fact out', async () => {
    rail.reports = OTHER_ACCOUNT;
    const id = await pay();
    rail.query = PAID;
    rail.reports = { accountNumber: null };
    await hoursPass(2);
    expect((await payoutOf(id)).status).toBe('PROCESSING');
    const { attempts } = (await merchant.call('GET', `/transaction/${id}/evidence`)).body.data;
    expect(attempts.at(-1)).toMatchObject({ reason: 'RAIL_ANSWER_MISMATCH', reported: { accountNumber: null } });
    expect(attempts.at(-1).message).toMatch(/account none, where an earlier answer named another/);
    rail.reports = {};
    await hoursPass(1);
    expect((await payoutOf(id)).status).toBe('SUCCESS');
  });

  it('keeps the payout from being sent again, or by another rail: what was paid may be this one', async () => {
    rail.reports = OTHER_ACCOUNT;
    const id = await pay();
    rail.reports = {};
    rail.query = NOT_FOUND;
    const before = rail.queries.length;
    await hoursPass(10);
    expect(rail.sends).toHaveLength(1);
    expect(rail.queries.length - before).toBeGreaterThan(5);
    expect(rail.queries.length - before).toBeLessThan(30);
    rail.query = NO_FUNDS;
    await hoursPass(2);
    expect(second.sends).toHaveLength(0);
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED', rail: 'first', refused_by: null });
  });

  it('releases nothing that it calls failed, and returns nothing that it calls reversed', async () => {
    rail.send = UNKNOWN;
    const open = await payoutOf(await pay());
    const held = await merchant.balance();
    expect(await told(open, DECLINED, { amountMinor: 1n })).toBe('OPEN');
    expect(await told(open, NO_FUNDS, { currency: 'GHS' })).toBe('OPEN');
    expect(second.sends).toHaveLength(0);
    expect(await merchant.balance()).toEqual(held);
    expect(await told(open, PAID)).toBe('APPLIED');
    const paid = await merchant.balance();
    expect(await told(await payoutOf(open.id), REVERSED, OTHER_ACCOUNT)).toBe('ALREADY_APPLIED');
    expect(await payoutOf(open.id)).toMatchObject({ status: 'SUCCESS', operator_reason: 'RAIL_ANSWER_MISMATCH' });
    expect(await merchant.balance()).toEqual(paid);
    expect(await told(await payoutOf(open.id), REVERSED)).toBe('APPLIED');
  });

  it('is none where the bank has another code for the same bank, or one that nobody knows', async () => {
    rail.send = UNKNOWN;
    for (const bankCode of ['000013', 'GTB-NG-1']) {
      const payout = await payoutOf(await pay());
      expect(await told(payout, PAID, { bankCode })).toBe('APPLIED');
    }
    const payout = await payoutOf(await pay());
    expect(await told(payout, PAID, { bankCode: '057' })).toBe('OPEN');
    expect(alarms).toHaveLength(1);
    expect(await told(payout, PAID)).toBe('APPLIED');
  });

  it('leaves it to two people, who decide by what it reported', async () => {
    rail.reports = { amountMinor: 1n };
    rail.query = UNKNOWN;
    const id = await pay();
    const [ada, bola] = [await addOperator(fixture, 'ada'), await addOperator(fixture, 'bola')];
    const { tenant } = merchant;
    const word = { outcome: 'FAILED', source: 'RAIL_SUPPORT', note: 'They cancelled it, ticket 4711' } as const;
    const first = await proposeOutcome(fixture.deps, { tenant, payoutId: id, ...word, personId: ada });
    // Another wrong amount is news, which the proposal did not know.
    await told(await payoutOf(id), PAID, { amountMinor: 2n });
    const stale = confirmOutcome(fixture.deps, { tenant, ...first, personId: bola });
    await expect(stale).rejects.toMatchObject({ code: 'OUTCOME_PROPOSAL_STALE' });
    const again = await proposeOutcome(fixture.deps, { tenant, payoutId: id, ...word, personId: ada });
    await confirmOutcome(fixture.deps, { tenant, ...again, personId: bola });
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED', operator_reason: null });
  });
});
