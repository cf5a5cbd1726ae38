// biome-ignore-all lint/a11y/useSemanticElements: a table of a hundred thousand rows is drawn in parts.
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, useState } from 'react';
import { cn } from '../components/class-names.ts';
import { toast } from '../components/toast.tsx';
import { formatCount } from '../format/money.ts';
import { useGridClipboard } from './grid-clipboard.ts';
import { GridNote } from './grid-note.tsx';
import { ITEM_FIELDS, type Item, shownOf } from './item-fields.ts';
import { ItemRow } from './item-row.tsx';
import type { ItemEdits } from './use-item-edits.ts';
import {
  COLUMNS,
  type Editing,
  fieldAt,
  type ItemGridProps,
  pressGrid,
  useActiveCell,
  useGridActions,
  useNextRed,
} from './use-item-grid.ts';

const ROW_PX = 56;
const HEADER_PX = 56;
const BEYOND = 10;
/** Room for the longest amount that was read: it is never cut short. */
const templateFor = (amountCharacters: number): string => {
  const amount = `${Math.max(6.5, amountCharacters * 0.56 + 1.25).toFixed(2)}rem`;
  const fields = ITEM_FIELDS.map(({ field, width }) => (field === 'amount' ? amount : width));
  return `3rem ${fields.join(' ')} 8.75rem 2.5rem`;
};

/**
 * The rows of a list, edited where they stand: arrows go from cell to cell, Enter opens one, Tab saves and goes on, Escape
 * undoes, Ctrl+Z takes back, and columns of a spreadsheet can be pasted. Only what is in sight is drawn, so a hundred
 * thousand rows scroll as ten do.
 */
export function ItemGrid(props: ItemGridProps) {
  const { caption, pages, total, edits, removal, editable } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualRef = useRef<Virtualizer<HTMLDivElement, Element>>(null);
  const [editing, setEditing] = useState<Editing>();
  const scrollTo = useCallback((row: number) => virtualRef.current?.scrollToIndex(row, { align: 'auto' }), []);
  const { active, goTo, follow } = useActiveCell(total, editing !== undefined, scrollTo);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollPaddingStart: HEADER_PX,
    // The active row stays drawn while it is scrolled away: the focus is in it.
    rangeExtractor: (range) => {
      const drawn = defaultRangeExtractor(range);
      return drawn.includes(active.row) || active.row >= total ? drawn : [...drawn, active.row].sort((a, b) => a - b);
    },
  });
  virtualRef.current = virtual;
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const { onSight, rowAt } = pages;
  useEffect(() => onSight(startIndex, endIndex), [onSight, startIndex, endIndex]);
  const { hold } = edits;
  useEffect(() => hold(editing !== undefined), [hold, editing]);
  const { edit, actions } = useGridActions({ ...props, goTo, setEditing });
  const nextRed = useNextRed(props, active, goTo);
  const clipboard = useGridClipboard(props, active, editing !== undefined);
  const longest = useLongestAmount(virtual.getVirtualItems().map(({ index }) => rowAt(index)));
  const template = templateFor(longest);
  const screen = Math.max(1, endIndex - startIndex - 1);
  const keys = { active, total, screen, editable, goTo, edit, nextRed, takeBack: () => takeBack(edits), sayHow };

  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={-1}
        aria-label={caption}
        aria-rowcount={total + 1}
        aria-colcount={COLUMNS}
        className="max-h-(--grid-height) overflow-auto text-sm"
        style={{ height: HEADER_PX + total * ROW_PX }}
        onKeyDown={(event) => pressGrid(event, keys)}
        onFocus={follow}
        {...clipboard}
      >
        <div style={{ minWidth: `calc(60rem + ${Math.max(0, longest * 0.56 - 5.25).toFixed(2)}rem)` }}>
          <HeaderRow template={template} />
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => {
              const item = rowAt(index);
              return (
                <ItemRow
                  // By its place: a row that comes in where the focus is must not take the focus away.
                  key={key}
                  index={index}
                  top={start}
                  height={ROW_PX}
                  template={template}
                  item={item}
                  activeColumn={active.row === index ? active.column : undefined}
                  editing={item !== undefined && editing?.itemId === item.id ? editing.field : undefined}
                  drafts={item === undefined ? undefined : edits.drafts[item.id]}
                  leaving={item !== undefined && removal.leaving.has(item.id)}
                  editable={editable}
                  actions={actions}
                />
              );
            })}
          </div>
        </div>
      </div>
      <GridNote
        item={rowAt(active.row)}
        field={fieldAt(active)}
        drafts={edits.drafts}
        editable={editable}
        onNextRed={props.invalid > 0 ? nextRed : undefined}
      />
    </>
  );
}

/** Characters of the longest amount that was in sight: columns grow, and do not jump back. */
function useLongestAmount(items: readonly (Item | undefined)[]): number {
  const longest = useRef(0);
  for (const item of items) {
    if (item !== undefined) longest.current = Math.max(longest.current, shownOf(item, 'amount').length);
  }
  return longest.current;
}

function sayHow(): void {
  toast({ tone: 'info', text: 'Press Enter to edit this cell.' });
}

function takeBack(edits: ItemEdits): void {
  const cells = edits.takeBack();
  const text = cells === 0 ? 'There is nothing to take back.' : `${changesWere(cells)} taken back.`;
  toast({ tone: 'info', text });
}

const changesWere = (cells: number): string => (cells === 1 ? 'One change was' : `${formatCount(cells)} changes were`);

const HEADERS = [
  { field: 'row', header: 'Row' },
  ...ITEM_FIELDS,
  { field: 'state', header: 'State' },
  { field: 'remove', header: 'Remove, or open the payout' },
];

function HeaderRow({ template }: { template: string }) {
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={1}
      className="sticky top-0 z-20 grid items-center border-b bg-sunken text-xs text-muted"
      style={{ gridTemplateColumns: template }}
    >
      {HEADERS.map(({ field, header }, at) => (
        <div
          key={field}
          role="columnheader"
          tabIndex={-1}
          aria-colindex={at + 1}
          className={cn('px-2 py-2.5 font-medium', (field === 'row' || field === 'amount') && 'text-right')}
        >
          {field === 'remove' ? <span className="sr-only">{header}</span> : header}
        </div>
      ))}
    </div>
  );
}
