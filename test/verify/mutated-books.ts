import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyAll } from '../../src/verify/index.ts';
import { CITUS_SERVERS } from '../support/citus.ts';
import { type Row, readRows, readTables, type Table } from './catalog.ts';
import { HARMLESS, isHarmless } from './harmless.ts';
import type { History } from './history.ts';
import { MONEY, NOT_MONEY } from './money-tables.ts';
import { type MutationTally, mergedInto, tableOf } from './mutation-table.ts';
import { type Mutation, mutationsOf, TELLING, WORD } from './mutations.ts';
import { drawOf } from './random.ts';
import { createMutationRunner, type MutationRunner } from './run-mutations.ts';

/** Of the history, and of which of its mutations are made. */
export const SEED = Number(process.env['MUTATION_SEED'] ?? 1);
/**
 * How many are made: one of each column at least, and any others. A test run makes none, since they take as long as all that
 * the books are made of: `npm run test:long` makes one of each column, `npm run mutations` all.
 */
const MUTATIONS = process.env['MUTATIONS'];
const MUTATIONS_AT_MOST = Number(MUTATIONS ?? 0);
/** Of these tables alone, such as `payout_directory,event_cursors`, in a page that has all; of all where nothing is said. */
const TABLES = process.env['MUTATION_TABLES']?.split(',');
/** Where the table of results is written to, where anybody wants it. */
const TABLE_FILE = process.env['MUTATION_TABLE'];
/**
 * Of those that a database takes at all. A third of what is not found are ids by which nothing goes: of steps, of requests, of
 * events that nobody was sent, of ends of holds. A sample of one of each column weighs columns that nobody reads as much as
 * any other, and comes by chance to two points more or less: it has to stay four of those away.
 */
const SHARE_FOUND = MUTATIONS_AT_MOST < Number.POSITIVE_INFINITY ? 0.85 : 0.94;
const TIME_LIMIT_MS = 1_800_000;

let runner: MutationRunner;
let tables: Table[];
const tallies: MutationTally[] = [];
const survivors: Mutation[] = [];

/** In the order of their tables. Which they are goes by the seed alone, not by whatever else there is to choose from. */
async function sampleOf(): Promise<Mutation[]> {
  const drawn = new Map<Mutation, number>();
  for (const table of tables.filter(({ name }) => name in MONEY && (TABLES?.includes(name) ?? true))) {
    const rows = await readRows(runner.client, table);
    const mutations = mutationsOf(table, rows, SEED);
    noteWords(table, rows, mutations);
    for (const mutation of mutations) {
      const { table: name, column, kind, sort } = mutation;
      drawn.set(mutation, drawOf(SEED, name, column, kind, sort));
    }
  }
  const all = [...drawn.keys()];
  if (all.length <= MUTATIONS_AT_MOST) return all;
  const shuffled = all.toSorted((one, other) => (drawn.get(one) ?? 0) - (drawn.get(other) ?? 0));
  const ofEach = new Map(shuffled.toReversed().map((mutation) => [`${mutation.table}.${mutation.column}`, mutation]));
  const chosen = new Set([...ofEach.values(), ...shuffled].slice(0, Math.max(ofEach.size, MUTATIONS_AT_MOST)));
  return all.filter((mutation) => chosen.has(mutation));
}

/** `table.column` of every column by which rows are told apart, and the words of it that no mutated row has. */
const words = new Map<string, string[]>();

function noteWords({ name, columns }: Table, rows: readonly Row[], mutations: readonly Mutation[]): void {
  const mutated = mutations.map(({ before }) => before);
  for (const { name: column } of columns.filter((each) => each.type === 'text' && TELLING.test(each.name))) {
    const of = (some: readonly Row[]) =>
      new Set(some.map(({ values }) => values[column] ?? 'nothing').filter((word) => WORD.test(word)));
    const known = of(mutated);
    words.set(
      `${name}.${column}`,
      [...of(rows)].filter((word) => !known.has(word)),
    );
  }
}

async function mutate(name: string, mutations: readonly Mutation[]): Promise<void> {
  const columns = tables.find((table) => table.name === name)?.columns.length ?? 0;
  const tally: MutationTally = { table: name, columns, impossible: 0, found: 0, survived: 0 };
  for (const mutation of mutations) {
    const { outcome } = await runner.run(mutation);
    if (outcome === 'survived') survivors.push(mutation);
    tally[outcome] += 1;
  }
  tallies.push(tally);
}

/** Changes one value of the books after the other, each undone before the next: what is left is the history as it was. */
export function describeMutatedBooks(made: () => History): void {
  describe.skipIf(CITUS_SERVERS.length > 0)(`books with one thing wrong in them (seed ${SEED})`, () => {
    const archiveDir = mkdtempSync(join(tmpdir(), 'manilla-archive-'));
    beforeAll(async () => {
      const { t, archive } = made();
      await archive(archiveDir);
      const report = await verifyAll({ ...t, archiveDir });
      expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
      tables = await readTables(t.database.pool);
    });
    afterAll(() => rmSync(archiveDir, { recursive: true }));

    it('are made of every table, and every column of it has been looked at', () => {
      const known = Object.entries(MONEY).map(([name, columns]) => `${name}: ${columns.join(' ')}`);
      const there = tables.filter(({ name }) => !(name in NOT_MONEY));
      expect(
        there.map(({ name, columns }) => `${name}: ${columns.map((column) => column.name).join(' ')}`).sort(),
      ).toEqual(known.sort());
      expect(Object.keys(NOT_MONEY).filter((name) => !tables.some((table) => table.name === name))).toEqual([]);
    });

    it('are of columns that there are', () => {
      const columns = new Set(
        tables.flatMap(({ name, columns: all }) => [`${name}.*`, ...all.map((column) => `${name}.${column.name}`)]),
      );
      expect(Object.keys(HARMLESS).filter((place) => !columns.has(place))).toEqual([]);
    });

    describe.skipIf(MUTATIONS === undefined)('one after the other', () => {
      beforeAll(() => mutateAll(made(), archiveDir), TIME_LIMIT_MS);
      afterAll(() => runner.close());
      describeMutations();
    });
  });
}

async function mutateAll(history: History, archiveDir: string): Promise<void> {
  runner = await createMutationRunner(history.connectionString, archiveDir);
  for (const [table, mutations] of Map.groupBy(await sampleOf(), (mutation) => mutation.table))
    await mutate(table, mutations);
  if (TABLE_FILE === undefined) return;
  const results = { seed: SEED, tallies, survivors };
  writeFileSync(
    TABLE_FILE,
    TABLES === undefined ? tableOf(results) : mergedInto(readFileSync(TABLE_FILE, 'utf8'), results),
  );
}

function describeMutations(): void {
  it('are made of a row of every word, such as every type of event and every code of a transfer', () => {
    if (TABLES === undefined)
      expect([...words.keys()]).toEqual(
        expect.arrayContaining(['event_rows.type', 'transfers.code', 'unique_keys.scope', 'state_changes.to_state']),
      );
    const left = [...words].filter(([, of]) => of.length > 0);
    expect(left.map(([column, of]) => `no row is mutated whose ${column} is ${of.join(' or ')}`)).toEqual([]);
  });

  it.skipIf(TABLES !== undefined)('turn the proof red in 94 of 100 cases at least, one of each column in 85', () => {
    const sum = (what: 'found' | 'survived') => tallies.reduce((all, tally) => all + tally[what], 0);
    expect(sum('found')).toBeGreaterThan(400);
    expect(sum('found') / (sum('found') + sum('survived'))).toBeGreaterThanOrEqual(SHARE_FOUND);
  });

  it('are harmless where they do not, for a reason that is written down', () => {
    const unexplained = survivors.filter((mutation) => !isHarmless(mutation));
    expect(
      unexplained.map(({ table, column, kind, before }) => ({ at: `${table}.${column}`, kind, ...before.values })),
    ).toEqual([]);
  });
}
