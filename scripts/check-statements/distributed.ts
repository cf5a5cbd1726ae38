import { PLACEMENTS } from '../../src/placements.ts';

/** Asked by a group of movements, or of one merchant: all rows of a statement are on one shard. */
export const OF_ONE_SHARD =
  /^(lock-.*-states|lock-books|lock-accounts|find-taken-keys|find-repeats-since|find-uncertain-batch-items|find-wallet-totals-above|count-public-payment-sessions|count-payment-link-sessions|find-closed-payment-links|update-transaction-delay-reasons|update-batch-items-corrected|update-payout-leases-renewed|delete-former-file-mappings)$/;

/** Asked where the database is not distributed, and nowhere else. */
export const OF_ONE_SERVER = /^(lock-due-payouts-of-many|list-due-payees-of-many)$/;

interface Shape {
  /** Of a statement whose blanks are single. */
  isIn(text: string): boolean;
  sentence: string;
}

/** It says whose rows are meant, so that one server is asked: that takes every shape. */
const isOfOneMerchant = (text: string) =>
  /\bmerchant_id = \$\d+/.test(text) || /is null or \w+\.merchant_id = any\(/.test(text);

/** Views of tables that lie on shards. */
const VIEWS_ON_SHARDS: ReadonlySet<string> = new Set(['events']);

/** A table that lies on shards is named behind one of these words. */
const isSharded = (text: string, words = 'from|join|update|into') =>
  Array.from(text.matchAll(new RegExp(`\\b(?:${words}) (\\w+)`, 'g'))).some(
    ([, table = '']) => typeof PLACEMENTS[table] === 'object' || VIEWS_ON_SHARDS.has(table),
  );

/** Of a table with a copy on each server: what is inserted into it by what a select finds, without its common table expressions. */
const insertsIntoCopies = (text: string): string | undefined => {
  const [, table = '', rest] = /\binsert into (\w+)(?: as \w+)? ?\([^)]*\) select\b(.*)/.exec(text) ?? [];
  return PLACEMENTS[table] === 'each-server' ? rest : undefined;
};

/** It looks up rows on shards for what a common table expression found, which is kept at the coordinator, since it is used twice. */
const looksUpForKept = (text: string): boolean =>
  Array.from(text.matchAll(/\b(\w+) as materialized \(/g)).some(([, name = '']) => {
    const uses = text.match(new RegExp(`\\b(?:from|join) ${name}\\b`, 'g')) ?? [];
    return uses.length > 1 && isSharded(text, String.raw`exists ?\( ?select from`);
  });

const SHAPES: readonly Shape[] = [
  {
    isIn: (text) => looksUpForKept(text) && !isOfOneMerchant(text),
    sentence: 'looks up by `exists` what a materialized common table expression found: say `as not materialized`',
  },
  {
    isIn: (text) => isSharded(insertsIntoCopies(text) ?? '', 'from|join'),
    sentence:
      'inserts into a copy on each server what it finds on a shard, which inserts nothing and says so to nobody: find it in a common table expression before',
  },
  {
    isIn: (text) => /\bfor (no key )?update\b/.test(text) && /\bunnest\(/.test(text) && !isOfOneMerchant(text),
    sentence: 'locks rows that it joins to values: tell it the merchants with `among`',
  },
  {
    isIn: (text) =>
      /\b(\w+) as (?:materialized )?\( ?(?:insert|update|delete) .*\) ?insert into .* from \1\b/.test(text),
    sentence: 'writes one table from what it writes to another: make two statements of it, in a transaction',
  },
  {
    isIn: (text) => /^with recursive\b/.test(text) && !isOfOneMerchant(text),
    sentence: 'goes over merchants by recursion: `ofDueTenants` has another text for that',
  },
  {
    isIn: (text) =>
      isSharded(/\bunnest\(.*\blateral \((.*)\b(?:limit|offset) /.exec(text)?.[1] ?? '') && !isOfOneMerchant(text),
    sentence: 'looks up a limited number of rows for each of many merchants: join them by their whole key',
  },
  {
    isIn: (text) => /\(values .*\blateral \(.*\b(limit|offset) /.test(text) && !isOfOneMerchant(text),
    sentence: 'looks up a limited number of rows for each value of a list: ask once for each',
  },
  {
    isIn: (text) => /\bfrom unnest\([^()]*\) as \w+ \([^()]*\) where (?:not )?exists ?\(.*\bjoin\b/.test(text),
    sentence: 'looks up by `exists`, for values that stand alone in `from`, what several tables have: join them',
  },
  {
    isIn: (text) => /\bupdate \w+( \w+)? set [^;]*[a-z_]_at - /.test(text) && !/ at time zone 'UTC' - /.test(text),
    sentence: 'moves a moment in a zone that the connection has: `movedBack` reckons without one',
  },
  {
    isIn: (text) => /\bupdate \w+ (\w+ )?set (?:(?! from ).)*json_build_array/.test(text) && isSharded(text, 'update'),
    sentence: 'makes JSON of columns that it updates: make it in a common table expression before',
  },
  {
    isIn: (text) =>
      /(?<!\blateral )\( ?select\b(?:(?! from ).)* from jsonb?_to_record/.test(text) && !isOfOneMerchant(text),
    sentence:
      'asks in an expression what JSON of a row holds by a function that is not immutable: take `json_array_elements`',
  },
];

/** What stands in for Citus where there is none: shapes that its planner refused, by the statements that have them. */
export function forbiddenShapes(
  statements: readonly { name: string; text: string; whereDistributed?: string }[],
): string[] {
  return statements.flatMap(({ name, text, whereDistributed = text }) => {
    if (OF_ONE_SHARD.test(name) || OF_ONE_SERVER.test(name)) return [];
    const words = whereDistributed
      .replaceAll(/--[^\n]*/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return SHAPES.filter(({ isIn }) => isSharded(words) && isIn(words)).map(
      ({ sentence }) => `${name} cannot run where Citus distributes the database: it ${sentence}`,
    );
  });
}
