import { cursorInvalid } from '../wallet-answers.ts';

/** How many lines the bank lists at once. */
export const PAGE_LINES = 100;

/** The line behind which a page goes on. */
export interface PageStart {
  at: Date;
  id: string;
}

/**
 * Where a page begins: behind the line of its cursor, or at `from`.
 * @throws {NotSentError} where the cursor is none of `nextCursor`.
 */
export function startOfPage({ from, cursor }: { from: Date; cursor: string | null }): PageStart {
  if (cursor === null) return { at: from, id: '' };
  const [time = '', id = ''] = cursor.split('/');
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || id === '') throw cursorInvalid();
  return { at, id };
}

/** The cursor behind the last of these lines; null where there are fewer than a page has. */
export function nextCursor<Line extends { id: string }>(
  lines: readonly Line[],
  atOf: (line: Line) => Date,
): string | null {
  const last = lines.length < PAGE_LINES ? undefined : lines.at(-1);
  return last === undefined ? null : `${atOf(last).toISOString()}/${last.id}`;
}
