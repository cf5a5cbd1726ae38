import { storePin } from '../../src/access/index.ts';
import { type App, createApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import type { MadeMerchant } from '../../src/demo/index.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { createJobMonitor, type JobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import type { Secrets } from '../../src/platform/secrets.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { type Call, createTestBase, inject, TEST_PIN } from './base.ts';
import type { TestClock } from './clock.ts';
import { letGo } from './let-go.ts';

export { type Reply, TEST_PIN } from './base.ts';
export { type TestClock, testClock } from './clock.ts';

export interface TestMerchant extends MadeMerchant {
  pin: string;
  walletId: string;
  storeIds: string[];
  subaccountIds: string[];
}

/** The headers of a request with the merchant's secret key. */
export const bearerOf = ({ secretKey }: Pick<TestMerchant, 'secretKey'>) => ({ authorization: `Bearer ${secretKey}` });

export interface TestApp {
  app: App;
  config: Config;
  database: Database;
  connectionString: string;
  secrets: Secrets;
  clock: TestClock;
  /** For jobs that a test does by itself. */
  jobs: JobMonitor;
  merchant: TestMerchant;
  /** As the first merchant, unless headers say otherwise. */
  call: Call;
  /** Another merchant with a wallet of ₦1,000,000, a store of ₦100,000 and a subaccount. */
  addMerchant(options?: { approved?: boolean; mode?: Mode; name?: string }): Promise<TestMerchant>;
  close(): Promise<void>;
}

/** The service remembers its metrics for so long. */
const METRICS_AGE_MS = 1_000;

/** The whole service on a database of its own, called without a socket. Workers do not run by themselves. */
export async function createTestApp(
  env: Record<string, string> = {},
  /** What the service stands on instead of the database itself. */
  through: (database: Database) => Database = (database) => database,
): Promise<TestApp> {
  // Three at once find what two find; each connection plans the service's statements anew.
  const base = await createTestBase({ env: { DATABASE_POOL_SIZE: '2', ...env } });
  const { connectionString, config, database, secrets, clock, logger } = base;
  const app = await createApp({ config, database: through(database), secrets, clock, logger });
  await app.server.ready();

  async function addMerchant(options: { approved?: boolean; mode?: Mode; name?: string } = {}): Promise<TestMerchant> {
    const { approved = true, mode = 'SANDBOX', name: businessName = 'Adire & Co' } = options;
    const profile = { businessName, email: 'hello@adire.example', bvn: '22212345901' };
    const made = await base.addMerchant({ mode, approved, profile, pin: TEST_PIN });
    // Each mode has a PIN of its own; here they are the same, so that a test may go from one to the other.
    const other = mode === 'LIVE' ? 'SANDBOX' : 'LIVE';
    await storePin({ database, secrets, clock }, { merchantId: made.merchantId, mode: other }, TEST_PIN);
    const merchant: TestMerchant = { ...made, pin: TEST_PIN, walletId: '', storeIds: [], subaccountIds: [] };
    if (!approved || mode === 'LIVE') return merchant;
    const as = bearerOf(made);
    const must = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      const reply = await inject(app.server, method, path, body, as);
      if (reply.body?.status !== true) throw new Error(`${method} ${path}: ${reply.text}`);
      return reply.body.data;
    };
    merchant.walletId = (await must('GET', '/wallet/merchant')).wallet.id;
    await must('POST', '/sandbox/wallet/fund', { walletId: merchant.walletId, amount: 1_000_000 });
    const store = await must('POST', '/branch/store', { name: 'Ikeja' });
    await must('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: 100_000 });
    merchant.storeIds.push(store.storeId);
    merchant.subaccountIds.push((await must('POST', '/subaccount', { name: 'Rent' })).subaccountId);
    return merchant;
  }

  const merchant = await addMerchant();
  return {
    app,
    config,
    database,
    connectionString,
    secrets,
    clock,
    jobs: createJobMonitor({ clock, logger }),
    merchant,
    addMerchant,
    call: (method, path, body, headers) =>
      inject(app.server, method, path, body, { authorization: `Bearer ${merchant.secretKey}`, ...headers }),
    async close() {
      await app.close();
      await base.close();
      letGo(this);
    },
  };
}

/** What Prometheus reads, as of now: the service keeps it for a second. */
export async function readMetrics({ app, clock }: Pick<TestApp, 'app' | 'clock'>): Promise<string> {
  clock.advance(METRICS_AGE_MS);
  return (await app.health.inject({ method: 'GET', url: '/metrics' })).body;
}
