import { Link, useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { ButtonLink } from '../components/button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { EventTypeFilter } from '../developers/event-type-filter.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

type Row = RecordOf<'/webhook/delivery'>;
type Search = ListSearch<'status' | 'type'>;

const STATUSES = [
  { value: 'PENDING', label: 'Retrying' },
  { value: 'DELIVERED', label: 'Delivered' },
  { value: 'FAILED', label: 'Abandoned' },
];

/** The delivery of each event. */
export function DeliveriesPage({ search }: { search: Search }) {
  const navigate = useNavigate();
  const { page, status, type } = search;
  const list = useList(
    '/webhook/delivery',
    {
      query: {
        ...atPlace(page),
        size: 25,
        ...(status === undefined ? {} : { status: status as Row['status'] }),
        ...(type === undefined ? {} : { type }),
      },
    },
    { refetchInterval: 5_000 },
  );
  const change = (next: Search) =>
    void navigate({
      to: '/developers/deliveries',
      search: (before) => ({ mode: before.mode, ...search, page: undefined, ...next }),
    });

  return (
    <ListPage
      title="Deliveries"
      about="Every call to your address: what was answered, when it is retried, and sending it again."
      filters={
        <>
          <SelectFilter
            label="State"
            all="All"
            options={STATUSES}
            value={status}
            onChange={(next) => change({ status: next })}
          />
          <EventTypeFilter value={type} onChange={(next) => change({ type: next })} />
        </>
      }
      columns={COLUMNS}
      rowKey={({ id }) => id}
      list={list}
      onPage={(next) => change({ page: next })}
      isFiltered={status !== undefined || type !== undefined}
      empty={<NoDeliveries />}
    />
  );
}

const COLUMNS: Column<Row>[] = [
  {
    key: 'event',
    header: 'Event',
    cell: ({ id, type, sequence }) => (
      <>
        <Link
          to="/developers/deliveries/$deliveryId"
          params={{ deliveryId: id }}
          className="font-medium text-accent hover:underline"
        >
          {type}
        </Link>
        <p className="figures text-xs text-muted">number {sequence}</p>
      </>
    ),
  },
  { key: 'status', header: 'State', cell: (row) => <DeliveryStatus row={row} /> },
  {
    key: 'answer',
    header: 'Last answer',
    wideOnly: true,
    cell: ({ lastAttempt }) => lastAttempt.statusCode ?? lastAttempt.error ?? '–',
  },
  {
    key: 'calls',
    header: 'Calls',
    align: 'right',
    wideOnly: true,
    cell: ({ attempts }) => <span className="figures">{attempts}</span>,
  },
  {
    key: 'at',
    header: 'Last call',
    align: 'right',
    wideOnly: true,
    cell: ({ lastAttempt }) => <Moment at={lastAttempt.startedAt} />,
  },
];

function NoDeliveries() {
  return (
    <EmptyState
      icon={Send}
      title="Nothing was sent yet"
      action={
        <ButtonLink to="/developers/webhooks" look="primary">
          Set the address
        </ButtonLink>
      }
    >
      When something happens, such as a payout that ends, we call your address and list it here with what it answered.
    </EmptyState>
  );
}
