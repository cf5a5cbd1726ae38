import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endCasesOver, makeFreeze } from '../../src/compliance/index.ts';
import type { Container } from '../../src/container.ts';
import { newId } from '../../src/platform/ids.ts';
import { sendDueRefunds } from '../../src/refunds/index.ts';
import { TEST_PIN } from '../support/base.ts';
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

const PAYER = FROM_ACCESS.payer.accountNumber;

/** A refund whose bank wants the payer's account, and what gives it. */
async function waiting() {
  const merchant = await fixture.addMerchant();
  const paymentId = await merchant.pay(1_000, FROM_ACCESS);
  const { body } = await merchant.refund(paymentId, {}, { 'x-sandbox-scenario': 'refund-needs-details' });
  const refundId: string = body.data.refundId;
  await fixture.work();
  expect((await merchant.read(refundId)).status).toBe('NEEDS_DETAILS');
  const give = (more: object = {}, headers: Record<string, string> = {}) =>
    merchant.call(
      'POST',
      `/collection/refund/${refundId}/details`,
      { pin: TEST_PIN, bankCode: '044', accountNumber: PAYER, ...more },
      headers,
    );
  return { merchant, paymentId, refundId, give };
}

/** The bank's own book of the refund, and how often it was given an account. */
async function atTheBank(refundId: string) {
  const asked = 'select account_number from sandbox_refunds where reference = $1';
  const given = `select count(*)::int as given from refund_attempts where refund_id = $1 and kind = 'DETAILS'`;
  const [book, calls] = await Promise.all([
    fixture.database.pool.query(asked, [refundId.replaceAll('-', '')]),
    fixture.database.pool.query(given, [refundId]),
  ]);
  return { accounts: book.rows.map(({ account_number }) => account_number), given: calls.rows[0].given };
}

describe('the payer’s account of a refund that needs it', () => {
  it('is taken once, however many give it at once in two processes, and the refund goes on once', async () => {
    const { merchant, refundId, give } = await waiting();
    const replies = await Promise.all(Array.from({ length: 8 }, () => give()));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of replies) {
      if (status !== 200) expect(body.code).toBe('REFUND_NEEDS_NO_DETAILS');
    }
    const workers = [fixture.container, fixture.another(), fixture.another()];
    await Promise.all(workers.map((deps) => sendDueRefunds(deps, 'SANDBOX')));
    await fixture.work(60);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS', account: { accountNumber: PAYER } });
    expect(await atTheBank(refundId)).toEqual({ accounts: [PAYER], given: 1 });
    expect((await merchant.balance()).booked).toBe(0);
  });

  it('is given once under one Idempotency-Key, and its answer again to anyone who repeats it', async () => {
    const { merchant, refundId, give } = await waiting();
    const key = { 'idempotency-key': newId() };
    const first = await give({}, key);
    expect(first.status, first.text).toBe(200);
    await fixture.work(60);
    const again = await give({}, key);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await give({ accountNumber: '0123456780' }, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await give()).body.code).toBe('REFUND_NEEDS_NO_DETAILS');
    expect((await merchant.read(refundId)).status).toBe('SUCCESS');
    expect((await atTheBank(refundId)).given).toBe(1);
  });

  it('is refused in every other state, of another merchant’s refund, and with a wrong PIN', async () => {
    const { merchant, paymentId, refundId, give } = await waiting();
    const other = await fixture.addMerchant();
    const account = { pin: TEST_PIN, bankCode: '044', accountNumber: PAYER };
    const stranger = await other.call('POST', `/collection/refund/${refundId}/details`, account);
    expect([stranger.status, stranger.body.code]).toEqual([404, 'REFUND_NOT_FOUND']);
    expect((await give({ pin: '0000' })).body.code).toBe('PIN_INVALID');
    expect((await merchant.read(refundId)).status).toBe('NEEDS_DETAILS');
    expect((await give()).status).toBe(200);
    await fixture.work(60);
    for (const scenario of ['refund-success', 'refund-refused', 'refund-pending-forever']) {
      const paid = await merchant.pay(100, FROM_ACCESS);
      const { body } = await merchant.refund(paid, {}, { 'x-sandbox-scenario': scenario });
      await fixture.work();
      const late = await merchant.call('POST', `/collection/refund/${body.data.refundId}/details`, account);
      expect([late.status, late.body.code]).toEqual([409, 'REFUND_NEEDS_NO_DETAILS']);
    }
    expect((await merchant.left(paymentId)).refundedAmount).toBe(1_000);
  });

  it('is not given to its provider while the merchant is suspended, and is once that is over', async () => {
    const { merchant, refundId, give } = await waiting();
    expect((await give()).status).toBe(200);
    const become = (status: string) =>
      fixture.database.pool.query('update merchants set status = $2 where id = $1', [merchant.merchantId, status]);
    await become('SUSPENDED');
    fixture.clock.advance(3_000);
    await fixture.work(60);
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 0 });
    expect((await atTheBank(refundId)).accounts).toEqual([null]);
    await become('ACTIVE');
    fixture.clock.advance(6 * 60_000);
    await fixture.work(12);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is refused while something keeps the refund from leaving, and is taken once that is over', async () => {
    const { paymentId, refundId, merchant, give } = await waiting();
    const why = { reason: 'A bank reported a fraud', legalBasis: 'Order 41/2026', owner: 'Compliance desk' };
    const endsAt = new Date(fixture.clock.now().getTime() + 60_000);
    const personId = await addPerson(fixture, { kind: 'OPERATOR', email: `${newId()}@desk.example` });
    const frozen = { subject: 'REFERENCE' as const, reference: paymentId, mode: 'SANDBOX' as const, personId };
    await makeFreeze(fixture.container, { ...frozen, ...why, endsAt });
    const reply = await give();
    expect([reply.status, reply.body.code]).toEqual([422, 'PAYOUT_NOT_POSSIBLE']);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'NEEDS_DETAILS', account: null });
    fixture.clock.advance(60_000);
    await endCasesOver(fixture.container);
    expect((await give()).status).toBe(200);
  });

  it('is refused where it is somebody else’s, or nobody’s, and what is held stays held', async () => {
    const { merchant, refundId, give } = await waiting();
    expect((await give({ accountNumber: '0123456789' })).body.code).toBe('REFUND_ACCOUNT_OF_OTHERS');

    expect((await give({ bankCode: '998' })).body.code).toBe('BANK_NOT_FOUND');
    expect(await merchant.read(refundId)).toMatchObject({ status: 'NEEDS_DETAILS', account: null });
    expect(await merchant.balance()).toEqual({ booked: 100_000, available: 0 });
  });

  it('arrives once where the worker that gives it is killed before or after the bank has it', async () => {
    for (const dies of ['before', 'after'] as const) {
      const { merchant, refundId, give } = await waiting();
      expect((await give()).status).toBe(200);
      let isDead = false;
      const doomed: Container = {
        ...fixture.container,
        rails: {
          ...fixture.container.rails,
          async findRail(mode, name) {
            const rail = await fixture.container.rails.findRail(mode, name);
            const refunds = rail?.wallets?.refunds;
            if (rail?.wallets === undefined || refunds === undefined) return rail;
            const killed = {
              ...refunds,
              async giveDetails(...asked: Parameters<typeof refunds.giveDetails>) {
                if (dies === 'after') await refunds.giveDetails(...asked);
                isDead = true;
                return new Promise<never>(() => undefined);
              },
            };
            return { ...rail, wallets: { ...rail.wallets, refunds: killed } };
          },
        },
      };
      void sendDueRefunds(doomed, 'SANDBOX');
      await expect.poll(() => isDead, { interval: 1 }).toBe(true);
      fixture.clock.advance(61_000);
      await fixture.work(120);
      expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
      expect((await atTheBank(refundId)).accounts).toEqual([PAYER]);
      expect((await merchant.balance()).booked).toBe(0);
    }
  });
});
