import type { KeyboardEvent } from 'react';

/** A cell by row and column, from 0. */
export interface Place {
  row: number;
  column: number;
}

export interface GridSize {
  rows: number;
  columns: number;
  /** Rows in sight: what Page Up and Page Down move by. */
  screen: number;
}

/** Where a key leads inside a grid; undefined for keys that lead nowhere. Tab leaves the grid and is the browser's. */
export function placeAfter(event: KeyboardEvent, from: Place, size: GridSize): Place | undefined {
  const far = event.ctrlKey || event.metaKey;
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1];
  const within = (row: number, column: number): Place => ({
    row: Math.min(Math.max(row, 0), lastRow),
    column: Math.min(Math.max(column, 0), lastColumn),
  });
  switch (event.key) {
    case 'ArrowDown':
      return within(far ? lastRow : from.row + 1, from.column);
    case 'ArrowUp':
      return within(far ? 0 : from.row - 1, from.column);
    case 'ArrowRight':
      return within(from.row, far ? lastColumn : from.column + 1);
    case 'ArrowLeft':
      return within(from.row, far ? 0 : from.column - 1);
    case 'PageDown':
      return within(from.row + size.screen, from.column);
    case 'PageUp':
      return within(from.row - size.screen, from.column);
    case 'Home':
      return within(far ? 0 : from.row, 0);
    case 'End':
      return within(far ? lastRow : from.row, lastColumn);
    default:
      return undefined;
  }
}

/** The cell that Tab leads to while a cell is being corrected: the next that can be typed into, row after row. */
export function nextEditable(
  from: Place,
  step: 1 | -1,
  rows: number,
  [first, last]: readonly [number, number],
): Place | undefined {
  const column = from.column + step;
  if (column >= first && column <= last) return { row: from.row, column };
  const row = from.row + step;
  if (row < 0 || row >= rows) return undefined;
  return { row, column: step === 1 ? first : last };
}
