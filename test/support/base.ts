import type { FastifyInstance } from 'fastify';
import { createAuthenticator, createPinGuard, guardRoutes } from '../../src/access/index.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type Container, createContainer } from '../../src/container.ts';
import { type MadeMerchant, makeMerchant } from '../../src/demo/index.ts';
import { createSessionGate } from '../../src/people/index.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { createRequestLimits, type RequestLimits } from '../../src/platform/http/request-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createLogger, type Logger } from '../../src/platform/logger.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { createSupportViews } from '../../src/support-views/index.ts';
import { type TestClock, testClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { letGo } from './let-go.ts';
import { oneConnectionEach } from './one-connection.ts';
import { provenOnOneConnection } from './proof.ts';
import { WITHOUT_LIMITS } from './without-limits.ts';

export const TEST_PIN = '4826';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Reply {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

/** A request without a socket. */
export type Call = (method: Method, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export interface TestBaseOptions {
  env?: Record<string, string>;
  clock?: TestClock;
  logger?: Logger;
  secrets?: Secrets;
}

export interface MerchantOptions {
  mode?: Mode;
  approved?: boolean;
  profile?: object;
  pin?: string;
}

/** What every service of a test stands on: a database of its own, settings, secrets, a clock. */
export interface TestBase {
  connectionString: string;
  config: Config;
  database: Database;
  clock: TestClock;
  logger: Logger;
  secrets: Secrets;
  /** Connections of its own, as another process has them. The caller that opens them closes them. */
  open(connections?: number): Database;
  /** A new merchant without a store, approved unless said otherwise, with the PIN in its mode. */
  addMerchant(options?: MerchantOptions): Promise<MadeMerchant & { tenant: Tenant }>;
  close(): Promise<void>;
}

function testSecrets(): Secrets {
  return createSecrets('a pepper of thirty-two characters', Buffer.alloc(32, 7).toString('base64'));
}

export async function createTestBase(options: TestBaseOptions = {}): Promise<TestBase> {
  const { env = {}, clock = testClock(), secrets = testSecrets() } = options;
  const { connectionString, drop } = await createTestDatabase();
  const usual = { DATABASE_POOL_SIZE: '4', DEMO_DATA: 'true', LOG_LEVEL: 'fatal', ...WITHOUT_LIMITS };
  const config = readConfig({ DATABASE_URL: connectionString, ...usual, ...env });
  const logger = options.logger ?? createLogger(config.logLevel);
  const open = (connections = config.databasePoolSize) => {
    const how = { connectionString, maxConnections: connections, logger };
    return oneConnectionEach(provenOnOneConnection(openDatabase(how), how));
  };
  const database = open();
  return {
    connectionString,
    config,
    database,
    clock,
    logger,
    secrets,
    open,
    async addMerchant({ mode = 'SANDBOX', approved = true, profile = {}, pin } = {}) {
      const made = await makeMerchant(
        { database, secrets, clock, walletBank: config.walletBank },
        {
          profile: { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678', ...profile },
          approved,
          mode,
          ...(pin !== undefined && { pin }),
        },
      );
      return { ...made, tenant: { merchantId: made.merchantId, mode } };
    },
    async close() {
      await database.close();
      await drop();
      letGo(this);
    },
  };
}

/** What commands stand on, as the service makes it. */
export const containerOf = (base: TestBase): Container => createContainer(base);

export interface TestServer {
  server: FastifyInstance;
  limits: RequestLimits;
  /** As a caller with this key, unless headers say otherwise. */
  callAs(secretKey: string): Call;
  close(): Promise<void>;
}

/** Some routes of the service behind its guards, for tests of one module. */
export async function serveRoutes(
  base: TestBase,
  { ledger }: Pick<Container, 'ledger'>,
  register: (api: FastifyInstance) => Promise<void>,
): Promise<TestServer> {
  const { database, clock, logger } = base;
  const authenticator = createAuthenticator(base);
  const limits = createRequestLimits({ perKey: 0, perAddress: 0, clock, logger });
  const server = await createServer({ logger, trustedProxies: [] });
  await server.register(async (api) => {
    const sessions = createSessionGate(base);
    const supportViews = createSupportViews(base);
    const guards = {
      database,
      clock,
      logger,
      ledger,
      limits,
      sessions,
      supportViews,
      authenticator,
      publicUrl: undefined,
    };
    guardRoutes(api, { ...guards, pinGuard: createPinGuard(base) });
    await register(api);
  });
  return {
    server,
    limits,
    callAs: (secretKey) => (method, path, body, headers) =>
      inject(server, method, path, body, { authorization: `Bearer ${secretKey}`, ...headers }),
    async close() {
      await server.close();
      await ledger.drain();
      authenticator.close();
      letGo(this);
    },
  };
}

export async function inject(
  server: FastifyInstance,
  method: Method,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const payload = body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await server.inject({ method, url, headers: { ...type, ...headers }, ...payload });
  return { status: answer.statusCode, headers: answer.headers, body: parsed(answer.body), text: answer.body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
