import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { collectStatements } from './check-statements/collect.ts';
import { disagreements } from './check-statements/compare.ts';
import { type Described, describeStatements } from './check-statements/describe.ts';
import { forbiddenShapes } from './check-statements/distributed.ts';
import { detoursOf, hotPlans, missedKeys, plansOf, wholeReads } from './check-statements/plans.ts';
import type { Recorded } from './check-statements/recording-statement.ts';
import { type CallSite, findCallSites } from './check-statements/rows.ts';

/**
 * Describes every statement of the code on a migrated database, and compares its columns with the rows that the code says
 * it returns; then how each would be answered: none reads a big table as a whole, and the plans of the hot ones are those
 * of `docs/hot-plans.txt`, which `--write` writes. Takes the files to look at; without any, those of `src`.
 */
const MAKES_STATEMENTS = /\b(statement|ofDueTenants|composed|set(Insert|Statement|Question))[<(]/;
const HOT_PLANS = new URL('../docs/hot-plans.txt', import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

/** What no plan shows: columns that are null for other rows of their tables, each with the reason why not for these. */
const NEVER_NULL: Readonly<Record<string, string>> = {
  'list-grown-tables.name': 'a schema and a table have names',
  'count-audit-seals-by-pepper.pepper_id': 'a pepper is noted before anything is sealed',
  'list-settlement-lines-to-settle.merchant_id': 'a line settles only once it was matched with a payout',
  'list-settlement-lines-to-settle.payout_id': 'as merchant_id',
  'list-settlement-lines-to-settle.our_amount_minor': 'as merchant_id',
  'list-provider-settlement-lines-to-post.merchant_id': 'a line agrees only with a payment',
};

/** PostgreSQL parses these only when it runs them; none returns rows. */
const COMMAND = /^(set local|lock table|savepoint|release savepoint|rollback to savepoint)\b/;

interface Outcome {
  breaches: string[];
  /** What was not compared, with the reason. */
  unchecked: string[];
}

function compareAll(
  recorded: readonly Recorded[],
  described: readonly Described[],
  sites: readonly CallSite[],
): Outcome {
  const rows = new Map(sites.map(({ place, row }) => [place, row]));
  const excused = new Set<string>();
  // What a list composes for a type parameter is compared where samples.ts has the same text with its type.
  const typed = new Set(recorded.filter(({ place }) => rows.get(place) !== undefined).map(({ text }) => text));
  const breaches: string[] = [];
  const unchecked: string[] = [];
  for (const [at, { place, name, text }] of recorded.entries()) {
    const found = described[at] as Described;
    const row = rows.get(place);
    const where = `${place.replace(root, '')} ${name}`;
    if (COMMAND.test(text)) unchecked.push(`${where}: a command without rows`);
    else if ('failure' in found) breaches.push(`${where}: ${found.failure}`);
    else if (row === undefined) {
      if (!typed.has(text)) unchecked.push(`${where}: its rows are of a type parameter`);
    } else {
      for (const { column, sentence, isNullness } of disagreements(found.columns, row)) {
        const key = `${name}.${column}`;
        if (isNullness && key in NEVER_NULL) excused.add(key);
        else breaches.push(`${where}: ${column} ${sentence}`);
      }
    }
  }
  const made = new Set(recorded.map(({ place }) => place));
  for (const { place } of sites.filter((site) => !made.has(site.place))) {
    unchecked.push(`${place.replace(root, '')}: composed for what is asked`);
  }
  const names = new Set(recorded.map(({ name }) => name));
  for (const key of Object.keys(NEVER_NULL)) {
    const isStale = names.has(key.slice(0, key.indexOf('.'))) && !excused.has(key);
    if (isStale) breaches.push(`scripts/check-statements.ts: NEVER_NULL excuses ${key}, which needs it no more`);
  }
  return { breaches, unchecked };
}

function serviceFiles(): string[] {
  // What is imported starts nothing, but for the process itself.
  const files = globSync(`${root}src/**/*.ts`).filter((file) => file !== `${root}src/main.ts`);
  return [...files, `${root}scripts/check-statements/samples.ts`];
}

/** A plan that changed is looked at by whoever changed it, and then written. */
function compareHotPlans(made: string): string[] {
  if (process.argv.includes('--write')) writeFileSync(HOT_PLANS, made);
  if (readFileSync(HOT_PLANS, 'utf8') === made) return [];
  return ['hot statements are answered otherwise than docs/hot-plans.txt says: npm run plans, and look at it'];
}

const startedAt = performance.now();
const named = process.argv.slice(2).filter((word) => word !== '--write');
const sources = named.length > 0 ? named.map((file) => resolve(file)) : serviceFiles();
const recorded = await collectStatements(sources);
// Not before: it imports statements, too.
const { databaseAddress, startTestCluster } = await import('../test/support/test-cluster.ts');
const cluster = startTestCluster();
const sites = findCallSites(sources.filter((file) => MAKES_STATEMENTS.test(readFileSync(file, 'utf8'))));
const { server, stop } = await cluster;
const client = new pg.Client({ connectionString: databaseAddress(server.connectionString, server.template) });
try {
  await client.connect();
  const texts = recorded.map(({ text }) => text);
  const { breaches, unchecked } = compareAll(recorded, await describeStatements(client, texts), sites);
  if (named.length === 0) {
    const plans = Array.from(await plansOf(client), ([at, plan]) => ({ name: (recorded[at] as Recorded).name, plan }));
    breaches.push(
      ...wholeReads(plans),
      ...missedKeys(plans, await detoursOf(client)),
      ...compareHotPlans(hotPlans(plans)),
      ...forbiddenShapes(recorded),
    );
  }
  if (breaches.length > 0) console.error(breaches.join('\n'));
  console.log(`Not compared:\n${unchecked.map((line) => `  ${line}`).join('\n')}`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(
    `${new Set(texts).size} statements, ${unchecked.length} not compared, ${breaches.length} wrong (${seconds} s)`,
  );
  if (breaches.length > 0) process.exitCode = 1;
} finally {
  await client.end();
  await stop();
}
