import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readOutcomeQueue } from '../../src/outcomes/read-outcomes.ts';
import { applyOutcome } from '../../src/payout-delivery/apply-outcome.ts';
import { sendPayout } from '../../src/payout-delivery/call-payout.ts';
import { createFairSlots } from '../../src/payout-delivery/fair-slots.ts';
import { leasePayouts, PAYOUT_LEASE_MS } from '../../src/payout-delivery/lease-payouts.ts';
import { takeProviderWebhook } from '../../src/payout-delivery/provider-webhooks.ts';
import { payoutDirectoryKeeper, searchPayouts } from '../../src/payout-directory/index.ts';
import { findPayout, type PayoutDeps, type PayoutRecord, sentTransferOf } from '../../src/payouts/index.ts';
import type { Alarm } from '../../src/platform/alarm.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { NotSentError } from '../../src/rails/index.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { stillClock } from '../support/clock.ts';
import {
  createPayoutFixture,
  type Merchant,
  type PayoutFixture,
  payment,
  railsOf,
  railsOfTest,
  untilQuiet,
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

let fixture: PayoutFixture;
let first: ScriptedRail;
let second: ScriptedRail;
/** The merchants' rails, first choice first. */
let rails: PayoutDeps['rails'];

beforeAll(async () => {
  fixture = await createPayoutFixture({ rails: railsOfTest(() => rails) });
});
beforeEach(() => {
  first = scriptedRail('first');
  second = scriptedRail('second');
  rails = railsOf(first.caller, second.caller);
});
// A payout that one test leaves open is nothing to the next one's rails.
afterEach(() => fixture.database.pool.query('update payouts set due_at = null where due_at is not null'));
afterAll(() => fixture.close());

async function pay(merchant: Merchant): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment());
  expect(reply.status).toBe(200);
  return payoutOf(merchant, reply.body.data.transactionId);
}

async function payoutOf(merchant: Merchant, id: string): Promise<PayoutRecord> {
  const [payout] = await fixture.database.query(findPayout, [merchant.merchantId, 'SANDBOX', id]);
  return payout!;
}

async function attemptsOf(payout: PayoutRecord): Promise<string[]> {
  const { rows } = await fixture.database.pool.query(
    'select kind, rail, outcome from payout_attempts where payout_id = $1 order by id',
    [payout.id],
  );
  return rows.map((row) => `${row.kind} ${row.rail} ${row.outcome ?? 'unanswered'}`);
}

/** Everything that was held is held, or nothing is. */
async function heldMinor(merchant: Merchant): Promise<bigint> {
  const { bookedMinor, availableMinor } = await merchant.balance();
  return bookedMinor - availableMinor;
}

describe('a payout that fails over to a second rail', () => {
  it('from a first that certainly was not asked, under the same reference, and the evidence shows both', async () => {
    const merchant = await fixture.addMerchant();
    first.rail.send = () => Promise.reject(new NotSentError('no recipient', { answered: true }));
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second', refused_by: null });
    expect(second.sends.map((send) => send.railReference)).toEqual([payout.rail_reference]);
    expect(await attemptsOf(payout)).toEqual(['SEND first unknown', 'SEND second succeeded']);
    const evidence = await merchant.call('GET', `/transaction/${payout.id}/evidence`);
    expect(evidence.body.data).toMatchObject({
      rail: 'second',
      nameEnquiry: { accountName: 'ADA OBI', bankCode: '058' },
      attempts: [
        { kind: 'SEND', rail: 'first', reason: 'RAIL_NOT_ASKED' },
        { kind: 'SEND', rail: 'second', outcome: 'succeeded' },
      ],
    });
  });

  it('is found by the operator at the rail that has it, while its outcome is unknown', async () => {
    const { database } = fixture;
    const jobs = createJobMonitor({ clock: stillClock(), logger: createLogger('silent') });
    const keepUp = () => payoutDirectoryKeeper({ database, clock: systemClock, jobs }, 'SANDBOX')();
    const merchant = await fixture.addMerchant();
    first.send = UNKNOWN;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    await keepUp();
    first.query = NO_FUNDS;
    second.send = UNKNOWN;
    fixture.clock.advance(10_000);
    await fixture.worker.runOnce();
    await keepUp();
    const foundAt = async (rail: string) => {
      const search = { rail, status: 'UNKNOWN' as const, merchantId: merchant.merchantId };
      const { rows } = await searchPayouts(database, search, { page: 1, size: 10 });
      return rows.map(({ payout_id }) => payout_id);
    };
    expect(await foundAt('first')).toEqual([]);
    expect(await foundAt('second')).toEqual([payout.id]);
  });

  it.each([
    ['to which no connection came about', { reason: 'RAIL_UNREACHABLE' }],
    [
      'which refused a step before the transfer, with a code',
      { reason: 'RECIPIENT_REFUSED', code: '422', answered: true },
    ],
  ])('from neither rail %s: the books are right while it waits', async (_label, options) => {
    const merchant = await fixture.addMerchant();
    for (const each of [first, second])
      each.rail.send = () => Promise.reject(new NotSentError('The recipient was not noted', options));
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING' });
    expect(await attemptsOf(payout)).toContain('SEND first unknown');
    // Other tests write calls by hand.
    const { checks } = await verifyBooks(fixture.database);
    expect(checks.filter(({ examples }) => examples.some(({ detail }) => detail.includes(payout.id)))).toEqual([]);
  });

  it('from a first that definitely refused for a reason of its own, once, while the money stays held', async () => {
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    second.send = UNKNOWN;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({
      status: 'PROCESSING',
      rail: 'second',
      refused_by: 'first',
    });
    expect(await heldMinor(merchant)).toBe(payout.amount_minor + payout.charges_minor);
    second.query = NO_FUNDS;
    fixture.clock.advance(10_000);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'FAILED', reason: 'RAIL_FUNDS_INSUFFICIENT' });
    expect(await heldMinor(merchant)).toBe(0n);
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
    expect(await attemptsOf(payout)).toEqual(['SEND first failed', 'SEND second unknown', 'QUERY second failed']);
  });

  it('once, though a third would be there', async () => {
    const third = scriptedRail('third');
    rails = railsOf(first.caller, second.caller, third.caller);
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    second.send = NO_FUNDS;
    const reply = await merchant.call('POST', '/payout/single', payment());
    await fixture.worker.runOnce();
    const { body } = await merchant.call('GET', `/transaction/${reply.body.data.transactionId}/evidence`);
    expect(body.data).toMatchObject({ transaction: { status: 'FAILED' }, rail: 'second', refusedByRail: 'first' });
    expect(third.sends).toEqual([]);
  });

  it('also where the refusal comes by a webhook, while a worker is asking the first', async () => {
    const merchant = await fixture.addMerchant();
    first.send = UNKNOWN;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    fixture.clock.advance(10_000);
    const [asking] = await leasePayouts(fixture.deps, merchant.tenant, 1);
    expect(await takeProviderWebhook(fixture.deps, 'first', first.providerWebhook(payout, NO_FUNDS))).toBe('OPEN');
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    // The answer to the question that was under way: the first has nothing to say any more.
    const source = { attempt: asking!.attempt! };
    expect(await applyOutcome(fixture.deps, asking!.payout, answerOf(NO_FUNDS), source)).toBe('ALREADY_APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', operator_reason: null });
  });

  it('never after a refusal that lies with the beneficiary', async () => {
    const merchant = await fixture.addMerchant();
    first.send = DECLINED;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'FAILED', reason: 'DO_NOT_HONOUR' });
    expect(second.sends).toEqual([]);
  });

  it('never from unknown, from a broken connection or from "not found"', async () => {
    const merchant = await fixture.addMerchant();
    for (const said of [UNKNOWN, new Error('ECONNRESET')]) {
      first.send = said;
      await pay(merchant);
      await fixture.worker.runOnce();
    }
    first.query = NOT_FOUND;
    await untilQuiet(fixture, merchant);
    expect(first.sends.length).toBeGreaterThan(2);
    expect(second.sends).toEqual([]);
  });

  it('never once the first may have been asked, even where a later call to it certainly did not leave', async () => {
    const merchant = await fixture.addMerchant();
    first.send = new Error('ECONNRESET');
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    first.rail.send = () => Promise.reject(new NotSentError('no recipient'));
    await untilQuiet(fixture, merchant);
    expect(second.sends).toEqual([]);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'first' });
  });

  it('never where its first said something of another transfer, though the refusal was read before that', async () => {
    const merchant = await fixture.addMerchant();
    first.send = UNKNOWN;
    const { id } = await pay(merchant);
    await fixture.worker.runOnce();
    const asked = await payoutOf(merchant, id);
    first.reports = { amountMinor: 1n };
    first.query = PAID;
    fixture.clock.advance(10_000);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, id)).toMatchObject({ operator_reason: 'RAIL_ANSWER_MISMATCH', rail: 'first' });
    const refused = answerOf(NO_FUNDS, reportOf(sentTransferOf(asked)));
    await applyOutcome(fixture.deps, asked, refused, { kind: 'PROVIDER_WEBHOOK' });
    await untilQuiet(fixture, merchant);
    expect(await payoutOf(merchant, id)).toMatchObject({ rail: 'first', refused_by: null });
    expect(second.sends).toEqual([]);
  });

  it('not while its own circuit is open', async () => {
    const merchant = await fixture.addMerchant();
    second.circuit = 'open';
    first.rail.send = () => Promise.reject(new NotSentError('no recipient'));
    const waiting = await pay(merchant);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, waiting.id)).toMatchObject({ status: 'PROCESSING', rail: 'first' });
    second.circuit = 'closed';
    for (let times = 0; times < 2; times += 1) {
      fixture.clock.advance(10_000);
      await fixture.worker.runOnce();
    }
    expect(await payoutOf(merchant, waiting.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
  });
});

describe('a kill', () => {
  it('between the refusal and the change of rails loses nothing: the first is asked again and says the same', async () => {
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    first.query = NO_FUNDS;
    const payout = await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 1);
    const gone = () => new Promise<never>(() => undefined);
    const killed = { ...fixture.deps, database: { ...fixture.deps.database, transaction: gone } };
    void sendPayout(killed, leased!, createFairSlots());
    await expect.poll(() => first.sends.length).toBe(1);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await fixture.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
  });

  it('after it, before the second is asked, leaves the payout to the second', async () => {
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    const payout = await pay(merchant);
    const [leased] = await leasePayouts(fixture.deps, merchant.tenant, 1);
    await sendPayout(fixture.deps, leased!, createFairSlots());
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'second', sent_at: null });
    await leasePayouts(fixture.deps, merchant.tenant, 1);
    fixture.clock.advance(PAYOUT_LEASE_MS);
    await untilQuiet(fixture, merchant);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
  });
});

describe('the first rail, once it has lost a payout', () => {
  it('cannot end it any more, though its word was read before the change and written after it', async () => {
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    second.send = UNKNOWN;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    const stale = { ...payout, status: 'PROCESSING' as const };
    expect(await applyOutcome(fixture.deps, stale, answerOf(DECLINED), { kind: 'PROVIDER_WEBHOOK' })).toBe(
      'ALREADY_APPLIED',
    );
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'second' });
    expect(await heldMinor(merchant)).toBe(payout.amount_minor + payout.charges_minor);
  });

  it('and then says that it paid: kept as evidence, put before the operator, and nothing else', async () => {
    const merchant = await fixture.addMerchant();
    first.send = NO_FUNDS;
    const payout = await pay(merchant);
    await fixture.worker.runOnce();
    const before = await merchant.balance();
    const alarms: Alarm[] = [];
    fixture.deps.onAlarm = (alarm) => void alarms.push(alarm);
    expect(await takeProviderWebhook(fixture.deps, 'first', first.providerWebhook(payout, PAID))).toBe('REFUSED');
    expect(alarms).toEqual([{ alarm: 'RAIL_CONTRADICTS', mode: 'SANDBOX', rail: 'first' }]);
    expect(await merchant.balance()).toEqual(before);
    expect(await attemptsOf(payout)).toEqual([
      'SEND first failed',
      'SEND second succeeded',
      'PROVIDER_WEBHOOK first succeeded',
    ]);
    const { rows: queue } = await readOutcomeQueue(fixture.database, 'OPERATOR', { page: 1, size: 100 });
    const queued = queue.filter((entry) => entry.payout.id === payout.id);
    expect(queued).toMatchObject([{ payout: { operator_reason: 'RAIL_CONTRADICTS' } }]);
    // The operator looks into it and leaves it as it is.
    const now = await payoutOf(merchant, payout.id);
    const decided = { kind: 'OPERATOR', note: 'The rail took it back: letter of 3 May' } as const;
    expect(await applyOutcome(fixture.deps, now, answerOf(PAID), decided)).toBe('ALREADY_APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', operator_reason: null });
  });
});
