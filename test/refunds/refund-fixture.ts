import { approvalDeps } from '../../src/approvals/index.ts';
import { collectionRoutes, pollCredits } from '../../src/collections/index.ts';
import type { Container } from '../../src/container.ts';
import { setLimits } from '../../src/limits/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { readRefundsOfPayment, refundRoutes, sendDueRefunds } from '../../src/refunds/index.ts';
import { advanceWrites, payoutSubjects } from '../../src/routes.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
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

/** A service with payments in at the sandbox's bank, and their refunds; workers run when a test says so. */
export async function createRefundFixture(options: TestBaseOptions = {}) {
  const base = await createTestBase(options);
  const container = containerOf(base);
  const served = await serveRoutes(base, container, async (api) => {
    await api.register(virtualAccountRoutes(container));
    await api.register(collectionRoutes({ ...container, readRefundsOfPayment }));
    await api.register(refundRoutes(container));
    await api.register(sandboxRoutes({ ...container, advanceWrites }));
  });
  /** What another process has. */
  const another = (database: Database = base.database): Container => containerOf({ ...base, database });
  const approvals = approvalDeps(container, {
    ...payoutSubjects(container),
    BENEFICIARY: { show: () => Promise.reject(new Error('none here')) } as never,
  });

  /** What workers do within some seconds: payouts are sent, refunds take their next steps. */
  async function work(seconds = 30, deps: Container = container): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 6) {
      await createPayoutWorker(deps).runOnce();
      while ((await sendDueRefunds(deps, 'SANDBOX')) > 0);
      base.clock.advance(6_000);
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

    const refund = (paymentId: string, more: object = {}, headers: Record<string, string> = {}) =>
      call('POST', `/collection/payment/${paymentId}/refund`, { pin: TEST_PIN, ...more }, headers);
    const read = async (refundId: string) => (await call('GET', `/collection/refund/${refundId}`)).body.data.refund;
    const list = async () => (await call('GET', '/collection/refund')).body.data.records;
    const left = async (paymentId: string) => (await call('GET', `/collection/payment/${paymentId}`)).body.data.refunds;
    const balance = async () => {
      const { bookedMinor, availableMinor } = await container.ledger.readBalance(merchant.tenant, wallet.id);
      return { booked: Number(bookedMinor), available: Number(availableMinor) };
    };
    return { ...merchant, call, wallet, pay, refund, read, list, left, balance };
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
    },
  };
}

export type RefundFixture = Awaited<ReturnType<typeof createRefundFixture>>;
