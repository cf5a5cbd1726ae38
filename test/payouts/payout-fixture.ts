import { type Cleared, type Maker, withClearance } from '../../src/approvals/index.ts';
import type { Movement } from '../../src/ledger/index.ts';
import { payoutEvidence } from '../../src/payout-delivery/provider-response.ts';
import { takeProviderWebhooks } from '../../src/payout-delivery/provider-webhooks.ts';
import { makeHolds } from '../../src/payouts/holds.ts';
import { type PayoutDeps, payoutDetails } from '../../src/payouts/index.ts';
import { newPayout, queuedPayout } from '../../src/payouts/payout-record.ts';
import { insertPayouts } from '../../src/payouts/queries.ts';
import { success } from '../../src/platform/answer.ts';
import { write } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { providerWebhookRoutes } from '../../src/rail-accounts/routes.ts';
import {
  createSandboxRail,
  type ProviderWebhookRequest,
  type RailCaller,
  type SandboxRail,
  type SandboxTransfer,
} from '../../src/rails/index.ts';
import { advanceWrites, payoutRoutes } from '../../src/routes.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import { insertTransactions, transactionRoutes } from '../../src/transactions/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { containerOf, createTestBase, serveRoutes, TEST_PIN } from '../support/base.ts';
import { stillClock } from '../support/clock.ts';
import { createHurriedCaller, sandboxGivesNoAnswer } from '../support/hurried-caller.ts';
import { letGo } from '../support/let-go.ts';

/** These rails for every sandbox merchant, first choice first, and none for live money. */
export function railsOf(...callers: RailCaller[]): PayoutDeps['rails'] {
  const find = (mode: Tenant['mode'], name: string) =>
    mode === 'SANDBOX' ? callers.find((caller) => caller.name === name) : undefined;
  return {
    listRails: async ({ mode }) => (mode === 'SANDBOX' ? callers : []),
    findRail: async (mode, name) => find(mode, name),
  };
}

/** The rails that a test has at the moment: each may have its own, of one service. */
export function railsOfTest(current: () => PayoutDeps['rails']): PayoutDeps['rails'] {
  return {
    listRails: (tenant) => current().listRails(tenant),
    findRail: (mode, name) => current().findRail(mode, name),
  };
}

/** Rails, from what a fixture is made of. */
export type MakeRails = (
  made: Pick<PayoutDeps, 'database' | 'clock' | 'logger' | 'jobs'> & { secrets: Secrets; sandboxRail: RailCaller },
) => PayoutDeps['rails'];

export { type Reply, TEST_PIN as PIN } from '../support/base.ts';

/** A send that hangs by plan is abandoned after this. */
const ABANDON_AFTER_MS = 400;
const WEBHOOK_SECRET = 'what the bank signs its webhooks with';

export type PayoutFixture = Awaited<ReturnType<typeof createPayoutFixture>>;

/** Payouts with everything below them, on a database of their own, a clock that only tests move, and no worker running. */
export async function createPayoutFixture(options: { rails?: PayoutDeps['rails'] | MakeRails } = {}) {
  const base = await createTestBase({ clock: stillClock(), logger: createLogger('silent') });
  const { database, clock, secrets, config } = base;
  const rail: SandboxRail = createSandboxRail({
    database,
    clock,
    providerWebhooks: {
      secret: WEBHOOK_SECRET,
      deliver: async (request) => {
        await takeProviderWebhooks(deps, caller, request);
      },
    },
  });
  const hurry = { isUnanswered: sandboxGivesNoAnswer, abandonAfterMs: ABANDON_AFTER_MS, clock };
  const caller: RailCaller = createHurriedCaller(rail, { ...hurry, limits: { breakerCalls: 10_000 } });
  const { rails = railsOf(caller) } = options;
  const container = containerOf(base);
  const { jobs, ledger } = container;
  const deps: PayoutDeps = {
    ...container,
    rails: typeof rails === 'function' ? rails({ ...base, jobs, secrets, sandboxRail: caller }) : rails,
  };
  const served = await serveRoutes(base, container, async (api) => {
    await api.register(payoutRoutes(deps));
    await api.register(transactionRoutes({ ...deps, details: payoutDetails, evidenceParts: payoutEvidence }));
    await api.register(sandboxRoutes({ ...deps, walletBank: config.walletBank, advanceWrites }));
  });
  const { server } = served;
  await server.register(providerWebhookRoutes(withOutcomesTaken(deps), served.limits));
  const providerWebhooks = { name: 'sandbox webhooks', everyMs: 1_000, run: () => rail.deliverAllDueWebhooks(jobs) };

  async function addMerchant(naira = 10_000_000, mode: Tenant['mode'] = 'SANDBOX') {
    const made = await base.addMerchant({ mode, pin: TEST_PIN });
    const { wallet } = await deps.wallets.requireTenantAccounts(made.tenant);
    const call = served.callAs(made.secretKey);
    if (mode === 'SANDBOX' && naira > 0)
      await call('POST', '/sandbox/wallet/fund', { walletId: wallet.id, amount: naira });
    const balance = () => ledger.readBalance(made.tenant, wallet.id);
    return { ...made, walletId: wallet.id, call, balance };
  }

  /** For many: nobody calls the API, and there is money in either mode. */
  async function addTenant(mode: Tenant['mode'] = 'SANDBOX'): Promise<Tenant> {
    const { tenant } = await base.addMerchant({ mode });
    const { wallet, providerFloat } = await deps.wallets.requireTenantAccounts(tenant);
    const money = { id: newId(), amountMinor: 1_000_000_000_00n, code: 'SANDBOX_FUNDING' as const };
    await ledger.commit({
      tenant,
      id: newId(),
      occurredAt: clock.now().toISOString(),
      transfers: [{ kind: 'POSTED', ...money, debitAccountId: providerFloat, creditAccountId: wallet.id }],
      events: [{ id: newId(), type: 'transaction.succeeded', subjectId: newId(), data: '{}' }],
      answer: success('Success'),
    });
    return tenant;
  }

  return {
    deps,
    database,
    connectionString: base.connectionString,
    clock,
    secrets,
    rail,
    caller,
    server,
    addMerchant,
    addTenant,
    worker: createPayoutWorker(deps, { scheduledJobs: [providerWebhooks] }),
    /** As another process would be: its own connections, ledger and memory. */
    async otherProcess(): Promise<{ deps: PayoutDeps; close(): Promise<void> }> {
      const own = base.open();
      const its = containerOf({ ...base, database: own });
      const other: PayoutDeps = {
        ...its,
        rails: options.rails === undefined ? railsOf(createHurriedCaller(rail, hurry)) : deps.rails,
      };
      return { deps: other, close: () => own.close() };
    },
    async close() {
      await served.close();
      await base.close();
      letGo(this);
    },
  };
}

/** Accepted and waiting for a worker, put into the books without a request each. Returns their ids. */
export async function addPayouts(
  { deps }: Pick<PayoutFixture, 'deps'>,
  { tenant }: Pick<Merchant, 'tenant'>,
  count: number,
  fields: { batchId?: string | null; rail?: string; accountNumber?: (at: number) => string } = {},
): Promise<string[]> {
  const now = deps.clock.now();
  const at = now.toISOString();
  const [accounts, quote] = await Promise.all([
    deps.wallets.requireTenantAccounts(tenant),
    deps.fees.quotePayout({ amountMinor: 100_000n, currency: 'NGN', purpose: 'GENERAL', at: now }),
  ]);
  const cleared = await clearanceOf(deps, tenant);
  const movements = Array.from({ length: count }, (_, number): Movement => {
    const id = newId();
    const accepted = newPayout({
      tenant,
      id,
      accounts,
      quote,
      beneficiary: {
        bankCode: '058',
        bankName: 'Guaranty Trust Bank',
        accountNumber: fields.accountNumber?.(number) ?? String(1_000_000_000 + number),
        accountName: 'ADA OBI',
      },
      narration: 'Salary',
      phoneNumber: null,
      purpose: 'GENERAL',
      batchId: fields.batchId ?? null,
      clientReference: null,
      metadata: null,
      rail: fields.rail ?? 'sandbox',
      scenario: null,
      allowDuplicate: false,
      at: now,
    });
    const { holds, transfers } = makeHolds(accounts, id, quote);
    const payout = queuedPayout({ ...accepted, ...holds }, cleared);
    return {
      tenant,
      id,
      occurredAt: at,
      transfers,
      writes: [write(insertTransactions, payout), write(insertPayouts, { ...payout, lease_id: null })],
      events: [{ id: newId(), type: 'payout.queued', subjectId: id, data: '{}' }],
      answer: success('Success'),
    };
  });
  await Promise.all(movements.map((movement) => deps.ledger.commit(movement)));
  return movements.map(({ id }) => id);
}

/** Of a payout that a merchant without rules of approval makes. */
function clearanceOf(deps: PayoutDeps, tenant: Tenant): Promise<Cleared> {
  const { merchantId } = tenant;
  const maker: Maker = { merchantId, personId: null, name: 'Test', via: 'API', keyId: null, ip: null };
  return withClearance(deps, { tenant, kind: 'PAYOUT', amountMinor: 100_000n, maker }, async (clearance) => {
    if (clearance.kind === 'HELD') throw new Error('this merchant has rules of approval');
    return clearance;
  });
}

export type Merchant = Awaited<ReturnType<PayoutFixture['addMerchant']>>;

/** Minutes after a payout's first call at which something may be due: retries come soon and then ever less often. */
const MINUTES_ON = [...Array.from({ length: 10 }, () => 1), ...Array.from({ length: 16 }, () => 5)];

/** Where the worker finds what is due, and when it is. */
const QUEUES = [
  ['payouts', 'due_at'],
  ['batches', 'due_at'],
  ['batch_chunks', 'due_at'],
  ['sandbox_rail_transfers', 'next_webhook_at'],
  ['sandbox_credits', 'next_webhook_at'],
  ['sandbox_disputes', 'next_webhook_at'],
  ['sandbox_settlements', 'next_webhook_at'],
] as const;

async function isAnythingDueBefore({ database }: PayoutFixture, until: Date, merchantId?: string): Promise<boolean> {
  const found = QUEUES.map(([table, at]) => {
    const sql = `select 1 from ${table} where ${at} <= $1 and ($2::uuid is null or merchant_id = $2) limit 1`;
    return database.pool.query(sql, [until, merchantId]);
  });
  return (await Promise.all(found)).some(({ rows }) => rows.length > 0);
}

/**
 * Works off what is due, moves time on, and again, until nothing is left to do or an hour and a half has passed.
 * @param merchant until nothing of this one is left to do, whatever others wait for
 */
export async function untilQuiet(fixture: PayoutFixture, merchant?: Pick<Merchant, 'merchantId'>): Promise<void> {
  const minutesInAll = MINUTES_ON.reduce((sum, minutes) => sum + minutes, 0);
  const until = new Date(fixture.clock.now().getTime() + minutesInAll * 60_000);
  await fixture.worker.runOnce();
  for (const minutes of MINUTES_ON) {
    if (!(await isAnythingDueBefore(fixture, until, merchant?.merchantId))) return;
    fixture.clock.advance(minutes * 60_000);
    await fixture.worker.runOnce();
  }
}

/** Most tests pay the same account the same amount again, and mean it. */
export function payment(fields: Record<string, unknown> = {}) {
  const terms = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
  return { pin: TEST_PIN, ...terms, allowDuplicate: true, ...fields };
}

export function items(count: number, fields: Record<string, unknown> = {}) {
  return Array.from({ length: count }, (_, at) => ({
    amount: 1_000 + at,
    bankCode: '058',
    accountNumber: String(1_000_000_000 + at),
    narration: `Salary ${at}`,
    ...fields,
  }));
}

/** The rail's own books of a merchant: what it executed. */
export async function executed(fixture: PayoutFixture, tenant: Tenant): Promise<SandboxTransfer[]> {
  const lines = await fixture.rail.listTransfers(tenant, { after: '', limit: 10_000 });
  return lines.filter((line) => line.outcome === 'succeeded');
}

/** Webhooks of rails say what became of payouts here, and nothing else. */
export function withOutcomesTaken<Deps extends PayoutDeps>(deps: Deps) {
  const takeProviderWebhook = async (rail: RailCaller, _mode: Mode, request: ProviderWebhookRequest) =>
    (await takeProviderWebhooks(deps, rail, request)).length;
  return { ...deps, takeProviderWebhook };
}
