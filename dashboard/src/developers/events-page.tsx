import { Link, useNavigate } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Filters } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { JsonView } from './code-block.tsx';
import { EventTypeFilter } from './event-type-filter.tsx';
import { type EventWindow, eventWindow } from './event-window.ts';

type Event = Data<'get', '/event'>['records'][number];

export interface EventsSearch {
  type?: string;
  /** The last sequence on the page; the newest without it. */
  before?: number;
  /** The sequence of the event that is open. */
  event?: number;
}

/** Everything that happened in the mode, newest first. */
export function EventsPage({ search }: { search: EventsSearch }) {
  const navigate = useNavigate();
  const endpoint = useRead('/webhook/endpoint', {}, { refetchInterval: 5_000 });
  const go = (next: EventsSearch) => void navigate({ to: '/developers/events', search: next });
  return (
    <>
      <PageHeader title="Events">
        Everything that happened, in order and without gaps. Webhooks carry the same data; a program can read them with{' '}
        <code className="font-mono text-xs">GET /event</code>.
      </PageHeader>
      <Filters>
        <EventTypeFilter value={search.type} onChange={(type) => go(type === undefined ? {} : { type })} />
      </Filters>
      {endpoint.data === undefined && endpoint.error !== null ? (
        <ErrorState error={endpoint.error} onRetry={endpoint.refetch} />
      ) : (
        <EventLog search={search} lastSequence={endpoint.data?.lastSequence} go={go} />
      )}
      <EventDialog sequence={search.event} onClose={() => go(withoutEvent(search))} />
    </>
  );
}

interface EventLogProps {
  search: EventsSearch;
  lastSequence: number | undefined;
  go: (next: EventsSearch) => void;
}

function EventLog({ search, lastSequence, go }: EventLogProps) {
  const { type, before } = search;
  const place = eventWindow(lastSequence ?? 0, before, type !== undefined);
  const query = { after: place.after, limit: place.limit, skipArchived: true, ...(type === undefined ? {} : { type }) };
  const { data, error, refetch } = useRead(
    '/event',
    { query },
    { enabled: lastSequence !== undefined, placeholderData: (kept) => kept as Data<'get', '/event'> },
  );
  return (
    <>
      <Table
        caption="Events"
        columns={columns(search)}
        rowKey={({ id }) => id}
        {...(data === undefined ? {} : { rows: data.records.toReversed() })}
        list={{ data: undefined, error, refetch }}
        empty={<NoEvents type={type} place={place} />}
      />
      <Places place={place} onGo={(next) => go({ ...withoutEvent(search), before: next })} />
    </>
  );
}

function columns(search: EventsSearch): Column<Event>[] {
  return [
    {
      key: 'type',
      header: 'Event',
      cell: ({ type, sequence, createdAt }) => (
        <>
          <Link
            to="/developers/events"
            search={{ ...search, event: sequence }}
            resetScroll={false}
            className="font-medium text-accent hover:underline"
          >
            {type}
          </Link>
          <p className="text-xs text-muted md:hidden">
            <Moment at={createdAt} show="exact" />
          </p>
        </>
      ),
    },
    {
      key: 'about',
      header: 'About',
      wideOnly: true,
      cell: ({ data }) => <span className="font-mono text-xs text-muted">{subjectOf(data)}</span>,
    },
    {
      key: 'at',
      header: 'When',
      align: 'right',
      wideOnly: true,
      cell: ({ createdAt }) => <Moment at={createdAt} show="exact" />,
    },
    {
      key: 'sequence',
      header: 'Number',
      align: 'right',
      wideOnly: true,
      cell: ({ sequence }) => <span className="figures">{formatCount(sequence)}</span>,
    },
  ];
}

/** What the event is about, by the name that its data give it. */
function subjectOf(data: unknown): string {
  const names = ['reference', 'batchReference', 'transactionId', 'scheduleId', 'storeId', 'subaccountId', 'approvalId'];
  const values = (data ?? {}) as Record<string, unknown>;
  const found = names.map((name) => values[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : '';
}

function withoutEvent({ event: _event, ...rest }: EventsSearch): EventsSearch {
  return rest;
}

function Places({ place, onGo }: { place: EventWindow; onGo: (before: number) => void }) {
  const { earlier, later, after, last } = place;
  if (earlier === undefined && later === undefined) return null;
  return (
    <nav aria-label="Pages" className="mt-3 flex items-center justify-between gap-4 text-xs text-muted">
      <Button size="small" disabled={later === undefined} onClick={() => later !== undefined && onGo(later)}>
        Later
      </Button>
      <span className="figures">
        Numbers {formatCount(after + 1)} to {formatCount(last)}
      </span>
      <Button size="small" disabled={earlier === undefined} onClick={() => earlier !== undefined && onGo(earlier)}>
        Earlier
      </Button>
    </nav>
  );
}

function NoEvents({ type, place }: { type: string | undefined; place: EventWindow }) {
  if (type !== undefined && place.last > 0) {
    return (
      <EmptyState icon={Radio} title={`No ${type} here`}>
        There is none among the events {formatCount(place.after + 1)} to {formatCount(place.last)}.
        {place.earlier !== undefined && ' Look at earlier ones below.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Radio}
      title="Nothing happened yet"
      action={
        <ButtonLink to="/payouts" look="primary">
          New payout
        </ButtonLink>
      }
    >
      Each payout, batch and movement writes what happened here. In the sandbox you can try it with test money.
    </EmptyState>
  );
}

/** One event as it is sent. @param sequence undefined while none is open. */
function EventDialog({ sequence, onClose }: { sequence: number | undefined; onClose: () => void }) {
  return sequence === undefined ? null : <OpenEventDialog sequence={sequence} onClose={onClose} />;
}

function OpenEventDialog({ sequence, onClose }: { sequence: number; onClose: () => void }) {
  const { data, error, refetch } = useRead('/event', { query: { after: sequence - 1, limit: 1 } });
  const event = data?.records[0];
  return (
    <Dialog open kind="side" onClose={onClose} title={event?.type ?? `Event ${sequence}`}>
      {event !== undefined ? (
        <div className="flex flex-col gap-3">
          <p className="text-muted">
            Number {event.sequence}, <Moment at={event.createdAt} show="exact" utc />
          </p>
          <EventSubject type={event.type} data={event.data} />
          <JsonView value={event} what="event" />
        </div>
      ) : data !== undefined ? (
        <p>There is no event with the number {sequence}.</p>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : (
        <Skeleton className="h-64 w-full rounded-control" />
      )}
    </Dialog>
  );
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Leads from an event to the page of what it is about; nothing where that has no page. */
function EventSubject({ type, data }: { type: string; data: unknown }) {
  const values = (data ?? {}) as Record<string, unknown>;
  const shared = { size: 'small', className: 'self-start' } as const;
  const [transactionId, batchReference] = [text(values['transactionId']), text(values['batchReference'])];
  const [storeId, subaccountId] = [text(values['storeId']), text(values['subaccountId'])];
  const approvalId = text(values['approvalId']);
  if (type.startsWith('approval.') && approvalId !== undefined) {
    return (
      <ButtonLink {...shared} to="/approvals/$approvalId" params={{ approvalId }}>
        Open the approval
      </ButtonLink>
    );
  }
  if (type.startsWith('batch.') && batchReference !== undefined) {
    return (
      <ButtonLink {...shared} to="/bulk/$batchReference" params={{ batchReference }}>
        Open the bulk payout
      </ButtonLink>
    );
  }
  if (transactionId !== undefined) {
    return (
      <ButtonLink {...shared} to="/transactions/$transactionId" params={{ transactionId }}>
        Open the transaction
      </ButtonLink>
    );
  }
  if (type.startsWith('store.') && storeId !== undefined) {
    return (
      <ButtonLink {...shared} to="/stores/$storeId" params={{ storeId }}>
        Open the store
      </ButtonLink>
    );
  }
  if (type.startsWith('subaccount.') && subaccountId !== undefined) {
    return (
      <ButtonLink {...shared} to="/subaccounts/$subaccountId" params={{ subaccountId }}>
        Open the subaccount
      </ButtonLink>
    );
  }
  return null;
}
