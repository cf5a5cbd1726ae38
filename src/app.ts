import type { FastifyInstance } from 'fastify';
import { createAuthenticator, createPinGuard, guardRoutes, limitRate, tokenRoutes } from './access/index.ts';
import { bankRoutes } from './bank-directory/index.ts';
import { createHouse, type HouseDeps } from './house.ts';
import type { Ledger } from './ledger/index.ts';
import {
  createPayoutWorker,
  noticeRoutes,
  type PayoutWorker,
  payoutAdvanceWrites,
  payoutEvents,
  payoutEvidence,
  payoutRoutes,
  sweepUploads,
} from './payouts/index.ts';
import { isMigrated } from './platform/db/migrate.ts';
import type { Write } from './platform/db/statement.ts';
import { healthRoutes } from './platform/http/health.ts';
import { documentApi } from './platform/http/openapi.ts';
import { createServer } from './platform/http/server.ts';
import { createMetrics } from './platform/metrics.ts';
import type { Tenant } from './platform/tenant.ts';
import { profileEvents, profileRoutes } from './profile/index.ts';
import { railEvents, railRoutes } from './rail-accounts/index.ts';
import { reconciliationEvents } from './reconciliation/index.ts';
import { sandboxEvents, sandboxRoutes } from './sandbox/index.ts';
import { storeEvents, storeRoutes } from './stores/index.ts';
import { subaccountEvents, subaccountRoutes } from './subaccounts/index.ts';
import { findTransactionNotes, transactionEvents, transactionRoutes } from './transactions/index.ts';
import { walletRoutes } from './wallets/index.ts';
import {
  createWebhookWorker,
  documentWebhooks,
  WEBHOOK_EVENTS,
  type WebhookWorker,
  webhookAdvanceWrites,
  webhookRoutes,
} from './webhooks/index.ts';

export interface App {
  server: FastifyInstance;
  /** Health and metrics alone, for a process without the API. */
  health: FastifyInstance;
  ledger: Ledger;
  worker: PayoutWorker;
  webhookWorker: WebhookWorker;
  startWorkers(): void;
  /** Answers what was taken in, then lets go of everything but the database. */
  close(): Promise<void>;
}

const NOTICES_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;

/** The composition root: the only place that knows every room of the house. */
export async function createApp(given: HouseDeps): Promise<App> {
  const { config, database, secrets, clock, logger } = given;
  const metrics = createMetrics(database.pool);
  const authenticator = createAuthenticator({ database, secrets, clock, logger });
  const pinGuard = createPinGuard({ database, secrets, clock });
  const house = createHouse(given, { onGroup: metrics.observeGroup, wake: () => worker.wake() });
  const { ledger, sandbox } = house;
  metrics.watchRails(() => house.rails.circuits());
  const webhooks = { allowLoopback: config.webhookAllowLoopback };
  const wakeWebhooks = () => webhookWorker.wake();
  const deps = { ...house, webhooks, webhookAllowLoopback: config.webhookAllowLoopback, wakeWebhooks };
  const worker: PayoutWorker = createPayoutWorker(deps, {
    chores: [
      { name: 'sandbox notices', everyMs: NOTICES_EVERY_MS, run: () => sandbox.deliverAllDueNotices() },
      { name: 'uploads that were cut off', everyMs: SWEEP_EVERY_MS, run: () => sweepUploads(deps) },
    ],
  });
  const webhookWorker = createWebhookWorker(deps, webhooks);

  const healthDeps = { metrics, isReady: () => isMigrated(database) };
  const health = await createServer({ logger, trustedProxies: [] });
  healthRoutes(health, healthDeps);
  const server = await createServer({ logger, trustedProxies: config.trustedProxies });
  await documentApi(server, documentWebhooks(EVENTS));
  healthRoutes(server, healthDeps);
  await server.register(noticeRoutes(deps));
  await server.register(async (api) => {
    guardRoutes(api, { authenticator, pinGuard, ledger });
    await limitRate(api, config.rateLimitPerSecond);
    await api.register(tokenRoutes(deps));
    await api.register(profileRoutes(deps));
    await api.register(
      walletRoutes({ ...deps, findNotes: (tenant, ids) => findTransactionNotes(database, tenant, ids) }),
    );
    await api.register(storeRoutes(deps));
    await api.register(subaccountRoutes(deps));
    await api.register(bankRoutes(deps));
    await api.register(payoutRoutes(deps));
    await api.register(railRoutes(deps));
    await api.register(transactionRoutes({ ...deps, evidenceParts: payoutEvidence(database) }));
    await api.register(webhookRoutes(deps));
    await api.register(sandboxRoutes({ ...deps, advanceWrites, onAdvanced: wakeWorkers }));
  });

  function wakeWorkers(): void {
    worker.wake();
    webhookWorker.wake();
  }

  return {
    server,
    health,
    ledger,
    worker,
    webhookWorker,
    startWorkers() {
      worker.start();
      webhookWorker.start();
    },
    async close() {
      await Promise.all([server.close(), health.close()]);
      await Promise.all([worker.stop(), webhookWorker.stop()]);
      await ledger.drain();
      authenticator.close();
    },
  };
}

/** Every event there is, for the API document. */
const EVENTS = {
  ...profileEvents,
  ...storeEvents,
  ...subaccountEvents,
  ...transactionEvents,
  ...payoutEvents,
  ...railEvents,
  ...reconciliationEvents,
  ...sandboxEvents,
  ...WEBHOOK_EVENTS,
};

/** What moves when a sandbox's time does. */
function advanceWrites(tenant: Tenant, seconds: number): Write[] {
  return [...payoutAdvanceWrites(tenant, seconds), ...webhookAdvanceWrites(tenant, seconds)];
}
