import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyOutcome, findPayout, type PayoutRecord, readOutcomeQueue, takeNotice } from '../../src/payouts/index.ts';
import { sendPayout } from '../../src/payouts/pipeline/call-payout.ts';
import { CLAIM_MS, claimPayouts } from '../../src/payouts/pipeline/claim-payouts.ts';
import { createFairSlots } from '../../src/payouts/pipeline/fair-slots.ts';
import { NotSentError } from '../../src/rails/index.ts';
import { createPayoutHouse, type Merchant, type PayoutHouse, payment, railsOf, untilQuiet } from './payout-house.ts';
import {
  answerOf,
  DECLINED,
  NO_FUNDS,
  NOT_FOUND,
  PAID,
  type ScriptedRail,
  scriptedRail,
  UNKNOWN,
} from './scripted-rail.ts';

let house: PayoutHouse;
let first: ScriptedRail;
let second: ScriptedRail;

// Each on a house of its own: a payout that one test leaves open is nothing to the next.
beforeEach(async () => {
  first = scriptedRail('first');
  second = scriptedRail('second');
  house = await createPayoutHouse({ rails: railsOf(first.caller, second.caller) });
});
afterEach(() => house.close());

async function pay(merchant: Merchant): Promise<PayoutRecord> {
  const reply = await merchant.call('POST', '/payout/single', payment());
  expect(reply.status).toBe(200);
  return payoutOf(merchant, reply.body.data.transactionId);
}

async function payoutOf(merchant: Merchant, id: string): Promise<PayoutRecord> {
  const [payout] = await house.database.query(findPayout, [merchant.merchantId, 'SANDBOX', id]);
  return payout!;
}

async function attemptsOf(payout: PayoutRecord): Promise<string[]> {
  const { rows } = await house.database.pool.query(
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

describe('a second rail takes over', () => {
  it('from a first that certainly was not asked, under the same reference, and the evidence shows both', async () => {
    const merchant = await house.addMerchant();
    first.rail.send = () => Promise.reject(new NotSentError('no recipient', { answered: true }));
    const payout = await pay(merchant);
    await house.worker.runOnce();
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

  it('from a first that definitely refused for a reason of its own, once, while the money stays held', async () => {
    const merchant = await house.addMerchant();
    first.send = NO_FUNDS;
    second.send = UNKNOWN;
    const payout = await pay(merchant);
    await house.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({
      status: 'PROCESSING',
      rail: 'second',
      refused_by: 'first',
    });
    expect(await heldMinor(merchant)).toBe(payout.amount_minor + payout.charges_minor);
    second.query = NO_FUNDS;
    house.clock.advance(10_000);
    await house.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'FAILED', reason: 'RAIL_FUNDS_INSUFFICIENT' });
    expect(await heldMinor(merchant)).toBe(0n);
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
    expect(await attemptsOf(payout)).toEqual(['SEND first failed', 'SEND second unknown', 'QUERY second failed']);
  });

  it('once, though a third would be there', async () => {
    const third = scriptedRail('third');
    const own = await createPayoutHouse({ rails: railsOf(first.caller, second.caller, third.caller) });
    const merchant = await own.addMerchant();
    first.send = NO_FUNDS;
    second.send = NO_FUNDS;
    const reply = await merchant.call('POST', '/payout/single', payment());
    await own.worker.runOnce();
    const { body } = await merchant.call('GET', `/transaction/${reply.body.data.transactionId}/evidence`);
    expect(body.data).toMatchObject({ transaction: { status: 'FAILED' }, rail: 'second', refusedByRail: 'first' });
    expect(third.sends).toEqual([]);
    await own.close();
  });

  it('also where the refusal comes by a notice, while a worker is asking the first', async () => {
    const merchant = await house.addMerchant();
    first.send = UNKNOWN;
    const payout = await pay(merchant);
    await house.worker.runOnce();
    house.clock.advance(10_000);
    const [asking] = await claimPayouts(house.deps, merchant.tenant, 1);
    expect(await takeNotice(house.deps, 'first', first.notice(payout, NO_FUNDS))).toBe('OPEN');
    await house.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    // The answer to the question that was under way: the first has nothing to say any more.
    const source = { attemptId: asking!.attemptId! };
    expect(await applyOutcome(house.deps, asking!.payout, answerOf(NO_FUNDS), source)).toBe('ALREADY_APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', operator_reason: null });
  });

  it('never after a refusal that lies with the beneficiary', async () => {
    const merchant = await house.addMerchant();
    first.send = DECLINED;
    const payout = await pay(merchant);
    await house.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'FAILED', reason: 'DO_NOT_HONOUR' });
    expect(second.sends).toEqual([]);
  });

  it('never from unknown, from a broken connection or from "not found"', async () => {
    const merchant = await house.addMerchant();
    for (const said of [UNKNOWN, new Error('ECONNRESET')]) {
      first.send = said;
      await pay(merchant);
      await house.worker.runOnce();
    }
    first.query = NOT_FOUND;
    await untilQuiet(house);
    expect(first.sends.length).toBeGreaterThan(2);
    expect(second.sends).toEqual([]);
  });

  it('never once the first may have been asked, even where a later call to it certainly did not leave', async () => {
    const merchant = await house.addMerchant();
    first.send = new Error('ECONNRESET');
    const payout = await pay(merchant);
    await house.worker.runOnce();
    first.rail.send = () => Promise.reject(new NotSentError('no recipient'));
    await untilQuiet(house);
    expect(second.sends).toEqual([]);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'first' });
  });

  it('not while its own circuit is open', async () => {
    const merchant = await house.addMerchant();
    second.circuit = 'open';
    first.rail.send = () => Promise.reject(new NotSentError('no recipient'));
    const waiting = await pay(merchant);
    await house.worker.runOnce();
    expect(await payoutOf(merchant, waiting.id)).toMatchObject({ status: 'PROCESSING', rail: 'first' });
    second.circuit = 'closed';
    for (let times = 0; times < 2; times += 1) {
      house.clock.advance(10_000);
      await house.worker.runOnce();
    }
    expect(await payoutOf(merchant, waiting.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
  });
});

describe('a kill', () => {
  it('between the refusal and the change of rails loses nothing: the first is asked again and says the same', async () => {
    const merchant = await house.addMerchant();
    first.send = NO_FUNDS;
    first.query = NO_FUNDS;
    const payout = await pay(merchant);
    const [claimed] = await claimPayouts(house.deps, merchant.tenant, 1);
    const gone = () => new Promise<never>(() => undefined);
    const killed = { ...house.deps, database: { ...house.deps.database, transaction: gone } };
    void sendPayout(killed, claimed!, createFairSlots());
    await expect.poll(() => first.sends.length).toBe(1);
    house.clock.advance(CLAIM_MS);
    await house.worker.runOnce();
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
  });

  it('after it, before the second is asked, leaves the payout to the second', async () => {
    const merchant = await house.addMerchant();
    first.send = NO_FUNDS;
    const payout = await pay(merchant);
    const [claimed] = await claimPayouts(house.deps, merchant.tenant, 1);
    await sendPayout(house.deps, claimed!, createFairSlots());
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'second', sent_at: null });
    await claimPayouts(house.deps, merchant.tenant, 1);
    house.clock.advance(CLAIM_MS);
    await untilQuiet(house);
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', rail: 'second' });
    expect([first.sends.length, second.sends.length]).toEqual([1, 1]);
  });
});

describe('the first rail, once it has lost a payout', () => {
  it('cannot end it any more, though its word was read before the change and written after it', async () => {
    const merchant = await house.addMerchant();
    first.send = NO_FUNDS;
    second.send = UNKNOWN;
    const payout = await pay(merchant);
    await house.worker.runOnce();
    const stale = { ...payout, status: 'PROCESSING' as const };
    expect(await applyOutcome(house.deps, stale, answerOf(DECLINED), { kind: 'NOTICE' })).toBe('ALREADY_APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'PROCESSING', rail: 'second' });
    expect(await heldMinor(merchant)).toBe(payout.amount_minor + payout.charges_minor);
  });

  it('and then says that it paid: kept as evidence, put before the operator, and nothing else', async () => {
    const merchant = await house.addMerchant();
    first.send = NO_FUNDS;
    const payout = await pay(merchant);
    await house.worker.runOnce();
    const before = await merchant.balance();
    expect(await takeNotice(house.deps, 'first', first.notice(payout, PAID))).toBe('REFUSED');
    expect(await merchant.balance()).toEqual(before);
    expect(await attemptsOf(payout)).toEqual(['SEND first failed', 'SEND second succeeded', 'NOTICE first succeeded']);
    const { rows: queue } = await readOutcomeQueue(house.database, { all: false }, { page: 1, size: 100 });
    const queued = queue.filter((entry) => entry.payout.id === payout.id);
    expect(queued).toMatchObject([{ payout: { operator_reason: 'RAIL_CONTRADICTS' } }]);
    // The operator looks into it and leaves it as it is.
    const now = await payoutOf(merchant, payout.id);
    const decided = { kind: 'OPERATOR', note: 'The rail took it back: letter of 3 May' } as const;
    expect(await applyOutcome(house.deps, now, answerOf(PAID), decided)).toBe('ALREADY_APPLIED');
    expect(await payoutOf(merchant, payout.id)).toMatchObject({ status: 'SUCCESS', operator_reason: null });
  });
});
