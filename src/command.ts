import { resolve } from 'node:path';
import { bringUpToDate } from './bring-up-to-date.ts';
import { sentenceOf, withAnswer } from './command-failures.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import type { Parts } from './service-process.ts';

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

/** What a command runs is loaded with it: all that there is takes a second. */
const runService = async (config: Config, parts: Parts) => (await import('./run-service.ts')).runService(config, parts);

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
    const { adminHelp, isAdminHelp, mistakeIn } = await import('./admin/index.ts');
    const mistake = mistakeIn(rest);
    if (mistake !== undefined) {
      console.error(mistake);
      return 1;
    }
    if (isAdminHelp(rest)) {
      return say(adminHelp(rest));
    }
  }
  // Behind another word as well: a file of that name would be written, say.
  if (command === 'help' || argv.includes('--help') || argv.includes('-h')) {
    return say(USAGE);
  }
  const mistake = mistakeOf(command, rest);
  if (mistake !== undefined) {
    console.error(`${mistake}\n\n${USAGE}`);
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
      return withRuntime(config, (runtime) => runMigrate(runtime, rest.length > 0));
    case 'verify': {
      const archiveDir = archiveDirOf(config, rest);
      return withRuntime(config, (runtime) => runVerifyCommand(runtime, archiveDir));
    }
    case 'admin':
      return withRuntime(config, async (runtime) => {
        const { runAdminCommand } = await import('./run-admin.ts');
        return runAdminCommand(config, runtime, rest);
      });
    case 'openapi': {
      const { writeOpenApi } = await import('./write-openapi.ts');
      return withAnswer(process.stdout, () => writeOpenApi(config, rest[0] ?? 'openapi.json'));
    }
    default:
      console.error(`There is no command "${command}".\n\n${USAGE}`);
      return 1;
  }
}

/** @returns the exit code */
const say = (text: string): Promise<number> =>
  withAnswer(process.stdout, async () => {
    console.log(text);
    return 0;
  });

/** The words behind a command that it does not take; undefined where it takes all of them. */
function mistakeOf(command: string | undefined, words: readonly string[]): string | undefined {
  const given = words.join(' ');
  switch (command) {
    case 'serve':
    case 'work':
      if (words[0] === '--processes' && words.length === 1) return '--processes takes a number, 1 to 64.';
      return words.length === 0 ? undefined : `${command} does not take ${given}.`;
    case 'migrate':
      return words.every((word) => word === '--distribute')
        ? undefined
        : 'migrate takes --distribute and nothing else.';
    case 'openapi': {
      const [file, ...more] = words;
      const isTaken = more.length === 0 && (file === '--whole' || file?.startsWith('-') !== true);
      return isTaken ? undefined : `openapi takes one FILE or --whole, and not ${given}.`;
    }
    default:
      return undefined;
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
  const [{ runVerify }, { whyNothingOpens }] = await Promise.all([
    import('./verify/index.ts'),
    import('./peppers/index.ts'),
  ]);
  const code = await runVerify({ ...runtime, database: runtime.database.reading, archiveDir }, process.stdout);
  const why = await whyNothingOpens({ ...runtime, queries: runtime.database });
  if (why !== undefined) console.error(`These are not the secrets of this database: no start will take them. ${why}`);
  return code;
}
