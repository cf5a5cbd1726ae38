import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { type Static, Type } from 'typebox';
import { portOf, serversOf } from './platform/db/primary.ts';
import { compileCheck } from './platform/http/validation.ts';
import { keptForDays, RETENTION_SETTINGS, type RetentionDays } from './retention/settings.ts';

const LAST_PORT = 65_535;
/** How many days what is no book is kept at the most of all: ten years. */
const MOST_DAYS = 3_653;
const retained = (of: keyof RetentionDays) => {
  const { minimum, default: usual } = RETENTION_SETTINGS[of];
  return Type.Integer({ minimum, maximum: MOST_DAYS, default: usual });
};

/** Of mail, without what has a meaning of its own in a header. */
const MAIL_ADDRESS = String.raw`[^\s@<>,:;()"\\]+@[^\s@<>,:;()"\\]+`;

/** Every setting, from the environment, read once. A name that is not here is not a setting. */
const Settings = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: LAST_PORT, default: 3000 }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PROCESSES: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  DATA_DIR: Type.String({ minLength: 1, default: '.data' }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  READ_DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  READ_WAIT_MS: Type.Integer({ minimum: 0, maximum: 10_000, default: 500 }),
  DATABASE_POOL_SIZE: Type.Integer({ minimum: 2, maximum: 500, default: 10 }),
  DEMO_DATA: Type.Optional(Type.Boolean()),
  RATE_LIMIT_PER_SECOND: Type.Number({ minimum: 0, default: 100 }),
  ADDRESS_RATE_LIMIT_PER_SECOND: Type.Number({ minimum: 0, default: 20 }),
  OVERLOAD_DELAY_MS: Type.Integer({ minimum: 0, maximum: 60_000, default: 2_000 }),
  STREAM_CONNECTIONS: Type.Integer({ minimum: 0, maximum: 100_000, default: 1_000 }),
  WEBHOOK_ALLOW_LOOPBACK: Type.Boolean({ default: false }),
  TRUSTED_PROXIES: Type.String({ default: '' }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
  PIN_PEPPER: Type.Optional(Type.String({ minLength: 32 })),
  PIN_PEPPER_PREVIOUS: Type.String({ pattern: '^(([^,%]|%[0-9A-Fa-f]{2}){32,}(,|$))*$', default: '' }),
  KEY_ENCRYPTION_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  WALLET_BANK_CODE: Type.String({ pattern: '^\\d{3,6}$', default: '999' }),
  WALLET_BANK_NAME: Type.String({ minLength: 1, maxLength: 80, default: 'Manilla Wallet' }),
  RAIL_CONCURRENCY: Type.Integer({ minimum: 1, maximum: 1_000, default: 64 }),
  SANDBOX_RAIL_DELAY_MS: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 }),
  OUTCOME_UNKNOWN_HOURS: Type.Number({ minimum: 0.1, maximum: 720, default: 24 }),
  WORK_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  SHUTDOWN_DELAY_SECONDS: Type.Optional(Type.Number({ minimum: 0, maximum: 300 })),
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  ALLOWED_HOSTS: Type.String({ pattern: '^[\\w.-]*( *, *[\\w.-]+)*$', maxLength: 2_000, default: '' }),
  SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://[^/?#]+$' })),
  RETAIN_REQUESTS_DAYS: retained('requests'),
  RETAIN_DELIVERIES_DAYS: retained('deliveries'),
  RETAIN_MAILS_DAYS: retained('mails'),
  RETAIN_FLOAT_CHECKS_DAYS: retained('floatChecks'),
  ARCHIVE_DIR: Type.Optional(Type.String({ minLength: 1 })),
  ARCHIVE_AFTER_MONTHS: Type.Integer({ minimum: 3, maximum: 120, default: 13 }),
  MAIL_FROM: Type.Optional(
    Type.String({
      // Outside of quotes a colon begins a group, a bracket a comment, and both are taken out of the name.
      pattern: '^(("[^"\\\\\\r\\n<>]*" *|[^"\\\\\\r\\n<>@:;()]*)<MAIL>|MAIL)$'.replaceAll('MAIL', MAIL_ADDRESS),
      maxLength: 200,
    }),
  ),
});

type Name = keyof Static<typeof Settings>;
/** What is read here of the schema of one. */
type Setting = { type?: string; default?: unknown };

const MEANING: Record<Name, string> = {
  PORT: 'a port number from 0 to 65535 (0 picks a free one)',
  HOST: 'the address to listen on',
  PROCESSES: 'how many processes run the command, 1 to 64',
  DATA_DIR: 'the folder of the embedded database, its secrets and demo.json',
  DATABASE_URL: 'a postgres:// address of PostgreSQL 15 to 18; a password has %40, %2F, %3F, %23 for @, /, ?, #',
  READ_DATABASE_URL: 'a postgres:// address of one replica, which lists and files are read from',
  READ_WAIT_MS: 'milliseconds that a read waits for the replica to catch up before the primary is read, 0 to 10000',
  DATABASE_POOL_SIZE: 'connections of this process to the database, 2 to 500',
  DEMO_DATA: 'true or false: fill an empty database with a demo merchant',
  RATE_LIMIT_PER_SECOND: 'requests a second of one key, token or session, 0 for no limit',
  ADDRESS_RATE_LIMIT_PER_SECOND: 'requests a second without a good key from one network address, 0 for no limit',
  OVERLOAD_DELAY_MS: 'milliseconds that a process may be late before it refuses requests, 0 to 60000, 0 for never',
  STREAM_CONNECTIONS: 'pages of the dashboard that one process notifies of changes as they happen, 0 to 100000',
  WEBHOOK_ALLOW_LOOPBACK: 'true or false: let sandbox webhooks reach this machine',
  TRUSTED_PROXIES: 'comma-separated addresses or CIDR ranges whose X-Forwarded-For is believed',
  LOG_LEVEL: 'fatal, error, warn, info, debug, trace or silent',
  PIN_PEPPER: 'a secret of at least 32 characters, kept outside the database',
  PIN_PEPPER_PREVIOUS: 'comma-separated earlier peppers, each of at least 32 characters; rotate-pepper prints it',
  KEY_ENCRYPTION_KEY: '32 random bytes in base64 (openssl rand -base64 32)',
  WALLET_BANK_CODE: 'the code of the bank that holds the wallets, 3 to 6 digits',
  WALLET_BANK_NAME: 'the name of the bank that holds the wallets, at most 80 characters',
  RAIL_CONCURRENCY: 'calls of one command to one rail at once, which its processes share out, 1 to 1000',
  SANDBOX_RAIL_DELAY_MS: 'milliseconds that the sandbox rail takes for every call, 0 to 60000',
  OUTCOME_UNKNOWN_HOURS: 'hours until a payout without a known outcome is put before the operator, 0.1 to 720',
  WORK_PORT: 'a port number for the health and metrics of a `work` process (0 picks a free one)',
  PUBLIC_URL: 'the address under which clients reach this service, such as https://pay.example, without a path',
  ALLOWED_HOSTS: 'comma-separated host names, without ports, by which this service is called beside PUBLIC_URL',
  SMTP_URL: 'smtps://user:password@host:465 or smtp://user:password@host:587, a % in it written as %25',
  SHUTDOWN_DELAY_SECONDS: 'seconds between a signal to stop and the end of the listener, 0 to 300',
  RETAIN_REQUESTS_DAYS: 'days that the request log is kept, 7 to 3653',
  RETAIN_DELIVERIES_DAYS: 'days that webhook deliveries are kept once they have ended, 7 to 3653',
  RETAIN_MAILS_DAYS: 'days that mails are kept, without their texts, 30 to 3653',
  RETAIN_FLOAT_CHECKS_DAYS: 'days that balances of rails beside ours are kept, 92 to 3653',
  ARCHIVE_DIR: 'the folder that old events are archived to, and that verify reads them from',
  ARCHIVE_AFTER_MONTHS: 'months after which events of transfers may be archived, 3 to 120',
  MAIL_FROM: 'the sender, as in Manilla <no-reply@your.example>; a name with one of @ : ; ( ) is in double quotes',
};

export interface Config {
  port: number;
  host: string;
  /** Absent: by the cores of the machine. */
  processes: number | undefined;
  dataDir: string;
  /** Absent: start the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** Absent: everything is read from the primary. */
  replica: { connectionString: string; waitMs: number } | undefined;
  databasePoolSize: number;
  demoData: boolean;
  /** For how many days what is no book is kept. */
  retention: RetentionDays;
  /** Absent: nothing is archived, and what was cannot be proven. */
  archiveDir: string | undefined;
  archiveAfterMonths: number;
  rateLimitPerSecond: number;
  addressRateLimitPerSecond: number;
  /** So late a process may be with what it has to do before it refuses requests; 0: it never does. */
  overloadDelayMs: number;
  /** Pages of the dashboard that one process notifies of changes; 0: they look by themselves. */
  streamConnections: number;
  webhookAllowLoopback: boolean;
  trustedProxies: readonly string[];
  logLevel: string;
  /** Absent: generated into `dataDir` (embedded database or demo data), otherwise required. */
  pinPepper: string | undefined;
  /** Newest first. */
  previousPinPeppers: readonly string[];
  keyEncryptionKey: string | undefined;
  walletBank: { code: string; name: string };
  publicUrl: string | undefined;
  /** Names by which this service may be called; `localhost` and the addresses of this machine need no saying. */
  hostNames: readonly string[];
  /** Absent: mails stay in the local outbox. */
  mail: { url: string; from: string } | undefined;
  /** Calls to one rail at once: of a command, and in one of several processes its part of them. */
  railConcurrency: number;
  sandboxRailDelayMs: number;
  outcomeUnknownMs: number;
  /** Absent: a `work` process listens nowhere. */
  workPort: number | undefined;
  /** For so long a process that is to stop says that it is not ready, and serves. Absent: as the command has it. */
  shutdownDelayMs: number | undefined;
}

/** A value that is wrong by a letter is still a secret: it is not shown. */
const SECRET: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'PIN_PEPPER',
  'PIN_PEPPER_PREVIOUS',
  'KEY_ENCRYPTION_KEY',
  'SMTP_URL',
]);

const DATABASES: ReadonlySet<string> = new Set(['DATABASE_URL', 'READ_DATABASE_URL']);

/** Each is `verify-full` to the driver, which prints a page about it at every start: it means less to other programs. */
const AS_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

const withCheckedServer = (address: string): string =>
  address.includes('uselibpqcompat=') ? address : address.replace(AS_VERIFY_FULL, '$1verify-full');

/** How numbers are written: `0x10` is none, though JavaScript reads sixteen. */
const NUMBERS: Readonly<Record<string, RegExp>> = { integer: /^\s*-?\d+\s*$/, number: /^\s*-?\d+(\.\d+)?\s*$/ };
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
/** Names for ranges, as Fastify knows them. */
const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];

export class ConfigError extends Error {}

/** @throws ConfigError with one line per setting that is wrong, saying what it takes. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given: Record<string, string> = {};
  for (const name of Object.keys(MEANING)) {
    const text = env[name];
    if (text !== undefined && text.trim() !== '') given[name] = DATABASES.has(name) ? withCheckedServer(text) : text;
  }
  const settings: Record<string, unknown> = {};
  const wrong: Name[] = [];
  for (const [name, schema] of Object.entries(Settings.properties) as [Name, Setting][]) {
    const text = given[name];
    const value = text === undefined ? schema.default : readText(schema, text);
    if (value !== undefined) settings[name] = value;
    // One after the other: a list of mistakes ends after some, and one setting of many words is several.
    if (text !== undefined && (compileCheck(schema)(value).length > 0 || !isReadable(name, text))) wrong.push(name);
  }
  if (wrong.length > 0) {
    const lines = wrong.map(
      (name) => `  ${name} must be ${MEANING[name]}${SECRET.has(name) ? '' : `; it is ${JSON.stringify(given[name])}`}`,
    );
    throw new ConfigError(`These settings are wrong:\n${lines.join('\n')}`);
  }
  return toConfig(settings as Static<typeof Settings>);
}

/** A number or a word as what it stands for; any other text stays one, and is refused by its schema. */
function readText({ type }: Setting, text: string): unknown {
  if (type === 'boolean') return WORDS.get(text.toLowerCase()) ?? text;
  return NUMBERS[type ?? '']?.test(text) === true ? Number(text) : text;
}

/** What a schema does not see: whether an address can be taken apart. */
function isReadable(name: Name, text: string): boolean {
  if (DATABASES.has(name)) {
    const servers = serversOf(text);
    if (name === 'READ_DATABASE_URL' && servers.length > 1) return false;
    return servers.every(
      (one) => hasOneEnd(one) && hasKnownSslMode(name, one) && hasReadableNumbers(one) && isConnectable(name, one),
    );
  }
  if (name === 'PUBLIC_URL') return isHostAlone(text);
  if (name === 'SMTP_URL') return isMailServer(text);
  if (name === 'TRUSTED_PROXIES') return listOf(text).every(isProxyRange);
  return true;
}

/** Of a password with such characters the rest would be read as the host, and be named where that is not found. */
function hasOneEnd(address: string): boolean {
  const [ahead = ''] = address.split('?');
  return URL.canParse(address) && !address.includes('#') && ahead.split('@').length <= 2;
}

/** Every link begins with it, and pages and programs are at its root: behind a path each would lead nowhere. */
function isHostAlone(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '') &&
    url.pathname === '/'
  );
}

/** User and password are decoded with the first mail, which would wait for ever where they cannot be. */
function isMailServer(address: string): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
    return true;
  } catch {
    return false;
  }
}

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Of a word that it does not know the driver makes TLS: who wrote `off` would look for what is wrong at the server. */
function hasKnownSslMode(name: string, address: string): boolean {
  const wrong = new URL(address).searchParams
    .getAll('sslmode')
    .find((mode) => mode !== '' && !SSL_MODES.includes(mode));
  if (wrong === undefined) return true;
  throw new ConfigError(
    `These settings are wrong:\n  ${name} has the sslmode ${JSON.stringify(wrong)}; it is one of ${SSL_MODES.join(', ')}`,
  );
}

/** What the driver takes for numbers of an address, and counts with whatever they are: `abc` would end each statement at once. */
const NUMBERS_OF_ADDRESS = [
  'connect_timeout',
  'query_timeout',
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
];
const WHOLE_NUMBER = /^\d{1,9}$/;

function hasReadableNumbers(address: string): boolean {
  const { searchParams } = new URL(address);
  return NUMBERS_OF_ADDRESS.flatMap((name) => searchParams.getAll(name)).every((text) => WHOLE_NUMBER.test(text));
}

/**
 * The driver takes an address apart, and reads the certificates that it names, before each connection: what it cannot read or
 * call is found here.
 */
function isConnectable(name: string, address: string): boolean {
  try {
    const port = portOf(address);
    return port > 0 && port <= LAST_PORT;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (path === undefined) return false;
    throw new ConfigError(
      `These settings are wrong:\n  ${name} names the file ${path}, which cannot be read (${code})`,
    );
  }
}

const isProxyRange = (text: string): boolean =>
  NAMED_RANGES.includes(text) ||
  ipaddr.IPv4.isValidFourPartDecimal(text) ||
  ipaddr.IPv6.isValid(text) ||
  (text.includes('/') && ipaddr.isValidCIDR(text));

function toConfig(settings: Static<typeof Settings>): Config {
  const demoData = settings.DEMO_DATA ?? settings.DATABASE_URL === undefined;
  if (settings.DATABASE_URL !== undefined && !demoData) requireSecrets(settings);
  return {
    port: settings.PORT,
    host: settings.HOST,
    processes: settings.PROCESSES,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    replica:
      settings.READ_DATABASE_URL === undefined
        ? undefined
        : { connectionString: settings.READ_DATABASE_URL, waitMs: settings.READ_WAIT_MS },
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    demoData,
    archiveDir: settings.ARCHIVE_DIR === undefined ? undefined : resolve(settings.ARCHIVE_DIR),
    archiveAfterMonths: settings.ARCHIVE_AFTER_MONTHS,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    addressRateLimitPerSecond: settings.ADDRESS_RATE_LIMIT_PER_SECOND,
    overloadDelayMs: settings.OVERLOAD_DELAY_MS,
    streamConnections: settings.STREAM_CONNECTIONS,
    webhookAllowLoopback: settings.WEBHOOK_ALLOW_LOOPBACK,
    trustedProxies: listOf(settings.TRUSTED_PROXIES),
    logLevel: settings.LOG_LEVEL,
    pinPepper: settings.PIN_PEPPER,
    previousPinPeppers: listOf(settings.PIN_PEPPER_PREVIOUS).map(decoded),
    keyEncryptionKey: settings.KEY_ENCRYPTION_KEY,
    walletBank: { code: settings.WALLET_BANK_CODE, name: settings.WALLET_BANK_NAME },
    // Without the slash that may stand at its end.
    publicUrl: settings.PUBLIC_URL === undefined ? undefined : new URL(settings.PUBLIC_URL).origin,
    hostNames: hostNamesOf(settings),
    mail: mailOf(settings),
    railConcurrency: settings.RAIL_CONCURRENCY,
    sandboxRailDelayMs: settings.SANDBOX_RAIL_DELAY_MS,
    outcomeUnknownMs: settings.OUTCOME_UNKNOWN_HOURS * 60 * 60 * 1000,
    workPort: settings.WORK_PORT,
    retention: keptForDays(settings as unknown as Readonly<Record<string, number>>),
    shutdownDelayMs: settings.SHUTDOWN_DELAY_SECONDS === undefined ? undefined : settings.SHUTDOWN_DELAY_SECONDS * 1000,
  };
}

/** An earlier pepper may have commas and spaces in it: those are written as in an address. */
function decoded(pepper: string): string {
  try {
    return decodeURIComponent(pepper);
  } catch {
    throw new ConfigError(`These settings are wrong:\n  PIN_PEPPER_PREVIOUS must be ${MEANING.PIN_PEPPER_PREVIOUS}`);
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function hostNamesOf({ HOST, PUBLIC_URL, ALLOWED_HOSTS }: Static<typeof Settings>): string[] {
  if (PUBLIC_URL === undefined) return [HOST, ...listOf(ALLOWED_HOSTS)];
  return [HOST, new URL(PUBLIC_URL).hostname, ...listOf(ALLOWED_HOSTS)];
}

/** Where mails go, and who they are from: one is of no use without the other. */
function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Static<typeof Settings>): Config['mail'] {
  if (url === undefined) return undefined;
  if (from === undefined)
    throw new ConfigError(`These settings are missing:\n  MAIL_FROM is required with SMTP_URL: ${MEANING.MAIL_FROM}`);
  return { url, from };
}

/** A database of one's own with real merchants in it gets its secrets from outside, never from a file we made up. */
function requireSecrets(settings: Static<typeof Settings>): void {
  const missing = (['PIN_PEPPER', 'KEY_ENCRYPTION_KEY'] as const).filter((name) => settings[name] === undefined);
  if (missing.length === 0) return;
  const lines = missing.map((name) => `  ${name} is required with DATABASE_URL: ${MEANING[name]}`);
  throw new ConfigError(`These settings are missing:\n${lines.join('\n')}`);
}

/** Under which people reach the service, as far as its settings say. @param port that it listens on, where that is known */
export function baseUrlOf(
  { host, publicUrl, ...config }: Pick<Config, 'host' | 'port' | 'publicUrl'>,
  port = config.port,
): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
