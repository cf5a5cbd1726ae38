import { Link, useNavigate } from '@tanstack/react-router';
import { ListRestart } from 'lucide-react';
import { useEffect } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { showStatus } from '../components/status-words.ts';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import { formatCount, formatMoney } from '../format/money.ts';
import { type Batch, rows } from './batch.ts';
import type { ItemsShown } from './items-shown.ts';

type Outcomes = Data<'get', '/payout/bulk/{batchReference}/outcome'>;
type Outcome = Outcomes['outcomes'][number];

const KINDS = {
  PAID: { word: 'Paid', show: 'paid', look: 'bg-good' },
  FAILED: { word: 'Failed', show: 'failed', look: 'bg-bad' },
  RETURNED: { word: 'Returned', show: 'returned', look: 'bg-warn' },
  LEFT_OUT: { word: 'Left out', show: 'left-out', look: 'bg-edge' },
  IN_PROGRESS: { word: 'In progress', show: 'in-progress', look: 'bg-info' },
} as const satisfies Record<Outcome['outcome'], { word: string; show: ItemsShown['show']; look: string }>;

/** Figures of so many rows take the service about a second. */
const LARGE = 5_000;
const QUICK_MS = 1_500;
const SLOW_MS = 10_000;

export interface BatchOutcomeProps {
  batch: Batch;
  shown: ItemsShown;
  mayWrite: boolean;
}

/** What became of the rows, as a bar whose parts are filters, and what left the wallet. */
export function BatchOutcome({ batch, shown, mayWrite }: BatchOutcomeProps) {
  const { batchReference, dispatchedAt } = batch;
  const path = { batchReference };
  const isLarge = batch.counts.total > LARGE;
  const read = useRead(
    '/payout/bulk/{batchReference}/outcome',
    { path },
    { enabled: dispatchedAt !== null, refetchInterval: batch.conclusive ? false : isLarge ? SLOW_MS : QUICK_MS },
  );
  const { refetch } = read;
  const { status } = batch;
  const { open, reversed } = batch.payouts;
  const hasEnded = status !== 'DISPATCHING' || open === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what ends or comes back is read at once.
  useEffect(() => {
    if (dispatchedAt !== null) void refetch();
  }, [dispatchedAt, hasEnded, reversed, refetch]);
  if (dispatchedAt === null || read.data === undefined) return null;
  const { outcomes, wallet, retryLists } = read.data;
  const there = outcomes.filter(({ count }) => count > 0);
  const notPaid = outcomes
    .filter(({ outcome }) => outcome === 'FAILED' || outcome === 'RETURNED')
    .reduce((sum, { count }) => sum + count, 0);
  const left = notPaid - retryLists.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return (
    <section aria-labelledby="outcome" className="card mb-6 flex flex-col gap-4 p-4 sm:p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="outcome" className="text-base font-semibold">
          What happened
        </h2>
        <div className="no-print flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          {retryLists.map((list) => (
            <RetryLink key={list.batchReference} list={list} />
          ))}
          {mayWrite && left > 0 && <RetryButton batch={batch} notPaid={left} onRefused={() => void refetch()} />}
        </div>
      </div>
      <div aria-hidden className="flex h-3 w-full gap-0.5 overflow-hidden rounded-full">
        {there.map(({ outcome, count }) => (
          <div key={outcome} className={cn('min-w-1.5', KINDS[outcome].look)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-2">
        {there.map((outcome) => (
          <OutcomeLink key={outcome.outcome} outcome={outcome} shown={shown} />
        ))}
      </ul>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-x-6 gap-y-3 border-t pt-4">
        <Figure label="Left the wallet" sum={wallet.left} />
        <Figure label="Returned to it" sum={wallet.returned} />
        <Figure label="Paid in the end" sum={wallet.net} />
        {wallet.held.total > 0 && <Figure label="Still held" sum={wallet.held} />}
      </dl>
    </section>
  );
}

function OutcomeLink({ outcome: { outcome, count, amount }, shown }: { outcome: Outcome; shown: ItemsShown }) {
  const { word, show, look } = KINDS[outcome];
  return (
    <li>
      <Link
        to="."
        search={(before: object) => ({ ...before, show, problem: undefined, cause: undefined })}
        replace
        hash="rows"
        aria-current={shown.show === show ? 'true' : undefined}
        className={cn(
          'flex items-center gap-2.5 rounded-control border p-2.5 hover:bg-hover',
          shown.show === show && 'bg-accent-soft',
        )}
      >
        <span className={cn('size-3 shrink-0 rounded-full', look)} aria-hidden />
        <span className="min-w-0">
          <span className="figures block font-semibold">
            {formatCount(count)} {word.toLowerCase()}
          </span>
          <Amount value={amount} className="block text-xs text-muted" />
        </span>
      </Link>
    </li>
  );
}

function Figure({ label, sum: { amount, charges, total } }: { label: string; sum: Outcomes['wallet']['left'] }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="figures font-semibold whitespace-nowrap">{formatMoney(total)}</dd>
      <dd className="figures text-xs whitespace-nowrap text-muted">{formatMoney(amount)} to people</dd>
      <dd className="figures text-xs whitespace-nowrap text-muted">{formatMoney(charges)} charges</dd>
    </div>
  );
}

/** To the list that was made of what was not paid. */
function RetryLink({ list: { batchReference, status, itemCount } }: { list: Outcomes['retryLists'][number] }) {
  return (
    <Link to="/bulk/$batchReference" params={{ batchReference }} className="text-sm font-medium text-accent underline">
      {status === 'READY' || status === 'NEEDS_FIX' || status === 'VALIDATING'
        ? `In a new list, to be paid again: ${rows(itemCount)}`
        : `Paid again in a new list: ${rows(itemCount)}`}{' '}
      ({showStatus(status).word})
    </Link>
  );
}

interface RetryButtonProps {
  batch: Batch;
  notPaid: number;
  /** Somebody else may have made the list: its link comes. */
  onRefused: () => void;
}

function RetryButton({ batch: { batchReference }, notPaid, onRefused }: RetryButtonProps) {
  const retry = useAction('post', '/payout/bulk/{batchReference}/retry-list');
  const navigate = useNavigate();
  async function create(): Promise<void> {
    try {
      const created = await retry.run({ path: { batchReference } });
      toast({ tone: 'good', text: `A new list of ${rows(created.itemCount)} was created. Nothing of it is paid yet.` });
      await navigate({ to: '/bulk/$batchReference', params: { batchReference: created.batchReference } });
    } catch (error) {
      onRefused();
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }
  return (
    <Button size="small" icon={ListRestart} busy={retry.isPending} onClick={() => void create()}>
      Create a new list of the {formatCount(notPaid)} not paid
    </Button>
  );
}
