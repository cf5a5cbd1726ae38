import type pg from 'pg';
import { PLANNING } from '../../src/platform/db/planning.ts';

/** A plan without its costs, as `explain` writes it. */
export type Plan = readonly string[];

/**
 * The plans of statements that `describeStatements` has prepared on this connection, made once for whatever values come,
 * as the service's connections make them. The tables are empty, where reading one as a whole is always cheapest: with that
 * forbidden, it is left only where no index can answer.
 */
export async function plansOf(client: pg.ClientBase): Promise<ReadonlyMap<number, Plan>> {
  for (const [name, setting] of Object.entries(PLANNING)) await client.query(`set ${name} = ${setting}`);
  const { rows: prepared } = await client.query<{ at: number; parameters: number }>(
    `select substring(name from 3)::int as at, cardinality(parameter_types) as parameters
       from pg_prepared_statements where name like 's\\_%'`,
  );
  const plans = new Map<number, Plan>();
  for (const { at, parameters } of prepared) {
    const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join(', ')})`;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (costs off) execute s_${at}${values}`);
    plans.set(
      at,
      rows.map((row) => row['QUERY PLAN']),
    );
  }
  return plans;
}

/** Read as a whole: a few rows an installation, however many merchants and payouts it has. */
const SMALL_TABLES = new Set([
  'banks',
  'default_rails',
  'encryption_keys',
  'peppers',
  'rail_accounts',
  'report_thresholds',
  'screening_lists',
  'services',
  'tier_limits',
  'verify_runs',
]);

/** Statements that may read a big table as a whole, each with the reason. */
const MAY_READ_ALL: Readonly<Record<string, string>> = {
  'count-api-keys-by-pepper': 'an operator asks what is left under a pepper, a few times a year',
  'count-audit-seals-by-pepper': 'as count-api-keys-by-pepper',
  'count-pins-by-pepper': 'as count-api-keys-by-pepper',
  'count-recovery-codes-by-pepper': 'as count-api-keys-by-pepper',
  'delete-pins-under-pepper': 'an operator ends a pepper, once for each',
  'update-api-keys-revoked-under-pepper': 'as delete-pins-under-pepper',
  'update-recovery-codes-forgotten': 'as delete-pins-under-pepper',
  'find-live-merchant': 'asked until there is one, when it ends at its first row',
  'delete-invitations-sent-by': 'a person leaves: the invitations of an installation that are open',
  'list-availability-rules': 'the rules of all merchants are kept in memory: only an exception has a row',
  'list-merchant-settlement-rules': 'the terms of all merchants: only an exception has a row of its own',
  'list-bank-holidays': 'a dozen days a year',
  'list-reserve-rules': 'as list-availability-rules',
  'restart-search-cursors': 'an operator has indexes made anew, a few times a year; a row a merchant and mode',
  'sum-moved-since': 'a report of the operator, of all merchants: transfers have no index by time',
};

/** The proof reads everything: that is what it is for. */
const PROOF = /^verify-/;

/** Where a plan reads a big table from end to end and nothing excuses it, and excuses that nothing needs. */
export function wholeReads(plans: readonly { name: string; plan: Plan }[]): string[] {
  const excused = new Set<string>();
  const breaches = plans.flatMap(({ name, plan }) => {
    const tables = plan.flatMap((line) => /Seq Scan on (\w+)/.exec(line)?.[1] ?? []);
    const big = [...new Set(tables)].filter((table) => !SMALL_TABLES.has(table));
    if (big.length === 0 || PROOF.test(name)) return [];
    if (name in MAY_READ_ALL) excused.add(name);
    return name in MAY_READ_ALL ? [] : [`${name} reads ${big.join(' and ')} as a whole: no index answers it`];
  });
  const known = new Set(plans.map(({ name }) => name));
  const stale = Object.keys(MAY_READ_ALL).filter((name) => known.has(name) && !excused.has(name));
  return [
    ...breaches,
    ...stale.map((name) => `scripts/check-statements/plans.ts excuses ${name}, which needs it no more`),
  ];
}

/** What runs for each request, payout, webhook or group of movements: how each is answered stands in `docs/hot-plans.txt`. */
const HOT = [
  'count-public-payment-sessions',
  'find-answers',
  'find-api-key',
  'find-balances',
  'find-limit-usage',
  'find-payment-session',
  'find-payment-session-accounts',
  'find-payout',
  'find-pending-transfers',
  'find-rail-reference',
  'find-reservations',
  'find-resolved-transfers',
  'find-taken-keys',
  'find-taken-numbers',
  'find-transaction',
  'find-transaction-with-details',
  'find-unique-keys',
  'find-wallet',
  'find-wallet-by-owner',
  'lease-payment-session',
  'lease-webhook-endpoint',
  'list-active-books',
  'list-active-merchants-to-add-up',
  'list-api-key-directory',
  'list-batch-chunk-items',
  'list-batch-items-to-validate',
  'list-books-to-follow',
  'list-books-to-index',
  'list-due-batch-chunks',
  'list-due-payment-session-expiries',
  'list-due-payment-session-openings',
  'list-due-payees',
  'list-due-payouts',
  'list-due-webhook-deliveries',
  'list-events-after',
  'list-key-states',
  'list-unchanged-keys',
  'list-webhook-endpoints-of',
  'list-webhook-endpoints-to-retry',
  'update-pins-attempted',
  'list-taken-scopes',
  'list-tenants-with-due-payouts',
  'lock-accounts',
  'lock-books',
  'lock-due-payouts',
  'lock-named-payouts',
  'lock-unsealed-audit-entries',
  'update-account-sums',
  'update-batch-items-validated',
  'update-books',
  'update-payment-sessions',
  'update-payouts-concluded',
  'update-payouts-ended',
  'update-payouts-held',
  'update-payouts-leased',
  'update-payouts-released',
  'update-transaction-states',
];

/**
 * A merchant has a handful of these, or decisions are made by people, or lists by time are read more often: there the newest
 * index is the list's, until the table is analysed.
 */
const FEW_ROWS = [
  'approvals',
  'audit_entries',
  'manual_credits',
  'outcome_proposals',
  'people',
  'receipt_links',
  'refund_outcome_proposals',
  'saved_views',
  'suspense_proposals',
];

/**
 * By its name each index that has all rows of a table and is not its primary key, with the columns of that key. An index of
 * some rows, such as what is due, is short whatever the table holds.
 */
export async function detoursOf(client: pg.ClientBase): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ index: string; key: string[] }>(
    `select i.indexrelid::regclass::text as index,
            (select array_agg(a.attname::text) from pg_attribute a where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) as key
       from pg_index i
       join pg_constraint c on c.conrelid = i.indrelid and c.contype = 'p' and c.connamespace = 'public'::regnamespace
      where i.indexrelid <> c.conindid and i.indpred is null and c.conrelid::regclass::text <> all ($1)`,
    [FEW_ROWS],
  );
  return new Map(rows.map(({ index, key }) => [index, key]));
}

/** Of the scanned table: those of others are named with their table. */
const columnsIn = (conditions: string): Set<string> =>
  new Set(
    Array.from(conditions.matchAll(/([\w.$]+)\)?(?:::\w+)? = \(?([\w.$]+)/g))
      .flatMap(([, ...sides]) => sides)
      .filter((side) => /^[a-z]\w*$/.test(side)),
  );

/**
 * Where a plan has the whole key of a row and does not find it by the key: an index with fewer columns costs the same while a
 * table is empty, and the plan stays when it has grown (docs/decisions/newest-index-wins-ties.md).
 */
export function missedKeys(
  plans: readonly { name: string; plan: Plan }[],
  detours: ReadonlyMap<string, readonly string[]>,
): string[] {
  return plans
    .filter(({ name }) => !PROOF.test(name))
    .flatMap(({ name, plan }) =>
      plan.flatMap((line, at) => {
        const index = /Index (?:Only )?Scan (?:Backward )?using (\w+)/.exec(line)?.[1] ?? '';
        const details = plan.slice(at + 1, at + 3).filter((detail) => /^\s+(Index Cond|Filter):/.test(detail));
        const known = columnsIn(details.join(' '));
        const isMissed = detours.get(index)?.every((column) => known.has(column)) === true;
        return isMissed ? [`${name} knows the key of its rows, and finds them by ${index}`] : [];
      }),
    );
}

/** The plans of the hot statements as one text. @throws Error for one that no statement has the name of any more. */
export function hotPlans(plans: readonly { name: string; plan: Plan }[]): string {
  const planOf = new Map(plans.map(({ name, plan }) => [name, plan]));
  return HOT.map((name) => {
    const plan = planOf.get(name);
    if (plan === undefined) throw new Error(`scripts/check-statements/plans.ts: there is no statement ${name}`);
    return `${name}\n${plan.map((line) => `  ${line}\n`).join('')}`;
  }).join('\n');
}
