import { createAuthenticator, createPinGuard, guardRoutes } from '../../src/access/index.ts';
import { makeMerchant } from '../../src/demo/index.ts';
import { createLedger } from '../../src/ledger/index.ts';
import { createSessionGate } from '../../src/people/index.ts';
import { success } from '../../src/platform/answer.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createRequestLimits } from '../../src/platform/http/request-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { newId } from '../../src/platform/ids.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { profileRoutes } from '../../src/profile/index.ts';
import { sandboxRoutes } from '../../src/sandbox/index.ts';
import { createWalletDirectory } from '../../src/wallets/index.ts';
import {
  createWebhookWorker,
  type WebhookWorkerOptions,
  webhookAdvanceWrites,
  webhookRoutes,
} from '../../src/webhooks/index.ts';
import { testClock } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { oneConnectionEach } from '../support/one-connection.ts';

const WALLET_BANK = { code: '999', name: 'Test Wallet' };

export type WebhookFixture = Awaited<ReturnType<typeof createWebhookFixture>>;
export type FixtureMerchant = Awaited<ReturnType<WebhookFixture['addMerchant']>>;

/** Webhooks with all that they stand on, on a database of their own; a clock that only tests move; no worker running. */
export async function createWebhookFixture(options: Partial<WebhookWorkerOptions> = {}) {
  const { connectionString, drop } = await createTestDatabase();
  const logger = createLogger('silent');
  const open = () => oneConnectionEach(openDatabase({ connectionString, maxConnections: 12, logger }));
  const database = open();
  const clock = testClock();
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
  const ledger = createLedger({ database, logger, clock, committers: 1 });
  const webhooks = { allowLoopback: true, ...options };
  const jobs = createJobMonitor({ clock, logger });
  const deps = { database, ledger, secrets, clock, logger, jobs, wallets: createWalletDirectory(database) };
  const worker = createWebhookWorker(deps, webhooks);
  const authenticator = createAuthenticator({ database, secrets, clock, logger });
  const server = await createServer({ logger, trustedProxies: [] });
  await server.register(async (api) => {
    guardRoutes(api, {
      authenticator,
      pinGuard: createPinGuard({ database, secrets, clock }),
      sessions: createSessionGate({ database, secrets, clock, logger }),
      limits: createRequestLimits({ perKey: 0, perAddress: 0, clock, logger }),
      database,
      ledger,
      clock,
      logger,
      publicUrl: undefined,
    });
    await api.register(profileRoutes({ ...deps, publicUrl: undefined, webhookAllowLoopback: webhooks.allowLoopback }));
    await api.register(webhookRoutes({ ...deps, webhooks }));
    await api.register(sandboxRoutes({ ...deps, walletBank: WALLET_BANK, advanceWrites: webhookAdvanceWrites }));
  });

  async function addMerchant(mode: Mode = 'SANDBOX', profile: object = {}) {
    const made = await makeMerchant(
      { database, secrets, clock, walletBank: WALLET_BANK },
      {
        profile: { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678', ...profile },
        approved: true,
        mode,
      },
    );
    const tenant: Tenant = { merchantId: made.merchantId, mode };
    const call = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, headers = {}) => {
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
      // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
      return { status: answer.statusCode, headers: answer.headers, body: answer.json<any>(), text: answer.body };
    };
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
      tenant,
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
    server,
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
      await server.close();
      await ledger.drain();
      authenticator.close();
      await database.close();
      await drop();
    },
  };
}
