import { useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { PersonFilter } from '../people/person-filter.tsx';
import { type AuditEntry, AuditEntryDialog, AuditFilters, auditColumns, auditFiltersOf } from './audit-log.tsx';

export type AuditSearch = ListSearch<'person' | 'action' | 'category' | 'outcome' | 'from' | 'to'>;

/** Who did what for the business, when and from where. */
export function AuditPage({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<AuditEntry>();
  const { page } = search;
  const filters = auditFiltersOf(search);
  const list = useList('/audit', { query: { ...filters, once: true, ...atPlace(page), size: 50 } });
  const change = (next: { [K in keyof AuditSearch]?: AuditSearch[K] | undefined }) =>
    void navigate({ to: '/settings/audit', search: { ...search, page: undefined, ...next } as AuditSearch });
  const filtered = Object.keys(filters).length > 0;

  return (
    <ListPage
      title="Audit log"
      actions={
        <DownloadButton address={`/audit.csv?${new URLSearchParams(filters)}`} fileName={csvName(['audit'], filters)}>
          Download CSV
        </DownloadButton>
      }
      about="Who did what, when and from where, in the sandbox and live. Nobody can change or delete an entry, not even us."
      filters={
        <AuditFilters search={filters} onChange={change}>
          <PersonFilter label="Who" value={filters.person} onChange={(person) => change({ person })} />
        </AuditFilters>
      }
      columns={auditColumns(setOpen)}
      rowKey={({ entryId }) => entryId}
      list={list}
      isFiltered={filtered}
      onPage={(next) => change({ page: next })}
      empty={
        <EmptyState icon={ScrollText} title="No entries yet">
          Everything that somebody changes here, signs in to or is refused is recorded, and who opened a secret or a
          document.
        </EmptyState>
      }
    >
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </ListPage>
  );
}
