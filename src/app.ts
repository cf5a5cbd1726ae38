import type { FastifyInstance } from 'fastify';
import { createAuthenticator, createPinGuard, guardRoutes, limitRate, tokenRoutes } from './access/index.ts';
import { bankRoutes } from './bank-directory/index.ts';
import { createBanks } from './banks/index.ts';
import type { Config } from './config.ts';
import { createFees } from './fees/index.ts';
import { createLedger, type Ledger } from './ledger/index.ts';
import {
  createPayoutWorker,
  type PayoutWorker,
  payoutAdvanceWrites,
  payoutEvidence,
  payoutRoutes,
} from './payouts/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import { isMigrated } from './platform/db/migrate.ts';
import { healthRoutes } from './platform/http/health.ts';
import { documentApi } from './platform/http/openapi.ts';
import { createServer } from './platform/http/server.ts';
import type { Logger } from './platform/logger.ts';
import { createMetrics } from './platform/metrics.ts';
import type { Secrets } from './platform/secrets.ts';
import type { Mode, Tenant } from './platform/tenant.ts';
import { profileRoutes } from './profile/index.ts';
import { createRailCaller, createSandboxRail } from './rails/index.ts';
import { sandboxRoutes } from './sandbox/index.ts';
import { createStoreDirectory, storeRoutes } from './stores/index.ts';
import { createSubaccountDirectory, subaccountRoutes } from './subaccounts/index.ts';
import { findTransactionNotes, transactionRoutes } from './transactions/index.ts';
import { createWalletDirectory, walletRoutes } from './wallets/index.ts';

export interface AppDeps {
  config: Config;
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
}

export interface App {
  server: FastifyInstance;
  ledger: Ledger;
  worker: PayoutWorker;
  /** Answers what was taken in, then lets go of everything but the database. */
  close(): Promise<void>;
}

/** Groups that one process keeps under way at once; one database connection each. */
const LEDGER_LANES = 1;

/** The sandbox rail plays its slow scenarios within 3 s; a call that hangs is given up soon after. */
const SANDBOX_LIMITS = { sendTimeoutMs: 5_000, queryTimeoutMs: 5_000 };

/** The composition root: the only place that knows every room of the house. */
export async function createApp(given: AppDeps): Promise<App> {
  const { config, database, secrets, clock, logger } = given;
  const metrics = createMetrics(database.pool);
  const ledger = createLedger({ database, logger, clock, lanes: LEDGER_LANES, onGroup: metrics.observeGroup });
  const authenticator = createAuthenticator({ database, secrets, clock, logger });
  const pinGuard = createPinGuard({ database, secrets, clock });
  const wallets = createWalletDirectory(database);
  const sandboxRail = createRailCaller(createSandboxRail({ database, clock }), { limits: SANDBOX_LIMITS, clock });
  const deps = {
    database,
    secrets,
    clock,
    logger,
    ledger,
    wallets,
    stores: createStoreDirectory(database, wallets),
    subaccounts: createSubaccountDirectory(database, wallets),
    banks: createBanks({ database, clock }),
    fees: createFees({ database, clock }),
    walletBank: config.walletBank,
    rails: {
      listRails: async ({ mode }: Tenant) => (mode === 'SANDBOX' ? [sandboxRail] : []),
      findRail: async (mode: Mode) => (mode === 'SANDBOX' ? sandboxRail : undefined),
    },
    wake: () => worker.wake(),
  };
  const worker = createPayoutWorker(deps);

  const server = await createServer({ logger, trustedProxies: config.trustedProxies });
  await documentApi(server);
  healthRoutes(server, { metrics, isReady: () => isMigrated(database) });
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
    await api.register(transactionRoutes({ ...deps, evidenceParts: payoutEvidence(database) }));
    await api.register(sandboxRoutes({ ...deps, advanceWrites: payoutAdvanceWrites, onAdvanced: () => worker.wake() }));
  });

  return {
    server,
    ledger,
    worker,
    async close() {
      await server.close();
      await worker.stop();
      await ledger.drain();
      authenticator.close();
    },
  };
}
