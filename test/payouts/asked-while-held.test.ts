import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmCompliance, endCasesOver, makeFreeze, proposeLift } from '../../src/compliance/index.ts';
import type { Container } from '../../src/container.ts';
import { PUT_OFF_MS } from '../../src/payout-delivery/lease-payouts.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, railsOf } from './payout-fixture.ts';
import { DECLINED, NOT_FOUND, PAID, scriptedRail, UNKNOWN } from './scripted-rail.ts';

const rail = scriptedRail('deaf');
let fixture: PayoutFixture;
let deps: Container;
let ada: string;
let bola: string;

beforeAll(async () => {
  fixture = await createPayoutFixture({ rails: railsOf(rail.caller) });
  deps = fixture.deps as Container;
  ada = await addPerson(fixture, { kind: 'OPERATOR', email: 'ada@manilla.example' });
  bola = await addPerson(fixture, { kind: 'OPERATOR', email: 'bola@manilla.example' });
});
beforeEach(() => {
  Object.assign(rail, { send: UNKNOWN, query: NOT_FOUND, circuit: 'closed' });
  rail.sends.length = 0;
  rail.queries.length = 0;
});
afterAll(async () => {
  expect((await brokenChecks(fixture.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await fixture.close();
});

async function setStatus({ tenant }: Merchant, status: 'SUSPENDED' | 'ACTIVE'): Promise<void> {
  await fixture.database.pool.query('update merchants set status = $1 where id = $2', [status, tenant.merchantId]);
  fixture.clock.advance(1_000);
}

/** Each keeps a payout from being sent. @returns what ends it. */
const HOLDS = {
  'its merchant is suspended': async (merchant: Merchant) => {
    await setStatus(merchant, 'SUSPENDED');
    return () => setStatus(merchant, 'ACTIVE');
  },
  'its account is frozen': async (_merchant: Merchant, accountNumber: string) => {
    const { id: freezeId } = await makeFreeze(deps, {
      ...{ mode: 'SANDBOX', subject: 'ACCOUNT', bankCode: '058', accountNumber, personId: ada, endsAt: null },
      ...{ reason: 'A bank reported a fraud', legalBasis: 'Order FHC/L/CS/41/2026', owner: 'Compliance desk' },
    });
    return async () => {
      const proposed = await proposeLift(deps, { freezeId, note: 'The court lifted its order', personId: ada });
      await confirmCompliance(deps, { ...proposed, personId: bola });
      await endCasesOver(deps);
    };
  },
} as const;

let accounts = 3_000_000_000;

/** A payout whose send had no outcome. */
async function sent(merchant: Merchant): Promise<{ id: string; accountNumber: string }> {
  accounts += 1;
  const accountNumber = String(accounts);
  const made = await merchant.call('POST', '/payout/single', payment({ accountNumber }));
  await fixture.worker.runOnce();
  expect(rail.sends).toHaveLength(1);
  return { id: made.body.data.transactionId, accountNumber };
}

async function minutesPass(minutes: number, eachMinutes = 5): Promise<void> {
  for (let passed = 0; passed < minutes; passed += eachMinutes) {
    fixture.clock.advance(eachMinutes * 60_000);
    await fixture.worker.runOnce();
  }
}

async function stateOf(id: string) {
  const { rows } = await fixture.database.pool.query(
    `select t.status, p.operator_reason
       from payouts p join transactions t on t.merchant_id = p.merchant_id and t.mode = p.mode and t.id = p.id
      where p.id = $1`,
    [id],
  );
  return rows[0];
}

describe.each(Object.entries(HOLDS))('a payout that may have left, while %s', (_name, hold) => {
  it('is asked about as any that is open, is not sent again, and ends as its rail says', async () => {
    const merchant = await fixture.addMerchant();
    const { id, accountNumber } = await sent(merchant);
    await hold(merchant, accountNumber);
    await minutesPass(60);
    const asked = rail.queries.length;
    expect(asked).toBeGreaterThan(3);
    await minutesPass(240, 30);
    expect(rail.queries.length).toBeGreaterThan(asked + 2);
    expect(rail.sends).toHaveLength(1);
    rail.query = PAID;
    await minutesPass(60, 30);
    expect(await stateOf(id)).toEqual({ status: 'SUCCESS', operator_reason: null });
    expect(rail.sends).toHaveLength(1);
  });

  it('comes before the operator when a day has passed without an outcome', async () => {
    const merchant = await fixture.addMerchant();
    const { id, accountNumber } = await sent(merchant);
    await hold(merchant, accountNumber);
    await minutesPass(25 * 60, 60);
    expect(await stateOf(id)).toEqual({ status: 'PROCESSING', operator_reason: 'UNKNOWN_TOO_LONG' });
    rail.query = DECLINED;
    await minutesPass(120, 60);
    expect(await stateOf(id)).toEqual({ status: 'FAILED', operator_reason: null });
  });

  it('is asked about once more when that ends, before it is sent again', async () => {
    const merchant = await fixture.addMerchant();
    const { id, accountNumber } = await sent(merchant);
    const end = await hold(merchant, accountNumber);
    await minutesPass(30);
    const asked = rail.queries.length;
    await end();
    rail.send = PAID;
    await minutesPass(60, 30);
    expect(rail.queries.length).toBeGreaterThan(asked);
    expect(rail.sends).toHaveLength(2);
    expect(new Set(rail.sends.map(({ railReference }) => railReference)).size).toBe(1);
    expect(await stateOf(id)).toEqual({ status: 'SUCCESS', operator_reason: null });
  });
});

it('a payout that may have left is no longer under review once its freeze is over, also where its rail says nothing', async () => {
  const merchant = await fixture.addMerchant();
  const { id, accountNumber } = await sent(merchant);
  const end = await HOLDS['its account is frozen'](merchant, accountNumber);
  await minutesPass(30);
  expect(await stateOf(id)).toEqual({ status: 'PROCESSING', operator_reason: 'UNDER_REVIEW' });
  rail.query = UNKNOWN;
  await minutesPass(15);
  expect(await stateOf(id)).toEqual({ status: 'PROCESSING', operator_reason: 'UNDER_REVIEW' });
  await end();
  await fixture.worker.runOnce();
  expect(await stateOf(id)).toEqual({ status: 'PROCESSING', operator_reason: null });
  rail.query = DECLINED;
  await minutesPass(120, 60);
});

it('a payout that may have left and whose rail takes no more calls is asked about before it is sent again', async () => {
  const merchant = await fixture.addMerchant();
  const { id } = await sent(merchant);
  fixture.clock.advance(PUT_OFF_MS);
  const findRail = deps.rails.findRail;
  // It is found lost, and the next call cannot be made.
  const shut: typeof findRail = async (mode, name) => {
    const found = await findRail(mode, name);
    return found && { ...found, send: async () => ({ ...NOT_MADE, at: fixture.clock.now() }) };
  };
  deps.rails.findRail = shut;
  await minutesPass(60, 30);
  deps.rails.findRail = findRail;
  expect(rail.sends).toHaveLength(1);
  rail.query = PAID;
  await minutesPass(60, 30);
  expect(rail.sends).toHaveLength(1);
  expect(await stateOf(id)).toEqual({ status: 'SUCCESS', operator_reason: null });
});

it('a payout that may have left is not ended where its payee turns out to be paid before: its rail says what became of it', async () => {
  const merchant = await fixture.addMerchant();
  const { id } = await sent(merchant);
  const { isPaidBefore } = fixture.deps;
  // Nothing is known of that when its rail has not heard of it, and it is when it is about to be sent again.
  const known = [false];
  fixture.deps.isPaidBefore = async () => known.shift() ?? true;
  await minutesPass(5);
  expect(known).toEqual([]);
  expect(await stateOf(id)).toEqual({ status: 'PROCESSING', operator_reason: null });
  rail.query = PAID;
  await minutesPass(60, 30);
  fixture.deps.isPaidBefore = isPaidBefore;
  expect(rail.sends).toHaveLength(1);
  expect(await stateOf(id)).toEqual({ status: 'SUCCESS', operator_reason: null });
});

const NOT_MADE = {
  outcome: 'unknown',
  code: null,
  reason: 'RAIL_UNAVAILABLE',
  message: 'The rail takes no calls',
  sessionId: null,
  reported: { railReference: null, amountMinor: null, currency: null, accountNumber: null, bankCode: null },
  sent: false,
} as const;
