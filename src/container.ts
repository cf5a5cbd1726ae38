import { createKnownRules } from './approvals/index.ts';
import { createAvailability } from './availability/index.ts';
import { createBanks, nubanCheckDigit } from './banks/index.ts';
import { createBatchEndHook, createIsPaidBefore } from './batches/index.ts';
import {
  type CreditHook,
  createCollectionAccounts,
  createCreditDirectory,
  type FindDeductionOwner,
  findCreditRail,
  type ReleaseHook,
  takeCreditWebhook,
} from './collections/index.ts';
import {
  createCreditGuard,
  createFreezeStop,
  createKnownFreezes,
  createPaymentReview,
  createPayoutGuard,
} from './compliance/index.ts';
import { baseUrlOf, type Config } from './config.ts';
import {
  createDisputeDeductions,
  createDisputeHook,
  createDisputeStop,
  findDisputeRail,
  takeDisputeWebhook,
} from './disputes/index.ts';
import { createFees } from './fees/index.ts';
import { createLedger, createShardFinder } from './ledger/index.ts';
import { createKnownLimits } from './limits/index.ts';
import { createSettlementEndHook, type FindSettlementStop } from './merchant-settlements/index.ts';
import { createIsSuspended } from './merchants/index.ts';
import { createSessionHook, createWalletProviders, sandboxPagePathOf } from './payment-sessions/index.ts';
import { takeProviderWebhooks } from './payout-delivery/index.ts';
import { joinEndHooks, type WorkerOfPayouts } from './payouts/index.ts';
import type { OnAlarm } from './platform/alarm.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import { shareOf } from './platform/db/share.ts';
import { uuidOfHex } from './platform/ids.ts';
import { createGlance } from './platform/jobs/glance.ts';
import { createJobMonitor } from './platform/jobs/job-monitor.ts';
import type { Logger } from './platform/logger.ts';
import type { Member } from './platform/processes/member.ts';
import type { Peers } from './platform/processes/peers.ts';
import type { Secrets } from './platform/secrets.ts';
import type { Mode } from './platform/tenant.ts';
import { createUploads } from './platform/uploads.ts';
import { takeSettlementNotice } from './provider-settlements/index.ts';
import { createRailDirectory } from './rail-accounts/index.ts';
import {
  createRailCaller,
  createSandboxRail,
  logCircuit,
  type ProviderWebhookRequest,
  type RailCaller,
} from './rails/index.ts';
import {
  createIsRefund,
  createRefundChecks,
  createRefundDeductions,
  createRefundEndHook,
  createWhyNotRefunded,
  takeRefundWebhook,
  withRefundRule,
} from './refunds/index.ts';
import { createFindReserve } from './reserves/index.ts';
import { createScreening } from './screening/index.ts';
import { createStoreDirectory } from './stores/index.ts';
import { createSubaccountDirectory } from './subaccounts/index.ts';
import { createNumberReservations, createWalletDirectory } from './wallets/index.ts';

export interface ContainerDeps {
  config: Config;
  database: Database;
  /** The same for work behind requests, where `database` gives a statement only the time that somebody waits. */
  unhurried?: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** This process as one of several; absent where there is one. */
  member?: Member | undefined;
  /** The other ones. */
  peers?: Peers | undefined;
}

interface ContainerOptions {
  /** Called with the size of each group of movements that committed. */
  onGroup?: (movements: number) => void;
  /** Called where facts about money contradict each other. */
  onAlarm?: OnAlarm;
  /** Called with each failure of a job, for metrics; `mode` is empty where a job has none. */
  onJobFailure?: (job: string, mode: string) => void;
  /** The worker of this process, where it has one. */
  worker?: WorkerOfPayouts;
}

export type Container = ReturnType<typeof createContainer>;

/**
 * Groups of a mode that one process keeps under way at once, and as many of merchants with large movements; one database
 * connection each.
 */
const LEDGER_COMMITTERS = 1;

/** Of the connections of a process, what work that nobody waits for may have in hand: requests find the rest free. */
const BACKGROUND_PART = 0.5;

/** The sandbox rail plays its slow scenarios within 3 s; a call that hangs is abandoned soon after. */
const SANDBOX_TIMEOUTS = { sendTimeoutMs: 5_000, queryTimeoutMs: 5_000 };

const NO_WORKER: WorkerOfPayouts = { wake: () => undefined };

/** What commands need, for each of their callers: the API, a worker and the operator's terminal. */
export function createContainer(given: ContainerDeps, options: ContainerOptions = {}) {
  const { onGroup, onAlarm, onJobFailure, worker = NO_WORKER } = options;
  const { config, database, secrets, clock, logger } = given;
  const jobs = createJobMonitor({ clock, logger, ...(onJobFailure && { onFailure: onJobFailure }) });
  const shardOf = createShardFinder(database);
  const ledger = createLedger({ ...given, jobs, shardOf, committers: LEDGER_COMMITTERS, ...(onGroup && { onGroup }) });
  const wallets = createWalletDirectory(database);
  const concurrency = config.railConcurrency;
  const background = shareOf(given.unhurried ?? database, Math.floor(config.databasePoolSize * BACKGROUND_PART));
  const sandbox = openSandbox(given, background, deliver);
  const collectionAccounts = createCollectionAccounts({ database, clock });
  const limits = { ...SANDBOX_TIMEOUTS, concurrency };
  const onCircuit = logCircuit(given, { name: sandbox.name, mode: 'SANDBOX' });
  const sandboxRail = createRailCaller(sandbox, { limits, clock, onCircuit });
  const payoutLimits = createKnownLimits({ database, clock });
  const screening = createScreening({ database, clock, logger, onAlarm });
  const guards = { database, knownFreezes: createKnownFreezes({ database, clock }), payoutLimits, screening, clock };
  const container = {
    database,
    /** The same for workers and scheduled work. */
    background,
    shardOf,
    glance: createGlance({ database: background, clock }),
    secrets,
    clock,
    logger,
    jobs,
    /** For how many days what is no book is kept. */
    retention: config.retention,
    ledger,
    wallets,
    sandbox,
    rails: createRailDirectory({ database, secrets, clock, logger, jobs, sandboxRail, limits: { concurrency } }),
    stores: createStoreDirectory(database, wallets),
    subaccounts: createSubaccountDirectory(database, wallets),
    credits: createCreditDirectory(database),
    reserveNumber: createNumberReservations(database),
    walletProviders: createWalletProviders(database),
    creditHooks: [withRefundRule(createSessionHook({ database }), { database })] satisfies CreditHook[],
    releaseHooks: [createDisputeHook({ database, ledger })] satisfies ReleaseHook[],
    collectionAccounts,
    reserveAccount: collectionAccounts.reserve,
    findReserve: createFindReserve({ database, clock, accountOf: collectionAccounts.reserve }),
    deductionOwners: [createRefundDeductions({ database })] as FindDeductionOwner[],
    availability: createAvailability({ database, clock }),
    uploads: createUploads(),
    banks: createBanks({ database, clock }),
    fees: createFees({ database, clock }),
    payoutLimits,
    approvalRules: createKnownRules({ database, clock }),
    isSuspended: createIsSuspended({ database, clock }),
    screening,
    knownFreezes: guards.knownFreezes,
    guardCredit: createCreditGuard(guards),
    payoutGuard: createPayoutGuard(guards),
    whyNotRefunded: createWhyNotRefunded({ database }),
    isPaidBefore: createIsPaidBefore({ database }),
    isRefund: createIsRefund({ database }),
    refundChecks: createRefundChecks({ database }),
    compliance: createPaymentReview(guards),
    walletBank: config.walletBank,
    payoutEnd: joinEndHooks(createBatchEndHook(), createSettlementEndHook(), createRefundEndHook()),
    settlementStops: [createDisputeStop({ database }), createFreezeStop(guards)] satisfies FindSettlementStop[],
    unknownAfterMs: config.outcomeUnknownMs,
    onAlarm,
    ...worker,
    takeProviderWebhook,
  };

  container.deductionOwners.push(createDisputeDeductions(container));

  function takeProviderWebhook(rail: RailCaller, mode: Mode, request: ProviderWebhookRequest): Promise<number> {
    return takeWebhookOfRail(container, rail, mode, request);
  }

  /** As a bank would over HTTP, and past nothing that it would pass: the signature is checked. */
  async function deliver(request: ProviderWebhookRequest): Promise<void> {
    await takeProviderWebhook(sandboxRail, 'SANDBOX', request);
  }
  return container;
}

/** The sandbox's own bank, whose webhooks are delivered in this process. */
function openSandbox(
  { config, secrets, clock }: ContainerDeps,
  database: Database,
  deliver: (request: ProviderWebhookRequest) => Promise<void>,
) {
  return createSandboxRail({
    database,
    clock,
    delayMs: config.sandboxRailDelayMs,
    providerWebhooks: { secret: secrets.hmac('sandbox-rail', 'webhooks'), deliver },
    walletBank: { ...config.walletBank, checkDigit: nubanCheckDigit },
    pageOf: (tenant, reference) =>
      `${baseUrlOf(config)}${sandboxPagePathOf(secrets, { tenant, sessionId: uuidOfHex(reference) })}`,
  });
}

type WebhookTakers = Parameters<typeof takeProviderWebhooks>[0] &
  Parameters<typeof takeSettlementNotice>[0] &
  Parameters<typeof takeCreditWebhook>[0] &
  Parameters<typeof takeDisputeWebhook>[0] &
  Parameters<typeof takeRefundWebhook>[0];

/**
 * One address of a rail is for all of its roles: what became of payouts, what arrived and was settled, what is wanted back,
 * and what went back.
 */
async function takeWebhookOfRail(
  deps: WebhookTakers,
  rail: RailCaller,
  mode: Mode,
  request: ProviderWebhookRequest,
): Promise<number> {
  const outcomes = await takeProviderWebhooks(deps, rail, request);
  await takeSettlementNotice(deps, rail, mode, request);
  const creditRail = await findCreditRail(deps.rails, mode, rail.name);
  const credits = creditRail === undefined ? [] : await takeCreditWebhook(deps, creditRail, request);
  const disputeRail = await findDisputeRail(deps.rails, mode, rail.name);
  const disputes = disputeRail === undefined ? [] : await takeDisputeWebhook(deps, disputeRail, request);
  const refunds = await takeRefundWebhook(deps, rail, request);
  return outcomes.length + credits.length + disputes.length + refunds;
}
