// biome-ignore-all lint/a11y/useSemanticElements: a table of a hundred thousand rows is drawn in parts.
import { Link } from '@tanstack/react-router';
import { ChevronRight, Trash2, TriangleAlert, Undo2 } from 'lucide-react';
import { memo, type ReactNode, useRef } from 'react';
import { cn } from '../components/class-names.ts';
import { Skeleton } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import { CellEditor } from './cell-editor.tsx';
import { ItemCell } from './item-cell.tsx';
import { ITEM_FIELDS, type Item, type ItemField, type Problems, problemsOf, stateOf, textOf } from './item-fields.ts';
import type { Place } from './use-grid-keys.ts';
import type { Draft, Drafts } from './use-item-edits.ts';
import { notesOf } from './why-not-paid.ts';

export interface GridActions {
  /** Makes a cell the active one; `correct` opens it. */
  choose(place: Place, correct: boolean): void;
  save(item: Item, field: ItemField, text: string, place: Place, step?: 1 | -1): void;
  /** Saves what stands in a cell that lost the focus, without going anywhere. */
  leave(item: Item, field: ItemField, text: string): void;
  undo(item: Item, field: ItemField, place: Place): void;
  remove(item: Item): void;
  keep(itemId: string): void;
}

export interface ItemRowProps {
  index: number;
  top: number;
  height: number;
  template: string;
  /** Undefined while its page is on its way. */
  item: Item | undefined;
  activeColumn: number | undefined;
  editing: ItemField | undefined;
  drafts: Drafts[string];
  leaving: boolean;
  editable: boolean;
  actions: GridActions;
}

export const cellId = ({ row, column }: Place): string => `item-${row}-${column}`;

/** One row. Drawn again only when something of it changes. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { index, top, height, template, item, leaving, editing } = props;
  const problems = item === undefined ? {} : problemsOf(item);
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      className={cn(
        'absolute inset-x-0 grid items-stretch border-b hover:bg-hover',
        leaving && 'text-muted line-through',
        editing !== undefined && 'z-10',
      )}
      style={{ gridTemplateColumns: template, height, top }}
    >
      <PlainCell {...props} column={0} className="figures justify-end text-right text-xs text-muted">
        {item?.position ?? index + 1}
      </PlainCell>
      {ITEM_FIELDS.map(({ field, header }, at) => (
        <FieldCell key={field} {...props} column={at + 1} field={field} header={header} problems={problems} />
      ))}
      <PlainCell {...props} column={ITEM_FIELDS.length + 1}>
        {item === undefined ? (
          <Skeleton className="w-16" />
        ) : (
          <ItemState item={item} note={problems.row?.sentence ?? notesOf(item)} />
        )}
      </PlainCell>
      <RemoveCell {...props} column={ITEM_FIELDS.length + 2} />
    </div>
  );
});

type InColumn = ItemRowProps & { column: number };

function PlainCell({
  index,
  column,
  activeColumn,
  actions,
  className,
  children,
}: InColumn & { className?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the grid's.
    <div
      id={cellId({ row: index, column })}
      role="gridcell"
      tabIndex={activeColumn === column ? 0 : -1}
      aria-colindex={column + 1}
      className={cn('flex min-w-0 items-center px-2', FOCUS, className)}
      onClick={() => actions.choose({ row: index, column }, false)}
    >
      <div className="min-w-0">{children}</div>
    </div>
  );
}

const FOCUS = 'focus-visible:outline-2 focus-visible:-outline-offset-2';

function FieldCell(props: InColumn & { field: ItemField; header: string; problems: Problems }) {
  const { index, column, activeColumn, item, field, header, editing, drafts, leaving, editable, actions, problems } =
    props;
  const place = { row: index, column };
  const draft: Draft | undefined = drafts?.[field];
  const hadFocus = useRef(false);
  const wrong = draft === undefined ? problems[field] !== undefined : draft.state === 'REFUSED';
  if (item !== undefined && editing === field) {
    return (
      <div role="gridcell" tabIndex={-1} aria-colindex={column + 1} className="min-w-0 overflow-visible px-1 py-2">
        <CellEditor
          key={item.id}
          item={item}
          field={field}
          label={`${header}, row ${item.position}`}
          text={draft?.text ?? textOf(item, field)}
          complaint={draft?.problem ?? problems[field]?.sentence}
          onSave={(opened, text, step) => actions.save(opened, field, text, place, step)}
          onLeave={(opened, text) => actions.leave(opened, field, text)}
          onUndo={() => actions.undo(item, field, place)}
        />
      </div>
    );
  }
  const isActive = activeColumn === column;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the grid's.
    <div
      id={cellId(place)}
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      aria-colindex={column + 1}
      aria-invalid={wrong ? true : undefined}
      aria-readonly={!editable || leaving}
      className={cn(
        'flex min-w-0 flex-col justify-center px-2',
        FOCUS,
        field === 'amount' && 'text-right',
        wrong && 'bg-bad-soft',
        editable && 'cursor-text',
      )}
      onPointerDown={(event) => {
        hadFocus.current = document.activeElement === event.currentTarget;
      }}
      onClick={() => actions.choose(place, editable && !leaving && (hadFocus.current || wrong))}
    >
      {item === undefined ? (
        <Skeleton className="w-4/5" />
      ) : (
        <ItemCell item={item} field={field} draft={draft} problem={problems[field]} />
      )}
    </div>
  );
}

export function ItemState({ item, note }: { item: Item; note: string }) {
  return (
    <>
      <Status status={stateOf(item)} reason={item.payoutReason} />
      {note !== '' && (
        <span className="mt-0.5 flex items-center gap-1 text-2xs text-warn" title={note}>
          <TriangleAlert className="size-3 shrink-0" aria-hidden />
          <span className="truncate">{note}</span>
        </span>
      )}
    </>
  );
}

function RemoveCell({ index, column, activeColumn, item, leaving, editable, actions }: InColumn) {
  const tabIndex = activeColumn === column ? 0 : -1;
  const place = { row: index, column };
  const Icon = leaving ? Undo2 : Trash2;
  return (
    <div role="gridcell" tabIndex={-1} aria-colindex={column + 1} className="grid place-items-center">
      {editable ? (
        <button
          id={cellId(place)}
          type="button"
          tabIndex={tabIndex}
          aria-label={`${leaving ? 'Keep' : 'Remove'} row ${item?.position ?? index + 1}`}
          aria-disabled={item === undefined}
          title={leaving ? 'Keep this row' : 'Remove this row'}
          className={cn('grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink', FOCUS)}
          onClick={() => {
            actions.choose(place, false);
            if (item === undefined) return;
            if (leaving) actions.keep(item.id);
            else actions.remove(item);
          }}
        >
          <Icon className="size-4" aria-hidden />
        </button>
      ) : item?.transactionId == null ? (
        <span id={cellId(place)} tabIndex={tabIndex} />
      ) : (
        <Link
          id={cellId(place)}
          to="/payouts/$transactionId"
          params={{ transactionId: item.transactionId }}
          tabIndex={tabIndex}
          aria-label={`Open the payout of row ${item.position}`}
          title="Open the payout"
          className={cn('grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink', FOCUS)}
        >
          <ChevronRight className="size-4" aria-hidden />
        </Link>
      )}
    </div>
  );
}
