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
  const beside = besideOf(item, field);
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
        <span className={cn('truncate', text === '' && 'text-muted')}>{text === '' ? '–' : text}</span>
        {draft?.state === 'SAVING' && (
          <LoaderCircle className="size-3.5 shrink-0 animate-spin text-muted" aria-label="Saving" role="img" />
        )}
      </span>
      {complaint !== undefined ? (
        <span className="block truncate text-2xs text-bad" title={complaint}>
          {short}
          <span className="sr-only">. {complaint}</span>
        </span>
      ) : (
        draft === undefined &&
        beside !== undefined && <span className="block truncate text-2xs text-muted">{beside}</span>
      )}
      {draft?.state === 'SAVED' && <span className="block text-2xs text-good">Saved</span>}
    </>
  );
}
