import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import type { JobFailures, JobMonitor } from '../../platform/jobs/job-monitor.ts';
import { doEach } from '../../platform/jobs/pieces.ts';
import type { Queue } from '../../platform/jobs/queries.ts';
import { takeTurns } from '../../platform/jobs/take-turns.ts';
import { type Mode, type Tenant, tenantKey, tenantOf } from '../../platform/tenant.ts';
import type { ProviderWebhookRequest } from '../port.ts';
import { disputeWebhooks } from './dispute-queries.ts';
import { creditWebhookDueAt, storedPayerScenario } from './payer-scenarios.ts';
import {
  CREDIT_WEBHOOKS,
  type CreditRow,
  listDueCreditWebhooks,
  listDueWebhooks,
  listTenantsWithDueCreditWebhooks,
  listTenantsWithDueWebhooks,
  TRANSFER_WEBHOOKS,
  type TransferRow,
  updateCreditWebhookDelivered,
  updateWebhookDelivered,
} from './queries.ts';
import { requireSandbox, storedScenario } from './scenarios.ts';
import { settlementWebhooks } from './settlement-queries.ts';
import { reportedOf } from './settlements.ts';
import type { WebhookQueue } from './webhook-queries.ts';
import { signCreditWebhook, signDisputeWebhook, signSettlementWebhook, signWebhook, webhookDueAt } from './webhooks.ts';

const WEBHOOKS_A_RUN = 200;
const NOT_DELIVERED = 'a webhook of the sandbox rail could not be delivered';

export interface ProviderWebhooks {
  secret: string;
  /** Hands one signed provider webhook over, as an HTTP call would. A throw means that it was not taken: it stays due. */
  deliver(request: ProviderWebhookRequest): Promise<void>;
}

export interface DeliveryDeps {
  database: Database;
  clock: Clock;
  providerWebhooks: ProviderWebhooks | undefined;
}

type Sender = DeliveryDeps & { providerWebhooks: ProviderWebhooks };
type Key = [merchantId: string, mode: Mode];

/** Whatever the simulated bank has to send: about transfers, credits, disputes, and what it settled. */
interface Outbox {
  job: string;
  listTenants(from: Sender, values: [now: Date, leftAlone: string[]]): Promise<{ merchant_id: string; mode: Mode }[]>;
  /** @returns how many were delivered */
  deliver(from: Sender, tenant: Tenant, failures: JobFailures | undefined): Promise<number>;
}

const OUTBOXES: readonly Outbox[] = [
  {
    job: 'sandbox.webhooks',
    listTenants: ({ database }, values) => database.query(listTenantsWithDueWebhooks, values),
    deliver: deliverTransferWebhooks,
  },
  {
    job: 'sandbox.credit-webhooks',
    listTenants: ({ database }, values) => database.query(listTenantsWithDueCreditWebhooks, values),
    deliver: deliverCreditWebhooks,
  },
  {
    job: 'sandbox.dispute-webhooks',
    ...queued(disputeWebhooks, (secret, { id }, now) => signDisputeWebhook(secret, id, now)),
  },
  {
    job: 'sandbox.settlement-webhooks',
    ...queued(settlementWebhooks, (secret, row, now) => signSettlementWebhook(secret, reportedOf(row), now)),
  },
];

/** What the job that delivers them waits for. */
export const SANDBOX_WEBHOOKS: readonly Queue[] = [
  TRANSFER_WEBHOOKS,
  CREDIT_WEBHOOKS,
  disputeWebhooks.queue,
  settlementWebhooks.queue,
];

/** What is due of one merchant, oldest first, at least once each. @returns how many were delivered */
export async function deliverDueWebhooks(deps: DeliveryDeps, tenant: Tenant): Promise<number> {
  requireSandbox(tenant);
  if (!isSender(deps)) return 0;
  let delivered = 0;
  for (const outbox of OUTBOXES) delivered += await outbox.deliver(deps, tenant, undefined);
  return delivered;
}

/**
 * What these are due by now, and nothing of the others of their merchant: of a thousand at one moment each would deliver what
 * is due of all of them.
 */
export async function deliverOwnWebhooks(
  deps: DeliveryDeps,
  tenant: Tenant,
  { transfers = [], credits = [] }: { transfers?: readonly TransferRow[]; credits?: readonly CreditRow[] },
): Promise<void> {
  if (!isSender(deps)) return;
  const now = deps.clock.now();
  const isDue = ({ next_webhook_at: at }: TransferRow | CreditRow) => at !== null && at <= now;
  await deliverOfTransfers(deps, tenant, transfers.filter(isDue));
  await deliverOfCredits(deps, tenant, credits.filter(isDue));
}

/** The same for every merchant that has any, each outbox for itself. What is not taken is left alone for a while that grows. */
export async function deliverAllDueWebhooks(deps: DeliveryDeps, jobs: JobMonitor): Promise<number> {
  if (!isSender(deps)) return 0;
  return doEach(OUTBOXES.map((outbox) => () => deliverOutbox(deps, outbox, jobs.failuresOf(outbox.job))));
}

async function deliverOutbox(deps: Sender, outbox: Outbox, failures: JobFailures): Promise<number> {
  const due = await outbox.listTenants(deps, [deps.clock.now(), failures.backingOffKeys()]);
  return takeTurns(due.map(tenantOf), {
    failures,
    tenantOf: (tenant) => tenant,
    keyOf: tenantKey,
    take: (tenant) => outbox.deliver(deps, tenant, failures),
    aboutOf: (tenant) => ({ message: NOT_DELIVERED, ...tenant }),
  });
}

function isSender(deps: DeliveryDeps): deps is Sender {
  return deps.providerWebhooks !== undefined;
}

async function deliverTransferWebhooks(from: Sender, tenant: Tenant, failures?: JobFailures): Promise<number> {
  const { database, clock } = from;
  const values = [...key(tenant), clock.now(), failures?.backingOffKeysOf(tenant) ?? [], WEBHOOKS_A_RUN];
  return deliverOfTransfers(from, tenant, await database.query(listDueWebhooks, values), failures);
}

function deliverOfTransfers(
  { database, clock, providerWebhooks }: Sender,
  tenant: Tenant,
  due: readonly TransferRow[],
  failures?: JobFailures,
): Promise<number> {
  const now = clock.now();
  const deliver = async (row: TransferRow, count: Count): Promise<void> => {
    const scenario = storedScenario(row.scenario);
    const signed = signWebhook(providerWebhooks.secret, tenant, row, scenario, now);
    if (signed !== undefined) await sendCopies(signed.copies, () => providerWebhooks.deliver(signed.request), count);
    const next = webhookDueAt(scenario, row.webhooks_delivered + 1, row.received_at ?? row.first_sent_at);
    await database.query(updateWebhookDelivered, [...key(tenant), row.rail_reference, row.webhooks_delivered, next]);
  };
  return deliverEach(due, deliver, { tenant, failures, referenceOf: (row) => row.rail_reference });
}

async function deliverCreditWebhooks(from: Sender, tenant: Tenant, failures?: JobFailures): Promise<number> {
  const { database, clock } = from;
  const values = [...key(tenant), clock.now(), failures?.backingOffKeysOf(tenant) ?? [], WEBHOOKS_A_RUN];
  return deliverOfCredits(from, tenant, await database.query(listDueCreditWebhooks, values), failures);
}

function deliverOfCredits(
  { database, clock, providerWebhooks }: Sender,
  tenant: Tenant,
  due: readonly CreditRow[],
  failures?: JobFailures,
): Promise<number> {
  const now = clock.now();
  const deliver = async (row: CreditRow, count: Count): Promise<void> => {
    const scenario = storedPayerScenario(row.scenario);
    const planned = scenario.webhooks[row.webhooks_delivered];
    if (planned !== undefined) {
      const request = signCreditWebhook(providerWebhooks.secret, row, planned, now);
      const send = () => providerWebhooks.deliver(request);
      // A forger has to expect a refusal, and does not come again.
      const sendOnce = () => send().catch(() => undefined);
      await sendCopies(planned.copies ?? 1, planned.forged === true ? sendOnce : send, count);
    }
    const next = creditWebhookDueAt(scenario, row.webhooks_delivered + 1, row.counted_from);
    await database.query(updateCreditWebhookDelivered, [...key(tenant), row.id, row.webhooks_delivered, next]);
  };
  return deliverEach(due, deliver, { tenant, failures, referenceOf: ({ id }) => id });
}

/** Those of rows that send one webhook each. */
function queued<Row extends { id: string }>(
  queue: WebhookQueue<Row>,
  sign: (secret: string, row: Row, now: Date) => ProviderWebhookRequest,
): Pick<Outbox, 'listTenants' | 'deliver'> {
  return {
    listTenants: ({ database }, values) => database.query(queue.listTenants, values),
    async deliver({ database, clock, providerWebhooks }, tenant, failures) {
      const now = clock.now();
      const deliver = async (row: Row, count: Count): Promise<void> => {
        await providerWebhooks.deliver(sign(providerWebhooks.secret, row, now));
        count();
        await database.query(queue.noteDelivered, [...key(tenant), row.id]);
      };
      const values = [...key(tenant), now, failures?.backingOffKeysOf(tenant) ?? [], WEBHOOKS_A_RUN];
      const due = await database.query(queue.listDue, values);
      return deliverEach(due, deliver, { tenant, failures, referenceOf: ({ id }) => id });
    },
  };
}

/** Called for each that was taken: whether that could be noted is another question. */
type Count = () => void;

async function sendCopies(copies: number, send: () => Promise<void>, count: Count): Promise<void> {
  for (let copy = 0; copy < copies; copy += 1) {
    await send();
    count();
  }
}

/** @param failures where what is not taken is noted, by reference, and left alone for a while; else it is due at once. */
async function deliverEach<Row>(
  rows: readonly Row[],
  deliver: (row: Row, count: Count) => Promise<void>,
  about: { tenant: Tenant; failures: JobFailures | undefined; referenceOf(row: Row): string },
): Promise<number> {
  let delivered = 0;
  const count: Count = () => {
    delivered += 1;
  };
  for (const row of rows) {
    const reference = about.referenceOf(row);
    try {
      await deliver(row, count);
      about.failures?.succeeded(reference);
    } catch (error) {
      // As a bank would: what was not taken is sent again later, and the others of this merchant now.
      about.failures?.failed(reference, error, { message: NOT_DELIVERED, ...about.tenant, railReference: reference });
    }
  }
  return delivered;
}

function key(tenant: Tenant): Key {
  return [tenant.merchantId, tenant.mode];
}
