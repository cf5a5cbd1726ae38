import { cn } from '../components/class-names.ts';
import { Amount } from '../components/values.tsx';

/** A wallet at one end of a movement. */
export interface Side {
  name: string;
  /** What it has to give, in naira; left out where it is not shown. */
  available?: number | undefined;
}

/** From where to where, and how much once that is known. */
export function SidesList({ from, to, amount }: { from: Side; to: Side; amount?: number }) {
  return (
    <dl className="flex flex-col gap-2 rounded-control bg-sunken px-4 py-3">
      <End term="From" side={from} />
      <End term="To" side={to} />
      {amount !== undefined && (
        <div className={cn(ROW, 'mt-1 border-t pt-2')}>
          <dt className="text-muted">Amount</dt>
          <dd className="text-right text-lg font-semibold">
            <Amount value={amount} />
          </dd>
        </div>
      )}
    </dl>
  );
}

const ROW = 'grid grid-cols-[4rem_1fr] items-baseline gap-x-3';

function End({ term, side: { name, available } }: { term: string; side: Side }) {
  return (
    <div className={ROW}>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 font-medium break-words first-letter:uppercase">{name}</dd>
      {available !== undefined && (
        <dd className="col-start-2 text-xs text-muted">
          <Amount value={available} /> available
        </dd>
      )}
    </div>
  );
}
