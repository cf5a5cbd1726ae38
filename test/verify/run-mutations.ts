import pg from 'pg';
import { checkApprovals } from '../../src/approvals/index.ts';
import { isUnreadable, type Queries } from '../../src/platform/db/database.ts';
import { readArchive } from '../../src/verify/archive.ts';
import { PREPARE_ARCHIVE } from '../../src/verify/archive-queries.ts';
import { CHECKS } from '../../src/verify/checks.ts';
import { type Check, joinByHash } from '../../src/verify/queries.ts';
import type { Mutation } from './mutations.ts';

export type Verdict =
  | { outcome: 'found'; by: string }
  | { outcome: 'survived' }
  /** A constraint of the database refuses it. */
  | { outcome: 'impossible'; why: string };

/** Proves books with one thing wrong in them, again and again, in one transaction that is never committed. */
export interface MutationRunner {
  client: pg.Client;
  run(mutation: Mutation): Promise<Verdict>;
  close(): Promise<void>;
}

/** Tables whose proof is not by statements alone: it reads the files. */
const OF_ARCHIVE = ['event_archives', 'archived_keys'];

/** @param archiveDir with the files of the events that are archived */
export async function createMutationRunner(connectionString: string, archiveDir: string): Promise<MutationRunner> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('analyze');
  await client.query('set jit = off');
  await client.query(PREPARE_ARCHIVE);
  await client.query('begin');
  // The tables are what is changed, and the views before them what is proven: each proof goes by the names of its own.
  await client.query('set local search_path = public, pg_temp');
  await asLongAfter(client);
  const loaded = await readArchive([queriesOn(client)], archiveDir);
  if (loaded.files === 0 || !loaded.isWhole) throw new Error(`the archive is not whole: ${JSON.stringify(loaded)}`);
  await client.query(joinByHash.text);
  /** What found others of the same row or column, the last one first: most are found by the first check that is asked. */
  const killers = new Map<string, string[]>();

  async function prove({ table, column }: Mutation, likely: readonly string[]): Promise<string | undefined> {
    await client.query('set local search_path = public');
    const checks = checksOf(table);
    const first = likely.flatMap((name) => checks.filter((check) => check.name === name));
    // Then those that read the column.
    const reading = checks.filter(({ find }) => find.text.includes(column));
    for (const { name, find } of new Set([...first, ...reading, ...checks])) {
      try {
        if ((await client.query({ name: find.name, text: find.text })).rows.length > 0) return name;
      } catch (error) {
        // What cannot be read at all is as red as what is wrong.
        if (!isUnreadable(error)) throw new Error(`${name}: ${(error as Error).message}`);
        return name;
      }
    }
    const queries = queriesOn(client);
    if (OF_ARCHIVE.includes(table)) {
      await client.query('truncate archived_events, archived_idempotency_keys');
      return (await readArchive([queries], archiveDir)).isWhole ? undefined : 'archives-are-whole';
    }
    if (table !== 'approvals') return undefined;
    for await (const _fault of checkApprovals(queries)) return 'approvals-are-what-was-shown';
    return undefined;
  }

  return {
    client,
    async run(mutation) {
      await client.query('savepoint before_mutation');
      try {
        try {
          await client.query(mutation.sql, [...mutation.values]);
        } catch (error) {
          return { outcome: 'impossible', why: (error as Error).message };
        }
        const { table, column, sort } = mutation;
        const alike = [`${table}/${sort}`, `${table}.${column}`];
        const by = await prove(
          mutation,
          alike.flatMap((place) => killers.get(place) ?? []),
        );
        if (by === undefined) return { outcome: 'survived' };
        for (const place of alike) {
          const others = (killers.get(place) ?? []).filter((name) => name !== by);
          killers.set(place, [by, ...others]);
        }
        return { outcome: 'found', by };
      } finally {
        await client.query('rollback to savepoint before_mutation; release savepoint before_mutation');
      }
    },
    async close() {
      await client.query('rollback');
      await client.end();
    },
  };
}

/** Within a transaction: whole tables are joined, and the database is a month old. */
export async function asLongAfter(client: pg.ClientBase): Promise<void> {
  await client.query(joinByHash.text);
  await client.query(`update schema_migrations set applied_at = applied_at - interval '30 days'`);
}

const reading = new Map<string, Check[]>();

/** Tables that are read through a view. */
const READ_THROUGH: Readonly<Record<string, string>> = { event_rows: 'events', event_templates: 'events' };

/** A check that does not read a table cannot see what is wrong in it. */
function checksOf(table: string): Check[] {
  const known = reading.get(table);
  if (known !== undefined) return known;
  const mention = new RegExp(`\\b(from|join)\\s+(${table}|${READ_THROUGH[table] ?? table})\\b`);
  const found = CHECKS.filter(({ find }) => mention.test(find.text));
  reading.set(table, found);
  return found;
}

const INT8 = 20;

/** int8 as the service reads it. */
const VALUE_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? BigInt : pg.types.getTypeParser(oid, format),
};

function queriesOn(client: pg.Client): Queries {
  return {
    query: async (statement, values = []) =>
      (await client.query({ text: statement.text, values: [...values], types: VALUE_TYPES })).rows,
    run: () => Promise.reject(new Error('a proof writes nothing')),
  };
}
