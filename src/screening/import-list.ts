import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import type { Clock } from '../platform/clock.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { rowsFor } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Mode } from '../platform/tenant.ts';
import { cleanedText } from '../platform/text.ts';
import { type EntryRow, insertEntries, insertList, type ListRow, screeningLists, updateListEnded } from './queries.ts';
import type { Screening } from './screening.ts';

/** Sanctions lists of states have some tens of thousands. */
const MAX_ENTRIES = 200_000;
const PIECE = 5_000;
const MAX_NAME_LENGTH = 300;

export interface ImportDeps {
  database: Database;
  clock: Clock;
  screening: Screening;
}

export interface NewList {
  name: string;
  mode: Mode;
  source: string;
  /** The day that the list gives, `2026-11-20`. */
  listedOn: string;
  /** With a header: `name`, and if they are there `aliases` (several with semicolons), `account_number`, `bank_code`. */
  csv: string;
  by: string;
}

/**
 * Imports a version of a list, whole or not at all; the version before it ends. Every process goes by it within seconds.
 * @throws AppError 400 `VALIDATION_FAILED` where the file has no column `name`, an empty name, or too many rows.
 */
export async function importList(deps: ImportDeps, given: NewList): Promise<{ listId: string; entries: number }> {
  const { database, clock, screening } = deps;
  const listId = newId();
  const entries = entriesOf(listId, given.csv);
  if (Number.isNaN(Date.parse(`${given.listedOn}T00:00:00Z`))) {
    throw invalidField('listedOn', 'must be a day such as 2026-11-20.');
  }
  const now = clock.now();
  await database.transaction(async (tx) => {
    await tx.query(updateListEnded, [given.name, given.mode, now, given.by]);
    const fileHash = createHash('sha256').update(given.csv).digest('hex');
    const about = [given.source, given.listedOn, entries.length, fileHash, given.by, now];
    await tx.query(insertList, [listId, given.name, given.mode, ...about]);
    for (let at = 0; at < entries.length; at += PIECE) {
      await tx.run(...rowsFor(insertEntries, entries.slice(at, at + PIECE)));
    }
  });
  screening.forget();
  return { listId, entries: entries.length };
}

/** The list counts no more; what it held stays as it is. @returns false where none of this name is in force. */
export async function endList(
  { database, clock, screening }: ImportDeps,
  { name, mode, by }: { name: string; mode: Mode; by: string },
): Promise<boolean> {
  const ended = await database.query(updateListEnded, [name, mode, clock.now(), by]);
  screening.forget();
  return ended.length > 0;
}

/** Versions of lists, the newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export const readLists = (queries: Queries, request: ListRequest): Promise<FoundList<ListRow>> =>
  readList(queries, screeningLists, request);

function entriesOf(listId: string, csv: string): EntryRow[] {
  const rows = rowsOf(csv);
  const [first] = rows;
  if (first === undefined) throw invalidField('csv', 'has no row below its header.');
  if (!('name' in first)) throw invalidField('csv', 'needs a column "name".');
  if (rows.length > MAX_ENTRIES) throw invalidField('csv', `may have ${MAX_ENTRIES} rows at most.`);
  return rows.map((row, at) => {
    const name = textOf(row['name']);
    if (name === '') throw invalidField('csv', `has no name in row ${at + 1}.`);
    const aliases = (row['aliases'] ?? '')
      .split(';')
      .map(textOf)
      .filter((alias) => alias !== '');
    return {
      list_id: listId,
      entry_number: at + 1,
      name,
      aliases: JSON.stringify(aliases),
      account_number: digitsOrNull(row['account_number']),
      bank_code: digitsOrNull(row['bank_code']),
    };
  });
}

function rowsOf(csv: string): Record<string, string>[] {
  const columns = (header: string[]) => header.map((name) => name.trim().toLowerCase().replaceAll(/\s+/g, '_'));
  try {
    return parse(csv, { bom: true, columns, skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw invalidField('csv', `is no CSV that can be read: ${(error as Error).message}`);
  }
}

const textOf = (text: string | undefined) =>
  cleanedText(text ?? '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);

function digitsOrNull(text: string | undefined): string | null {
  const digits = (text ?? '').replaceAll(/\D/g, '');
  return digits === '' ? null : digits;
}
