import { createAuthenticator, createPinGuard, guardRoutes } from '../../src/access/index.ts';
import { type Cleared, createKnownRules, type Maker, withClearance } from '../../src/approvals/index.ts';
import { createBanks } from '../../src/banks/index.ts';
import { createBatchEndHook } from '../../src/batches/end-batch.ts';
import { makeMerchant } from '../../src/demo/index.ts';
import { createFees } from '../../src/fees/index.ts';
import { createLedger, type Movement } from '../../src/ledger/index.ts';
import { createKnownLimits } from '../../src/limits/index.ts';
import { createIsSuspended } from '../../src/payout-delivery/index.ts';
import { takeProviderWebhooks } from '../../src/payout-delivery/provider-webhooks.ts';
import { payoutEvidence } from '../../src/payout-delivery/read-attempts.ts';
import { providerWebhookRoutes } from '../../src/payout-delivery/routes.ts';
import { makeHolds } from '../../src/payouts/holds.ts';
import { type PayoutDeps, payoutDetails } from '../../src/payouts/index.ts';
import { newPayout, queuedPayout } from '../../src/payouts/payout-record.ts';
import { insertPayouts } from '../../src/payouts/queries.ts';
import { createSessionGate } from '../../src/people/index.ts';
import { success } from '../../src/platform/answer.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { write } from '../../src/platform/db/statement.ts';
import { createRequestLimits } from '../../src/platform/http/request-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { createUploads } from '../../src/platform/uploads.ts';
import { createSandboxRail, type RailCaller, type SandboxRail, type SandboxTransfer } from '../../src/rails/index.ts';
import { advanceWrites, payoutRoutes } from '../../src/routes.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import { insertTransactions, transactionRoutes } from '../../src/transactions/index.ts';
import { createWalletDirectory } from '../../src/wallets/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { clockOf } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHurriedCaller, sandboxKeepsSilent } from '../support/hurried-caller.ts';
import { oneConnectionEach } from '../support/one-connection.ts';

/** These rails for every sandbox merchant, first choice first, and none for live money. */
export function railsOf(...callers: RailCaller[]): PayoutDeps['rails'] {
  const find = (mode: Tenant['mode'], name: string) =>
    mode === 'SANDBOX' ? callers.find((caller) => caller.name === name) : undefined;
  return {
    listRails: async ({ mode }) => (mode === 'SANDBOX' ? callers : []),
    findRail: async (mode, name) => find(mode, name),
  };
}

/** The rails of a house, from what it is made of. */
export type MakeRails = (
  made: Pick<PayoutDeps, 'database' | 'clock' | 'jobs'> & { secrets: Secrets; sandboxRail: RailCaller },
) => PayoutDeps['rails'];

export const PIN = '4826';
const WALLET_BANK = { code: '999', name: 'Test Wallet' };
/** A send that hangs by plan is abandoned after this. */
const ABANDON_AFTER_MS = 400;
const WEBHOOK_SECRET = 'what the bank signs its webhooks with';

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export type PayoutFixture = Awaited<ReturnType<typeof createPayoutFixture>>;

/** Payouts with everything below them, on a database of their own, a clock that only tests move, and no worker running. */
export async function createPayoutFixture(options: { rails?: PayoutDeps['rails'] | MakeRails } = {}) {
  const { connectionString, drop } = await createTestDatabase();
  const logger = createLogger('silent');
  const open = () => oneConnectionEach(openDatabase({ connectionString, maxConnections: 12, logger }));
  const database = open();
  const clock = movableClock();
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
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
  const ledger = createLedger({ database, logger, clock, committers: 1 });
  const hurry = { keepsSilent: sandboxKeepsSilent, abandonAfterMs: ABANDON_AFTER_MS, clock };
  const caller: RailCaller = createHurriedCaller(rail, { ...hurry, limits: { breakerCalls: 10_000 } });
  const { rails = railsOf(caller) } = options;
  const jobs = createJobMonitor({ clock, logger });
  const deps: PayoutDeps = {
    database,
    ledger,
    wallets: createWalletDirectory(database),
    banks: createBanks({ database, clock }),
    fees: createFees({ database, clock }),
    payoutLimits: createKnownLimits({ database, clock }),
    approvalRules: createKnownRules({ database, clock }),
    isSuspended: createIsSuspended({ database, clock }),
    uploads: createUploads(),
    payoutEnd: createBatchEndHook(),
    rails: typeof rails === 'function' ? rails({ database, clock, jobs, secrets, sandboxRail: caller }) : rails,
    secrets,
    clock,
    logger,
    jobs,
    wake: () => undefined,
  };
  const authenticator = createAuthenticator({ database, secrets, clock, logger });
  const server = await createServer({ logger, trustedProxies: [] });
  const limits = createRequestLimits({ perKey: 0, perAddress: 0, clock, logger });
  await server.register(async (api) => {
    const sessions = createSessionGate({ database, secrets, clock, logger });
    const guards = { database, clock, logger, sessions, limits, publicUrl: undefined };
    guardRoutes(api, { ...guards, authenticator, pinGuard: createPinGuard({ database, secrets, clock }), ledger });
    await api.register(payoutRoutes(deps));
    await api.register(transactionRoutes({ ...deps, details: payoutDetails, evidenceParts: payoutEvidence }));
    await api.register(sandboxRoutes({ ...deps, walletBank: WALLET_BANK, advanceWrites }));
  });
  await server.register(providerWebhookRoutes(deps, limits));
  const providerWebhooks = { name: 'sandbox webhooks', everyMs: 1_000, run: () => rail.deliverAllDueWebhooks(jobs) };

  async function addMerchant(naira = 10_000_000, mode: Tenant['mode'] = 'SANDBOX') {
    const made = await makeMerchant(
      { database, secrets, clock, walletBank: WALLET_BANK },
      {
        profile: { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678' },
        approved: true,
        mode,
        pin: PIN,
      },
    );
    const tenant: Tenant = { merchantId: made.merchantId, mode };
    const { wallet } = await deps.wallets.requireTenantAccounts(tenant);
    const call = async (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      url: string,
      body?: unknown,
      headers = {},
    ): Promise<Reply> => {
      const answer = await server.inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${made.secretKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.body === '' ? undefined : JSON.parse(answer.body),
      };
    };
    if (mode === 'SANDBOX' && naira > 0)
      await call('POST', '/sandbox/wallet/fund', { walletId: wallet.id, amount: naira });
    const balance = () => ledger.readBalance(tenant, wallet.id);
    return { ...made, tenant, walletId: wallet.id, call, balance };
  }

  /** For many: nobody calls the API, and there is money in either mode. */
  async function addTenant(mode: Tenant['mode'] = 'SANDBOX'): Promise<Tenant> {
    const profile = { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678' };
    const made = await makeMerchant(
      { database, secrets, clock, walletBank: WALLET_BANK },
      { profile, approved: true, mode },
    );
    const tenant: Tenant = { merchantId: made.merchantId, mode };
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
      const own: Database = open();
      const other: PayoutDeps = {
        ...deps,
        database: own,
        payoutLimits: createKnownLimits({ database: own, clock }),
        approvalRules: createKnownRules({ database: own, clock }),
        isSuspended: createIsSuspended({ database: own, clock }),
        jobs: createJobMonitor({ clock, logger }),
        ledger: createLedger({ database: own, logger, clock, committers: 1 }),
        wallets: createWalletDirectory(own),
        rails: options.rails === undefined ? railsOf(createHurriedCaller(rail, hurry)) : deps.rails,
      };
      return { deps: other, close: () => own.close() };
    },
    async close() {
      await server.close();
      await ledger.drain();
      authenticator.close();
      await database.close();
      await drop();
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
      writes: [write(insertTransactions, payout), write(insertPayouts, payout)],
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

function movableClock() {
  let at = Date.now();
  return {
    ...clockOf(() => new Date(at)),
    advance: (milliseconds: number) => {
      at += milliseconds;
    },
  };
}

/** Works off what is due, moves time on, and again, until nothing is left to do or an hour and a half has passed. */
export async function untilQuiet(fixture: PayoutFixture): Promise<void> {
  await fixture.worker.runOnce();
  for (let minutes = 0; minutes < 90; minutes += 1) {
    fixture.clock.advance(60_000);
    await fixture.worker.runOnce();
  }
}

/** Most tests pay the same account the same amount again, and mean it. */
export function payment(fields: Record<string, unknown> = {}) {
  const terms = { amount: 1_000, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
  return { pin: PIN, ...terms, allowDuplicate: true, ...fields };
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
