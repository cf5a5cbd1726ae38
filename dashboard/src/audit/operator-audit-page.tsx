import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { DayFilter, Filters, SearchFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { withoutAnswered } from './answered.ts';
import { auditColumns } from './audit-columns.tsx';
import { AuditEntryDialog } from './audit-entry-dialog.tsx';

type Entry = RecordOf<'/operator/audit'>;
type Search = ListSearch<'merchantId' | 'person' | 'action' | 'from' | 'to'>;

const SIZE = 50;

const MERCHANT: Column<Entry> = {
  key: 'merchant',
  header: 'Merchant',
  wideOnly: true,
  cell: ({ merchantId, businessName }) =>
    merchantId === null ? (
      <span className="text-muted">Operator</span>
    ) : (
      <Link to="/operator/merchants/$merchantId" params={{ merchantId }} className="text-accent underline">
        {businessName ?? merchantId}
      </Link>
    ),
};

export interface OperatorAuditPageProps {
  search: Search;
  onChange: (change: { [K in keyof Search]?: Search[K] | undefined }) => void;
}

/** Who did what, whoever's log it is in. */
export function OperatorAuditPage({ search, onChange }: OperatorAuditPageProps) {
  const [open, setOpen] = useState<Entry>();
  const { page = 1, ...filters } = search;
  const list = useList('/operator/audit', { query: { ...filters, page, size: SIZE } });
  const shown = list.data && { ...list.data, records: withoutAnswered(list.data.records) };
  const given = Object.entries(filters).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <DownloadButton address={`/operator/audit.csv?${new URLSearchParams(given)}`} fileName="audit.csv">
            Download as CSV
          </DownloadButton>
        }
      >
        What people did, of all merchants and of the operator, and from where. Nobody can change or delete an entry.
      </PageHeader>
      <Filters>
        <SearchFilter
          label="What was done"
          placeholder="payout, key, role…"
          value={filters.action}
          onChange={(action) => onChange({ action })}
        />
        <SearchFilter
          label="Merchant"
          placeholder="Id of a merchant"
          value={filters.merchantId}
          onChange={(merchantId) => onChange({ merchantId })}
        />
        <DayFilter label="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter label="To" value={filters.to} onChange={(to) => onChange({ to })} />
      </Filters>
      <Table
        caption="Audit log"
        columns={[...(auditColumns((entry) => setOpen(entry as Entry)) as Column<Entry>[]), MERCHANT]}
        rowKey={({ entryId }) => entryId}
        list={{ data: shown, error: list.error, isPlaceholderData: list.isPlaceholderData, refetch: list.refetch }}
        onPage={(next) => onChange({ page: next })}
        empty={
          <EmptyState icon={ScrollText} title="No entry">
            Everything that somebody changes, signs in to or is refused is written down here.
          </EmptyState>
        }
      />
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
