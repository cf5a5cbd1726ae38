import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';

type Failing = RecordOf<'/operator/webhook/failing'>;

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;
/** The service stops counting here. */
const MOST_COUNTED = 10_000;

const COLUMNS: readonly Column<Failing>[] = [
  {
    key: 'merchant',
    header: 'Merchant',
    cell: (row) => (
      <div className="min-w-28">
        <Link
          to="/operator/merchants/$merchantId"
          params={{ merchantId: row.merchantId }}
          className="font-medium text-accent underline"
        >
          {row.businessName ?? row.merchantId}
        </Link>
        <p className="text-xs text-muted">{row.mode === 'LIVE' ? 'Live' : 'Sandbox'}</p>
        <div className="mt-1 flex flex-col gap-1 md:hidden">
          <Address row={row} />
          <LastAnswer call={row.lastCall} />
        </div>
      </div>
    ),
  },
  {
    key: 'address',
    header: 'Address',
    wideOnly: true,
    cell: (row) => (
      <div className="max-w-96 min-w-48">
        <Address row={row} />
      </div>
    ),
  },
  { key: 'last', header: 'Last answer', wideOnly: true, cell: (row) => <LastAnswer call={row.lastCall} /> },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'right',
    cell: ({ waiting }) => (
      <span className="figures">
        {waiting >= MOST_COUNTED ? `${formatCount(MOST_COUNTED)} or more` : formatCount(waiting)}
      </span>
    ),
  },
  { key: 'since', header: 'Since', wideOnly: true, cell: (row) => <Moment at={row.since} /> },
];

function Address({ row: { url, status, reason } }: { row: Failing }) {
  return (
    <div>
      <p className="text-xs break-all">{url}</p>
      {status === 'DISABLED' && <Status status="DISABLED" reason={reason} />}
    </div>
  );
}

function LastAnswer({ call }: { call: Failing['lastCall'] }) {
  if (call === null) return <span className="text-muted">Not called yet</span>;
  return (
    <div className="text-xs">
      <p>{call.statusCode === null ? (call.error ?? 'No answer came') : `HTTP ${call.statusCode}`}</p>
      <Moment at={call.at} className="text-muted" />
    </div>
  );
}

/** Merchants that do not hear what happens. The service goes on trying; the merchant has to correct the address. */
export function FailingWebhooksPage({
  page,
  onPage,
}: {
  page: ListPlace | undefined;
  onPage: (place: ListPlace | undefined) => void;
}) {
  const list = useList(
    '/operator/webhook/failing',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Failing webhooks"
      about="Addresses that do not accept their deliveries. The service keeps retrying; ask the merchant to correct the address and replay what was missed."
      caption="Failing webhook addresses"
      columns={COLUMNS}
      rowKey={(row) => `${row.merchantId}${row.mode}${row.url}`}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={CircleCheck} title="Every address accepts its deliveries">
          An address is listed here when a call to it fails, until the next one succeeds.
        </EmptyState>
      }
    />
  );
}
