import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { atPlace, filtersOf, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { auditColumns, CATEGORY_OPTIONS, isCategory, isOutcome, OUTCOME_OPTIONS } from './audit-columns.tsx';
import { AuditEntryDialog } from './audit-entry-dialog.tsx';

type Entry = RecordOf<'/operator/audit'>;
type Search = ListSearch<'merchantId' | 'person' | 'action' | 'category' | 'outcome' | 'from' | 'to'>;

const SIZE = 50;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  const { page, category, outcome, merchantId } = search;
  const isId = merchantId !== undefined && ID.test(merchantId);
  const named = filtersOf(search, 'person', 'action', 'from', 'to');
  const filters = {
    ...named,
    ...(isId ? { merchantId } : {}),
    ...(isCategory(category) ? { category } : {}),
    ...(isOutcome(outcome) ? { outcome } : {}),
  };
  const list = useList('/operator/audit', { query: { ...filters, once: true, ...atPlace(page), size: SIZE } });
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <DownloadButton address={`/operator/audit.csv?${new URLSearchParams(filters)}`} fileName="audit.csv">
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
          value={merchantId}
          onChange={(next) => onChange({ merchantId: next })}
        />
        <SelectFilter
          label="Kind"
          all="All"
          options={CATEGORY_OPTIONS}
          value={filters.category}
          onChange={(next) => onChange({ category: next })}
        />
        <SelectFilter
          label="Outcome"
          all="All"
          options={OUTCOME_OPTIONS}
          value={filters.outcome}
          onChange={(next) => onChange({ outcome: next })}
        />
        <DayFilter label="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter label="To" value={filters.to} onChange={(to) => onChange({ to })} />
      </Filters>
      {merchantId !== undefined && !isId && (
        <Alert tone="info" className="mb-4">
          {merchantId} is no id of a merchant, so all are shown. The id stands on the merchant’s page, to copy.
        </Alert>
      )}
      <Table
        caption="Audit log"
        columns={[...(auditColumns((entry) => setOpen(entry as Entry)) as Column<Entry>[]), MERCHANT]}
        rowKey={({ entryId }) => entryId}
        list={list}
        onPage={(next) => onChange({ page: next })}
        empty={
          <EmptyState icon={ScrollText} title="No entry">
            Everything that somebody changes, signs in to or is refused is written down here, and who looked at whose
            details.
          </EmptyState>
        }
      />
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
