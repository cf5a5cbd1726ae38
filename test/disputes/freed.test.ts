import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askAboutDisputes,
  countDisputesToLookAt,
  createDisputeStop,
  readDisputeQueue,
  repayDebts,
  sendDueAnswers,
  takeFreed,
} from '../../src/disputes/index.ts';
import { listRequest } from '../../src/platform/lists/list.ts';
import { createRefundFixture, type RefundFixture } from '../refunds/refund-fixture.ts';
import { brokenChecks } from '../support/proof.ts';
import { amongOlder } from './fixture.ts';

const PAID = 1_000;
const MINOR = PAID * 100;
/** The provider says for a while that it works on the refund, and then that it failed. */
const FAILS_LATER = { 'x-sandbox-scenario': 'refund-pending-then-failed' };

let t: RefundFixture;
beforeAll(async () => {
  t = await createRefundFixture();
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;

/** A payment whose whole refund is on its way when its payer disputes it. */
async function refundedAndDisputed() {
  const merchant = await t.addMerchant();
  const paymentId = await merchant.pay(PAID);
  const asked = await merchant.refund(paymentId, {}, FAILS_LATER);
  if (asked.status !== 200) throw new Error(asked.text);
  await merchant.dispute(paymentId);
  return { merchant, paymentId, refundId: asked.body.data.refundId as string };
}

const disputeOf = async ({ merchantId }: Merchant) => {
  const { rows } = await t.database.pool.query(
    `select id, status, operator_reason, disputed_minor::int, taken_minor::int, loss_minor::int, repaid_minor::int, version
       from disputes where merchant_id = $1`,
    [merchantId],
  );
  return rows[0];
};

/** Nobody answers, so the provider says that it is lost. */
async function loseBySilence({ call }: Merchant): Promise<void> {
  await call('POST', '/sandbox/clock/advance', { seconds: 17 * 3_600 });
  await askAboutDisputes(t.container, 'SANDBOX');
}

/** The merchant's words are enough for the payer's bank. */
async function contest(merchant: Merchant): Promise<void> {
  const { id } = await disputeOf(merchant);
  const words = '--words\r\nContent-Disposition: form-data; name="message"\r\n\r\nIt was delivered\r\n--words--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=words' };
  const sent = await merchant.call('POST', `/collection/dispute/${id}/evidence`, words, headers);
  if (sent.status !== 200) throw new Error(sent.text);
  await sendDueAnswers(t.container, 'SANDBOX');
  await merchant.call('POST', '/sandbox/clock/advance', { seconds: 3_600 });
  await askAboutDisputes(t.container, 'SANDBOX');
}

async function untilFailed(merchant: Merchant, refundId: string): Promise<void> {
  for (let round = 0; round < 100; round += 1) {
    if ((await merchant.read(refundId)).status === 'FAILED') return;
    await t.work(6);
    t.clock.advance(10 * 60_000);
  }
  throw new Error('the refund has not failed');
}

const isQueued = async (id: string) =>
  (await readDisputeQueue(t.database, 'SANDBOX', listRequest({ size: 100 }))).rows.some((row) => row.id === id);

describe('a dispute that is lost while a refund of its payment is on its way', () => {
  it('is owed by the merchant once when the refund fails, whichever of several workers finds it', async () => {
    const { merchant, refundId } = await refundedAndDisputed();
    await loseBySilence(merchant);
    const lost = await disputeOf(merchant);
    expect(lost).toMatchObject({
      status: 'LOST',
      disputed_minor: 0,
      loss_minor: 0,
      operator_reason: 'TAKEN_BACK_BEFORE',
    });
    expect(await isQueued(lost.id)).toBe(true);
    expect((await countDisputesToLookAt(t.database, t.clock.now())).disputes).toBeGreaterThan(0);
    expect(await takeFreed(t.container, 'SANDBOX')).toBe(0);

    await untilFailed(merchant, refundId);
    expect(await createDisputeStop(t)(merchant.tenant)).toBe('DISPUTE_NOT_COVERED');
    const made = await Promise.all([t.container, t.another(), t.another()].map((by) => takeFreed(by, 'SANDBOX')));
    expect(made.reduce((sum, one) => sum + one)).toBe(1);
    expect(await disputeOf(merchant)).toMatchObject({
      status: 'LOST',
      disputed_minor: MINOR,
      taken_minor: 0,
      loss_minor: MINOR,
      operator_reason: null,
      version: lost.version + 1,
    });
    expect(await isQueued(lost.id)).toBe(false);
    expect(await createDisputeStop(t)(merchant.tenant)).toBe('DISPUTE_DEBT');
    const inFile = async () =>
      parse((await merchant.call('GET', '/collection/dispute.csv?columns=loss,owed')).text, { bom: true })[1];
    expect(await inFile()).toEqual([PAID.toFixed(2), PAID.toFixed(2)]);
    await repayDebts(t.container, 'SANDBOX');
    expect(await merchant.balance()).toEqual({ booked: 0, available: 0 });
    expect(await disputeOf(merchant)).toMatchObject({ repaid_minor: MINOR });
    expect(await inFile()).toEqual([PAID.toFixed(2), '0.00']);
  });

  it('stays as it is when the refund succeeds, and nobody has to look at it then', async () => {
    const merchant = await t.addMerchant();
    const paymentId = await merchant.pay(PAID);
    await merchant.refund(paymentId);
    await merchant.dispute(paymentId);
    await loseBySilence(merchant);
    await t.work();
    expect(await takeFreed(t.container, 'SANDBOX')).toBe(0);
    const { id, loss_minor } = await disputeOf(merchant);
    expect(loss_minor).toBe(0);
    expect(await isQueued(id)).toBe(false);
    expect(await merchant.balance()).toEqual({ booked: 0, available: 0 });
  });
});

describe('a dispute that runs after a refund of its payment failed', () => {
  it('keeps the money that it may take by now from going to the bank', async () => {
    const { merchant, refundId } = await refundedAndDisputed();
    const stop = createDisputeStop(t);
    expect(await stop(merchant.tenant)).toBeUndefined();
    await untilFailed(merchant, refundId);
    expect(await disputeOf(merchant)).toMatchObject({ status: 'OPEN', disputed_minor: 0 });
    expect(await stop(merchant.tenant)).toBe('DISPUTE_NOT_COVERED');
    await loseBySilence(merchant);
    expect(await disputeOf(merchant)).toMatchObject({ status: 'LOST', taken_minor: MINOR, operator_reason: null });
    expect(await stop(merchant.tenant)).toBeUndefined();
  });

  it('holds it once, so that the merchant cannot spend it, and releases it where the dispute is won', async () => {
    const lost = await refundedAndDisputed();
    const won = await refundedAndDisputed();
    const all = [lost, won];
    for (const { merchant, refundId } of all) await untilFailed(merchant, refundId);
    const made = await Promise.all([t.container, t.another(), t.another()].map((by) => takeFreed(by, 'SANDBOX')));
    expect(made.reduce((sum, one) => sum + one)).toBe(all.length);
    for (const { merchant } of all) {
      expect(await merchant.balance()).toEqual({ booked: MINOR, available: 0 });
      expect(await disputeOf(merchant)).toMatchObject({ status: 'OPEN', disputed_minor: MINOR, operator_reason: null });
      expect(await createDisputeStop(t)(merchant.tenant)).toBeUndefined();
    }
    expect((await won.merchant.refund(won.paymentId)).body.code).toBe('PAYMENT_TAKEN_BACK');
    await contest(won.merchant);
    expect(await disputeOf(won.merchant)).toMatchObject({ status: 'WON' });
    expect(await won.merchant.balance()).toEqual({ booked: MINOR, available: MINOR });
    await loseBySilence(lost.merchant);
    expect(await disputeOf(lost.merchant)).toMatchObject({ status: 'LOST', taken_minor: MINOR, loss_minor: 0 });
    expect(await lost.merchant.balance()).toEqual({ booked: 0, available: 0 });
  });

  it('holds it also where somebody without money has hundreds of disputes that came before', async () => {
    const poor = await refundedAndDisputed();
    const other = await refundedAndDisputed();
    for (const { merchant, refundId } of [poor, other]) await untilFailed(merchant, refundId);
    await poor.merchant.spend(BigInt(MINOR));
    const { id } = await disputeOf(poor.merchant);
    expect(await amongOlder(t.database, { id, count: 250 }, () => takeFreed(t.container, 'SANDBOX'))).toBe(1);
    expect(await other.merchant.balance()).toEqual({ booked: MINOR, available: 0 });
  });
});
