import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createPinGuard } from '../../src/access/index.ts';
import { type AdminDeps, runAdmin } from '../../src/admin/index.ts';
import type { PayoutRails } from '../../src/payouts/index.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createSecrets, type Secrets } from '../../src/platform/secrets.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import { createRailDirectory, type RailDirectory, railRoutes } from '../../src/rail-accounts/index.ts';
import { createRailCaller, createSandboxRail } from '../../src/rails/index.ts';
import { containerOf, createTestBase, serveRoutes, TEST_PIN } from '../support/base.ts';
import { stillClock } from '../support/clock.ts';
import { letGo } from '../support/let-go.ts';
import { SECRET_KEY, startPaystackServer } from './providers/paystack-server.ts';

export const LIVE_KEY = 'sk_live_7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f';
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
  const secrets = createSecrets(randomBytes(32).toString('base64'), randomBytes(32).toString('base64'));
  const base = await createTestBase({ clock: stillClock(), logger, secrets, env: { DATABASE_POOL_SIZE: '6' } });
  const { database, clock, open } = base;
  const container = containerOf(base);
  const { ledger } = container;
  const provider = await startPaystackServer();
  const sandboxRail = createRailCaller(createSandboxRail({ database, clock }), { clock });
  const directoryWith = (own: Secrets, on = database): RailDirectory =>
    createRailDirectory({
      database: on,
      secrets: own,
      clock,
      logger,
      jobs: createJobMonitor({ clock, logger }),
      sandboxRail,
      limits: { sendTimeoutMs: 2_000 },
    });
  const rails: RailDirectory & PayoutRails = directoryWith(secrets);
  const served = await serveRoutes(base, container, async (api) => {
    await api.register(railRoutes({ database, ledger, clock, rails }));
  });
  /** What the last command said. */
  const said: { printed: string[]; warned: string[] } = { printed: [], warned: [] };

  async function addMerchant(mode: Mode = 'SANDBOX') {
    const made = await base.addMerchant({ mode, pin: TEST_PIN });
    const ask = served.callAs(made.secretKey);
    const call = (method: 'GET' | 'PATCH', body?: unknown, headers: Record<string, string> = {}) =>
      ask(method, '/payout/rail', body, headers);
    return { ...made, call };
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
      collections: () => {
        throw new Error('no command about rails asks for money in');
      },
      refunds: () => {
        throw new Error('no refunds here');
      },
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

  const later = () => clock.advance(SOON_MS);

  return {
    database,
    clock,
    ledger,
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
      await served.close();
      await provider.close();
      await base.close();
      letGo(this);
    },
  };
}

export type RailFixture = Awaited<ReturnType<typeof createRailFixture>>;
