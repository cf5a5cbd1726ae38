import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { RecordOf } from '../api/types.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { Section } from '../components/page-header.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { startOfLagosDay } from '../format/time.ts';

type Kept = RecordOf<'/collection/reserve/payment'>;

const COLUMNS: readonly Column<Kept>[] = [
  {
    key: 'payment',
    header: 'Payment of',
    cell: ({ paymentId, keptAt }) => (
      <Link to="/collections" search={{ payment: paymentId }} className="font-medium text-accent underline">
        <Moment at={keptAt} />
      </Link>
    ),
  },
  {
    key: 'day',
    header: 'Comes back on',
    cell: ({ releaseOn }) => <Moment at={startOfLagosDay(releaseOn)} show="day" />,
  },
  { key: 'amount', header: 'Kept', align: 'right', cell: ({ amount }) => <Amount value={amount} /> },
];

/** What is kept of each payment, and on which day it comes back. */
export function KeptPayments() {
  const mode = useMode();
  const [place, setPlace] = useState<ListPlace>();
  const list = useList('/collection/reserve/payment', { query: { status: 'KEPT', size: 25, ...atPlace(place) } });
  if (place === undefined && list.data?.records.length === 0) return null;
  return (
    <div className="mt-8">
      <Section
        title="Payment by payment"
        actions={
          <DownloadButton address="/collection/reserve/payment.csv?status=KEPT" fileName={csvName(['reserves', mode])}>
            Download CSV
          </DownloadButton>
        }
        bare
      >
        <Table
          caption="What is kept of each payment, the newest first"
          columns={COLUMNS}
          rowKey={({ paymentId }) => paymentId}
          list={list}
          onPage={setPlace}
          empty={null}
        />
      </Section>
    </div>
  );
}
