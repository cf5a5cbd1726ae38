import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollCredits } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { changeMerchantStatus, setRefundsEnabled } from '../../src/merchants/index.ts';
import { refundByRules } from '../../src/refunds/index.ts';
import { changeRefundRule } from '../../src/refunds/refund-rule.ts';
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

const HOUR_MS = 60 * 60_000;
type Merchant = Awaited<ReturnType<RefundFixture['addMerchant']>>;

/** Of a merchant's refunds, what says what became of them. */
const brief = async (merchant: Merchant) =>
  (await merchant.list()).map((one: Record<string, unknown>) => [
    one['paymentId'],
    one['cause'],
    one['way'],
    one['amount'],
    one['status'],
  ]);
const stateOf = async (merchant: Merchant) =>
  (await merchant.toRefund()).map((one: Record<string, unknown>) => [one['status'], one['reason']]);

const refundsEnabled = ({ merchantId }: Merchant, isEnabled: boolean) =>
  setRefundsEnabled({ queries: fixture.database }, { merchantId, isEnabled });

describe('the rule for refunds', () => {
  it('sends nothing back while it is off, and is for nothing that came before it', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.late();
    fixture.clock.advance(2 * 60_000);
    await merchant.rule({ late: 'PROVIDER', excess: 'PROVIDER' });
    await fixture.work();
    expect(await brief(merchant)).toEqual([]);
    expect(await merchant.toRefund()).toEqual([]);
  });

  it.each(['PROVIDER', 'PAYOUT'] as const)('sends a late payment back whole, by %s, and once', async (way) => {
    const merchant = await fixture.addMerchant();
    await merchant.pay(500);
    await merchant.rule({ late: way });
    const expired = await merchant.session(100);
    await expired.expire();
    const paymentId = await expired.pay(100);
    await fixture.work(60);
    await fixture.work(60);
    expect(await brief(merchant)).toEqual([[paymentId, 'LATE', way, 100, 'SUCCESS']]);
    const [noted] = await merchant.toRefund();
    const [{ refundId, note }] = await merchant.list();
    expect(note).toBe('The payment came too late');
    expect(noted).toMatchObject({
      paymentId,
      cause: 'LATE',
      notOwed: 100,
      status: 'REFUNDED',
      conclusive: true,
      refundId,
      tryAgainAt: null,
    });
    expect((await merchant.left(paymentId)).refundableAmount).toBe(0);
  });

  it('sends nothing back that was paid before its session expired and heard of after it: people say what becomes of it', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    const session = await merchant.session(100);
    await session.payUnheard(100);
    await session.expire();
    await pollCredits(fixture.container, 'SANDBOX');
    await fixture.work(60);
    expect(await brief(merchant)).toEqual([]);
    expect(await stateOf(merchant)).toEqual([['REFUSED', 'PAID_IN_TIME']]);
    expect(await merchant.events('refund_rule.refused')).toBe(1);
    const { status, received } = (await merchant.call('GET', `/collection/session/${session.sessionId}`)).body.data;
    expect([status, received]).toEqual(['EXPIRED', 100]);
  });

  it('sends back what is above the amount asked, a second payment whole, and what was asked not at all', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ excess: 'PROVIDER' });
    const session = await merchant.session(100);
    await session.pay(60);
    const second = await session.pay(70.5);
    const third = await session.pay(100);
    const late = await merchant.late();
    await fixture.work(60);
    const made = await brief(merchant);
    expect(made).toHaveLength(2);
    expect(made).toContainEqual([second, 'EXCESS', 'PROVIDER', 30.5, 'SUCCESS']);
    expect(made).toContainEqual([third, 'EXCESS', 'PROVIDER', 100, 'SUCCESS']);
    expect((await merchant.left(late)).refundableAmount).toBe(100);
  });

  it('sends nothing back as too much while what was paid before it is held, nor once that went back', async () => {
    const merchant = await fixture.addMerchant();
    const { tenant, merchantId } = merchant;
    await merchant.rule({ excess: 'PROVIDER' });
    const step = async (to: 'suspend' | 'reinstate') => {
      const given = { merchantId, actor: 'test', reason: 'Looked into' };
      await changeMerchantStatus({ queries: fixture.database, clock: fixture.clock }, to, given);
      fixture.clock.advance(5_000);
    };
    const session = await merchant.session(100);
    await session.payUnheard(100);
    await step('suspend');
    await pollCredits(fixture.container, 'SANDBOX');
    await step('reinstate');
    const [held] = (await merchant.call('GET', '/collection/payment')).body.data.records;
    expect(held.status).toBe('SUSPENSE');
    await session.pay(100);
    await fixture.work(60);
    expect([await brief(merchant), await stateOf(merchant)]).toEqual([[], [['WAITING', null]]]);

    const of = (name: string) => addPerson(fixture, { kind: 'OPERATOR', email: `${name}@manilla.example` });
    const [ada, bola] = [await of('ada'), await of('bola')];
    const proposal = { source: 'BANK_LETTER', note: 'The letter of 20 November', action: 'RETURN' } as const;
    const asked = { ...proposal, tenant, paymentId: held.paymentId, personId: ada };
    const shown = await proposeForPayment(fixture.container, asked);
    await confirmForPayment(fixture.container, { tenant, ...shown, personId: bola });
    fixture.clock.advance(60 * 60_000);
    await fixture.work(60);
    expect([await brief(merchant), await stateOf(merchant)]).toEqual([[], [['REFUSED', 'OTHER_PAYMENT_GONE']]]);
  });

  it('makes one refund of each payment, however many workers in two processes come to it at once', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    const paid: string[] = [];
    for (let at = 0; at < 6; at += 1) paid.push(await merchant.late(10 + at));
    const other = fixture.another();
    const workers = Array.from({ length: 8 }, (_, at) =>
      refundByRules(at % 2 === 0 ? fixture.container : other, 'SANDBOX'),
    );
    await Promise.all(workers);
    await fixture.work(60);
    const refunds = await merchant.list();
    expect(refunds.map(({ paymentId }: { paymentId: string }) => paymentId).sort()).toEqual(paid.sort());
    expect(new Set(refunds.map(({ status }: { status: string }) => status))).toEqual(new Set(['SUCCESS']));
    expect((await merchant.balance()).booked).toBe(0);
  });

  it('makes it once where the lease of a slow worker has run out and a second one was faster', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    await merchant.late();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    const slow: Container = {
      ...fixture.container,
      ledger: {
        ...fixture.container.ledger,
        async commit(movement) {
          await go;
          return fixture.container.ledger.commit(movement);
        },
      },
    };
    const late = refundByRules(slow, 'SANDBOX');
    await expect
      .poll(async () => {
        const asked = 'select attempts from payments_to_refund where merchant_id = $1';
        return (await fixture.database.pool.query(asked, [merchant.merchantId])).rows[0].attempts;
      })
      .toBe(1);
    fixture.clock.advance(61_000);
    expect(await refundByRules(fixture.another(), 'SANDBOX')).toBe(1);
    resolve();
    expect(await late).toBe(0);
    expect(await merchant.list()).toHaveLength(1);
  });

  it.each(['before its commit', 'after its commit'])('makes it once where its worker is killed %s', async (when) => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    await merchant.late();
    let isDead = false;
    const { ledger } = fixture.container;
    const doomed: Container = {
      ...fixture.container,
      ledger: {
        ...ledger,
        async commit(movement) {
          if (when === 'after its commit') await ledger.commit(movement);
          isDead = true;
          return new Promise<never>(() => undefined);
        },
      },
    };
    void refundByRules(doomed, 'SANDBOX');
    await expect.poll(() => isDead, { interval: 1 }).toBe(true);
    await fixture.work(12);
    fixture.clock.advance(61_000);
    await fixture.work(60);
    expect(await merchant.list()).toHaveLength(1);
    expect((await merchant.balance()).booked).toBe(0);
  });

  it('leaves what it has not refunded by the time it is switched off, and no worker goes by a version of before', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    await merchant.late();
    await merchant.rule({ late: 'OFF' });
    await fixture.work();
    expect(await merchant.list()).toEqual([]);
    expect(await stateOf(merchant)).toEqual([['LEFT', 'RULE_OFF']]);

    const racing = await fixture.addMerchant();
    await racing.rule({ late: 'PROVIDER' });
    await racing.late();
    const { ledger, ...rest } = fixture.container;
    let isOff = false;
    const overtaken: Container = {
      ...rest,
      ledger: {
        ...ledger,
        async commit(movement) {
          // Read by the worker, and switched off before it commits.
          if (!isOff) {
            isOff = true;
            const changes = { late: 'OFF' as const };
            await changeRefundRule(fixture.container, {
              tenant: racing.tenant,
              changes,
              by: 'Ada',
              idempotency: undefined,
            });
          }
          return ledger.commit(movement);
        },
      },
    };
    await refundByRules(overtaken, 'SANDBOX');
    expect(await racing.list()).toEqual([]);
    expect(await stateOf(racing)).toEqual([['LEFT', 'RULE_OFF']]);
  });

  it('counts what was refunded by hand before, and never sends back more than was not owed', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER', excess: 'PROVIDER' });
    const late = await merchant.late(100);
    await merchant.refund(late, { amount: 40 });
    const session = await merchant.session(100);
    const over = await session.pay(150);
    await merchant.refund(over, { amount: 50 });
    await fixture.work(60);
    expect(await brief(merchant)).toContainEqual([late, 'LATE', 'PROVIDER', 60, 'SUCCESS']);
    expect(await stateOf(merchant)).toEqual([
      ['LEFT', 'NOTHING_LEFT'],
      ['REFUNDED', null],
    ]);
    expect((await merchant.left(over)).refundedAmount).toBe(50);
  });

  it('sends back what is not owed and no more, where somebody refunds by hand before it commits', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ excess: 'PROVIDER' });
    const paymentId = await (await merchant.session(100)).pay(150);
    const { ledger } = fixture.container;
    let isByHand = false;
    const overtaken: Container = {
      ...fixture.container,
      ledger: {
        ...ledger,
        async commit(movement) {
          if (!isByHand) {
            isByHand = true;
            await merchant.refund(paymentId, { amount: 20 });
          }
          return ledger.commit(movement);
        },
      },
    };
    expect(await refundByRules(overtaken, 'SANDBOX')).toBe(1);
    await fixture.work(60);
    expect(
      (await brief(merchant)).map(([, cause, , amount]: [string, string, string, number]) => [cause, amount]),
    ).toEqual([
      ['EXCESS', 30],
      ['MERCHANT', 20],
    ]);
  });

  it('leaves a payment of which nothing is left after a dispute', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    const paymentId = await merchant.late(100);
    await merchant.dispute(paymentId);
    await fixture.work();
    expect(await merchant.list()).toEqual([]);
    expect(await stateOf(merchant)).toEqual([['LEFT', 'NOTHING_LEFT']]);
  });

  it('asks for no approval, as the rule was approved when it was set, and counts against the limit of a day', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    await fixture.dayLimit(merchant.merchantId, 150_00n);
    await merchant.late(100);
    await merchant.late(90);
    await fixture.work();
    const waiting = async () => (await stateOf(merchant)).filter(([status]: [string]) => status === 'WAITING').length;
    expect(await merchant.list()).toHaveLength(1);
    expect(await waiting()).toBe(1);
    fixture.clock.advance(24 * HOUR_MS);
    await fixture.work();
    expect(await merchant.list()).toHaveLength(2);
    for (const { approvalId } of await merchant.list()) expect(approvalId).toBeNull();
  });

  it('waits for money for a week, and is then for people to make', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    await merchant.late(100);
    await merchant.spend(50_00n);
    await fixture.work();
    expect(await stateOf(merchant)).toEqual([['WAITING', null]]);
    for (let day = 0; day < 8; day += 1) {
      fixture.clock.advance(24 * HOUR_MS);
      await refundByRules(fixture.container, 'SANDBOX');
    }
    expect(await stateOf(merchant)).toEqual([['REFUSED', 'INSUFFICIENT_FUNDS']]);
    expect(await merchant.events('refund_rule.refused')).toBe(1);
    expect(await merchant.list()).toEqual([]);
  });

  it('is for people at once where the payer’s account is not known, and waits while refunds are switched off', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PAYOUT' });
    await merchant.late(100, { payer: { accountNumber: '0690000031', bankName: 'No Such Bank' } });
    await fixture.work();
    expect(await stateOf(merchant)).toEqual([['REFUSED', 'REFUND_ACCOUNT_NEEDED']]);
    await merchant.rule({ late: 'PROVIDER' });
    await refundsEnabled(merchant, false);
    const paymentId = await merchant.late(60);
    await fixture.work();
    expect(await merchant.list()).toEqual([]);
    await refundsEnabled(merchant, true);
    fixture.clock.advance(HOUR_MS);
    await fixture.work();
    expect(await brief(merchant)).toEqual([[paymentId, 'LATE', 'PROVIDER', 60, 'SUCCESS']]);
  });

  it('does not repeat a refund that failed: it is made by hand', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.pay(100);
    await merchant.rule({ late: 'PAYOUT' });
    const paymentId = await merchant.late(100, {
      payer: { accountNumber: '0009999911', bankName: 'Guaranty Trust Bank' },
    });
    await fixture.work(120);
    fixture.clock.advance(2 * HOUR_MS);
    await fixture.work(60);
    expect(await brief(merchant)).toEqual([[paymentId, 'LATE', 'PAYOUT', 100, 'FAILED']]);
    expect((await merchant.left(paymentId)).refundableAmount).toBe(100);
    const byHand = await merchant.refund(paymentId, { way: 'PROVIDER' });
    expect(byHand.body.data).toMatchObject({ cause: 'MERCHANT', amount: 100 });
    await fixture.work();
  });

  it('is for payments sooner where the clock of the sandbox is moved', async () => {
    const merchant = await fixture.addMerchant();
    await merchant.rule({ late: 'PROVIDER' });
    const paymentId = await merchant.late(100);
    await merchant.spend(100_00n);
    await fixture.work();
    await merchant.pay(100);
    expect(await merchant.list()).toEqual([]);
    const moved = await merchant.call('POST', '/sandbox/clock/advance', { seconds: 3_600 });
    expect(moved.status, moved.text).toBe(200);
    await fixture.work();
    expect(await brief(merchant)).toEqual([[paymentId, 'LATE', 'PROVIDER', 100, 'SUCCESS']]);
  });

  it('has each version once, and of two changes at once both or one', async () => {
    const merchant = await fixture.addMerchant();
    const changes = await Promise.allSettled([
      merchant.rule({ late: 'PROVIDER' }),
      merchant.rule({ excess: 'PAYOUT' }),
      merchant.rule({ late: 'PAYOUT' }),
    ]);
    const made = changes.filter(({ status }) => status === 'fulfilled').length;
    for (const change of changes) {
      if (change.status === 'rejected') expect(change.reason).toMatchObject({ code: 'REFUND_RULE_MOVED_ON' });
    }
    const { body } = await merchant.call('GET', '/collection/refund/rule');
    expect(body.data.version).toBe(made);
    expect(made).toBeGreaterThan(0);
  });
});
