import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endCasesOver, makeFreeze, type NewFreeze } from '../../src/compliance/index.ts';
import { setRefundsEnabled } from '../../src/merchants/index.ts';
import { newId } from '../../src/platform/ids.ts';
import { brokenIn, verifyAfter } from '../ledger/corruption.ts';
import { TEST_PIN } from '../support/base.ts';
import { inBetween } from '../support/in-between.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, FROM_ACCESS, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;

beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

/** Of nobody else: who has it follows from its digits at the simulated bank. */
const PAYER = '0690000031';
const scenario = (name: string) => ({ 'x-sandbox-scenario': name });

describe('a refund by the provider', () => {
  it('whose first call could not begin in time is sent by a later one, once, and the proof holds', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const { refundId } = (await merchant.refund(paymentId, { amount: 400 })).body.data;
    const { database, during } = inBetween(fixture.database);
    let found = 0;
    await during(
      async (name) => {
        if (name !== 'find-inbound-payment') return;
        found += 1;
        // The first is before the lease.
        if (found === 2) fixture.clock.advance(25_000);
      },
      () => fixture.work(60, { ...fixture.container, database }),
    );
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    const { rows } = await fixture.database.pool.query(
      `select kind, outcome, reason from refund_attempts where refund_id = $1 order by id`,
      [refundId],
    );
    expect(rows).toEqual([
      { kind: 'SEND', outcome: 'unknown', reason: 'RAIL_BUSY' },
      { kind: 'SEND', outcome: 'succeeded', reason: null },
    ]);
    expect(await brokenChecks(fixture.database)).toEqual([]);
  });

  it('holds its amount first, and takes it once the provider has sent it', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const asked = await merchant.refund(paymentId, {
      amount: 400.5,
      note: 'Order 12 was cancelled',
      reference: '0000123456789012',
    });
    expect(asked.status, asked.text).toBe(200);
    expect(asked.body.data).toMatchObject({ status: 'QUEUED', way: 'PROVIDER', amount: 400.5, conclusive: false });
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 59_950 });
    expect(await merchant.left(paymentId)).toEqual({
      refundedAmount: 0,
      pendingAmount: 400.5,
      refundableAmount: 599.5,
    });
    await fixture.work();
    expect(await merchant.read(asked.body.data.refundId)).toMatchObject({ status: 'SUCCESS', conclusive: true });
    expect(await merchant.balance()).toEqual({ booked: 59_950, available: 59_950 });
    const columns = 'refundId,amount,status,way,paymentId,note,reference';
    const file = await merchant.call('GET', `/collection/refund.csv?columns=${columns}`);
    expect(parse(file.text, { bom: true }).slice(1)).toEqual([
      [
        asked.body.data.refundId,
        '400.50',
        'SUCCESS',
        'PROVIDER',
        paymentId,
        'Order 12 was cancelled',
        '="0000123456789012"',
      ],
    ]);
    expect(await merchant.left(paymentId)).toEqual({
      refundedAmount: 400.5,
      pendingAmount: 0,
      refundableAmount: 599.5,
    });
  });

  it.each([
    ['PROVIDER', 89],
    ['PAYOUT', 92],
  ])('by way %s names its payer in whole characters, and the proof can read it', async (way, letters) => {
    const merchant = await fixture.addMerchant();
    const name = `${'N'.repeat(letters)}${'😀'.repeat(100 - letters)}`;
    const paymentId = await merchant.pay(1_000, { payer: { ...FROM_ACCESS.payer, name } });
    await merchant.pay(500);
    const { refundId } = (await merchant.refund(paymentId, { way })).body.data;
    await fixture.work();
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    expect(await brokenChecks(fixture.database)).toEqual([]);
  });

  it.each([
    ['refund-success', 'SUCCESS'],
    ['refund-pending-then-processed', 'SUCCESS'],
    ['refund-timeout-not-executed', 'SUCCESS'],
    ['refund-timeout-executed', 'SUCCESS'],
    ['refund-unlisted-status', 'SUCCESS'],
    ['refund-pending-then-failed', 'FAILED'],
    ['refund-refused', 'FAILED'],
    ['refund-pending-forever', 'PROCESSING'],
    ['refund-other-amount', 'PROCESSING'],
    ['refund-needs-details', 'NEEDS_DETAILS'],
  ])('that plays %s ends as %s, with the money where that says', async (name, status) => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const { body } = await merchant.refund(paymentId, {}, scenario(name));
    await fixture.work(180);
    expect((await merchant.read(body.data.refundId)).status).toBe(status);
    const booked = status === 'SUCCESS' ? 0 : 100_000;
    const available = status === 'FAILED' ? 100_000 : 0;
    expect(await merchant.balance()).toEqual({ booked, available });
    expect((await merchant.left(paymentId)).refundableAmount).toBe(status === 'FAILED' ? 1_000 : 0);
  });

  it('asks for the payer’s account where the bank wants it, takes only one in the payer’s name, and goes on with it', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000, { payer: { accountNumber: PAYER } });
    const { body } = await merchant.refund(paymentId, {}, scenario('refund-needs-details'));
    const { refundId } = body.data;
    const give = (accountNumber: string) =>
      merchant.call('POST', `/collection/refund/${refundId}/details`, {
        pin: TEST_PIN,
        bankCode: '044',
        accountNumber,
      });
    expect((await give(PAYER)).body.code).toBe('REFUND_NEEDS_NO_DETAILS');
    await fixture.work();
    expect((await give('0123456789')).body.code).toBe('REFUND_ACCOUNT_OF_OTHERS');
    expect((await give(PAYER)).body.data).toMatchObject({ status: 'PROCESSING', account: { accountNumber: PAYER } });
    await fixture.work();
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is refused while refunds are off, for a payment of others, and beyond what is left', async () => {
    const [merchant, other] = [await fixture.addMerchant(), await fixture.addMerchant()];
    const paymentId = await merchant.pay(1_000);
    const codeOf = async (asked: Promise<{ body: { code?: string } }>) => (await asked).body.code;
    expect(await codeOf(other.refund(paymentId))).toBe('INBOUND_PAYMENT_NOT_FOUND');
    expect(await codeOf(merchant.refund(paymentId, { pin: '0000' }))).toBe('PIN_INVALID');
    expect(await codeOf(merchant.refund(paymentId, { amount: 1_000.01 }))).toBe('PAYMENT_TAKEN_BACK');
    for (const amount of [0, -1, 0.001, 1e15, '5', null, Number.NaN]) {
      expect((await merchant.refund(paymentId, { amount })).status).toBe(400);
    }
    expect(await codeOf(merchant.refund(paymentId, { way: 'CASH' }))).toBe('VALIDATION_FAILED');
    expect(await codeOf(merchant.refund(paymentId, {}, scenario('refund-nonsense')))).toBe('VALIDATION_FAILED');
    await setRefundsEnabled({ queries: fixture.database }, { merchantId: merchant.merchantId, isEnabled: false });
    expect(await codeOf(merchant.refund(paymentId))).toBe('REFUNDS_NOT_ENABLED');
    await setRefundsEnabled({ queries: fixture.database }, { merchantId: merchant.merchantId, isEnabled: true });
    expect((await merchant.refund(paymentId)).status).toBe(200);
    expect(await codeOf(merchant.refund(paymentId, { allowDuplicate: true }))).toBe('PAYMENT_TAKEN_BACK');
    expect(await merchant.list()).toHaveLength(1);
  });

  it('is a slip the second time within the window, unless it is meant twice, and a reference is used once for ever', async () => {
    const merchant = await fixture.addMerchant();
    await fixture.duplicateWindow(120);
    const paymentId = await merchant.pay(1_000);
    expect((await merchant.refund(paymentId, { amount: 100, reference: 'A' })).status).toBe(200);
    expect((await merchant.refund(paymentId, { amount: 100 })).body.code).toBe('REFUND_DUPLICATE');
    expect((await merchant.refund(paymentId, { amount: 101, reference: 'A' })).body.code).toBe(
      'REFUND_REFERENCE_TAKEN',
    );
    expect((await merchant.refund(paymentId, { amount: 100, allowDuplicate: true })).status).toBe(200);
    fixture.clock.advance(121_000);
    expect((await merchant.refund(paymentId, { amount: 100 })).status).toBe(200);
    await fixture.duplicateWindow(0);
  });

  it('counts against the day’s limit of what leaves, and gives its part free where it fails', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    await fixture.dayLimit(merchant.merchantId, 500_00n);
    expect((await merchant.refund(paymentId, { amount: 500.01 })).body.code).toBe('DAILY_LIMIT_EXCEEDED');
    expect((await merchant.refund(paymentId, { amount: 400 }, scenario('refund-refused'))).status).toBe(200);
    expect((await merchant.refund(paymentId, { amount: 200 })).body.code).toBe('DAILY_LIMIT_EXCEEDED');
    await fixture.work();
    expect((await merchant.refund(paymentId, { amount: 500 })).status).toBe(200);
  });

  it('is the same one under one Idempotency-Key, however many ask at once', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => merchant.refund(paymentId, { amount: 300 }, { 'idempotency-key': 'one' })),
    );
    expect(new Set(asked.map(({ body }) => body.data.refundId)).size).toBe(1);
    expect((await merchant.left(paymentId)).pendingAmount).toBe(300);
  });

  it('never comes to more than the payment, however many ask at once in two processes', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, at) => merchant.refund(paymentId, { amount: 70 + at / 100 })),
    );
    const taken = asked.filter(({ status }) => status === 200);
    expect(asked.filter(({ status }) => status !== 200).every(({ body }) => body.code === 'PAYMENT_TAKEN_BACK')).toBe(
      true,
    );
    expect(taken.length).toBe(14);
    await Promise.all([fixture.work(), fixture.work(30, fixture.another())]);
    expect((await merchant.list()).every(({ status }: { status: string }) => status === 'SUCCESS')).toBe(true);
    const { booked, available } = await merchant.balance();
    expect(booked).toBe(available);
    expect(booked).toBeLessThan(3_000);
  });
});

/** For an hour. */
async function freeze(given: Pick<NewFreeze, 'subject'> & Partial<NewFreeze>): Promise<void> {
  const personId = await addPerson(fixture, { kind: 'OPERATOR', email: `${newId()}@desk.example` });
  const why = { reason: 'A bank reported a fraud', legalBasis: 'Order 41/2026', owner: 'Compliance desk' };
  const endsAt = new Date(fixture.clock.now().getTime() + 60 * 60_000);
  await makeFreeze(fixture.container, { mode: 'SANDBOX', ...why, endsAt, personId, ...given });
}

describe('a refund under a freeze', () => {
  let numbers = 1_690_000_000;
  const subjects = ['MERCHANT', 'ACCOUNT', 'PAYER', 'REFERENCE'] as const;
  it.each(subjects.flatMap((subject) => [[subject, 'PROVIDER'] as const, [subject, 'PAYOUT'] as const]))(
    'of %s is not accepted, and one that was does not leave by %s until that is over',
    async (subject, leaves) => {
      const merchant = await fixture.addMerchant();
      const { merchantId } = merchant;
      const name = `Chidi ${newId()}`;
      numbers += 1;
      const accountNumber = String(numbers);
      const paymentId = await merchant.pay(1_000, { payer: { ...FROM_ACCESS.payer, name, accountNumber } });
      await merchant.pay(100);
      const { refundId } = (await merchant.refund(paymentId, { amount: 400, way: leaves })).body.data;
      const before = await merchant.balance();
      const of = { MERCHANT: { merchantId }, ACCOUNT: { bankCode: '044', accountNumber }, PAYER: { payerName: name } };
      await freeze({ subject, ...(subject === 'REFERENCE' ? { reference: paymentId } : of[subject]) });
      for (const way of ['PROVIDER', 'PAYOUT']) {
        expect((await merchant.refund(paymentId, { amount: 100, way })).body.code).toBe('PAYOUT_NOT_POSSIBLE');
      }
      await fixture.work(60);
      expect(await merchant.read(refundId)).toMatchObject({ status: 'QUEUED' });
      expect(await merchant.balance()).toEqual(before);
      fixture.clock.advance(60 * 60_000);
      await endCasesOver(fixture.container);
      await fixture.work(60);
      expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    },
  );
});

describe('a freeze of a payment, made while a refund of it is between its lease and its call', () => {
  it('keeps it here until that is over, and it goes then', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000, FROM_ACCESS);
    await merchant.pay(100);
    const { refundId } = (await merchant.refund(paymentId, { amount: 400, way: 'PAYOUT' })).body.data;
    const held = await merchant.balance();
    const { payoutGuard } = fixture.container;
    let isMade = false;
    const late = {
      ...payoutGuard,
      async isFrozen(payout: Parameters<typeof payoutGuard.isFrozen>[0]) {
        if (!isMade) await freeze({ subject: 'REFERENCE', reference: paymentId });
        isMade = true;
        return payoutGuard.isFrozen(payout);
      },
    };
    await fixture.work(6, { ...fixture.container, payoutGuard: late });
    await fixture.work(60);
    expect(isMade).toBe(true);
    expect((await merchant.read(refundId)).status).not.toBe('SUCCESS');
    expect(await merchant.balance()).toEqual(held);
    fixture.clock.advance(60 * 60_000);
    await endCasesOver(fixture.container);
    await fixture.work(60);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    expect((await merchant.balance()).booked).toBeLessThan(held.booked);
  });
});

describe('a refund that may have left, of a merchant that is suspended', () => {
  it('is asked about as any that is open, comes before the operator after a day, and is sent again only after that', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000);
    const { refundId } = (await merchant.refund(paymentId, {}, scenario('refund-timeout-not-executed'))).body.data;
    const become = (status: string) =>
      fixture.database.pool.query('update merchants set status = $2 where id = $1', [merchant.merchantId, status]);
    const calls = async (kind: string): Promise<number> => {
      const { rows } = await fixture.database.pool.query(
        'select count(*)::int as calls from refund_attempts where refund_id = $1 and kind = $2',
        [refundId, kind],
      );
      return rows[0].calls;
    };
    await fixture.work(6);
    expect(await calls('SEND')).toBe(1);
    await become('SUSPENDED');
    fixture.clock.advance(3_000);
    for (let hour = 0; hour < 25; hour += 1) {
      fixture.clock.advance(60 * 60_000);
      await fixture.work(6);
    }
    expect(await calls('QUERY')).toBeGreaterThan(15);
    expect(await calls('SEND')).toBe(1);
    const { rows } = await fixture.database.pool.query('select operator_reason from refunds where id = $1', [refundId]);
    expect(rows).toEqual([{ operator_reason: 'UNKNOWN_TOO_LONG' }]);
    await become('ACTIVE');
    fixture.clock.advance(2 * 60 * 60_000);
    await fixture.work(12);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    expect(await calls('SEND')).toBe(2);
  });
});

describe('the proof', () => {
  it('finds a refund that was sent under a freeze', async () => {
    const sent = `select r.merchant_id, r.mode, a.started_at from refund_attempts a
        join refunds r on r.merchant_id = a.merchant_id and r.mode = a.mode and r.id = a.refund_id
        join inbound_payments p on p.merchant_id = r.merchant_id and p.mode = r.mode and p.id = r.payment_id
       where a.kind = 'SEND' and a.started_at > p.confirmed_at order by a.started_at desc limit 1`;
    const frozen = `insert into freezes select gen_random_uuid(), mode, 'MERCHANT', null, null, null, null, null, merchant_id,
        'r', 'l', 'o', started_at, started_at, null, gen_random_uuid(), started_at, null, null, '' from (${sent}) sent`;
    expect(brokenIn(await verifyAfter(fixture.database, [frozen]))).toContain('freezes-let-nothing-through');
  });

  it('finds a refund that was sent by a payout under a freeze of its payment', async () => {
    const sent = `select r.mode, r.payment_id, a.started_at from payout_attempts a
        join refunds r on r.merchant_id = a.merchant_id and r.mode = a.mode and r.payout_id = a.payout_id
        join inbound_payments p on p.merchant_id = r.merchant_id and p.mode = r.mode and p.id = r.payment_id
       where a.kind = 'SEND' and a.started_at > p.confirmed_at order by a.started_at desc limit 1`;
    const frozen = `insert into freezes select gen_random_uuid(), mode, 'REFERENCE', null, null, null, null, payment_id::text, null,
        'r', 'l', 'o', started_at, started_at, null, gen_random_uuid(), started_at, null, null, '' from (${sent}) sent`;
    const wrong = (await verifyAfter(fixture.database, [frozen])).checks.filter(({ ok }) => !ok);
    expect(JSON.stringify(wrong)).toContain('was sent by payout');
  });
});

describe('a refund by a payout', () => {
  it('is a payout to the account that the payment came from, and ends as that does', async () => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000, FROM_ACCESS);
    await merchant.pay(500);
    const asked = await merchant.refund(paymentId, { amount: 600, way: 'PAYOUT', reference: 'P-1' });
    expect(asked.body.data, asked.text).toMatchObject({ way: 'PAYOUT', status: 'QUEUED', amount: 600 });
    await fixture.work();
    const refund = await merchant.read(asked.body.data.refundId);
    expect(refund).toMatchObject({ status: 'SUCCESS', payoutTransactionId: expect.any(String) });
    expect((await merchant.left(paymentId)).refundableAmount).toBe(400);
  });

  it('asks for the account where a payment came from a microfinance bank that is called as a commercial one is', async () => {
    const merchant = await fixture.addMerchant();
    const refunded = async (bankName: string) => {
      const paymentId = await merchant.pay(1_000, { payer: { accountNumber: '0690000031', bankName } });
      return (await merchant.refund(paymentId, { amount: 100, way: 'PAYOUT' })).body.code;
    };
    expect(await refunded('FCMB MFB')).toBe('REFUND_ACCOUNT_NEEDED');
    expect(await refunded('FCMB')).toBeUndefined();
    expect(await refunded('Kuda MFB')).toBeUndefined();
  });

  it.each([
    ['failed-do-not-honour', 'FAILED', 'ACCOUNT'],
    ['late-reversal', 'FAILED', 'PAYOUT_REVERSED'],
    ['pending-then-success', 'SUCCESS', null],
  ])('whose payout plays %s is %s, and what did not arrive may be refunded again', async (name, status, reason) => {
    const merchant = await fixture.addMerchant();
    const paymentId = await merchant.pay(1_000, FROM_ACCESS);
    await merchant.pay(500);
    const { body } = await merchant.refund(paymentId, { way: 'PAYOUT' }, scenario(name));
    await fixture.work(60);
    for (let at = 0; at < 3; at += 1) await fixture.container.sandbox.deliverAllDueWebhooks(fixture.container.jobs);
    await fixture.work(60);
    const refund = await merchant.read(body.data.refundId);
    expect(refund.status).toBe(status);
    if (reason === 'PAYOUT_REVERSED') expect(refund.reason).toBe(reason);
    expect((await merchant.left(paymentId)).refundableAmount).toBe(status === 'SUCCESS' ? 0 : 1_000);
  });
});
