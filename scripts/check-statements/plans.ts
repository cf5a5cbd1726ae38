import type pg from 'pg';

/** A plan without its costs, as `explain` writes it. */
export type Plan = readonly string[];

/**
 * The plans of statements that `describeStatements` has prepared on this connection, made once for whatever values come,
 * as the service's connections make them. The tables are empty, where reading one as a whole is always cheapest: with that
 * forbidden, it is left only where no index can answer.
 */
export async function plansOf(client: pg.ClientBase): Promise<ReadonlyMap<number, Plan>> {
  await client.query('set plan_cache_mode = force_generic_plan; set enable_seqscan = off');
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
const SMALL_TABLES = new Set(['banks', 'default_rails', 'peppers', 'rail_accounts', 'services', 'verify_runs']);

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
  'list-payout-limits': 'the limits of all merchants are kept in memory, as rows of exceptions',
  'update-payout-limits-ended': 'as list-payout-limits',
  'delete-payout-limits-ahead': 'as list-payout-limits',
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
  /^(find-api-key|list-key-states|list-api-key-directory)$/,
  /^(lock-books|lock-accounts|find-answers|find-balances|find-unique-keys|find-pending-transfers|find-resolved-transfers)$/,
  /^(find-reservations|find-limit-usage|find-taken-keys|list-taken-scopes)$/,
  /^update-(account-sums|books|transaction-states|payouts-ended|payouts-concluded|payouts-leased|payouts-held|payouts-released)$/,
  /^(list-due-payouts|lock-due-payouts|lock-named-payouts|list-tenants-with-due-payouts|find-rail-reference)$/,
  /^(find-payout|find-transaction|find-wallet|find-wallet-by-owner|find-transaction-with-details)$/,
  /^(list-due-batch-chunks|list-batch-chunk-items|list-batch-items-to-validate|update-batch-items-validated)$/,
  /^(list-due-webhook-deliveries|list-free-webhook-endpoints|lease-webhook-endpoint|list-events-after)$/,
  /^lock-unsealed-audit-entries$/,
];

/** The plans of the hot statements as one text, in the order of their names. */
export function hotPlans(plans: readonly { name: string; plan: Plan }[]): string {
  return plans
    .filter(
      ({ name }, at) => HOT.some((some) => some.test(name)) && plans.findIndex((each) => each.name === name) === at,
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, plan }) => `${name}\n${plan.map((line) => `  ${line}`).join('\n')}\n`)
    .join('\n');
}
