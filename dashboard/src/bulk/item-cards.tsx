import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { PencilLine, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Pages } from '../api/pages.ts';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Skeleton } from '../components/states.tsx';
import { ItemDialog } from './item-dialog.tsx';
import { type Item, problemsOf, shownOf } from './item-fields.ts';
import { ItemState } from './item-row.tsx';
import type { ItemEdits } from './use-item-edits.ts';
import type { ItemRemoval } from './use-item-removal.ts';
import { whyNotPaid, whyNotPaidBefore } from './why-not-paid.ts';

const CARD_PX = 148;

export interface ItemCardsProps {
  pages: Pages<Item>;
  total: number;
  edits: ItemEdits;
  removal: ItemRemoval;
  editable: boolean;
}

/** The rows on a phone: a card each, with amount and state in sight. Only what is in sight is drawn. */
export function ItemCards({ pages, total, edits, removal, editable }: ItemCardsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState<Item>();
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => CARD_PX,
    overscan: 6,
  });
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const { onSight, rowAt } = pages;
  useEffect(() => onSight(startIndex, endIndex), [onSight, startIndex, endIndex]);
  return (
    <>
      <section
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        tabIndex={0}
        aria-label="Rows of the bulk payout"
        className="max-h-[70dvh] overflow-y-auto"
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const item = rowAt(index);
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={total}
                aria-posinset={index + 1}
                className="absolute inset-x-0 border-b"
                style={{ top: start, minHeight: CARD_PX }}
              >
                {item === undefined ? (
                  <Skeleton className="m-4 h-24" />
                ) : (
                  <Card item={item} edits={edits} removal={removal} editable={editable} onEdit={setEditing} />
                )}
              </li>
            );
          })}
        </ul>
      </section>
      {editing !== undefined && (
        <ItemDialog item={editing} edits={edits} removal={removal} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}

interface CardProps extends Pick<ItemCardsProps, 'edits' | 'removal' | 'editable'> {
  item: Item;
  onEdit: (item: Item) => void;
}

function Card({ item, edits, removal, editable, onEdit }: CardProps) {
  const problems = Object.values(problemsOf(item));
  const refused = Object.values(edits.drafts[item.id] ?? {}).flatMap((draft) => draft?.problem ?? []);
  const isLeaving = removal.leaving.has(item.id);
  const differs = item.problems.some(({ code }) => code === 'NAME_DIFFERS');
  const name = item.givenName ?? item.accountName;
  const why = whyNotPaid(item) ?? (item.payoutStatus === null ? whyNotPaidBefore(item) : undefined);
  return (
    <div className={cn('flex flex-col gap-1 px-4 py-3 text-sm', isLeaving && 'text-muted line-through')}>
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 font-semibold wrap-anywhere">{name === '' ? 'No name' : name}</p>
        <p className="figures shrink-0 font-semibold whitespace-nowrap">₦{shownOf(item, 'amount')}</p>
      </div>
      {item.givenName !== null && item.accountName !== '' && item.accountName !== item.givenName && (
        <p className={cn('text-xs wrap-anywhere', differs ? 'font-semibold text-bad' : 'text-muted')}>
          At the bank: {item.accountName}
        </p>
      )}
      <p className="text-xs text-muted">
        Row {item.position} · {shownOf(item, 'bankCode')} · <span className="figures">{item.accountNumber}</span>
      </p>
      {[...refused, ...problems.map(({ sentence }) => sentence)].slice(0, 2).map((sentence) => (
        <p key={sentence} className="text-xs text-bad">
          {sentence}
        </p>
      ))}
      {why !== undefined && <p className="text-xs text-bad">{why}</p>}
      <div className="mt-1 flex items-center justify-between gap-3">
        <div className="min-w-0">
          <ItemState item={item} note={item.warnings.join(' ')} />
        </div>
        {item.transactionId !== null && (
          <Link
            to="/payouts/$transactionId"
            params={{ transactionId: item.transactionId }}
            className="inline-flex min-h-8 shrink-0 items-center text-xs font-medium text-accent underline"
          >
            Open the payout
          </Link>
        )}
        {editable &&
          (isLeaving ? (
            <Button
              size="small"
              icon={Undo2}
              aria-label={`Keep row ${item.position}`}
              onClick={() => removal.undo(item.id)}
            >
              Keep
            </Button>
          ) : (
            <Button
              size="small"
              icon={PencilLine}
              aria-label={`Edit row ${item.position}`}
              onClick={() => onEdit(item)}
            >
              Edit
            </Button>
          ))}
      </div>
    </div>
  );
}
