import type { ClipboardEvent } from 'react';
import { useBankOptions } from '../beneficiaries/bank-accounts.tsx';
import { toast } from '../components/toast.tsx';
import { copyCell, pasteCells, readPasted } from './grid-clipboard.ts';
import type { Place } from './use-grid-keys.ts';
import { fieldAt, type ItemGridProps } from './use-item-grid.ts';

/** Cells to and from a spreadsheet. While a cell is open the clipboard is the field's. */
export function useGridClipboard(grid: ItemGridProps, active: Place, isEditing: boolean) {
  const { pages, edits, removal, editable } = grid;
  const { options: banks } = useBankOptions();
  return {
    onCopy(event: ClipboardEvent): void {
      if (!isEditing) copyCell(event, pages.rowAt(active.row), fieldAt(active));
    },
    onPaste(event: ClipboardEvent): void {
      if (isEditing || !editable || fieldAt(active) === undefined) return;
      event.preventDefault();
      const lines = readPasted(event.clipboardData.getData('text/plain'));
      const isLeaving = ({ id }: { id: string }) => removal.leaving.has(id);
      const { changes, told } = pasteCells(lines, { from: active, rowAt: pages.rowAt, isLeaving, banks });
      if (changes.length > 0) edits.save(changes);
      toast({ tone: changes.length > 0 ? 'info' : 'bad', text: told });
    },
  };
}
