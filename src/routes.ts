import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import {
  type ApiRouteDeps,
  collectDisclosures,
  guardOperatorRoutes,
  guardRoutes,
  guardSessionRoutes,
  keyRoutes,
  pinRoutes,
  refuseSupportWrites,
  tokenRoutes,
} from './access/index.ts';
import { announcementRoutes } from './announcements/index.ts';
import {
  type ApprovalDeps,
  type ApprovalSubjects,
  approvalAdvanceWrites,
  approvalRoutes,
  approversNeeded,
} from './approvals/index.ts';
import { auditRoutes, type Disclosures } from './audit/index.ts';
import { bankRoutes } from './bank-directory/index.ts';
import { copyRoutes, downloadRoutes, intakeRoutes } from './batch-files/index.ts';
import {
  batchAdvanceWrites,
  batchReadRoutes,
  batchRoutes,
  batchSubject,
  createBatchDeps,
  differenceRoutes,
  groupRoutes,
  itemRoutes,
  outcomeRoutes,
} from './batches/index.ts';
import { beneficiaryRoutes } from './beneficiaries/index.ts';
import { checkoutRoutes } from './checkout/index.ts';
import { collectionRoutes } from './collections/index.ts';
import type { Container } from './container.ts';
import { customerRoutes } from './customers/index.ts';
import { disputeAdvanceWrites, disputeRoutes } from './disputes/index.ts';
import { ERROR_CODES } from './documentation/index.ts';
import { homeRoutes } from './home/index.ts';
import { limitRoutes, limitSubject } from './limits/index.ts';
import { merchantSettlementRoutes, readAutoSettlement, settlementAdvanceWrites } from './merchant-settlements/index.ts';
import { onboardingRoutes, openMerchant } from './onboarding/index.ts';
import { operatorRoutes, type Verification } from './operator/index.ts';
import { paymentLinkRoutes } from './payment-links/index.ts';
import {
  allowOrigin,
  collectionSettingsRoutes,
  paymentSessionRoutes,
  preflightRoutes,
  sessionAdvanceWrites,
  showRefusal,
} from './payment-sessions/index.ts';
import { payoutAdvanceWrites, payoutEvidence, requeryRoutes } from './payout-delivery/index.ts';
import { type PayoutDeps, payoutDetails, scheduleRoutes, singlePayoutRoutes, singleSubject } from './payouts/index.ts';
import {
  memberRoutes,
  type NewBusiness,
  type OutboxGate,
  operatorPeopleRoutes,
  type PeopleRoutesDeps,
  peopleRoutes,
  type SessionGate,
} from './people/index.ts';
import type { Tx } from './platform/db/database.ts';
import type { Write } from './platform/db/statement.ts';
import { addRoutes } from './platform/http/add-routes.ts';
import type { Tenant } from './platform/tenant.ts';
import { profileRoutes } from './profile/index.ts';
import { providerWebhookRoutes, railRoutes } from './rail-accounts/index.ts';
import { createReceiptDrawer, publicReceiptRoutes, receiptRoutes } from './receipts/index.ts';
import {
  type RefundDeps,
  readRefundsOfPayment,
  refundAdvanceWrites,
  refundReceiptRoutes,
  refundRoutes,
  refundRuleAdvanceWrites,
  refundSubject,
} from './refunds/index.ts';
import { logRequests, type RequestLog, requestLogRoutes } from './request-log/index.ts';
import { reserveAdvanceWrites, reserveRoutes } from './reserves/index.ts';
import { sandboxRoutes } from './sandbox/index.ts';
import { savedViewRoutes } from './saved-views/index.ts';
import { operatorSearchRoutes, searchRoutes } from './search/index.ts';
import { storeRoutes } from './stores/index.ts';
import { type Streams, streamRoutes } from './stream/index.ts';
import { subaccountRoutes } from './subaccounts/index.ts';
import { supportViewRoutes } from './support-views/index.ts';
import { findTransactionNotes, transactionRoutes } from './transactions/index.ts';
import { virtualAccountRoutes } from './virtual-accounts/index.ts';
import { walletRoutes } from './wallets/index.ts';
import { webhookAdvanceWrites, webhookRoutes } from './webhooks/index.ts';

/** What the routes need beside the container. */
interface RouteDeps extends Container {
  guards: ApiRouteDeps & { sessions: SessionGate };
  approvals: ApprovalDeps;
  verification: Verification;
  requestLog: RequestLog;
  streams: Streams;
  webhooks: { allowLoopback: boolean };
  eventTypes: ReadonlySet<string>;
  webhookAllowLoopback: boolean;
  wakeWebhooks(): void;
  wakeWorkers(): void;
  outbox: OutboxGate;
}

/** Every way into the service, each behind its guard: rails, people on their way in, merchants, the operator. */
export async function registerRoutes(server: FastifyInstance, deps: RouteDeps): Promise<void> {
  const disclosures = disclosuresOf(server);
  server.addHook('onRequest', (request, _reply, done) => {
    refuseSupportWrites(request);
    done();
  });
  await server.register(providerWebhookRoutes(deps, deps.guards.limits));
  await server.register(preflightRoutes(deps, deps.guards.limits));
  const { limits, publicUrl } = deps.guards;
  await server.register(checkoutRoutes({ ...deps, limits, publicUrl }));
  const drawReceipt = createReceiptDrawer();
  server.addHook('onClose', () => drawReceipt.close());
  await server.register(publicReceiptRoutes({ ...deps, limits, drawReceipt }));
  const people = peopleDeps(deps);
  await server.register(async (scope) => {
    guardSessionRoutes(scope, deps.guards);
    await addRoutes(scope, peopleRoutes(people));
  });
  await server.register(async (api) => {
    guardRoutes(api, deps.guards);
    logRequests(api, deps.requestLog);
    await registerBusiness(api, { ...deps, disclosures }, people);
    await registerMoney(api, deps);
    await addRoutes(
      api,
      receiptRoutes({ ...deps, publicUrl, drawReceipt }),
      refundReceiptRoutes({ ...deps, drawReceipt }),
      merchantSettlementRoutes({ ...deps, drawReceipt }),
    );
  });
  await server.register(async (scope) => {
    guardOperatorRoutes(scope, deps.guards);
    await addRoutes(
      scope,
      operatorPeopleRoutes(people),
      operatorSearchRoutes(deps),
      operatorRoutes({ ...deps, pinGuard: deps.guards.pinGuard }, deps.verification),
    );
  });
}

/** What a merchant reads of the operator's routes, and of the terminal's commands, which are loaded when somebody reads. */
function disclosuresOf(server: FastifyInstance): () => Promise<Disclosures> {
  const ofRoutes = collectDisclosures(server);
  return async () => new Map([...ofRoutes, ...(await import('./admin/index.ts')).terminalDisclosures()]);
}

/** Who a merchant is, who works there, and by which keys. */
async function registerBusiness(
  api: FastifyInstance,
  deps: RouteDeps & { disclosures(): Promise<Disclosures> },
  people: PeopleRoutesDeps,
): Promise<void> {
  await addRoutes(
    api,
    tokenRoutes(deps),
    keyRoutes(deps),
    pinRoutes({ pinGuard: deps.guards.pinGuard }),
    memberRoutes(people),
    profileRoutes({
      ...deps,
      publicUrl: deps.guards.publicUrl,
      readAutoSettlement: (tenant) => readAutoSettlement(deps.database, tenant),
    }),
    onboardingRoutes(deps),
    auditRoutes(deps),
    requestLogRoutes({ ...deps, meaningOf: (code) => ERROR_CODES[code]?.means }),
    homeRoutes(deps),
    searchRoutes(deps),
    savedViewRoutes(deps),
    announcementRoutes(deps),
    supportViewRoutes(deps),
  );
  await api.register(streamRoutes(deps));
  await addRoutes(api, webhookRoutes(deps));
}

/** What a merchant holds and moves. */
async function registerMoney(api: FastifyInstance, deps: RouteDeps): Promise<void> {
  const { database } = deps;
  const findNotes = (tenant: Tenant, ids: readonly string[]) => findTransactionNotes(database, tenant, ids);
  await addRoutes(
    api,
    walletRoutes({ ...deps, findNotes }),
    virtualAccountRoutes(deps),
    collectionRoutes({ ...deps, readRefundsOfPayment }),
    disputeRoutes(deps),
    refundRoutes(deps),
    reserveRoutes(deps),
    paymentSessionRoutes({ ...deps, publicUrl: deps.guards.publicUrl }),
    collectionSettingsRoutes(deps),
    paymentLinkRoutes({ ...deps, publicUrl: deps.guards.publicUrl }),
    customerRoutes(deps),
    storeRoutes(deps),
    subaccountRoutes(deps),
    bankRoutes({
      ...deps,
      forBrowsers: { onRequest: (request, reply) => allowOrigin(deps, request, reply), onSend: showRefusal },
    }),
    payoutRoutes(deps),
    approvalRoutes(deps.approvals),
    beneficiaryRoutes({ ...deps, payoutDetails }),
    railRoutes(deps),
    transactionRoutes({ ...deps, details: payoutDetails, evidenceParts: payoutEvidence }),
  );
  const advance = (tenant: Tenant, seconds: number, now: Date) => [
    ...advanceWrites(tenant, seconds, now),
    ...settlementAdvanceWrites(tenant, seconds, now),
  ];
  await addRoutes(api, sandboxRoutes({ ...deps, advanceWrites: advance, onAdvanced: () => deps.wakeWorkers() }));
}

function peopleDeps(deps: RouteDeps): PeopleRoutesDeps {
  const { guards, secrets, outbox } = deps;
  return {
    ...guards,
    secrets,
    openMerchant: (tx: Tx, business: NewBusiness) => openMerchant(deps, tx, business),
    approversNeeded,
    outbox,
  };
}

/** Everything under `/payout`, and the requery of a transaction. */
export function payoutRoutes(deps: PayoutDeps): FastifyPluginAsync {
  const batches = createBatchDeps(deps);
  return async (api) => {
    await addRoutes(api, singlePayoutRoutes(deps), scheduleRoutes(deps), limitRoutes(deps));
    await api.register(intakeRoutes(deps));
    await addRoutes(
      api,
      downloadRoutes(deps),
      batchRoutes(batches),
      batchReadRoutes(batches),
      itemRoutes(batches),
      groupRoutes(batches),
      outcomeRoutes(batches),
      copyRoutes(deps),
      differenceRoutes(batches),
      requeryRoutes(deps),
    );
  };
}

/** What approvals of payouts, batches, refunds and the merchant's own limits put into force. */
export function payoutSubjects(
  deps: RefundDeps,
): Pick<ApprovalSubjects, 'PAYOUT' | 'SCHEDULE' | 'BATCH' | 'LIMIT' | 'REFUND'> {
  const single = singleSubject(deps);
  return {
    PAYOUT: single,
    SCHEDULE: single,
    BATCH: batchSubject(createBatchDeps(deps)),
    LIMIT: limitSubject(deps),
    REFUND: refundSubject(deps),
  };
}

/** What moves when a sandbox's time does. */
export function advanceWrites(tenant: Tenant, seconds: number, now: Date): Write[] {
  return [
    ...payoutAdvanceWrites(tenant, seconds, now),
    ...batchAdvanceWrites(tenant, seconds),
    ...sessionAdvanceWrites(tenant, seconds),
    ...disputeAdvanceWrites(tenant, seconds),
    ...reserveAdvanceWrites(tenant, seconds),
    ...approvalAdvanceWrites(tenant, seconds),
    ...refundAdvanceWrites(tenant, seconds),
    ...refundRuleAdvanceWrites(tenant, seconds),
    ...webhookAdvanceWrites(tenant, seconds),
  ];
}
