import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTakenBack } from '../../src/collections/taken-back.ts';
import { findNotedDispute } from '../../src/disputes/directory-queries.ts';
import { askAboutEnds, createDisputeStop, repayDebts, takeFreed } from '../../src/disputes/index.ts';
import { setReserveRule } from '../../src/reserves/index.ts';
import { createStore } from '../../src/stores/store.ts';
import { closePaymentProposal, confirmForPayment, proposeForPayment } from '../../src/suspense/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { codeOf } from '../collections/suspense-fixture.ts';
import { csvOf } from '../provider-settlements/fixture.ts';
import { inOneGroup } from '../support/in-one-group.ts';
import { brokenChecks } from '../support/proof.ts';
import { createDisputeFixture, type DisputeFixture } from './fixture.ts';

let t: DisputeFixture;

beforeAll(async () => {
  t = await createDisputeFixture();
});
afterAll(async () => {
  expect((await brokenChecks(t.database)).map(({ name, examples }) => ({ name, examples }))).toEqual([]);
  await t.close();
});

type Payee = Awaited<ReturnType<DisputeFixture['payee']>>;
const paymentOf = async (payee: Payee) => {
  const [payment] = await t.paymentsOf(payee);
  if (payment === undefined) throw new Error('no payment');
  return {
    merchant_id: payee.merchantId,
    mode: 'LIVE' as const,
    id: payment.paymentId,
    amount_minor: BigInt(Math.round(payment.amount * 100)),
  };
};

describe('disputes, in hard cases', () => {
  it('never takes back more than the payment, whichever of several disputes comes first', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const disputes = await Promise.all([60_00n, 70_00n, 80_00n].map((amount) => t.dispute(hint, amount)));
    const rows = await Promise.all(disputes.map(({ providerDisputeId }) => t.find(providerDisputeId)));
    expect(rows.reduce((sum, { disputed_minor }) => sum + disputed_minor, 0n)).toBe(100_00n);
    expect(await readTakenBack(t.database, await paymentOf(payee))).toBe(100_00n);
    await Promise.all(disputes.map((dispute) => t.end(dispute, 'lost')));
    expect(await payee.balance()).toBe(0n);
  });

  it('leaves to a dispute only what was not taken back before, and gives it free when it is won', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const payment = await paymentOf(payee);
    const dispute = await t.dispute(hint, 100_00n);
    const more = await t.dispute(hint, 1n);
    expect(await t.find(more.providerDisputeId)).toMatchObject({
      disputed_minor: 0n,
      operator_reason: 'TAKEN_BACK_BEFORE',
    });
    await t.end(more, 'lost');
    expect(await payee.balance()).toBe(100_00n);
    await t.end(dispute, 'won');
    expect(await readTakenBack(t.database, payment)).toBe(0n);
  });

  it.each([
    ['another one than was asked about', { providerDisputeId: 'another' }, 'OTHER_DISPUTE'],
    ['one of another currency', { currency: 'USD' }, 'CURRENCY_NOT_SUPPORTED'],
    ['one of nothing', { amountMinor: 0n }, 'AMOUNT_NOT_POSITIVE'],
    ['one of less than nothing', { amountMinor: -50_00n }, 'AMOUNT_NOT_POSITIVE'],
    ['one of play money', { mode: 'SANDBOX' as const }, 'MODE_MISMATCH'],
  ])(
    'puts before people what its provider confirms as %s, with an alarm, and holds nothing',
    async (_what, said, why) => {
      const payee = await t.payee();
      const { providerTransactionId } = await t.pay(payee, 50_00n);
      const reported = { providerTransactionId: providerTransactionId ?? '', amountMinor: 50_00n };
      const dispute = t.script.disputes.open(reported);
      t.script.disputes.all.set(dispute.providerDisputeId, { ...dispute, ...said });
      expect(await t.hear(dispute)).toBe('TO_DECIDE');
      expect(t.alarms).toContain(`DISPUTE_${why}`);
      expect(await t.available(payee)).toBe(50_00n);
      const [noted] = await t.database.query(findNotedDispute, [RAIL, dispute.providerDisputeId]);
      expect(noted).toMatchObject({ status: 'CONTRADICTED', reason: why, dispute_id: null });
      t.script.disputes.all.delete(dispute.providerDisputeId);
    },
  );

  it('names a win after a loss, and moves no money by itself', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 50_00n), 50_00n);
    await t.end(dispute, 'lost');
    expect(await t.end(dispute, 'won')).toMatchObject({ status: 'LOST', operator_reason: 'WON_AFTER_END' });
    await t.end(dispute, 'won');
    expect(t.alarms).toContain('DISPUTE_WON_AFTER_END');
    expect(await payee.balance()).toBe(0n);
  });

  it('takes what its provider wants in the end where that is less than at the opening, and gives the rest free', async () => {
    const payee = await t.payee();
    const dispute = await t.dispute(await t.pay(payee, 100_00n), 100_00n);
    const payment = await paymentOf(payee);
    t.script.disputes.all.set(dispute.providerDisputeId, { ...dispute, amountMinor: 40_00n });
    expect(await t.end(dispute, 'accepted')).toMatchObject({
      status: 'ACCEPTED',
      amount_minor: 40_00n,
      disputed_minor: 40_00n,
      taken_minor: 40_00n,
      loss_minor: 0n,
      operator_reason: null,
    });
    expect(await payee.balance()).toBe(60_00n);
    expect(await t.available(payee)).toBe(60_00n);
    expect(await readTakenBack(t.database, payment)).toBe(40_00n);

    // What gave up its part leaves it to another one, which was lost for less.
    const hint = await t.pay(payee, 100_00n);
    const [first, second] = [await t.dispute(hint, 90_00n), await t.dispute(hint, 50_00n)];
    await t.end(second, 'lost');
    await t.drain(payee);
    t.script.disputes.all.set(first.providerDisputeId, { ...first, amountMinor: 70_00n });
    await t.end(first, 'lost');
    expect(await t.available(payee)).toBe(20_00n);
    await takeFreed(t.deps, 'LIVE');
    expect(await t.find(second.providerDisputeId)).toMatchObject({ taken_minor: 10_00n, loss_minor: 20_00n });
  });

  it('is owed for no more than its provider wants in the end, and takes no more than it was opened over', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    await t.drain(payee);
    const less = await t.dispute(hint, 50_00n);
    t.script.disputes.all.set(less.providerDisputeId, { ...less, amountMinor: 20_00n });
    expect(await t.end(less, 'lost')).toMatchObject({ amount_minor: 20_00n, taken_minor: 0n, loss_minor: 20_00n });

    const more = await t.dispute(await t.pay(payee, 100_00n), 40_00n);
    t.script.disputes.all.set(more.providerDisputeId, { ...more, amountMinor: 100_00n });
    expect(await t.end(more, 'lost')).toMatchObject({ amount_minor: 40_00n, taken_minor: 40_00n });
    expect(t.alarms).toContain('DISPUTE_ENDED_ABOVE');
    expect(await payee.balance()).toBe(60_00n);
  });

  it('is noticed once where its provider says another amount of the same end later, and moves nothing by itself', async () => {
    const payee = await t.payee();
    const lost = await t.dispute(await t.pay(payee, 100_00n), 40_00n);
    const { version } = await t.end(lost, 'lost');
    const before = t.alarms.length;
    await t.hear(lost);
    t.script.disputes.all.set(lost.providerDisputeId, { ...lost, state: 'lost', amountMinor: 70_00n });
    await Promise.all([t.hear(lost), t.hear(lost)]);
    await t.hear(lost);
    expect(t.alarms.slice(before)).toEqual(['DISPUTE_AMOUNT_CHANGED']);
    expect(await t.find(lost.providerDisputeId)).toMatchObject({ taken_minor: 40_00n, version: version + 1 });
    expect(await payee.balance()).toBe(60_00n);
  });

  it('keeps a dispute of a payment that nobody has, and opens it once the payment is there', async () => {
    const payee = await t.payee();
    const hint = t.script.receive({ accountNumber: payee.accountNumber, amountMinor: 20_00n });
    const dispute = await t.dispute(hint, 20_00n).catch((error) => error);
    const waiting = await t.database.pool.query('select status from dispute_directory where provider_dispute_id = $1', [
      dispute.providerDisputeId,
    ]);
    expect(waiting.rows).toEqual([{ status: 'NO_PAYMENT' }]);
    await t.takeWebhook(hint);
    t.clock.advance(2 * 60_000);
    await t.work();
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'OPEN', held_minor: 20_00n });
  });

  it('opens one that a process noted and died before it was in the books', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 30_00n);
    const dying = t.another();
    const kill = { ...dying, ledger: { ...dying.ledger, commit: () => Promise.reject(new Error('killed')) } };
    const { providerTransactionId } = hint;
    const dispute = t.script.disputes.open({ providerTransactionId: providerTransactionId ?? '', amountMinor: 30_00n });
    await expect(t.hear(dispute, kill as never)).rejects.toThrow('killed');
    expect(await t.available(payee)).toBe(30_00n);
    t.clock.advance(2 * 60_000);
    await t.work();
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'OPEN', held_minor: 30_00n });
    await dying.ledger.drain();
  });

  it('holds a payment that waits for its settlement as it gets to the wallet, in the same movement', async () => {
    const payee = await t.payee();
    await t.rule('ON_SETTLEMENT', payee.merchantId);
    const hint = await t.pay(payee, 40_00n);
    const dispute = await t.dispute(hint, 40_00n);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({
      held_minor: 0n,
      wallet_id: null,
      disputed_minor: 40_00n,
    });
    await t.settle([hint]);
    expect(await payee.balance()).toBe(40_00n);
    expect(await t.available(payee)).toBe(0n);
    await t.end(dispute, 'lost');
    expect(await payee.balance()).toBe(0n);
  });

  it('holds all of a payment that waited which the wallet has, also what is kept of it in reserve', async () => {
    const payee = await t.payee();
    const { merchantId, tenant } = payee;
    await t.pay(payee, 100_00n);
    await t.rule('ON_SETTLEMENT', merchantId);
    const kept = { channel: null, rateBasisPoints: 1_000, days: 30, effectiveFrom: undefined, source: 'A rule' };
    await setReserveRule(t.deps, { ...kept, merchantId, mode: 'LIVE' });
    t.clock.advance(180_000);
    const [hint, later] = [await t.pay(payee, 40_00n), await t.pay(payee, 50_00n)];
    const dispute = await t.dispute(hint, 40_00n);
    await t.settle([hint]);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ disputed_minor: 40_00n, held_minor: 40_00n });
    expect(await t.available(payee)).toBe(96_00n);
    expect(await createDisputeStop(t.deps)(tenant)).toBeUndefined();
    await t.end(dispute, 'lost');
    expect(await payee.balance()).toBe(96_00n);

    // The wallet is emptied between the look at its balance and the commit.
    const again = await t.dispute(later, 50_00n);
    let commits = 0;
    const commit: typeof t.deps.ledger.commit = async (movement) => {
      commits += 1;
      if (commits === 1) await t.drain(payee);
      return t.deps.ledger.commit(movement);
    };
    const by = { ...t.deps, ledger: { ...t.deps.ledger, commit } };
    const id = await t.record(csvOf([t.lineOf(later)]), { lumpMinor: 40_00n });
    expect(await t.apply(id, { by })).toMatchObject({ posted: 1 });
    expect([commits, (await t.find(again.providerDisputeId)).held_minor]).toEqual([2, 45_00n]);
  });

  it('holds of a payment that leaves suspense what its wallet gets, where a part of it is kept in reserve', async () => {
    const held = await t.heldPayment({ amountMinor: 40_00n });
    const kept = { channel: null, rateBasisPoints: 1_000, days: 30, effectiveFrom: undefined, source: 'A rule' };
    await setReserveRule(t.deps, { ...kept, merchantId: held.merchantId, mode: 'LIVE' });
    t.clock.advance(180_000);
    const [first, second] = [await t.dispute(held.hint, 25_00n), await t.dispute(held.hint, 15_00n)];
    await t.decidePayment(held, { action: 'ATTRIBUTE', walletId: held.wallet.id });
    expect(await held.balance()).toBe(36_00n);
    expect(await t.available(held)).toBe(0n);
    const holds = [await t.find(first.providerDisputeId), await t.find(second.providerDisputeId)];
    expect(holds.reduce((sum, { held_minor }) => sum + held_minor, 0n)).toBe(36_00n);
    const ends = [await t.end(first, 'lost'), await t.end(second, 'lost')];
    expect(await held.balance()).toBe(0n);
    expect(ends.reduce((sum, { loss_minor }) => sum + loss_minor, 0n)).toBe(4_00n);
  });

  it('holds a payment that leaves suspense also where it is disputed between that decision and its commit', async () => {
    const held = await t.heldPayment({ amountMinor: 40_00n });
    const { tenant, paymentId } = held;
    const attribute = { tenant, paymentId, action: 'ATTRIBUTE', walletId: held.wallet.id } as const;
    const shown = await proposeForPayment(t.deps, { ...t.terms, ...attribute });
    let commits = 0;
    const commit: typeof t.deps.ledger.commit = async (movement) => {
      commits += 1;
      if (commits === 1) await t.dispute(held.hint, 25_00n);
      return t.deps.ledger.commit(movement);
    };
    const by = { ...t.deps, ledger: { ...t.deps.ledger, commit } };
    await confirmForPayment(by, { tenant, ...shown, personId: t.people.bola });
    expect(commits).toBe(2);
    expect(await held.balance()).toBe(40_00n);
    expect(await t.available(held)).toBe(15_00n);
  });

  it('holds and takes of the wallet into which people put its payment, and of no other', async () => {
    const held = await t.heldPayment({ amountMinor: 40_00n });
    const { tenant } = held;
    const opening = { tenant, merchantName: 'Adire', name: 'Ikeja', idempotency: undefined };
    const { walletId } = JSON.parse((await createStore(t.deps, opening)).answer.body).data;
    await t.decidePayment(held, { action: 'ATTRIBUTE', walletId });
    await t.pay(held, 50_00n);
    const inStore = () => t.deps.ledger.readBalance(tenant, walletId);
    const dispute = await t.dispute(held.hint, 30_00n);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ wallet_id: walletId, held_minor: 30_00n });
    expect(await inStore()).toMatchObject({ bookedMinor: 40_00n, availableMinor: 10_00n });
    expect(await t.available(held)).toBe(50_00n);
    await t.end(dispute, 'lost');
    expect(await inStore()).toMatchObject({ bookedMinor: 10_00n, availableMinor: 10_00n });
    expect(await held.balance()).toBe(50_00n);
  });

  it('takes what is owed once where two repay it in one group of the books', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    await t.drain(payee);
    const lost = await t.end(await t.dispute(hint, 100_00n), 'lost');
    expect(lost).toMatchObject({ loss_minor: 100_00n, repaid_minor: 0n });
    const stop = createDisputeStop(t.deps);
    expect(await stop(payee.tenant)).toBe('DISPUTE_DEBT');
    expect(await stop({ ...payee.tenant, mode: 'SANDBOX' })).toBeUndefined();
    await t.pay(payee, 300_00n);
    const by = { ...t.deps, ledger: inOneGroup(t.deps.ledger) };
    await Promise.all([repayDebts(by, 'LIVE'), repayDebts(by, 'LIVE')]);
    expect(await payee.balance()).toBe(200_00n);
    expect(await t.find(lost.provider_dispute_id)).toMatchObject({ repaid_minor: 100_00n });
  });

  it('refuses to keep a payment in suspense while it is disputed, until the dispute is won', async () => {
    const held = await t.heldPayment({ amountMinor: 40_00n });
    const dispute = await t.dispute(held.hint, 40_00n);
    const { tenant, paymentId } = held;
    const shown = await proposeForPayment(t.deps, { ...t.terms, tenant, paymentId, action: 'KEEP' });
    const confirm = () => codeOf(confirmForPayment(t.deps, { tenant, ...shown, personId: t.people.bola }));
    expect(await confirm()).toBe('PAYMENT_TAKEN_BACK');
    expect((await t.booked(held)).SUSPENSE).toBe(40_00n);
    await t.end(dispute, 'won');
    expect(await confirm()).toBe('DONE');
  });

  it('refuses to return a payment out of suspense that is disputed, and holds it when it is attributed', async () => {
    const held = await t.heldPayment({ amountMinor: 40_00n });
    const dispute = await t.dispute(held.hint, 40_00n);
    expect(await codeOf(t.decidePayment(held, { action: 'RETURN' }))).toBe('PAYMENT_TAKEN_BACK');
    await t.end(dispute, 'won');
    const again = await t.dispute(held.hint, 25_00n);
    const { rows } = await t.database.pool.query(
      "select id from suspense_proposals where payment_id = $1 and status = 'PENDING'",
      [held.paymentId],
    );
    const withdrawn = {
      tenant: held.tenant,
      proposalId: rows[0].id,
      status: 'WITHDRAWN' as const,
      reason: 'It is disputed',
    };
    await closePaymentProposal(t.deps, { ...withdrawn, personId: t.people.ada });
    await t.decidePayment(held, { action: 'ATTRIBUTE' });
    expect((await t.find(again.providerDisputeId)).held_minor).toBe(25_00n);
  });

  it('is paid by its payment where that gets to a store after the dispute was lost', async () => {
    const held = await t.heldPayment({ amountMinor: 100_00n });
    const { tenant } = held;
    const opening = { tenant, merchantName: 'Adire', name: 'Ikeja', idempotency: undefined };
    const { answer } = await createStore(t.deps, opening);
    const { walletId } = JSON.parse(answer.body).data;
    const lost = await t.end(await t.dispute(held.hint, 100_00n), 'lost');
    expect(lost).toMatchObject({ status: 'LOST', loss_minor: 100_00n, wallet_id: null });
    await t.decidePayment(held, { action: 'ATTRIBUTE', walletId });
    await t.repay();
    expect((await t.deps.ledger.readBalance(tenant, walletId)).availableMinor).toBe(0n);
    expect((await t.booked(held)).MERCHANT_RECEIVABLE).toBe(0n);
    expect(await t.find(lost.provider_dispute_id)).toMatchObject({ repaid_minor: 100_00n });
  });

  it('takes of a lost dispute what another one leaves that is won later', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const [first, second] = [await t.dispute(hint, 100_00n), await t.dispute(hint, 30_00n)];
    expect(await t.end(second, 'lost')).toMatchObject({ disputed_minor: 0n, operator_reason: 'TAKEN_BACK_BEFORE' });
    // The provider says the same again.
    expect(await t.end(second, 'lost')).toMatchObject({ operator_reason: 'TAKEN_BACK_BEFORE' });
    await t.end(first, 'won');
    expect(await takeFreed(t.deps, 'LIVE')).toBeGreaterThan(0);
    await t.repay();
    expect(await t.find(second.providerDisputeId)).toMatchObject({ loss_minor: 30_00n, repaid_minor: 30_00n });
    expect(await payee.balance()).toBe(70_00n);
  });

  it('has the merchant owe a dispute that was lost while another held its money, though the win’s money is spent', async () => {
    const payee = await t.payee();
    const hint = await t.pay(payee, 100_00n);
    const [holding, lost] = [await t.dispute(hint, 80_00n), await t.dispute(hint, 50_00n)];
    // What the other one leaves is taken at once; the rest has to wait for its end.
    expect(await t.end(lost, 'lost')).toMatchObject({ taken_minor: 20_00n, operator_reason: 'TAKEN_BACK_BEFORE' });
    await t.end(holding, 'won');
    // Until a worker comes it goes to no bank, and then the merchant owes what it moved elsewhere in between.
    const stop = createDisputeStop(t.deps);
    expect(await stop(payee.tenant)).toBe('DISPUTE_NOT_COVERED');
    await t.drain(payee);
    await takeFreed(t.deps, 'LIVE');
    const owed = { disputed_minor: 50_00n, loss_minor: 30_00n, repaid_minor: 0n, operator_reason: null };
    expect(await t.find(lost.providerDisputeId)).toMatchObject(owed);
    expect(await stop(payee.tenant)).toBe('DISPUTE_DEBT');
    await t.pay(payee, 40_00n);
    await t.repay();
    expect(await t.find(lost.providerDisputeId)).toMatchObject({ ...owed, repaid_minor: 30_00n });
    expect(await payee.balance()).toBe(10_00n);
    expect(await takeFreed(t.deps, 'LIVE')).toBe(0);
  });

  it('is asked about for months after it has ended, so that another end is noticed without a webhook', async () => {
    const [day, hint] = [24 * 60 * 60_000, await t.pay(await t.payee(), 50_00n)];
    const dispute = await t.dispute(hint, 50_00n);
    await t.end(dispute, 'won');
    t.script.disputes.end(dispute.providerDisputeId, 'lost');
    t.clock.advance(day - 60_000);
    await askAboutEnds(t.deps, 'LIVE');
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'WON', operator_reason: null });
    t.clock.advance(60_000);
    await askAboutEnds(t.deps, 'LIVE');
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ operator_reason: 'LOST_AFTER_END' });
    const { id } = await t.find(dispute.providerDisputeId);
    const others = 'update disputes set check_at = null where id <> $1 and ended_at is not null';
    await t.database.pool.query(others, [id]);
    const askedEach = async (days: number, times: number) => {
      const before = t.script.disputes.queries;
      for (let time = 0; time < times; time += 1) {
        t.clock.advance(days * day);
        await askAboutEnds(t.deps, 'LIVE');
      }
      return t.script.disputes.queries - before;
    };
    expect([await askedEach(1, 6), await askedEach(1, 6), await askedEach(7, 30)]).toEqual([6, 0, 24]);
    expect(await t.find(dispute.providerDisputeId)).toMatchObject({ status: 'WON', check_at: null });
  });
});
