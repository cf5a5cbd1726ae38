import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Switch } from '../components/inputs.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { NothingMore, Pager } from '../components/table.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { type OutcomeAction, OutcomeCard } from './outcome-card.tsx';
import { ProposeDialog } from './propose-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';

export interface OutcomesPageProps {
  page: ListPlace | undefined;
  all: boolean;
  onPage: (place: ListPlace | undefined) => void;
  onAll: (all: boolean) => void;
}

const SIZE = 20;
const LOOK_EVERY_MS = 30_000;

/** Payouts whose outcome nobody knows. One person says what became of it and how they know; another confirms. */
export function OutcomesPage({ page, all, onPage, onAll }: OutcomesPageProps) {
  const [action, setAction] = useState<OutcomeAction>();
  const close = () => setAction(undefined);
  return (
    <>
      <PageHeader title="Unknown outcomes">
        The rail was asked again and again and does not say. The money stays held until one person proposes what became
        of the payout and another person confirms it. Many at once? The{' '}
        <Link to="/operator/reconciliation" className="text-accent underline">
          rail's settlement file
        </Link>{' '}
        says what became of each.
      </PageHeader>
      <Switch
        className="mb-4 max-w-xl"
        label="Show every payout without an outcome"
        hint="Also those that the service still asks about by itself."
        checked={all}
        onChange={(event) => onAll(event.target.checked)}
      />
      <Queue page={page} all={all} onPage={onPage} onAction={setAction} />
      {action?.what === 'PROPOSE' && <ProposeDialog payout={action.payout} onClose={close} />}
      {action?.what === 'DECIDE' && <DecideDialog payout={action.payout} proposal={action.proposal} onClose={close} />}
      {action?.what === 'REJECT' && <RejectDialog payout={action.payout} proposal={action.proposal} onClose={close} />}
    </>
  );
}

interface QueueProps {
  page: ListPlace | undefined;
  all: boolean;
  onPage: (place: ListPlace | undefined) => void;
  onAction: (action: OutcomeAction) => void;
}

function Queue({ page, all, onPage, onAction }: QueueProps) {
  const list = useList(
    '/operator/outcome',
    { query: { ...atPlace(page), size: SIZE, all } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  if (list.data === undefined) {
    if (list.error !== null) return <ErrorState error={list.error} onRetry={list.refetch} />;
    return <Skeleton className="h-56 w-full" />;
  }
  if (list.data.records.length === 0) {
    if (list.data.totalRecords === null) return <NothingMore onPage={onPage} />;
    return (
      <div className="card">
        <EmptyState icon={CircleCheck} title="Nothing waits for a decision">
          A payout comes here when its rail has not said for a day what became of it. Until then the service asks by
          itself.
        </EmptyState>
      </div>
    );
  }
  return (
    <>
      <ul aria-label="Payouts without a known outcome" className="flex flex-col gap-4">
        {list.data.records.map((payout) => (
          <li key={payout.payoutId}>
            <OutcomeCard payout={payout} onAction={onAction} />
          </li>
        ))}
      </ul>
      <div className="card mt-4">
        <Pager {...list.data} onPage={onPage} />
      </div>
    </>
  );
}
