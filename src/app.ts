import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createAuthenticator, createPinGuard, factsOf } from './access/index.ts';
import { approvalDeps, approvalEvents, type KnownRules } from './approvals/index.ts';
import { batchFileEvents } from './batch-files/index.ts';
import { batchEvents } from './batches/index.ts';
import { beneficiaryEvents, beneficiarySubject } from './beneficiaries/index.ts';
import { collectionEvents } from './collections/index.ts';
import { type Container, type ContainerDeps, createContainer } from './container.ts';
import { customerEvents } from './customers/index.ts';
import { disputeEvents } from './disputes/index.ts';
import { documentApi } from './documentation/index.ts';
import type { Ledger } from './ledger/index.ts';
import { limitEvents } from './limits/index.ts';
import { connectMailServer } from './mail/index.ts';
import { merchantSettlementEvents } from './merchant-settlements/index.ts';
import { createVerification } from './operator/index.ts';
import { paymentLinkEvents } from './payment-links/index.ts';
import { paymentSessionEvents } from './payment-sessions/index.ts';
import { payoutEvents } from './payouts/index.ts';
import { createOutboxGate, createSessionGate } from './people/index.ts';
import type { Database } from './platform/db/database.ts';
import { readinessOf } from './platform/db/readiness.ts';
import { answersWithin } from './platform/db/within.ts';
import { createHostCheck } from './platform/http/allowed-hosts.ts';
import { dashboardPages } from './platform/http/dashboard-pages.ts';
import { createStopNotice, healthRoutes } from './platform/http/health.ts';
import { createRequestLimits } from './platform/http/request-limits.ts';
import { createServer } from './platform/http/server.ts';
import type { Worker } from './platform/jobs/worker.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createConnectionMoves } from './platform/processes/connection-moves.ts';
import { profileEvents } from './profile/index.ts';
import { providerSettlementEvents } from './provider-settlements/index.ts';
import { railEvents } from './rail-accounts/index.ts';
import { reconciliationEvents } from './reconciliation/index.ts';
import { refundEvents } from './refunds/index.ts';
import { createRequestLog, type RequestLog } from './request-log/index.ts';
import { reserveEvents } from './reserves/index.ts';
import { payoutSubjects, registerRoutes } from './routes.ts';
import { sandboxEvents } from './sandbox/index.ts';
import { scheduledJobsOf } from './scheduled-jobs.ts';
import { storeEvents } from './stores/index.ts';
import { createStreams } from './stream/index.ts';
import { subaccountEvents } from './subaccounts/index.ts';
import { createSupportViews } from './support-views/index.ts';
import { transactionEvents } from './transactions/index.ts';
import { virtualAccountEvents } from './virtual-accounts/index.ts';
import { createWebhookWorker, documentWebhooks, WEBHOOK_EVENTS, type WebhookWorker } from './webhooks/index.ts';
import { createPayoutWorker, type PayoutWorker, workerLater } from './workers.ts';

export interface App {
  /** The database as requests use it. */
  database: Database;
  server: FastifyInstance;
  /** Health and metrics alone, for a process without the API. */
  health: FastifyInstance;
  ledger: Ledger;
  /** What this process knows of the rules of approval. */
  approvalRules: KnownRules;
  worker: Worker;
  webhookWorker: WebhookWorker;
  requestLog: RequestLog;
  startWorkers(): void;
  /** From now on it is not ready, every answer is the last one of its connection, and everything is served as before. */
  announceStop(): void;
  /** Answers what was taken in, then lets go of everything but the database. */
  close(): Promise<void>;
  /** Ends all connections: a `close` that waits for one goes on. */
  endConnections(): void;
}

/** Open pages that are notified of changes as they happen; more of them look from time to time. */
const STREAMS = { perPerson: 8, perMerchant: 200 };

/** Nobody waits longer for a statement of a request. It takes milliseconds; the server itself ends a search after 8 s. */
const REQUEST_STATEMENT_MS = 9_000;

/** Where `npm run build` puts the pages. */
const DASHBOARD = fileURLToPath(new URL('../dashboard/dist', import.meta.url));

/** The composition root: with the routes and the scheduled jobs, the only place that knows every module. */
export async function createApp(given: ContainerDeps): Promise<App> {
  const { config, clock, logger } = given;
  const database = answersWithin(given.database, REQUEST_STATEMENT_MS);
  const metrics = createMetrics(database.pool, given.member);
  const container = createContainer(
    { ...given, database, unhurried: given.database },
    {
      onGroup: metrics.observeGroup,
      onAlarm: metrics.countAlarm,
      onJobFailure: metrics.countJobFailure,
      worker: workerLater(() => worker),
    },
  );
  watchBy(metrics, { ...container, database });
  const webhooks = { allowLoopback: config.webhookAllowLoopback };
  const wakeWebhooks = () => webhookWorker.wake();
  const deps = { ...container, webhooks, webhookAllowLoopback: webhooks.allowLoopback, wakeWebhooks };
  const approvals = approvalDeps(deps, { ...payoutSubjects(deps), BENEFICIARY: beneficiarySubject(deps) });
  const mailServer = config.mail === undefined ? undefined : connectMailServer(config.mail);
  const behind = { ...deps, database: container.background };
  const scheduledJobs = scheduledJobsOf(behind, { approvals, mailServer });
  const worker: PayoutWorker = createPayoutWorker(behind, { scheduledJobs, glance: behind.glance });
  const webhookWorker = createWebhookWorker(behind, { ...webhooks, glance: behind.glance });
  const verification = createVerification({ ...deps, archiveDir: config.archiveDir });
  const requestLog = createRequestLog(behind);
  const authenticator = createAuthenticator(deps);
  const { rateLimitPerSecond: perKey, addressRateLimitPerSecond: perAddress } = config;
  const limits = createRequestLimits({ perKey, perAddress, clock, logger });
  const sessions = createSessionGate(deps);
  const access = { authenticator, sessions, supportViews: createSupportViews(deps), pinGuard: createPinGuard(deps) };
  const guards = { database, clock, logger, ledger: container.ledger, publicUrl: config.publicUrl, limits, ...access };

  const stopNotice = createStopNotice();
  const healthDeps = { metrics, clock, readiness: () => readinessOf(database), isStopping: stopNotice.isAnnounced };
  const served = { logger, hosts: createHostCheck(config.hostNames), overloadDelayMs: config.overloadDelayMs };
  const health = await createServer({ ...served, trustedProxies: [] });
  healthRoutes(health, healthDeps);
  const server = await createServer({ ...served, trustedProxies: config.trustedProxies, limits });
  await documentApi(server, { webhooks: documentWebhooks(EVENTS), factsOf, publicUrl: config.publicUrl });
  await dashboardPages(server, DASHBOARD);
  healthRoutes(server, healthDeps);
  await registerRoutes(server, {
    ...deps,
    guards,
    approvals,
    verification,
    requestLog,
    eventTypes: EVENT_TYPES,
    streams: createStreams({ ...deps, sessions, limits: { ...STREAMS, inAll: config.streamConnections } }),
    outbox: createOutboxGate({ ...deps, ...config, hasMailServer: mailServer !== undefined }),
    wakeWorkers() {
      worker.wake();
      webhookWorker.wake();
    },
  });
  moveConnections(server, { ...given, ledger: container.ledger, onMove: metrics.countMovedConnection });

  return {
    server,
    health,
    database,
    ledger: container.ledger,
    approvalRules: container.approvalRules,
    worker,
    webhookWorker,
    requestLog,
    startWorkers() {
      worker.start();
      webhookWorker.start();
    },
    announceStop: () => stopNotice.announce([server.server, health.server]),
    async close() {
      // No answer waits for a worker: neither takes from the time of the other.
      await Promise.all([server.close(), health.close(), worker.stop(), webhookWorker.stop()]);
      await Promise.all([verification.stop(), requestLog.stop()]);
      await container.ledger.drain();
      for (const each of [authenticator, mailServer]) each?.close();
    },
    endConnections() {
      server.endConnections();
      health.endConnections();
    },
  };
}

function watchBy(
  metrics: Metrics,
  { rails, jobs, database }: Pick<Container, 'rails' | 'jobs'> & { database: Database },
) {
  metrics.watchRails(() => rails.railHealth());
  metrics.watchJobs(jobs);
  if (database.replicaReads !== undefined) metrics.watchReplica(database.replicaReads);
}

interface MoveDeps extends Pick<ContainerDeps, 'member' | 'peers'> {
  ledger: Ledger;
  onMove(): void;
}

/** Where other processes serve beside this one, connections go between them. */
function moveConnections(server: FastifyInstance, { member, peers, ledger, onMove }: MoveDeps): void {
  if (member === undefined || peers === undefined) return;
  const { committerOf } = ledger;
  const moves = createConnectionMoves({ peers, coreTime: member.coreTime, committerOf, onMove });
  server.letConnectionsMove({ moves, member });
  server.addHook('onResponse', ({ principal, raw }, _reply, done) => {
    if (principal !== null) moves.answered(raw.socket, principal.tenant);
    done();
  });
}

/** Every event there is. */
const EVENTS = {
  ...profileEvents,
  ...storeEvents,
  ...subaccountEvents,
  ...transactionEvents,
  ...payoutEvents,
  ...limitEvents,
  ...batchFileEvents,
  ...batchEvents,
  ...approvalEvents,
  ...beneficiaryEvents,
  ...railEvents,
  ...reconciliationEvents,
  ...virtualAccountEvents,
  ...collectionEvents,
  ...merchantSettlementEvents,
  ...disputeEvents,
  ...refundEvents,
  ...reserveEvents,
  ...providerSettlementEvents,
  ...paymentSessionEvents,
  ...paymentLinkEvents,
  ...customerEvents,
  ...sandboxEvents,
  ...WEBHOOK_EVENTS,
};

const EVENT_TYPES: ReadonlySet<string> = new Set(Object.keys(EVENTS));
