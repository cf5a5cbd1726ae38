import { useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { atPlace, filtersOf, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { PersonFilter } from '../people/person-filter.tsx';
import {
  type AuditEntry,
  auditColumns,
  CATEGORY_OPTIONS,
  isCategory,
  isOutcome,
  OUTCOME_OPTIONS,
} from './audit-columns.tsx';
import { AuditEntryDialog } from './audit-entry-dialog.tsx';

export type AuditSearch = ListSearch<'person' | 'action' | 'category' | 'outcome' | 'from' | 'to'>;

/** Who did what for the business, when and from where. */
export function AuditPage({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<AuditEntry>();
  const { page, category, outcome } = search;
  const named = filtersOf(search, 'person', 'action', 'from', 'to');
  const filters = {
    ...named,
    ...(isCategory(category) ? { category } : {}),
    ...(isOutcome(outcome) ? { outcome } : {}),
  };
  const list = useList('/audit', { query: { ...filters, once: true, ...atPlace(page), size: 50 } });
  const change = (next: { [K in keyof AuditSearch]?: AuditSearch[K] | undefined }) =>
    void navigate({ to: '/settings/audit', search: { ...search, page: undefined, ...next } as AuditSearch });
  const filtered = Object.keys(filters).length > 0;

  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <DownloadButton address={`/audit.csv?${new URLSearchParams(filters)}`} fileName="audit.csv">
            Download as CSV
          </DownloadButton>
        }
      >
        Who did what, when and from where, in the sandbox and live. Nobody can change or delete an entry, not even we.
      </PageHeader>
      <Filters>
        <SearchFilter
          label="What was done"
          placeholder="payout, key, role…"
          value={filters.action}
          onChange={(action) => change({ action })}
        />
        <PersonFilter label="Who" value={filters.person} onChange={(person) => change({ person })} />
        <SelectFilter
          label="Kind"
          all="All"
          options={CATEGORY_OPTIONS}
          value={filters.category}
          onChange={(next) => change({ category: next })}
        />
        <SelectFilter
          label="Outcome"
          all="All"
          options={OUTCOME_OPTIONS}
          value={filters.outcome}
          onChange={(next) => change({ outcome: next })}
        />
        <DayFilter label="From" value={filters.from} onChange={(from) => change({ from })} />
        <DayFilter label="To" value={filters.to} onChange={(to) => change({ to })} />
      </Filters>
      <Table
        caption="Audit log"
        columns={auditColumns(setOpen)}
        rowKey={({ entryId }) => entryId}
        list={list}
        onPage={(next) => change({ page: next })}
        empty={
          <EmptyState icon={ScrollText} title={filtered ? 'Nothing fits these filters' : 'Nothing was done yet'}>
            {filtered
              ? 'Take a filter away to see more.'
              : 'Everything that somebody changes here, signs in to or is refused is written down, and who opened a secret or a document.'}
          </EmptyState>
        }
      />
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
