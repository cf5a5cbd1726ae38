import { Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { RecordOf } from '../api/types.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { EmptyState } from '../components/states.tsx';
import type { Column } from '../components/table.tsx';
import { AuditEntryDialog, AuditFilters, auditColumns, auditFiltersOf } from './audit-log.tsx';

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

/** Who did what, in all logs. */
export function OperatorAuditPage({ search, onChange }: OperatorAuditPageProps) {
  const [open, setOpen] = useState<Entry>();
  const { page, merchantId } = search;
  const isId = merchantId !== undefined && ID.test(merchantId);
  const filters = { ...auditFiltersOf(search), ...(isId ? { merchantId } : {}) };
  const list = useList('/operator/audit', { query: { ...filters, once: true, ...atPlace(page), size: SIZE } });
  return (
    <ListPage
      title="Audit log"
      actions={
        <DownloadButton
          address={`/operator/audit.csv?${new URLSearchParams(filters)}`}
          fileName={csvName(['audit'], filters)}
        >
          Download CSV
        </DownloadButton>
      }
      about="What people did, of all merchants and of the operator, and from where. Nobody can change or delete an entry."
      filters={
        <AuditFilters search={filters} onChange={onChange}>
          <MerchantFilter value={isId ? merchantId : undefined} onChange={(next) => onChange({ merchantId: next })} />
        </AuditFilters>
      }
      columns={[...(auditColumns((entry) => setOpen(entry as Entry)) as Column<Entry>[]), MERCHANT]}
      rowKey={({ entryId }) => entryId}
      list={list}
      onPage={(next) => onChange({ page: next })}
      empty={
        <EmptyState icon={ScrollText} title="No entry">
          Everything that somebody changes, signs in to or is refused is recorded here, and who looked at whose details.
        </EmptyState>
      }
    >
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </ListPage>
  );
}
