import { Link } from '@tanstack/react-router';
import { ArrowDown } from 'lucide-react';
import { Button } from '../components/button.tsx';
import { type Item, type ItemField, problemsOf, saidOfRow } from './item-fields.ts';
import type { Drafts } from './use-item-edits.ts';
import { NOTE_ID } from './use-item-grid.ts';
import { notesOf } from './why-not-paid.ts';

export interface GridNoteProps {
  /** The row that one is in. */
  item: Item | undefined;
  /** The cell that one is in, where it is one that can be corrected. */
  field: ItemField | undefined;
  drafts: Drafts;
  editable: boolean;
  /** Goes to the next red cell; left out where there is none. */
  onNextRed: (() => void) | undefined;
}

/** Below the grid: in full what the cell and the row that one is in have to say, and which keys do what. */
export function GridNote({ item, field, drafts, editable, onNextRed }: GridNoteProps) {
  return (
    <div id={NOTE_ID} className="flex min-h-20 items-center justify-between gap-4 border-t bg-sunken px-4 py-2 text-xs">
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-ink">
          {item === undefined ? '' : noteOf(item, field, drafts)} <PayoutLink item={item} />{' '}
          <RepeatedLink item={item} />
        </p>
        {editable && (
          <p className="hidden leading-5 text-muted md:block">
            Arrows move from cell to cell, <Key>Enter</Key> edits one, <Key>Tab</Key> saves and goes on, <Key>Esc</Key>{' '}
            undoes, <Key>Ctrl Z</Key> takes back what was saved, <Key>F8</Key> goes to the next red cell, and{' '}
            <Key>Ctrl V</Key> pastes columns of a spreadsheet.
          </p>
        )}
      </div>
      {editable && onNextRed !== undefined && (
        <Button size="small" icon={ArrowDown} className="shrink-0" onClick={onNextRed}>
          Next red cell
        </Button>
      )}
    </div>
  );
}

const LINK = 'font-medium text-accent underline';

/** To what became of the row, and of a row that is paid again to what became of it before. */
function PayoutLink({ item }: { item: Item | undefined }) {
  const { transactionId = null, paysAgain = null } = item ?? {};
  const opened = transactionId ?? paysAgain?.transactionId;
  if (opened === undefined) return null;
  return (
    <Link to="/payouts/$transactionId" params={{ transactionId: opened }} className={LINK}>
      {transactionId === null ? 'Open the payout that was not paid' : 'Open its payout'}
    </Link>
  );
}

/** To what a row repeats, where that is not in the same list. */
function RepeatedLink({ item }: { item: Item | undefined }) {
  const { transactionId = null, batchReference = null } = item?.repeats ?? {};
  if (transactionId !== null) {
    return (
      <Link to="/payouts/$transactionId" params={{ transactionId }} className={LINK}>
        Open that payout
      </Link>
    );
  }
  if (batchReference === null) return null;
  return (
    <Link to="/bulk/$batchReference" params={{ batchReference }} className={LINK}>
      Open that list
    </Link>
  );
}

function noteOf(item: Item, field: ItemField | undefined, drafts: Drafts): string {
  const refused = field === undefined ? undefined : drafts[item.id]?.[field]?.problem;
  const problems = problemsOf(item);
  const own = refused ?? (field === undefined ? undefined : problems[field]?.sentence);
  const said = own ?? (item.isValid || item.validatedAt === null ? notesOf(item) : (item.reason ?? ''));
  return said === '' ? '' : saidOfRow(item.position, said);
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded border border-edge bg-surface px-1 font-sans text-2xs text-ink">{children}</kbd>
);
