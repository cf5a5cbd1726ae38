import { approvalDeps } from '../../src/approvals/index.ts';
import { collectionRoutes, pollCredits } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { askAboutDisputes, disputeRoutes } from '../../src/disputes/index.ts';
import { setLimits } from '../../src/limits/index.ts';
import { expireSessions, openDueSessions, paymentSessionRoutes } from '../../src/payment-sessions/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createRailCaller, type RefundCaller, type RefundOrder } from '../../src/rails/index.ts';
import { refundScenarioOf } from '../../src/rails/sandbox/refund-scenarios.ts';
import { readRefundsOfPayment, refundByRules, refundRoutes, sendDueRefunds } from '../../src/refunds/index.ts';
import { changeRefundRule } from '../../src/refunds/refund-rule.ts';
import type { RuleWay } from '../../src/refunds/rule-queries.ts';
import { advanceWrites, payoutSubjects } from '../../src/routes.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import { creditSubaccount } from '../../src/subaccounts/move-subaccount-money.ts';
import { createSubaccount } from '../../src/subaccounts/subaccount.ts';
import { virtualAccountRoutes } from '../../src/virtual-accounts/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import {
  containerOf,
  createTestBase,
  type MerchantOptions,
  serveRoutes,
  TEST_PIN,
  type TestBaseOptions,
} from '../support/base.ts';
import { letGo } from '../support/let-go.ts';

/** Who pays for a session, of an account in the name of nobody else. */
export const FROM_ACCESS = { payer: { accountNumber: '0690000031', bankName: 'Access Bank Plc' } };

/** A refund that hangs by plan is abandoned after this. */
const ABANDON_AFTER_MS = 400;

/** The same, which soon abandons a refund that is meant to get no answer, and no other. */
function hurried(container: Container): Container {
  const { rails, sandbox, clock } = container;
  const soon = createRailCaller(sandbox, { limits: { sendTimeoutMs: ABANDON_AFTER_MS }, clock }).wallets?.refunds;
  return {
    ...container,
    rails: {
      ...rails,
      async findRail(mode, name) {
        const rail = await rails.findRail(mode, name);
        const refunds = rail?.wallets?.refunds;
        if (soon === undefined || refunds === undefined || rail?.wallets === undefined || name !== 'sandbox')
          return rail;
        const isUnanswered = ({ scenario }: RefundOrder) => refundScenarioOf(scenario).sending === 'hang';
        const refund: RefundCaller['refund'] = (order, ...how) =>
          (isUnanswered(order) ? soon : refunds).refund(order, ...how);
        return { ...rail, wallets: { ...rail.wallets, refunds: { ...refunds, refund } } };
      },
    },
  };
}

/** A service with payments in at the sandbox's bank, and their refunds; workers run when a test says so. */
export async function createRefundFixture(options: TestBaseOptions = {}) {
  const base = await createTestBase(options);
  const container = hurried(containerOf(base));
  const served = await serveRoutes(base, container, async (api) => {
    await api.register(virtualAccountRoutes(container));
    await api.register(collectionRoutes({ ...container, readRefundsOfPayment }));
    await api.register(refundRoutes(container));
    await api.register(disputeRoutes(container));
    await api.register(paymentSessionRoutes({ ...container, publicUrl: undefined }));
    await api.register(sandboxRoutes({ ...container, advanceWrites }));
  });
  /** What another process has. */
  const another = (database: Database = base.database): Container => hurried(containerOf({ ...base, database }));
  const approvals = approvalDeps(container, {
    ...payoutSubjects(container),
    BENEFICIARY: { show: () => Promise.reject(new Error('none here')) } as never,
  });

  /** What workers do within some seconds: payouts are sent, refunds take their next steps, soon at first and then less often. */
  async function work(seconds = 30, deps: Container = container): Promise<void> {
    let pause = 6;
    for (let passed = 0; passed < seconds; passed += pause) {
      if (passed >= 30) pause = 30;
      await refundByRules(deps, 'SANDBOX');
      await createPayoutWorker(deps).runOnce();
      while ((await sendDueRefunds(deps, 'SANDBOX')) > 0);
      base.clock.advance(pause * 1_000);
    }
  }

  async function addMerchant(more: MerchantOptions = {}) {
    const merchant = await base.addMerchant({ pin: TEST_PIN, ...more });
    const call = served.callAs(merchant.secretKey);
    const { wallet } = await container.wallets.requireTenantAccounts(merchant.tenant);
    const { body } = await call('GET', `/wallet/${wallet.id}/account`);
    const { accountNumber } = body.data.accounts[0];

    /** Somebody pays so much naira. @returns the payment's id */
    async function pay(amount = 1_000, payer: object = {}): Promise<string> {
      const paid = await call('POST', '/sandbox/collection/pay', { accountNumber, amount, ...payer });
      if (paid.status !== 200) throw new Error(paid.text);
      await container.sandbox.deliverAllDueWebhooks(container.jobs);
      await pollCredits(container, 'SANDBOX');
      const [payment] = (await call('GET', '/collection/payment')).body.data.records;
      return payment.paymentId;
    }

    /** Opens a session and gives what pays it: each payment is credited, and its id comes back. */
    async function session(amount: number, more: object = {}) {
      const opened = await call('POST', '/collection/session', {
        amount,
        customer: { name: 'Ada Obi', email: 'ada@example.com' },
        ...more,
      });
      if (opened.status !== 200) throw new Error(opened.text);
      const { sessionId } = opened.body.data;
      await openDueSessions(container, 'SANDBOX');
      const { accounts } = (await call('GET', `/collection/session/${sessionId}`)).body.data;
      return {
        sessionId,
        pay: (amount: number, payer: object = FROM_ACCESS) =>
          pay(amount, { accountNumber: accounts[0].accountNumber, ...payer }),
        /** The bank has it, and says so an hour later. */
        async payUnheard(amount: number) {
          const { accountNumber } = accounts[0];
          const given = { accountNumber, amount, ...FROM_ACCESS, scenario: 'notified_late' };
          const paid = await call('POST', '/sandbox/collection/pay', given);
          if (paid.status !== 200) throw new Error(paid.text);
        },
        cancel: () => call('POST', `/collection/session/${sessionId}/cancel`),
        async expire() {
          base.clock.advance(31 * 60_000);
          await expireSessions(container, 'SANDBOX');
        },
      };
    }

    /** What goes back by itself from now on. */
    const rule = (changes: { late?: RuleWay; excess?: RuleWay }) =>
      changeRefundRule(container, { tenant: merchant.tenant, changes, by: 'Ada', idempotency: undefined });
    const toRefund = async () => (await call('GET', '/collection/refund/rule/payment')).body.data.records;
    /** A payment of so much that came after its session was called off. */
    async function late(amount = 100, payer: object = FROM_ACCESS): Promise<string> {
      const one = await session(amount);
      await one.cancel();
      return one.pay(amount, payer);
    }

    /** So much, kobo, is elsewhere. */
    async function spend(amountMinor: bigint): Promise<void> {
      const at = { tenant: merchant.tenant, idempotency: undefined };
      const { answer } = await createSubaccount(container, { ...at, name: 'Elsewhere', merchantName: 'Adire' });
      const { subaccountId } = JSON.parse(answer.body).data;
      await creditSubaccount(container, { ...at, subaccountId, amountMinor, narration: null, metadata: null });
    }
    /** The payer's bank wants all of a payment back. */
    async function dispute(paymentId: string): Promise<void> {
      const opened = await call('POST', '/sandbox/collection/dispute', { paymentId });
      if (opened.status !== 200) throw new Error(opened.text);
      await container.sandbox.deliverAllDueWebhooks(container.jobs);
      await askAboutDisputes(container, 'SANDBOX');
    }
    const events = async (type: string): Promise<number> => {
      const asked = 'select count(*)::int as events from events where merchant_id = $1 and type = $2';
      return (await base.database.pool.query(asked, [merchant.merchantId, type])).rows[0].events;
    };

    const refund = (paymentId: string, more: object = {}, headers: Record<string, string> = {}) =>
      call('POST', `/collection/payment/${paymentId}/refund`, { pin: TEST_PIN, ...more }, headers);
    const read = async (refundId: string) => (await call('GET', `/collection/refund/${refundId}`)).body.data.refund;
    const list = async () => (await call('GET', '/collection/refund')).body.data.records;
    const left = async (paymentId: string) => (await call('GET', `/collection/payment/${paymentId}`)).body.data.refunds;
    const balance = async () => {
      const { bookedMinor, availableMinor } = await container.ledger.readBalance(merchant.tenant, wallet.id);
      return { booked: Number(bookedMinor), available: Number(availableMinor) };
    };
    return {
      ...merchant,
      call,
      wallet,
      pay,
      session,
      late,
      rule,
      toRefund,
      spend,
      dispute,
      events,
      refund,
      read,
      list,
      left,
      balance,
    };
  }

  const limit = (merchantId: string | null, more: object) =>
    setLimits(container, {
      merchantId,
      mode: 'SANDBOX',
      perPayoutMinor: undefined,
      perDayMinor: undefined,
      duplicateWindowSeconds: undefined,
      effectiveFrom: undefined,
      effectiveTo: null,
      source: 'a test',
      ...more,
    });

  return {
    ...base,
    /** How long the same counts as a slip, for all. */
    async duplicateWindow(duplicateWindowSeconds: number) {
      base.clock.advance(1_000);
      await limit(null, { duplicateWindowSeconds });
      base.clock.advance(61_000);
    },
    async dayLimit(merchantId: string, perDayMinor: bigint) {
      base.clock.advance(1_000);
      await limit(merchantId, { perDayMinor });
      base.clock.advance(61_000);
    },
    container,
    approvals,
    served,
    another,
    work,
    addMerchant,
    async close() {
      await served.close();
      await base.close();
      letGo(this);
    },
  };
}

export type RefundFixture = Awaited<ReturnType<typeof createRefundFixture>>;
