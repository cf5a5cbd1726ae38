import { CircleAlert, LoaderCircle } from 'lucide-react';
import { cn } from '../components/class-names.ts';
import { besideOf, type Item, type ItemField, type Problem, shownOf } from './item-fields.ts';
import type { Draft } from './use-item-edits.ts';

export interface ItemCellProps {
  item: Item;
  field: ItemField;
  draft: Draft | undefined;
  /** Why the service would not pay what stands here. */
  problem: Problem | undefined;
}

/** What a cell shows: the value, and below it the reason where it is wrong, or what belongs to it. */
export function ItemCell({ item, field, draft, problem }: ItemCellProps) {
  const complaint = draft === undefined ? problem?.sentence : draft.problem;
  const short = draft === undefined ? problem?.short : draft.problem;
  const beside = complaint === undefined && draft === undefined ? besideOf(item, field) : undefined;
  const text = draft?.text ?? shownOf(item, field);
  return (
    <>
      <span
        className={cn(
          'flex items-center gap-1',
          field === 'amount' && 'justify-end',
          (field === 'amount' || field === 'accountNumber' || field === 'phoneNumber') && 'figures',
        )}
      >
        {complaint !== undefined && <CircleAlert className="size-3.5 shrink-0 text-bad" aria-hidden />}
        <span
          className={cn(lookOf(field, complaint ?? beside), text === '' && 'text-muted')}
          title={text === '' ? undefined : text}
        >
          {text === '' ? '–' : text}
        </span>
        {draft?.state === 'SAVING' && (
          <LoaderCircle className="size-3.5 shrink-0 animate-spin text-muted" aria-label="Saving" role="img" />
        )}
      </span>
      {complaint !== undefined && (
        <span className="block truncate text-2xs text-bad" title={complaint}>
          {short}
          <span className="sr-only">. {complaint}</span>
        </span>
      )}
      {beside !== undefined && (
        <span className="line-clamp-2 text-2xs leading-3.5 text-muted" title={beside}>
          {beside}
        </span>
      )}
      {draft?.state === 'SAVED' && <span className="block text-2xs text-good">Saved</span>}
    </>
  );
}

/** A name cut short is a name that nobody compares: what is long gets two lines, where there is room for them. */
function lookOf(field: ItemField, below: string | undefined): string {
  if (field === 'bankCode') return 'line-clamp-2 text-xs leading-4';
  // An amount that is cut short is another amount.
  if (field === 'amount') return 'whitespace-nowrap';
  if (field === 'phoneNumber') return 'truncate text-xs';
  const isLong = field === 'accountName' || field === 'narration';
  return isLong && below === undefined ? 'line-clamp-2 leading-5' : 'truncate';
}
