import type { Database } from '../platform/db/database.ts';
import type { BatchRecord } from './queries.ts';
import {
  listRowsBefore,
  listRowsRepeated,
  type OtherBatch,
  type RepeatedRow,
  type RowsRepeated,
} from './repeat-queries.ts';

/**
 * Rows of other lists that are compared with one statement: it ends long before its time limit, and returns no more
 * positions than fit in a megabyte.
 */
const COMPARED_ROWS = 100_000;

/** Which rows of a batch are the same payment, and which of them are in lists that are no larger, by positions. */
export interface RepeatedRows {
  /**
   * The first row with the payment of this one: the row itself where it is the first of several, undefined where it is
   * the only one.
   */
  firstOf(position: number): number | undefined;
  /** What the row at this position, the first with its payment, repeats of another list. */
  otherOf(position: number): RepeatedRow | undefined;
  /** The marks of the positions from one on, before another, as `listItemRepeats` takes them. */
  marksOf(from: number, before: number): number[];
}

/** For a batch in which nothing is a duplicate. */
export const NO_ROWS: RepeatedRows = {
  firstOf: () => undefined,
  otherOf: () => undefined,
  marksOf: () => [],
};

/**
 * Kept as numbers by position, since all of 100,000 rows may repeat something. @param smaller lists with no more rows
 */
export async function readRepeatedRows(
  database: Database,
  { merchant_id, mode, id }: BatchRecord,
  smaller: readonly OtherBatch[],
  lastPosition: number,
): Promise<RepeatedRows> {
  const key = [merchant_id, mode, id];
  const numbers = () => new Int32Array(lastPosition + 1);
  const [firsts, others, places] = [numbers(), numbers(), numbers()];
  const [before] = await database.query(listRowsBefore, key);
  for (const [at, position] of (before?.positions ?? []).entries()) {
    const first = before?.firsts[at] ?? 0;
    firsts[position] = first;
    firsts[first] = first;
  }
  // Indexes into `others`, from 1.
  const found: Omit<RowsRepeated, 'positions' | 'places'>[] = [];
  for (const ids of inParts(smaller)) {
    for (const { positions, places: theirs, ...other } of await database.query(listRowsRepeated, [...key, ids])) {
      found.push(other);
      for (const [at, position] of positions.entries()) {
        const known = found[(others[position] ?? 0) - 1];
        // A list that is paid is reported before one that waits; of two the first.
        if (known !== undefined && (known.kind === 'BATCH' || other.kind !== 'BATCH')) continue;
        others[position] = found.length;
        places[position] = theirs[at] ?? 0;
      }
    }
  }
  const markOf = (position: number) => {
    const first = firsts[position] ?? 0;
    if (first !== 0 && first !== position) return first;
    return others[position] ? position : 0;
  };
  return {
    firstOf: (position) => firsts[position] || undefined,
    otherOf(position) {
      const other = found[(others[position] ?? 0) - 1];
      return other && { ...other, subject_id: null, place: places[position] ?? null };
    },
    marksOf: (from, to) => Array.from({ length: Math.max(to - from, 0) }, (_, at) => markOf(from + at)),
  };
}

/** Ids in their order, in parts of lists that have so many rows together, or of one list. */
function inParts(lists: readonly OtherBatch[]): string[][] {
  const parts: string[][] = [];
  let rows = Number.POSITIVE_INFINITY;
  for (const { id, item_count } of lists) {
    rows += item_count;
    if (rows <= COMPARED_ROWS) parts.at(-1)?.push(id);
    else {
      parts.push([id]);
      rows = item_count;
    }
  }
  return parts;
}
