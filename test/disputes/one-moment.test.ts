import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Container } from '../../src/container.ts';
import { askAboutDisputes, findDisputeRail, repayDebts } from '../../src/disputes/index.ts';
import { openSandboxDispute } from '../../src/disputes/open-sandbox-dispute.ts';
import { takeDispute } from '../../src/disputes/take-dispute.ts';
import { createRefundFixture, type RefundFixture } from '../refunds/refund-fixture.ts';
import { brokenChecks } from '../support/proof.ts';

type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;
type Thing = 'refund' | 'dispute' | 'reversal';

const PAID = 1_000;
const REFUNDED = 600;
const DISPUTED = 700;

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(async () => {
  const broken = await brokenChecks(fixture.database);
  expect(broken.map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await fixture.close();
});

const ORDERS: Thing[][] = [
  ['refund', 'dispute', 'reversal'],
  ['refund', 'reversal', 'dispute'],
  ['dispute', 'refund', 'reversal'],
  ['dispute', 'reversal', 'refund'],
  ['reversal', 'refund', 'dispute'],
  ['reversal', 'dispute', 'refund'],
];

/** A payment that its payer wants back in three ways; each by a process of its own. */
async function wantedBack() {
  const merchant = await fixture.addMerchant();
  const paymentId = await merchant.pay(PAID, { scenario: 'reversed' });
  const { answer } = await openSandboxDispute(fixture.container, {
    tenant: merchant.tenant,
    paymentId,
    amountMinor: BigInt(DISPUTED) * 100n,
    idempotency: undefined,
  });
  const { providerDisputeId } = JSON.parse(answer.body).data as { providerDisputeId: string };
  const hear = async (deps: Container) => {
    const rail = await findDisputeRail(deps.rails, 'SANDBOX', 'sandbox');
    if (rail === undefined) throw new Error('the sandbox bank has no disputes');
    await takeDispute(deps, rail, { providerDisputeId }, { source: 'WEBHOOK' });
  };
  const things: Record<Thing, () => Promise<unknown>> = {
    refund: () => merchant.refund(paymentId, { amount: REFUNDED, allowDuplicate: true }),
    dispute: () => hear(fixture.another()),
    reversal: async () => {
      await merchant.call('POST', '/sandbox/clock/advance', { seconds: 61 });
      await fixture.container.sandbox.deliverAllDueWebhooks(fixture.container.jobs);
    },
  };
  return { merchant, paymentId, things };
}

/** All that may still happen happens: the refund ends, and the dispute is lost by silence. */
async function letEnd({ call }: Merchant): Promise<void> {
  await fixture.work(12);
  await call('POST', '/sandbox/clock/advance', { seconds: 17 * 3_600 });
  await askAboutDisputes(fixture.container, 'SANDBOX');
  await repayDebts(fixture.container, 'SANDBOX');
  await fixture.work(12);
}

async function takenBack({ tenant }: Merchant, paymentId: string) {
  const found = `select
      (select coalesce(sum(amount_minor), 0)::int from refunds where payment_id = $2 and status not in ('FAILED', 'CANCELLED')) as refunded,
      (select coalesce(sum(disputed_minor), 0)::int from disputes where payment_id = $2 and status <> 'WON') as disputed,
      (select coalesce(sum(taken_minor + loss_minor), 0)::int from disputes where payment_id = $2) as gone,
      (select count(*)::int from disputes where payment_id = $2) as disputes,
      (select coalesce(sum(used_minor), 0)::int from limit_usage
        where merchant_id = $1 and scope = 'PAYMENT_TAKEN_BACK' and period = $2::text) as counted`;
  const { rows } = await fixture.database.pool.query(found, [tenant.merchantId, paymentId]);
  return rows[0] as Record<'refunded' | 'disputed' | 'gone' | 'disputes' | 'counted', number>;
}

async function expectNoMoreThanPaid(merchant: Merchant, paymentId: string): Promise<void> {
  const before = await takenBack(merchant, paymentId);
  expect(before.disputes).toBe(1);
  expect(before.refunded + before.disputed).toBe(before.counted);
  expect(before.counted).toBeLessThanOrEqual(PAID * 100);
  expect(before.counted).toBeGreaterThan(0);
  await letEnd(merchant);
  const { refunded, gone, counted } = await takenBack(merchant, paymentId);
  expect(refunded + gone).toBe(counted);
  expect(counted).toBeLessThanOrEqual(PAID * 100);
  const { booked, available } = await merchant.balance();
  expect(available).toBeGreaterThanOrEqual(0);
  expect(booked).toBe(PAID * 100 - counted);
}

describe('a payment that is refunded, disputed and reversed', () => {
  for (const order of ORDERS) {
    it(`never gives back more than was paid: ${order.join(', then ')}`, async () => {
      const { merchant, paymentId, things } = await wantedBack();
      for (const thing of order) await things[thing]();
      await expectNoMoreThanPaid(merchant, paymentId);
    });

    it(`never gives back more than was paid at one moment, begun as ${order.join(', ')}`, async () => {
      const { merchant, paymentId, things } = await wantedBack();
      await Promise.all(order.map((thing) => things[thing]()));
      await expectNoMoreThanPaid(merchant, paymentId);
    });
  }

  it('never gives back more than was paid where several refunds and the dispute come at one moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { merchant, paymentId, things } = await wantedBack();
      await Promise.all([things.refund(), things.refund(), things.dispute(), things.refund(), things.dispute()]);
      await expectNoMoreThanPaid(merchant, paymentId);
    }
  });
});
