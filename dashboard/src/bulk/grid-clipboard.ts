import type { ClipboardEvent } from 'react';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { toast } from '../components/toast.tsx';
import { accountNumberOf } from '../format/accounts.ts';
import { formatCount } from '../format/money.ts';
import { ITEM_FIELDS, type Item, type ItemField, textOf } from './item-fields.ts';
import { type KnownBank, pastedValue } from './pasted-value.ts';
import type { Place } from './use-grid-keys.ts';
import type { CellChange } from './use-item-edits.ts';
import { fieldAt, type ItemGridProps } from './use-item-grid.ts';

/** Each row is checked with its bank when it is saved: what is longer is quicker corrected in the file. */
const MOST_ROWS = 200;
/** The row number stands before the fields. */
const FIRST_FIELD = 1;

export interface PasteTarget {
  from: Place;
  rowAt: (row: number) => Item | undefined;
  isLeaving: (item: Item) => boolean;
  banks: readonly KnownBank[];
}

export interface Pasted {
  changes: readonly CellChange[];
  /** What the person who pasted is shown. */
  message: string;
}

/** Cells as spreadsheets put them on the clipboard: a line for a row, tabs between its cells. */
function readPasted(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) =>
    line.split('\t').map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .replaceAll('""', '"'),
    ),
  );
}

/** What a paste changes: the cells from the active one on, to the right and down, as in a spreadsheet. */
function pasteCells(lines: readonly string[][], target: PasteTarget): Pasted {
  const { from, rowAt, isLeaving } = target;
  const changes: CellChange[] = [];
  let [zeros, beside, below] = [0, 0, 0];
  for (const [down, cells] of lines.entries()) {
    const item = down < MOST_ROWS ? rowAt(from.row + down) : undefined;
    if (item === undefined || isLeaving(item)) {
      below += 1;
      continue;
    }
    for (const [right, given] of cells.entries()) {
      const field = ITEM_FIELDS[from.column - FIRST_FIELD + right]?.field;
      if (field === undefined) beside += 1;
      else {
        const text = pastedValue(field, given, target.banks);
        if (field === 'accountNumber' && text !== accountNumberOf(given)) zeros += 1;
        changes.push({ item, field, text });
      }
    }
  }
  return { changes, message: wordsFor({ cells: changes.length, zeros, beside, below, total: lines.length }) };
}

interface Counted {
  cells: number;
  zeros: number;
  beside: number;
  below: number;
  total: number;
}

function wordsFor({ cells, zeros, beside, below, total }: Counted): string {
  const said = [`${formatCount(cells)} ${cells === 1 ? 'cell was' : 'cells were'} pasted. Ctrl+Z takes it back.`];
  if (zeros > 0)
    said.push(
      `${formatCount(zeros)} account ${zeros === 1 ? 'number' : 'numbers'} of nine digits got the leading zero back.`,
    );
  if (total > MOST_ROWS)
    said.push(`Only the first ${MOST_ROWS} lines were taken; for more, correct the file and upload it.`);
  else if (below > 0) said.push(`${formatCount(below)} ${below === 1 ? 'line had' : 'lines had'} no row to go to.`);
  if (beside > 0) said.push('What stood beside the last column was left out.');
  return said.join(' ');
}

/** Copies the active cell, unless some text is selected. */
function copyCell(event: ClipboardEvent, item: Item | undefined, field: ItemField | undefined): void {
  if (item === undefined || field === undefined || window.getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', textOf(item, field));
}

/** Cells to and from a spreadsheet. While a cell is open the clipboard is the field's. */
export function useGridClipboard(grid: ItemGridProps, active: Place, isEditing: boolean) {
  const { pages, edits, removal, editable } = grid;
  const { banks } = useBankOptions();
  return {
    onCopy(event: ClipboardEvent): void {
      if (!isEditing) copyCell(event, pages.rowAt(active.row), fieldAt(active));
    },
    onPaste(event: ClipboardEvent): void {
      if (isEditing || !editable || fieldAt(active) === undefined) return;
      event.preventDefault();
      const lines = readPasted(event.clipboardData.getData('text/plain'));
      const isLeaving = ({ id }: { id: string }) => removal.leaving.has(id);
      const { changes, message } = pasteCells(lines, { from: active, rowAt: pages.rowAt, isLeaving, banks });
      if (changes.length > 0) edits.save(changes);
      toast({ tone: changes.length > 0 ? 'info' : 'bad', text: message });
    },
  };
}
