import { HARMLESS } from './harmless.ts';
import type { Mutation } from './mutations.ts';

/** What became of the mutations of a table. */
export interface MutationTally {
  table: string;
  columns: number;
  /** A constraint of the database refuses it. */
  impossible: number;
  found: number;
  survived: number;
}

export interface MutationResults {
  seed: number;
  tallies: readonly MutationTally[];
  survivors: readonly Mutation[];
}

/** The page of docs that says what the proof finds, and what it does not. */
export function tableOf({ seed, tallies, survivors }: MutationResults): string {
  return pageOf({ seed, tallies, survived: countsOf(survivors), again: [] });
}

/**
 * The same page with the tables of these results in place of what it said of them, for when some tables were made again and
 * not all. The page names them: their history may have been another one than that of the rest.
 */
export function mergedInto(page: string, { seed, tallies, survivors }: MutationResults): string {
  const made = new Set(tallies.map(({ table }) => table));
  const kept = Array.from(page.matchAll(TALLY), ([, table = '', ...counts]): MutationTally => {
    const [columns = 0, impossible = 0, found = 0, survived = 0] = counts.map(Number);
    return { table, columns, impossible, found, survived };
  });
  const counts = Array.from(page.matchAll(SURVIVED), ([, place = '', count]) => [place, Number(count)] as const);
  const again = AGAIN.exec(page)?.[1]?.match(/\w+/g) ?? [];
  return pageOf({
    seed,
    tallies: [...kept.filter(({ table }) => !made.has(table)), ...tallies].sort((one, other) =>
      one.table < other.table ? -1 : 1,
    ),
    survived: new Map([...counts.filter(([place]) => !made.has(tableIn(place))), ...countsOf(survivors)]),
    again: [...new Set([...again, ...made])].sort(),
  });
}

const TALLY = /^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| [\d.]+ % \|$/gm;
const SURVIVED = /^\| `(\w+\.[\w*]+)` \| (\d+) \|/gm;
const AGAIN = /^Made again since, without the others: (.*)\.$/m;

const tableIn = (place: string): string => place.slice(0, place.indexOf('.'));

const countsOf = (survivors: readonly Mutation[]): Map<string, number> =>
  new Map(
    Array.from(
      Map.groupBy(survivors, ({ table, column }) => `${table}.${column}`),
      ([place, { length }]) => [place, length],
    ),
  );

interface Page {
  seed: number;
  tallies: readonly MutationTally[];
  /** How many survived, by `table.column`. */
  survived: ReadonlyMap<string, number>;
  /** Tables that were made again without the others. */
  again: readonly string[];
}

function pageOf({ seed, tallies, survived, again }: Page): string {
  const all: MutationTally = { table: 'all', columns: 0, impossible: 0, found: 0, survived: 0 };
  for (const tally of tallies)
    for (const what of ['columns', 'impossible', 'found', 'survived'] as const) all[what] += tally[what];
  return [
    HEAD,
    `Made by ${code('npm run mutations')} from seed ${seed}. A page of results: it is written, not edited.`,
    ...(again.length === 0 ? [] : ['', `Made again since, without the others: ${again.map(code).join(', ')}.`]),
    '',
    '| table | columns | refused by the database | found | survived | share found |',
    '|---|---:|---:|---:|---:|---:|',
    ...[...tallies, all].map(rowOf),
    '',
    '## What survives, and why it is harmless',
    '',
    '| column | mutations | why |',
    '|---|---:|---|',
    ...[...survived]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([place, count]) => `| ${code(place)} | ${count} | ${HARMLESS[place]?.why ?? 'not explained'} |`),
    '',
  ].join('\n');
}

const HEAD = `# What the proof of the books finds

A history of everything that Manilla does is made by requests, workers and people. Then one thing is made wrong in it: any
column of any table that says something of money gets another value, an empty one, that of another row, or one of two rows
exchanges it; a row is taken out or put in twice; a leaf of a JSON text is changed. [The proof](ledger.md#the-proof) has to turn
red, and the mutation is undone. One of each column is made every night, which fails where fewer than 85 of 100 are found (columns
that nobody reads weigh more there than among all), or where one survives that is not explained below.
`;

const code = (text: string): string => `\`${text}\``;

const rowOf = ({ table, columns, impossible, found, survived }: MutationTally): string =>
  `| ${table === 'all' ? '**all**' : code(table)} | ${columns} | ${impossible} | ${found} | ${survived} | ${((100 * found) / (found + survived)).toFixed(1)} % |`;
