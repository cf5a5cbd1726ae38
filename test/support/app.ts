import { setTimeout as sleep } from 'node:timers/promises';
import { storePin } from '../../src/access/index.ts';
import { type App, createApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type MadeMerchant, makeMerchant } from '../../src/demo/index.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createJobMonitor, type JobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Mode } from '../../src/platform/tenant.ts';
import { clockOf } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { oneConnectionEach } from './one-connection.ts';
import { WITHOUT_LIMITS } from './without-limits.ts';

/** A clock that tests move. It starts at the real time, so that it agrees with everything that does not ask it. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

export function testClock(): TestClock {
  let offset = 0;
  return {
    ...clockOf(() => new Date(Date.now() + offset)),
    advance: (milliseconds) => {
      offset += milliseconds;
    },
  };
}

export interface TestMerchant extends MadeMerchant {
  pin: string;
  walletId: string;
  storeIds: string[];
  subaccountIds: string[];
}

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

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
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Another merchant with a wallet of ₦1,000,000, a store of ₦100,000 and a subaccount. */
  addMerchant(options?: { approved?: boolean; mode?: Mode; name?: string }): Promise<TestMerchant>;
  close(): Promise<void>;
}

export const TEST_PIN = '4826';
/** The service remembers its metrics for so long. */
const METRICS_AGE_MS = 1_000;

/** The whole service on a database of its own, called without a socket. Workers do not run by themselves. */
export async function createTestApp(
  env: Record<string, string> = {},
  /** What the service stands on instead of the database itself. */
  through: (database: Database) => Database = (database) => database,
): Promise<TestApp> {
  const { connectionString, drop } = await createTestDatabase();
  const config = readConfig({
    DATABASE_URL: connectionString,
    DEMO_DATA: 'true',
    LOG_LEVEL: 'fatal',
    ...WITHOUT_LIMITS,
    ...env,
  });
  const logger = createLogger(config.logLevel);
  const database = oneConnectionEach(openDatabase({ connectionString, maxConnections: 10, logger }));
  const secrets = createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
  const clock = testClock();
  const app = await createApp({ config, database: through(database), secrets, clock, logger });
  await app.server.ready();

  const callAs: TestApp['call'] = async (method, path, body, headers = {}) => {
    const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await app.server.inject({ method, url: path, headers: { ...type, ...headers }, ...payload });
    return { status: answer.statusCode, headers: answer.headers, body: parsed(answer.body), text: answer.body };
  };

  async function addMerchant(options: { approved?: boolean; mode?: Mode; name?: string } = {}): Promise<TestMerchant> {
    const made = await makeMerchant(
      { database, secrets, clock, walletBank: config.walletBank },
      {
        profile: {
          businessName: options.name ?? 'Adire & Co',
          email: 'hello@adire.example',
          phoneNumber: '2348012345678',
          bvn: '22212345901',
        },
        approved: options.approved ?? true,
        mode: options.mode ?? 'SANDBOX',
        pin: TEST_PIN,
      },
    );
    // Each mode has a PIN of its own; here they are the same, so that a test may go from one to the other.
    const other = options.mode === 'LIVE' ? 'SANDBOX' : 'LIVE';
    await storePin({ database, secrets, clock }, { merchantId: made.merchantId, mode: other }, TEST_PIN);
    const merchant: TestMerchant = { ...made, pin: TEST_PIN, walletId: '', storeIds: [], subaccountIds: [] };
    if (options.approved === false || options.mode === 'LIVE') return merchant;
    const as = { authorization: `Bearer ${made.secretKey}` };
    const must = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
      let reply = await callAs(method, path, body, as);
      // On a busy machine making an app takes so long that it calls itself overloaded, until it looks again.
      for (let tries = 0; reply.status === 503 && tries < 50; tries += 1) {
        await sleep(200);
        reply = await callAs(method, path, body, as);
      }
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
      callAs(method, path, body, { authorization: `Bearer ${merchant.secretKey}`, ...headers }),
    async close() {
      await app.close();
      await database.close();
      await drop();
    },
  };
}

/** What Prometheus reads, as of now: the service keeps it for a second. */
export async function readMetrics({ app, clock }: Pick<TestApp, 'app' | 'clock'>): Promise<string> {
  clock.advance(METRICS_AGE_MS);
  return (await app.health.inject({ method: 'GET', url: '/metrics' })).body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
