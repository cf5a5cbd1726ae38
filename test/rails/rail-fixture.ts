import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createAuthenticator, createPinGuard, guardRoutes } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import { makeMerchant } from '../../src/demo/index.ts';
import { createLedger } from '../../src/ledger/index.ts';
import type { PayoutRails } from '../../src/payouts/index.ts';
import { createSessionGate } from '../../src/people/index.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { createRequestLimits } from '../../src/platform/http/request-limits.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { createRailDirectory, type RailDirectory, railRoutes } from '../../src/rail-accounts/index.ts';
import { createRailCaller, createSandboxRail } from '../../src/rails/index.ts';
import { clockOf } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { oneConnectionEach } from '../support/one-connection.ts';
import { SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';

export const LIVE_KEY = 'sk_live_7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f';
const WALLET_BANK = { code: '999', name: 'Test Wallet' };
const PIN = '4826';
/** Longer than any process remembers. */
const SOON_MS = 5_000;

export const sandboxKey = JSON.stringify({ secretKey: SECRET_KEY });
export const liveKey = JSON.stringify({ secretKey: LIVE_KEY });

/** Rail accounts with their routes and commands, on a database of their own, beside a stand-in of Paystack. */
export async function createRailFixture() {
  const logged: string[] = [];
  const logger = pino(
    { level: 'trace' },
    new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }),
  );
  const { connectionString, drop } = await createTestDatabase();
  const open = (maxConnections = 6) => oneConnectionEach(openDatabase({ connectionString, maxConnections, logger }));
  const database = open();
  const secrets = createSecrets(randomBytes(32).toString('base64'), randomBytes(32).toString('base64'));
  const provider = await startPaystackServer();
  const clock = { at: Date.now(), ...clockOf((): Date => new Date(clock.at)) };
  const ledger = createLedger({ database, logger, clock, committers: 1 });
  const sandboxRail = createRailCaller(createSandboxRail({ database, clock }), { clock });
  const directoryWith = (own: Secrets, on = database): RailDirectory =>
    createRailDirectory({
      database: on,
      secrets: own,
      clock,
      jobs: createJobMonitor({ clock, logger }),
      sandboxRail,
      limits: { sendTimeoutMs: 2_000 },
    });
  const rails: RailDirectory & PayoutRails = directoryWith(secrets);
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
    await api.register(railRoutes({ database, ledger, clock, rails }));
  });
  /** What the last command said. */
  const said: { printed: string[]; warned: string[] } = { printed: [], warned: [] };

  async function addMerchant(mode: Mode = 'SANDBOX') {
    const profile = { businessName: 'Adire', email: 'a@b.example', phoneNumber: '2348012345678' };
    const made = await makeMerchant(
      { database, secrets, clock, walletBank: WALLET_BANK },
      { profile, approved: true, mode, pin: PIN },
    );
    const tenant: Tenant = { merchantId: made.merchantId, mode };
    const call = async (method: 'GET' | 'PATCH', body?: unknown, headers: Record<string, string> = {}) => {
      const answer = await server.inject({
        method,
        url: '/payout/rail',
        headers: {
          authorization: `Bearer ${made.secretKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, body: JSON.parse(answer.body), text: answer.body, headers: answer.headers };
    };
    return { ...made, tenant, call };
  }

  async function admin(argv: string, input = '', own: Secrets = secrets): Promise<number> {
    said.printed = [];
    said.warned = [];
    const deps: AdminDeps = {
      database,
      secrets: own,
      clock,
      peppers: { file: undefined, settingsWithNew: () => [] },
      pinGuard: createPinGuard({ database, secrets: own, clock }),
      ledger,
      payouts: () => {
        throw new Error('no command about rails asks for payouts');
      },
      actor: 'test',
      print: (line) => void said.printed.push(line),
      warn: (line) => void said.warned.push(line),
      readInput: async () => input,
      openWallets: async () => undefined,
    };
    return runAdmin(argv.split(' '), deps);
  }

  const later = () => {
    clock.at += SOON_MS;
  };

  return {
    database,
    secrets,
    provider,
    rails,
    logged,
    said,
    open,
    directoryWith,
    addMerchant,
    admin,
    later,
    sandboxTenant: async () => (await addMerchant()).tenant,
    names: async (tenant: Tenant, of = rails) => (await of.listRails(tenant)).map(({ name }) => name),
    /** An account at the stand-in. Live keys are not known there, so those are added unchecked. */
    async addPaystack(name: string, mode: Mode = 'SANDBOX', options = '--open-to-merchants'): Promise<void> {
      const address = `--base-url ${provider.baseUrl}`;
      const argv = `add-rail --name ${name} --provider paystack --mode ${mode} ${address} ${options}`.trim();
      const check = mode === 'LIVE' ? ' --no-check' : '';
      const code = await admin(argv + check, mode === 'LIVE' ? liveKey : sandboxKey);
      if (code !== 0) throw new Error(said.warned.join());
      later();
    },
    /** As on the first day, for what remembers no longer than a few seconds. */
    async empty(): Promise<void> {
      await database.pool.query('truncate rail_accounts, tenant_rails, default_rails');
      later();
    },
    async close() {
      await server.close();
      await ledger.drain();
      authenticator.close();
      await provider.close();
      await database.close();
      await drop();
    },
  };
}

export type RailFixture = Awaited<ReturnType<typeof createRailFixture>>;
