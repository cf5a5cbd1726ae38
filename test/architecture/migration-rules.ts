import type { Rule, SourceFile } from './rules.ts';

/**
 * Tables that belong to no single merchant, each with the reason. Any other table is a tenant's: `merchant_id` is its
 * first column and begins its primary key, its unique constraints and its indexes, so that it can be distributed.
 */
const NOT_A_TENANTS: Readonly<Record<string, string>> = {
  merchants: 'one row a merchant; its id is the merchant_id of every other table',
  services: 'reference data: what a merchant may have enabled',
  banks: 'reference data: the bank directory',
  fee_rules: 'reference data: dated fees, VAT and duty',
  payout_limits: 'reference data: dated limits of all merchants or of one, few and read whole',
  people: 'directory: an e-mail address leads to one person, of the operator or of a merchant',
  sessions: 'directory: the hash of a session’s secret leads to its person, of the operator or of a merchant',
  devices: 'directory: the hash of a browser’s secret leads to a person, of the operator or of a merchant',
  links: 'directory: the hash of a link’s secret leads to what it is about, before any merchant is known',
  sign_ups: 'who has not confirmed an address yet is no merchant',
  invitations: 'directory: who may become a person, of the operator or of a merchant',
  people_changes: 'what a second person has to agree to, about people of the operator or of a merchant',
  mails: 'the outbox of the whole installation, also to addresses that are nobody’s',
  api_key_directory: 'directory: a key hash leads to its merchant',
  sign_in_tries: 'counts wrong passwords by address, also of nobody',
  settlement_imports: 'the files of a rail, which pays for many merchants',
  settlement_lines: 'lines of such a file, also those that are no merchant’s',
  float_checks: 'the rails’ balances against the books of all merchants',
  rail_accounts: 'reference data: the operator’s accounts at providers, few and read whole',
  default_rails: 'reference data: one row a mode',
  rail_references: 'directory: a reference that a rail names leads to the payout',
  audit_entries: 'the operator reads it across merchants by time, and actions of no merchant are in it',
  verify_runs: 'proofs of the books of all merchants',
  peppers: 'which peppers hashes of the whole installation are under, a handful of rows',
  account_numbers: 'directory: an account number leads to its wallet',
};

const NAME = /^migrations\/\d{4}_[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

export const migrationsSayWhy: Rule = (files) =>
  files.flatMap(({ path, text }) => [
    ...(NAME.test(path) ? [] : [`${path} is not named NNNN_short-name.sql`]),
    ...(/^-- \S.{14,}/.test(text) ? [] : [`${path} does not begin with a comment that says why`]),
  ]);

export const migrationNumbersAreUnique: Rule = (files) => {
  const numbers = files.map(({ path }) => path.slice(0, 'migrations/0000'.length));
  return files
    .filter((_, at) => numbers.indexOf(numbers[at] as string) !== at)
    .map(({ path }) => `${path} reuses a number`);
};

interface Table {
  name: string;
  path: string;
  body: string;
}

function withoutComments(text: string): string {
  return text.replaceAll(/--[^\n]*/g, '');
}

/** The text between the bracket at `open` and the one that closes it. */
function bracketed(text: string, open: number): string {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text.slice(open + 1, at);
  }
  return text.slice(open + 1);
}

function tablesIn({ path, text }: SourceFile): Table[] {
  const sql = withoutComments(text);
  return [...sql.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?([a-z0-9_.]+)\s*\(/gi)].map((match) => ({
    name: match[1] as string,
    path,
    body: bracketed(sql, match.index + match[0].length - 1),
  }));
}

function isTenants(name: string): boolean {
  return !(name in NOT_A_TENANTS);
}

export const tenantTablesBeginWithTheMerchant: Rule = (files) =>
  files
    .flatMap(tablesIn)
    .filter(({ name }) => isTenants(name))
    .flatMap(({ name, path, body }) => [
      ...(/^\s*merchant_id\s+uuid\s+not\s+null/i.test(body)
        ? []
        : [`${path}: ${name} does not begin with merchant_id uuid not null (or is it no tenant's table?)`]),
      ...(/\bprimary\s+key\s*\(\s*merchant_id\b/i.test(body)
        ? []
        : [`${path}: the primary key of ${name} does not begin with merchant_id`]),
      ...[...body.matchAll(/\bunique\s*(?:nulls\s+not\s+distinct\s*)?\(\s*([a-z_]+)/gi)]
        .filter((match) => match[1] !== 'merchant_id')
        .map((match) => `${path}: a unique constraint of ${name} begins with ${match[1]}, not merchant_id`),
    ]);

export const tenantIndexesBeginWithTheMerchant: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    [
      ...withoutComments(text).matchAll(
        /create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?([a-z0-9_]+)\s+on\s+([a-z0-9_]+)\s*(?:using\s+\w+\s*)?\(\s*([a-z_]+)/gi,
      ),
    ]
      .filter((match) => isTenants(match[2] as string) && match[3] !== 'merchant_id')
      .map((match) => `${path}: index ${match[1]} on ${match[2]} begins with ${match[3]}, not merchant_id`),
  );

export const modeIsChecked: Rule = (files) =>
  files
    .flatMap(tablesIn)
    .filter(({ name, body }) => isTenants(name) && /^\s*mode\s+text/im.test(body))
    .filter(({ body }) => !/check\s*\(\s*mode\s*(in\s*\(|=)/i.test(body))
    .map(({ name, path }) => `${path}: ${name} does not check mode`);

const FORBIDDEN: readonly [RegExp, string][] = [
  [/\bcreate\s+(or\s+replace\s+)?(trigger|function|procedure|sequence|rule)\b/i, 'a trigger, function or sequence'],
  [
    /\b(big|small)?serial\b|\bgenerated\s+(always|by\s+default)\s+as\s+identity\b/i,
    'a sequence: ids come from the application',
  ],
  [
    /\bdefault\s+(now|current_timestamp|clock_timestamp|gen_random_uuid|uuidv7|uuid_generate)/i,
    'a default that is not the application’s',
  ],
  [/\bdeferrable\b|\bexclude\s+using\b/i, 'a deferrable or exclusion constraint'],
  [/\bpg_(try_)?advisory/i, 'an advisory lock'],
];

/** What is meant to be there, with the reason. */
const MEANT: Readonly<Record<string, string>> = {
  'migrations/0130_audit-entries.sql has a trigger, function or sequence':
    'the log refuses changes by itself, whoever asks; no money waits for it',
};

export const nothingHindersDistribution: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    FORBIDDEN.filter(([pattern]) => pattern.test(withoutComments(text)))
      .map(([, what]) => `${path} has ${what}`)
      .filter((breach) => !(breach in MEANT)),
  );
