import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import { createPinGuard } from './access/index.ts';
import type { PepperKeeping } from './admin/index.ts';
import { createApp } from './app.ts';
import { bringUpToDate } from './bring-up-to-date.ts';
import { sentenceOf, withAnswer } from './command-failures.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createContainer } from './container.ts';
import { banner } from './demo/index.ts';
import { finishDocument, madeDocument, publicDocument } from './documentation/index.ts';
import { whyNothingOpens } from './peppers/index.ts';
import { systemClock } from './platform/clock.ts';
import { openDatabase } from './platform/db/database.ts';
import { createLogger } from './platform/logger.ts';
import { joinGroup, SUPERVISED_SIGNALS } from './platform/processes/member.ts';
import { addPepperToFile, createSecrets, makePepper, removePepperFromFile } from './platform/secrets.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { createService } from './service.ts';
import {
  configOfMember,
  DRAIN_MS,
  findPort,
  type Parts,
  reportStart,
  reportStop,
  shutdownDelayMs,
  stopWithNpm,
} from './service-process.ts';
import { openMerchantWallets } from './wallets/index.ts';

/** What the service does not do is not loaded with it. */
const loadAdmin = () => import('./admin/index.ts');

const USAGE = `Usage: manilla [command]

  (none)           API, workers, docs and, without DATABASE_URL, an embedded PostgreSQL: all in one
  serve            the API alone
  work             the workers alone
  migrate          bring the database to this version; --distribute also spreads its tables over the servers of Citus
  verify           prove that the books are right; exits 1 with a list where they are not. --archive DIR says where
                   archived events are, else ARCHIVE_DIR does
  admin …          merchants, keys, PINs, services, people; "admin help" lists them
  openapi FILE     write the API document; with --whole print it with what only signed-in people use

The first three take --processes N: so many processes on one port. Without it there are as many as the machine has cores,
up to a bound; see PROCESSES in docs/settings.md.`;

/** Runs one command in this process, or its part of one that several processes run. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    const code = await run(argv);
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    console.error(sentenceOf(error) ?? error);
    process.exit(1);
  }
}

async function run(argv: readonly string[]): Promise<number | undefined> {
  const [command, ...rest] = argv;
  if (command === 'admin') {
    const { adminHelp, isAdminHelp, mistakeIn } = await loadAdmin();
    if (isAdminHelp(rest)) {
      console.log(adminHelp(rest));
      return 0;
    }
    const mistake = mistakeIn(rest);
    if (mistake !== undefined) {
      console.error(mistake);
      return 1;
    }
  }
  // Behind another word as well: a file of that name would be written, say.
  if (command === 'help' || argv.includes('--help') || argv.includes('-h')) {
    console.log(USAGE);
    return 0;
  }
  if ((command === 'serve' || command === 'work') && rest.length > 0) {
    console.error(`${command} does not take ${rest.join(' ')}.\n\n${USAGE}`);
    return 1;
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
      if (rest.some((word) => word !== '--distribute')) {
        console.error(`migrate takes --distribute and nothing else.\n\n${USAGE}`);
        return 1;
      }
      return withRuntime(config, (runtime) => runMigrate(runtime, rest.length > 0));
    case 'verify': {
      const archiveDir = archiveDirOf(config, rest);
      return withRuntime(config, (runtime) => runVerifyCommand(runtime, archiveDir));
    }
    case 'admin':
      return withRuntime(config, (runtime) => runAdminCommand(config, runtime, rest));
    case 'openapi':
      return writeOpenApi(config, rest[0] ?? 'openapi.json');
    default:
      console.error(`There is no command "${command}".\n\n${USAGE}`);
      return 1;
  }
}

/** @throws ConfigError for any other word */
function archiveDirOf({ archiveDir }: Config, words: readonly string[]): string | undefined {
  if (words.length === 0) return archiveDir;
  const [option, directory, ...more] = words;
  if (option !== '--archive' || directory === undefined || more.length > 0) {
    throw new ConfigError(`verify takes --archive DIR, and not ${words.join(' ')}.`);
  }
  return resolve(directory);
}

/** Runs until a signal, or until its supervisor has it stop. Any number of these processes share one database. */
async function runService(given: Config, parts: Parts): Promise<undefined> {
  const member = await joinGroup();
  const config = member === undefined ? given : configOfMember(given, member.assignment);
  const allInOne = parts.api && parts.workers;
  // Before there is a database, or it is changed for a process that can serve nobody.
  if (member === undefined) await findPort(config, parts);
  const runtime = await openRuntime(config, { beside: allInOne ? undefined : 'SERVICE', member });
  const service = createService(config, runtime, { ...parts, prepares: member?.assignment.prepares ?? allInOne });
  const close = async () => {
    await service.close();
    await runtime.close();
  };
  const delayMs = shutdownDelayMs(config, parts);
  const stop = async (signal: string | undefined) => {
    if (signal !== 'SIGINT') {
      service.announceStop();
      await sleep(delayMs);
    }
    await close();
  };
  let isStopping = false;
  let ordered: { signal: string | undefined } | undefined;
  // Signals to a process of a group are its supervisor's.
  const skip = member === undefined ? [] : [...SUPERVISED_SIGNALS];
  const graceful = closeWithGrace({ delay: DRAIN_MS + delayMs, skip }, async ({ err, signal }) => {
    isStopping = true;
    // Those of a group are stopped by their supervisor, which says so once.
    if (err === undefined && ordered !== undefined) return stop(ordered.signal);
    if (err === undefined) return reportStop(runtime.logger, signal, () => stop(signal));
    runtime.logger.fatal({ err }, 'stopping after a defect');
    return close();
  });
  if (member === undefined) stopWithNpm(() => graceful.close());
  member?.onStop((signal) => {
    ordered = { signal };
    graceful.close();
  });
  try {
    const { baseUrl, demo } = await service.start();
    const isTerminal = process.stdout.isTTY === true;
    const screen =
      allInOne && baseUrl !== undefined ? banner({ baseUrl, dataDir: config.dataDir, isTerminal }, demo) : undefined;
    if (member !== undefined) member.ready({ baseUrl, screen });
    else if (screen !== undefined) console.log(screen);
    else reportStart(runtime.logger, parts, baseUrl);
  } catch (error) {
    // A start that is stopped fails for want of what was closed.
    if (isStopping) return;
    await close();
    throw error;
  }
}

async function runMigrate(runtime: Runtime, distributes: boolean): Promise<number> {
  const { applied, moved } = await bringUpToDate(runtime, distributes);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  if (moved !== undefined)
    console.log(moved.length === 0 ? 'All tables are where they belong.' : `Distributed ${moved.join(', ')}.`);
  return 0;
}

async function withRuntime(config: Config, work: (runtime: Runtime) => Promise<number>): Promise<number> {
  const runtime = await openRuntime(config, {
    beside: 'COMMAND',
    answersAtTerminal: true,
    applicationName: 'manilla command',
  });
  try {
    return await withAnswer(process.stdout, () => work(runtime));
  } finally {
    await runtime.close();
  }
}

async function runVerifyCommand(runtime: Runtime, archiveDir: string | undefined): Promise<number> {
  const { runVerify } = await import('./verify/index.ts');
  const code = await runVerify({ ...runtime, database: runtime.database.reading, archiveDir }, process.stdout);
  const why = await whyNothingOpens({ ...runtime, queries: runtime.database });
  if (why !== undefined) console.error(`These are not the secrets of this database: no start will take them. ${why}`);
  return code;
}

async function runAdminCommand(config: Config, runtime: Runtime, argv: readonly string[]): Promise<number> {
  const { clock } = runtime;
  const { runAdmin } = await loadAdmin();
  const container = createContainer({ config, ...runtime });
  try {
    return await runAdmin(argv, {
      ...runtime,
      ledger: container.ledger,
      payouts: () => container,
      refunds: () => container,
      collections: () => container,
      peppers: pepperKeeping(config),
      archive: { directory: config.archiveDir, afterMonths: config.archiveAfterMonths },
      pinGuard: createPinGuard(runtime),
      openWallets: (tx, id, businessName) =>
        openMerchantWallets(tx, config.walletBank, { id, businessName }, clock.now()),
      actor: nameOfUser(),
      print: (line) => console.log(line),
      warn: (line) => console.error(line),
      readInput: async () => (await text(process.stdin)).replace(/\r?\n$/, ''),
    });
  } finally {
    await container.ledger.drain();
  }
}

/** Who runs the command, for the audit log. In a container a user may have a number and no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
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
