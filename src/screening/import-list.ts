import { createHash } from 'node:crypto';
import { type Clock, isDay } from '../platform/clock.ts';
import { type Database, type Queries, type Tx, violatedUnique } from '../platform/db/database.ts';
import { rowsFor } from '../platform/db/statement.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import type { Mode } from '../platform/tenant.ts';
import { isVisible, oneForm } from '../platform/text.ts';
import { fileChanged, listEmpty, listReplaced } from './errors.ts';
import { insertEntries, insertList, type ListRow, screeningLists, updateListEnded } from './queries.ts';
import { type OpenFile, readListFile } from './read-list-file.ts';
import type { Screening } from './screening.ts';

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
  /** CSV with a header: `name`, and if they are there `aliases` (several with semicolons), `account_number`, `bank_code`. */
  open: OpenFile;
  by: string;
}

/**
 * Imports a version of a list, whole or not at all; the version before it ends. Every process goes by it within seconds. The
 * file is read twice: once to see that all of it can be, before anything is written, and once to write it.
 * @throws AppError 400 `VALIDATION_FAILED`, `SCREENING_LIST_EMPTY`; 409 `SCREENING_FILE_CHANGED`,
 *   `SCREENING_LIST_REPLACED`; as `readListFile`.
 */
export async function importList(deps: ImportDeps, given: NewList): Promise<{ listId: string; entries: number }> {
  const { database, clock, screening } = deps;
  const [name, source] = [wordsOf('name', given.name, [2, 100]), wordsOf('source', given.source, [3, 300])];
  if (!isDay(given.listedOn)) throw invalidField('listedOn', 'must be a day such as 2026-11-20');
  const { entries, fileHash } = await readWhole(given.open);
  const listId = newId();
  const now = clock.now();
  const write = async (tx: Tx) => {
    await tx.query(updateListEnded, [name, given.mode, now, given.by]);
    await tx.query(insertList, [listId, name, given.mode, source, given.listedOn, entries, fileHash, given.by, now]);
    const seen = createHash('sha256');
    for await (const piece of readListFile(given.open, seen)) {
      const rows = piece.map((entry) => ({ list_id: listId, ...entry }));
      await tx.run(...rowsFor(insertEntries, rows));
    }
    if (seen.digest('hex') !== fileHash) throw fileChanged();
  };
  try {
    await database.transaction(write);
  } catch (error) {
    throw violatedUnique(error) === 'screening_lists_in_force' ? listReplaced() : error;
  }
  screening.forget();
  return { listId, entries };
}

async function readWhole(open: OpenFile): Promise<{ entries: number; fileHash: string }> {
  const seen = createHash('sha256');
  let entries = 0;
  for await (const piece of readListFile(open, seen)) entries += piece.length;
  if (entries === 0) throw listEmpty();
  return { entries, fileHash: seen.digest('hex') };
}

function wordsOf(field: 'name' | 'source', text: string, [least, most]: readonly [number, number]): string {
  const words = oneForm(text).trim();
  if (!isVisible(words)) throw invalidField(field, 'must have no invisible characters');
  const length = [...words].length;
  if (length < least || length > most) throw invalidField(field, `must have ${least} to ${most} characters`);
  return words;
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
