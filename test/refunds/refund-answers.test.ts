import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollCredits } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import type { RefundCaller } from '../../src/rails/index.ts';
import { sendDueRefunds, takeRefundWebhook } from '../../src/refunds/index.ts';
import { createStore } from '../../src/stores/store.ts';
import { confirmForPayment, proposeForPayment } from '../../src/suspense/index.ts';
import { addPerson } from '../support/people.ts';
import { brokenChecks } from '../support/proof.ts';
import { createRefundFixture, type RefundFixture } from './refund-fixture.ts';

let fixture: RefundFixture;
beforeAll(async () => {
  fixture = await createRefundFixture();
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await fixture.close();
});

type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;

/** What a worker has whose provider takes or answers refunds in another way. */
const withRefunds = (change: (refunds: RefundCaller) => Partial<RefundCaller>): Container => ({
  ...fixture.container,
  rails: {
    ...fixture.container.rails,
    async findRail(mode, name) {
      const rail = await fixture.container.rails.findRail(mode, name);
      const refunds = rail?.wallets?.refunds;
      if (refunds === undefined) return rail;
      return { ...rail, wallets: { ...rail?.wallets, refunds: { ...refunds, ...change(refunds) } } } as never;
    },
  },
});

const become = async ({ merchantId }: Merchant, status: string) => {
  await fixture.database.pool.query('update merchants set status = $2 where id = $1', [merchantId, status]);
  // Suspensions are looked up every so often.
  fixture.clock.advance(5_000);
};

/** A payment of ₦1,000 to the merchant's own account that people have put into the wallet of a store. */
async function paidToStore(merchant: Merchant) {
  const { container } = fixture;
  const { tenant } = merchant;
  const opening = { tenant, merchantName: 'Adire', name: 'Ikeja', idempotency: undefined };
  const { walletId } = JSON.parse((await createStore(container, opening)).answer.body).data;
  const { accountNumber } = (await merchant.call('GET', `/wallet/${merchant.wallet.id}/account`)).body.data.accounts[0];
  const paid = await merchant.call('POST', '/sandbox/collection/pay', { accountNumber, amount: 1_000 });
  expect(paid.status, paid.text).toBe(200);
  await become(merchant, 'SUSPENDED');
  await container.sandbox.deliverAllDueWebhooks(container.jobs);
  await pollCredits(container, 'SANDBOX');
  await become(merchant, 'ACTIVE');
  const [{ paymentId, status }] = (await merchant.call('GET', '/collection/payment')).body.data.records;
  expect(status).toBe('SUSPENSE');
  const person = (name: string) => addPerson(fixture, { kind: 'OPERATOR', email: `${name}@bank.example` });
  const proposal = { tenant, paymentId, action: 'ATTRIBUTE', walletId, source: 'BANK_LETTER' } as const;
  const note = 'The bank’s letter of 20 November, reference 41';
  const shown = await proposeForPayment(container, { ...proposal, note, personId: await person('ada') });
  await confirmForPayment(container, { tenant, ...shown, personId: await person('bola') });
  return { paymentId: paymentId as string, walletId: walletId as string };
}

describe('a refund of a payment that people put into another wallet', () => {
  it('is taken from the wallet that has the money, and from no other', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.pay(2_000);
    const { paymentId, walletId } = await paidToStore(merchant);
    const { refundId } = (await merchant.refund(paymentId, { amount: 400 })).body.data;
    const inStore = async () => (await fixture.container.ledger.readBalance(merchant.tenant, walletId)).availableMinor;
    expect(await inStore()).toBe(600_00n);
    expect(await merchant.balance()).toEqual({ booked: 200_000, available: 200_000 });
    await fixture.work();
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
    expect(await inStore()).toBe(600_00n);
    expect(await merchant.balance()).toEqual({ booked: 200_000, available: 200_000 });
  });
});

describe('a refund about which its provider says something else first', () => {
  it('takes nothing over from an answer about another refund, and ends by its own', async () => {
    const merchant = await fixture.addMerchant();
    const { refundId } = (await merchant.refund(await merchant.pay(1_000), { amount: 400 })).body.data;
    const other = `other-${refundId}`;
    let answers = 0;
    const confused = withRefunds((refunds) => ({
      async refund(...asked) {
        const answer = await refunds.refund(...asked);
        if (asked[0].reference !== refundId.replaceAll('-', '')) return answer;
        answers += 1;
        return { ...answer, providerRefundId: other, reported: { ...answer.reported, reference: 'another' } };
      },
    }));
    await sendDueRefunds(confused, 'SANDBOX');
    expect(answers).toBe(1);
    const kept = `select r.status, r.provider_refund_id, (select count(*)::int from refund_keys k where k.key = $2) as keys
                    from refunds r where r.id = $1`;
    const [row] = (await fixture.database.pool.query(kept, [refundId, other])).rows;
    expect(row).toEqual({ status: 'PROCESSING', provider_refund_id: null, keys: 0 });
    fixture.clock.advance(60 * 60_000);
    await fixture.work(60);
    expect(await merchant.read(refundId)).toMatchObject({ status: 'SUCCESS' });
  });
});

describe('a webhook about a refund', () => {
  it('brings no second worker to it while one has it at the provider', async () => {
    const merchant = await fixture.addMerchant();
    const { refundId } = (await merchant.refund(await merchant.pay(1_000), { amount: 400 })).body.data;
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = withRefunds((refunds) => ({
      async refund(...order) {
        asked.resolve();
        await goOn.promise;
        return refunds.refund(...order);
      },
    }));
    const working = sendDueRefunds(slow, 'SANDBOX');
    await asked.promise;
    const readRefundWebhook = async () => [{ keys: [refundId.replaceAll('-', '')] }];
    const rail = { name: 'sandbox', wallets: { refunds: { readRefundWebhook } } } as never;
    expect(await takeRefundWebhook(fixture.container, rail, {} as never)).toBe(0);
    expect(await sendDueRefunds(fixture.another(), 'SANDBOX')).toBe(0);
    goOn.resolve();
    expect(await working).toBe(1);
    const calls = 'select kind, outcome from refund_attempts where refund_id = $1';
    const { rows } = await fixture.database.pool.query(calls, [refundId]);
    expect(rows).toEqual([{ kind: 'SEND', outcome: 'succeeded' }]);
    // Once no worker has it, it is asked about.
    expect(await takeRefundWebhook(fixture.container, rail, {} as never)).toBe(1);
  });
});
