import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import closeWithGrace from 'close-with-grace';
import { createPinGuard } from './access/index.ts';
import { adminHelp, isAdminHelp, type PepperKeeping, runAdmin } from './admin/index.ts';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createContainer } from './container.ts';
import {
  banner,
  type DemoFile,
  isDemoUnfinished,
  noteDemoBegun,
  readDemoFile,
  seedDemo,
  writeDemoFile,
} from './demo/index.ts';
import { finishDocument, madeDocument, publicDocument } from './documentation/index.ts';
import { PepperMissingError, requirePeppers } from './peppers/index.ts';
import { systemClock } from './platform/clock.ts';
import { isNotMigrated, isUnreachable, openDatabase } from './platform/db/database.ts';
import { EmbeddedPostgresError } from './platform/db/embedded/index.ts';
import { MigrationError, migrate } from './platform/db/migrate.ts';
import { isSuperuser } from './platform/db/role.ts';
import { createLogger } from './platform/logger.ts';
import { addPepperToFile, createSecrets, makePepper, removePepperFromFile } from './platform/secrets.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { runVerify } from './verify/index.ts';
import { openMerchantWallets } from './wallets/index.ts';

const USAGE = `Usage: manilla [command]

  (none)           API, workers, docs and, without DATABASE_URL, an embedded PostgreSQL: all in one
  serve            the API alone
  work             the workers alone
  migrate          bring the database to this version
  verify           prove that the books are right; exits 1 with a list where they are not
  admin …          merchants, keys, PINs, services, people; "admin help" lists them
  openapi FILE     write the API document; with --whole print it with what only signed-in people use`;

/** A stop that takes longer than this is cut short: what was not answered is in the books or it is not, never half. */
const DRAIN_MS = 20_000;
const PARENT_CHECK_MS = 250;

async function main(argv: readonly string[]): Promise<number | undefined> {
  const [command, ...rest] = argv;
  if (command === 'admin' && isAdminHelp(rest)) {
    console.log(adminHelp(rest));
    return 0;
  }
  if (command === 'help' || command === '--help' || command === '-h') {
    console.log(USAGE);
    return 0;
  }
  const config = readConfig(process.env);
  switch (command) {
    case undefined:
      return runService(config, { api: true, workers: true });
    case 'serve':
      return runService(config, { api: true, workers: false });
    case 'work':
      return runService(config, { api: false, workers: true });
    case 'migrate':
      return withRuntime(config, async ({ connectionString, logger }) => {
        const { applied } = await migrate({ connectionString, logger });
        console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
        return 0;
      });
    case 'verify':
      return withRuntime(config, (runtime) => runVerify(runtime, process.stdout));
    case 'admin':
      return withRuntime(config, (runtime) => runAdminCommand(config, runtime, rest));
    case 'openapi':
      return writeOpenApi(config, rest[0] ?? 'openapi.json');
    default:
      console.error(`There is no command "${command}".\n\n${USAGE}`);
      return 1;
  }
}

/** Runs until a signal. `npm start` is all in one; any number of `serve` and `work` processes share one database. */
async function runService(config: Config, parts: { api: boolean; workers: boolean }): Promise<undefined> {
  const allInOne = parts.api && parts.workers;
  const runtime = await openRuntime(config, { beside: !allInOne });
  void warnOfSuperuser(runtime);
  let app: App | undefined;
  const graceful = closeWithGrace({ delay: DRAIN_MS }, async ({ err }) => {
    if (err !== undefined) runtime.logger.fatal({ err }, 'stopping after a defect');
    await app?.close();
    await runtime.close();
  });
  stopWithNpm(() => graceful.close());
  try {
    if (allInOne) await migrate({ connectionString: runtime.connectionString, logger: runtime.logger });
    await checkPeppers(runtime);
    app = await createApp({ config, ...runtime });
    if (parts.workers) app.startWorkers();
    if (!parts.api) {
      await listenForHealth(config, runtime, app);
      return;
    }
    const demo = allInOne ? await prepareDemo(config, runtime, app) : undefined;
    // Written before anyone can connect, where the port is known: who sees the service up finds the file.
    demo?.write(baseUrlOf(config, config.port));
    await app.server.listen({ port: config.port, host: config.host });
    const baseUrl = baseUrlOf(config, (app.server.server.address() as AddressInfo).port);
    const written = demo?.write(baseUrl);
    if (allInOne) {
      console.log(banner({ baseUrl, dataDir: config.dataDir, isTerminal: process.stdout.isTTY === true }, written));
    } else runtime.logger.info({ baseUrl }, 'API started');
  } catch (error) {
    await app?.close();
    await runtime.close();
    throw error;
  }
}

/** A database that is away or not migrated is waited for by readiness; a PIN that cannot be checked then is refused as such. */
async function checkPeppers({ database, secrets, clock, logger }: Runtime): Promise<void> {
  try {
    await requirePeppers({ queries: database, secrets, clock });
  } catch (error) {
    if (error instanceof PepperMissingError) throw error;
    logger.warn({ err: error }, 'whether all peppers are given could not be looked up');
  }
}

/** Whoever finds a hole in a statement of ours would have the database's machine. A database that is away is no news here. */
async function warnOfSuperuser({ database, logger }: Runtime): Promise<void> {
  if (await isSuperuser(database.pool).catch(() => false)) {
    logger.warn('the account in DATABASE_URL is a superuser: give Manilla one that owns its database and no more');
  }
}

/** A `work` process takes no requests but those of the operator's monitoring, where a port is set for them. */
async function listenForHealth(config: Config, { logger }: Runtime, app: App): Promise<void> {
  if (config.workPort === undefined) {
    logger.info('workers started');
    return;
  }
  await app.health.listen({ port: config.workPort, host: config.host });
  const { port } = app.health.server.address() as AddressInfo;
  logger.info({ healthUrl: baseUrlOf({ ...config, publicUrl: undefined }, port) }, 'workers started');
}

function baseUrlOf(config: Config, port: number): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return config.publicUrl ?? `http://${host}:${port}`;
}

/** Fills an empty database, or finds what an earlier start filled it with. */
async function prepareDemo(config: Config, runtime: Runtime, app: App) {
  if (!config.demoData) return undefined;
  await app.server.ready();
  const deps = { ...runtime, walletBank: config.walletBank };
  const progress = { unfinished: isDemoUnfinished(config.dataDir), begin: () => noteDemoBegun(config.dataDir) };
  const demo = (await seedDemo(deps, app.server, progress)) ?? readDemoFile(config.dataDir);
  if (demo === undefined) return undefined;
  return {
    write(baseUrl: string): DemoFile {
      const { baseUrl: _before, ...rest } = { baseUrl, ...demo };
      const file = { baseUrl, ...rest };
      writeDemoFile(config.dataDir, file);
      return file;
    },
  };
}

async function withRuntime(config: Config, work: (runtime: Runtime) => Promise<number>): Promise<number> {
  const runtime = await openRuntime(config, { beside: true, applicationName: 'manilla command' });
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

async function runAdminCommand(config: Config, runtime: Runtime, argv: readonly string[]): Promise<number> {
  const { clock } = runtime;
  const container = createContainer({ config, ...runtime });
  try {
    return await runAdmin(argv, {
      ...runtime,
      ledger: container.ledger,
      payouts: () => container,
      peppers: pepperKeeping(config),
      pinGuard: createPinGuard(runtime),
      openWallets: (tx, id, businessName) =>
        openMerchantWallets(tx, config.walletBank, { id, businessName }, clock.now().toISOString()),
      actor: userInfo().username,
      print: (line) => console.log(line),
      warn: (line) => console.error(line),
      readInput: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
    });
  } finally {
    await container.ledger.drain();
  }
}

function pepperKeeping({ dataDir, pinPepper, previousPinPeppers }: Config): PepperKeeping {
  if (pinPepper === undefined) {
    const file = { add: () => addPepperToFile(dataDir), remove: (id: string) => removePepperFromFile(dataDir, id) };
    return { file, settingsWithNew: () => [] };
  }
  const previous = [pinPepper, ...previousPinPeppers].map(encodeURIComponent).join(',');
  return {
    file: undefined,
    settingsWithNew: () => [`PIN_PEPPER=${makePepper()}`, `PIN_PEPPER_PREVIOUS=${previous}`],
  };
}

/** The document comes from the routes; no database is asked. */
async function writeOpenApi(config: Config, file: string): Promise<number> {
  const logger = createLogger('fatal');
  const database = openDatabase({ connectionString: 'postgres://nobody@127.0.0.1/none', maxConnections: 1, logger });
  const secrets = createSecrets('', Buffer.alloc(32).toString('base64'));
  const app = await createApp({ config, database, secrets, clock: systemClock, logger });
  await app.server.ready();
  const made = madeDocument(app.server);
  if (file === '--whole') process.stdout.write(JSON.stringify(finishDocument(made)));
  else writeFileSync(file, `${JSON.stringify(publicDocument(made), null, 2)}\n`);
  await app.close();
  await database.close();
  return 0;
}

/**
 * npm hands a SIGTERM to the shell between it and us, and dash dies of it without passing it on. So a service that npm
 * started stops, with all its manners, when that shell is gone.
 */
function stopWithNpm(stop: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    stop();
  }, PARENT_CHECK_MS);
  watch.unref();
}

try {
  const code = await main(process.argv.slice(2));
  if (code !== undefined) process.exitCode = code;
} catch (error) {
  const inWords =
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof MigrationError ||
    error instanceof PepperMissingError;
  if (isUnreachable(error)) console.error(`The database cannot be reached: ${(error as Error).message}`);
  else if (isNotMigrated(error)) console.error('The database has not the tables of this version: run npm run migrate.');
  else console.error(inWords ? error.message : error);
  process.exit(1);
}
