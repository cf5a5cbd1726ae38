import { readAutoSettlement } from '../../src/merchant-settlements/index.ts';
import { success } from '../../src/platform/answer.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { profileEvents, profileRoutes } from '../../src/profile/index.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import {
  createWebhookWorker,
  WEBHOOK_EVENTS,
  type WebhookWorkerOptions,
  webhookAdvanceWrites,
  webhookRoutes,
} from '../../src/webhooks/index.ts';
import { containerOf, createTestBase, serveRoutes } from '../support/base.ts';
import { letGo } from '../support/let-go.ts';

export type WebhookFixture = Awaited<ReturnType<typeof createWebhookFixture>>;
export type FixtureMerchant = Awaited<ReturnType<WebhookFixture['addMerchant']>>;

const EVENT_TYPES = new Set([
  ...Object.keys({ ...profileEvents, ...WEBHOOK_EVENTS }),
  'test.happened',
  'test.rare',
  'test.refused',
]);

/** Webhooks with all that they stand on, on a database of their own; a clock that only tests move; no worker running. */
export async function createWebhookFixture(options: Partial<WebhookWorkerOptions> = {}) {
  const base = await createTestBase({ logger: createLogger('silent') });
  const { connectionString, database, clock, secrets, logger, open } = base;
  const deps = containerOf(base);
  const { ledger } = deps;
  const webhooks = { allowLoopback: true, ...options };
  const worker = createWebhookWorker(deps, webhooks);
  const served = await serveRoutes(base, deps, async (api) => {
    await api.register(
      profileRoutes({
        ...deps,
        publicUrl: undefined,
        webhookAllowLoopback: webhooks.allowLoopback,
        readAutoSettlement: (tenant) => readAutoSettlement(database, tenant),
      }),
    );
    await api.register(webhookRoutes({ ...deps, webhooks, eventTypes: EVENT_TYPES }));
    await api.register(sandboxRoutes({ ...deps, advanceWrites: webhookAdvanceWrites }));
  });

  async function addMerchant(mode: Mode = 'SANDBOX', profile: object = {}) {
    const made = await base.addMerchant({ mode, profile });
    const { tenant } = made;
    const call = served.callAs(made.secretKey);
    const must = async (...given: Parameters<typeof call>) => {
      const reply = await call(...given);
      if (reply.status !== 200) throw new Error(`${given[0]} ${given[1]}: ${reply.status} ${reply.text}`);
      return reply.body.data;
    };
    /** So many events, in groups as the ledger makes them. */
    const happen = async (count: number, type = 'test.happened', padding = '') => {
      await Promise.all(
        Array.from({ length: count }, () => {
          const id = newId();
          return ledger.commit({
            tenant,
            id,
            occurredAt: clock.now().toISOString(),
            events: [{ id: newId(), type, subjectId: id, data: JSON.stringify({ id, naira: '₦1,500', padding }) }],
            answer: success('Done'),
          });
        }),
      );
    };
    return {
      ...made,
      call,
      must,
      happen,
      /** Sets the address of the merchant's mode; the first event sent is the one of this change. */
      setAddress: (url: string) =>
        must('PATCH', '/merchant/info', { [mode === 'LIVE' ? 'productionWebhookURL' : 'sandboxWebhookURL']: url }),
      deliveries: async (query = '') => (await must('GET', `/webhook/delivery?size=200${query}`)).records,
      endpoint: () => must('GET', '/webhook/endpoint'),
      secret: async (): Promise<string> => (await must('GET', '/webhook/secret')).secret,
    };
  }

  return {
    connectionString,
    database,
    ledger,
    clock,
    secrets,
    deps,
    server: served.server,
    worker,
    open,
    addMerchant,
    /** Another worker, as of another process: with connections and a memory of its own. */
    otherWorker(own: Partial<WebhookWorkerOptions> = {}) {
      const elsewhere = open();
      const its = { ...deps, database: elsewhere, jobs: createJobMonitor({ clock, logger }) };
      const other = createWebhookWorker(its, { ...webhooks, ...own });
      return { ...other, close: () => elsewhere.close() };
    },
    async close() {
      await worker.stop();
      await served.close();
      await base.close();
      letGo(this);
    },
  };
}
