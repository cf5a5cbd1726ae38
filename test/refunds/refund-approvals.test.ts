import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import {
  approve,
  type Business,
  balanceOf,
  business,
  callWith,
  createTestApp,
  expectBooksRight,
  payment,
  reject,
  type TestApp,
} from '../approvals/approval-fixture.ts';
import { TEST_PIN } from '../support/base.ts';
import { letStand, saysPaid } from '../support/contradicted.ts';
import { bearer, issueKey, rowsOf } from '../support/world.ts';

let t: TestApp;
let shop: Business;

beforeAll(async () => {
  t = await createTestApp();
  shop = await business(t);
});
afterAll(async () => {
  await expectBooksRight(t);
  await t.close();
});

async function paid(amount: number, scenario?: string): Promise<string> {
  const { byKey, merchant } = shop;
  const { body } = await byKey('GET', `/wallet/${merchant.walletId}/account`);
  const { accountNumber } = body.data.accounts[0];
  const payer = { accountNumber: '0690000031', bankName: 'Access Bank' };
  await byKey('POST', '/sandbox/collection/pay', { accountNumber, amount, payer, scenario });
  await t.app.worker.runOnce();
  const [payment] = (await byKey('GET', '/collection/payment')).body.data.records;
  return payment.paymentId;
}

const refundOf = async (refundId: string) =>
  (await shop.byKey('GET', `/collection/refund/${refundId}`)).body.data.refund;
const hasEnded = (refundId: string, status: string) => async () => (await refundOf(refundId)).status === status;

/** Workers do what is due, and time passes, until this is so. */
async function work(until: () => Promise<boolean>, pauseMs = 6_000): Promise<void> {
  for (let round = 0; round < 100 && !(await until()); round += 1) {
    await t.app.worker.runOnce();
    t.clock.advance(pauseMs);
  }
  expect(await until()).toBe(true);
}

describe('a refund by rule', () => {
  it('asks for no approval of its own: a person who may change the rules of approval approved it with the rule', async () => {
    const set = (who: Business['owner'], pin = TEST_PIN) =>
      who.call('PATCH', '/collection/refund/rule', { late: 'PROVIDER', pin });
    expect((await set(shop.maker)).body.code).toBe('PERMISSION_NOT_GRANTED');
    expect((await set(shop.ann)).body.code).toBe('PERMISSION_NOT_GRANTED');
    const byKey = await shop.byKey('PATCH', '/collection/refund/rule', { late: 'PROVIDER', pin: TEST_PIN });
    expect(byKey.status).toBe(403);
    expect((await set(shop.owner, '0000')).body.code).toBe('PIN_INVALID');
    const saved = await set(shop.owner);
    expect(saved.body.data, saved.text).toMatchObject({
      version: 1,
      late: 'PROVIDER',
      excess: 'OFF',
      changedBy: 'OWNER',
    });
    expect((await shop.byKey('GET', '/collection/refund/rule')).body.data).toEqual(saved.body.data);

    const customer = { name: 'Ada Obi', email: 'ada@example.com' };
    const { sessionId, accounts } = (await shop.byKey('POST', '/collection/session', { amount: 700, customer })).body
      .data;
    await shop.byKey('POST', `/collection/session/${sessionId}/cancel`);
    const { accountNumber } = accounts[0];
    await shop.byKey('POST', '/sandbox/collection/pay', { accountNumber, amount: 700 });
    for (let at = 0; at < 4; at += 1) {
      await t.app.worker.runOnce();
      t.clock.advance(6_000);
    }
    const [refund] = (await shop.byKey('GET', '/collection/refund')).body.data.records;
    expect(refund).toMatchObject({ cause: 'LATE', amount: 700, status: 'SUCCESS', approvalId: null });
    t.clock.advance(20 * 60_000);
    expect((await set(shop.owner)).body.code).toBe('STEP_UP_REQUIRED');
  });
});

describe('a refund that needs an approval', () => {
  it.each([
    ['PROVIDER', 'REFUND'],
    ['PAYOUT', 'PAYOUT'],
  ])(
    'by %s is held, leaves only after another person has said yes, and is free again after a no',
    async (way, kind) => {
      const paymentId = await paid(2_000);
      const before = await balanceOf(shop);
      const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, {
        pin: TEST_PIN,
        amount: 500,
        way,
      });
      expect(asked.body.data, asked.text).toMatchObject({ status: 'PENDING_APPROVAL' });
      const { refundId, approvalId } = asked.body.data;
      const [waiting] = (await shop.byKey('GET', `/approval?status=PENDING`)).body.data.records;
      expect(waiting).toMatchObject({ approvalId, kind, amount: 500 });
      t.clock.advance(60_000);
      await t.app.worker.runOnce();
      expect((await balanceOf(shop)).booked).toBe(before.booked);
      expect((await balanceOf(shop)).available).toBeLessThanOrEqual(before.available - 500);
      expect((await refundOf(refundId)).status).toBe('PENDING_APPROVAL');
      expect((await approve(shop.ann, waiting)).status).toBe(200);
      await work(hasEnded(refundId, 'SUCCESS'));
      expect(await refundOf(refundId)).toMatchObject({ approvalId });

      const again = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, {
        pin: TEST_PIN,
        amount: 600,
        way,
      });
      const [second] = (await shop.byKey('GET', `/approval?status=PENDING`)).body.data.records;
      const held = await balanceOf(shop);
      expect((await reject(shop.ann, second)).status).toBe(200);
      await t.app.worker.runOnce();
      expect(await refundOf(again.body.data.refundId)).toMatchObject({
        status: 'CANCELLED',
        reason: 'APPROVAL_REJECTED',
      });
      expect((await balanceOf(shop)).available).toBeGreaterThanOrEqual(held.available + 600);
      const { refunds } = (await shop.byKey('GET', `/collection/payment/${paymentId}`)).body.data;
      expect(refunds).toEqual({ refundedAmount: 500, pendingAmount: 0, refundableAmount: 1_500 });
    },
  );
});

describe('a refund of a merchant without payouts', () => {
  it.each(['PROVIDER', 'PAYOUT'])('by %s is asked for and approved, and a payout is not', async (way) => {
    const of = [shop.merchant.merchantId];
    const services = `merchant_services where merchant_id = $1 and service_key = 'PAYOUT'`;
    const paymentId = await paid(2_000);
    const payout = { pin: TEST_PIN, amount: 10, bankCode: '044', accountNumber: '0690000031', narration: way };
    await shop.byKey('POST', '/payout/single', payout);
    const [other] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
    await t.database.pool.query(`delete from ${services}`, of);
    t.clock.advance(3_000);
    const asked = { pin: TEST_PIN, amount: 500, way, allowDuplicate: true };
    await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, asked);
    const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
    const replies = [await approve(shop.ann, waiting), await approve(shop.ann, other), await reject(shop.ann, other)];
    expect(waiting.approvalId).not.toBe(other.approvalId);
    const put = `insert into merchant_services values ($1, 'PAYOUT', now())`;
    await t.database.pool.query(put, of);
    t.clock.advance(3_000);
    expect(replies.map(({ status, body }) => body.code ?? status)).toEqual([200, 'SERVICE_NOT_ENABLED', 200]);
  });
});

describe('a refund of a payment whose earlier refund failed', () => {
  it.each(['PROVIDER', 'PAYOUT'])(
    'goes to nobody by %s once a bank says of the earlier one that it was paid, before the operator has decided',
    async (way) => {
      const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
      const deps = createContainer({ ...t, logger: createLogger('silent') });
      const paymentId = await paid(2_000);
      const ask = async (by: string, scenario?: string) => {
        const headers: Record<string, string> = scenario === undefined ? {} : { 'x-sandbox-scenario': scenario };
        const body = { pin: TEST_PIN, way: by, amount: 1_500, allowDuplicate: true };
        const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, body, headers);
        const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
        return { refundId: asked.body.data.refundId as string, waiting };
      };
      const first = await ask('PAYOUT', 'failed-do-not-honour');
      expect((await approve(shop.ann, first.waiting)).status).toBe(200);
      await work(hasEnded(first.refundId, 'FAILED'));
      const { payoutTransactionId } = await refundOf(first.refundId);
      const second = await ask(way);
      await saysPaid(deps, tenant, payoutTransactionId);
      const refused = await approve(shop.ann, second.waiting);
      expect([refused.status, refused.body.code]).toEqual([409, 'PAYMENT_NOT_REFUNDABLE']);
      expect(await refundOf(second.refundId)).toMatchObject({ status: 'PENDING_APPROVAL' });
      await letStand(deps, tenant, payoutTransactionId);
      expect((await approve(shop.ann, second.waiting)).status).toBe(200);
    },
  );
});

describe('a refund that was approved, and did not leave before a bank said that an earlier one was paid', () => {
  it.each(['PROVIDER', 'PAYOUT'])('fails by %s, and nothing is sent', async (way) => {
    const tenant = { merchantId: shop.merchant.merchantId, mode: 'SANDBOX' } as const;
    const deps = createContainer({ ...t, logger: createLogger('silent') });
    const paymentId = await paid(2_000);
    const ask = async (by: string, headers: Record<string, string> = {}) => {
      const body = { pin: TEST_PIN, way: by, amount: 1_400, allowDuplicate: true };
      const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, body, headers);
      const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
      expect((await approve(shop.ann, waiting)).status).toBe(200);
      return asked.body.data.refundId as string;
    };
    const first = await ask('PAYOUT', { 'x-sandbox-scenario': 'failed-do-not-honour' });
    await work(hasEnded(first, 'FAILED'));
    const { payoutTransactionId } = await refundOf(first);
    const before = await balanceOf(shop);

    const second = await ask(way);
    const suspend = (to: string) =>
      t.database.pool.query('update merchants set status = $2 where id = $1', [tenant.merchantId, to]);
    await suspend('SUSPENDED');
    t.clock.advance(2_000);
    await saysPaid(deps, tenant, payoutTransactionId);
    await suspend('ACTIVE');
    await work(hasEnded(second, 'FAILED'), 60_000);
    expect(await refundOf(second)).toMatchObject({ reason: 'PAYMENT_UNCERTAIN' });
    expect(await balanceOf(shop)).toEqual(before);
    await letStand(deps, tenant, payoutTransactionId);
    const third = await ask(way);
    await work(hasEnded(third, 'SUCCESS'));
  });
});

describe('a key that is only for collections', () => {
  it.each(['PROVIDER', 'PAYOUT'])(
    'takes back the refund by %s that it requested, and none of another key',
    async (way) => {
      const { merchantId } = shop.merchant;
      const { key } = await issueKey(t, merchantId, 'SANDBOX', { scopes: ['collection:read', 'collection:write'] });
      const collects = callWith(t, bearer(key));
      const paymentId = await paid(way === 'PAYOUT' ? 2_300 : 2_200);
      const before = await balanceOf(shop);
      const asked = await collects('POST', `/collection/payment/${paymentId}/refund`, { pin: TEST_PIN, way });
      expect(asked.body.data, asked.text).toMatchObject({ status: 'PENDING_APPROVAL' });
      const { refundId, approvalId } = asked.body.data;
      const withdraw = (id: string, as = collects) => as('POST', `/approval/${id}/withdraw`, {});

      const another = await issueKey(t, merchantId, 'SANDBOX', { scopes: ['collection:write'] });
      const byAnother = await withdraw(approvalId, callWith(t, bearer(another.key)));
      expect([byAnother.status, byAnother.body.code]).toEqual([403, 'NOT_THE_MAKER']);

      expect((await withdraw(approvalId)).body.data).toMatchObject({ status: 'WITHDRAWN' });
      await work(hasEnded(refundId, 'CANCELLED'));
      expect(await refundOf(refundId)).toMatchObject({ reason: 'APPROVAL_WITHDRAWN' });
      expect(await balanceOf(shop)).toEqual(before);
      expect((await withdraw(approvalId)).body.code).toBe('APPROVAL_CLOSED');
    },
  );

  it('takes back no payout, not even one of the person who made the key', async () => {
    const payout = await shop.byKey('POST', '/payout/single', payment());
    const { key, keyId } = await issueKey(t, shop.merchant.merchantId, 'SANDBOX', { scopes: ['collection:write'] });
    await t.database.pool.query('update api_keys set created_by = $2 where id = $1', [keyId, shop.maker.personId]);
    const byMaker = await shop.maker.call('POST', '/payout/single', payment({ amount: 1_100 }));
    for (const { body } of [payout, byMaker]) {
      const { approvalId } = body.data;
      const refused = await callWith(t, bearer(key))('POST', `/approval/${approvalId}/withdraw`, {});
      expect([refused.status, refused.body.code], refused.text).toEqual([403, 'SCOPE_NOT_GRANTED']);
    }
    expect((await shop.byKey('POST', `/approval/${payout.body.data.approvalId}/withdraw`, {})).status).toBe(200);
    expect((await shop.maker.call('POST', `/approval/${byMaker.body.data.approvalId}/withdraw`, {})).status).toBe(200);
  });
});

describe('a payment that its provider reversed while its refund waited', () => {
  const isReversed = async (paymentId: string) => {
    const rail = `select 1 from open_credits o join inbound_payments i on o.credit_key = 'reversal:' || i.provider_transaction_id
                   where i.id = $1`;
    return (await t.database.pool.query(rail, [paymentId])).rows.length > 0;
  };

  it.each(['PROVIDER', 'PAYOUT'])(
    'is not refunded by %s for its approval: whoever approves gets the reason, and it can be withdrawn',
    async (way) => {
      const paymentId = await paid(2_000, 'reversed');
      const before = await balanceOf(shop);
      const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, { pin: TEST_PIN, way });
      const { refundId, approvalId } = asked.body.data;
      await work(() => isReversed(paymentId));
      const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
      expect(waiting.approvalId).toBe(approvalId);
      expect((await approve(shop.ann, waiting)).body.code).toBe('PAYMENT_NOT_REFUNDABLE');
      expect((await shop.byKey('POST', `/approval/${approvalId}/withdraw`, {})).status).toBe(200);
      await work(hasEnded(refundId, 'CANCELLED'));
      expect(await balanceOf(shop)).toEqual(before);
    },
  );

  it('is not refunded by a payout that was approved before, and did not leave until then', async () => {
    const { merchantId } = shop.merchant;
    const paymentId = await paid(2_100, 'reversed');
    const before = await balanceOf(shop);
    const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, { pin: TEST_PIN, way: 'PAYOUT' });
    const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
    expect((await approve(shop.ann, waiting)).status).toBe(200);
    const suspend = (until: string | null) =>
      t.database.pool.query('update merchants set status = $2 where id = $1', [merchantId, until ?? 'ACTIVE']);
    await suspend('SUSPENDED');
    t.clock.advance(2_000);
    await work(() => isReversed(paymentId));
    await suspend(null);
    await work(hasEnded(asked.body.data.refundId, 'FAILED'), 60_000);
    expect(await refundOf(asked.body.data.refundId)).toMatchObject({ reason: 'PAYMENT_REVERSED' });
    expect(await balanceOf(shop)).toEqual(before);
  });
});

describe('a refund that is approved on another day', () => {
  it.each(['PROVIDER', 'PAYOUT'])('by %s counts against the limit of that day, and of no other', async (way) => {
    // Ten minutes before midnight in Lagos.
    const dayMs = 24 * 60 * 60_000;
    t.clock.advance(dayMs - ((t.clock.now().getTime() + 70 * 60_000) % dayMs));
    shop = await business(t);
    const body = { pin: TEST_PIN, amount: 500, way };
    const asked = await shop.byKey('POST', `/collection/payment/${await paid(2_000)}/refund`, body);
    expect(asked.body.data, asked.text).toMatchObject({ status: 'PENDING_APPROVAL' });
    const used = () =>
      rowsOf(
        t.connectionString,
        `select used_minor::int as used from limit_usage where merchant_id = $1 and scope = 'PAYOUT_DAY' order by period`,
        [shop.merchant.merchantId],
      );
    expect(await used()).toEqual([{ used: 500_00 }]);
    t.clock.advance(10 * 60_000);
    const [waiting] = (await shop.byKey('GET', '/approval?status=PENDING')).body.data.records;
    expect((await approve(shop.ann, waiting)).status).toBe(200);
    expect(await used()).toEqual([{ used: 0 }, { used: 500_00 }]);
    await work(hasEnded(asked.body.data.refundId, 'SUCCESS'));
  });
});

describe('a refund that waits for approval while its payment is disputed', () => {
  it('costs the merchant what the dispute lost, where it is withdrawn afterwards', async () => {
    const before = await balanceOf(shop);
    const paymentId = await paid(2_000);
    const asked = await shop.byKey('POST', `/collection/payment/${paymentId}/refund`, {
      pin: TEST_PIN,
      way: 'PROVIDER',
    });
    expect(asked.body.data).toMatchObject({ status: 'PENDING_APPROVAL' });
    await shop.byKey('POST', '/sandbox/collection/dispute', { paymentId, scenario: 'lost', answerWithinSeconds: 60 });
    await t.app.worker.runOnce();
    await shop.byKey('POST', '/sandbox/clock/advance', { seconds: 120 });
    const dispute = async () => (await shop.byKey('GET', '/collection/dispute')).body.data.records[0];
    for (let round = 0; round < 20 && (await dispute()).status !== 'LOST'; round += 1) {
      await t.app.worker.runOnce();
      t.clock.advance(6_000);
    }
    expect(await dispute()).toMatchObject({ status: 'LOST', disputed: 0, owed: 0 });
    const withdrawn = await shop.byKey('POST', `/approval/${asked.body.data.approvalId}/withdraw`, {});
    expect(withdrawn.status).toBe(200);
    for (let round = 0; round < 3; round += 1) {
      t.clock.advance(6_000);
      await t.app.worker.runOnce();
    }
    expect(await dispute()).toMatchObject({ status: 'LOST', disputed: 2_000, loss: 2_000, owed: 0 });
    expect(await balanceOf(shop)).toEqual(before);
  });
});
