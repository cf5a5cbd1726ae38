import { useNavigate } from '@tanstack/react-router';
import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { downloadFile } from '../api/download.ts';
import { messageOf } from '../api/errors.ts';
import type { ListSearch } from '../api/list-search.ts';
import { useMode } from '../api/mode.ts';
import { useList, useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { DayFilter, Filters, SearchFilter, SelectFilter } from '../components/filters.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { EmptyState } from '../components/states.tsx';
import { Table } from '../components/table.tsx';
import { toast } from '../components/toast.tsx';
import { withoutAnswered } from './answered.ts';
import { type AuditEntry, auditColumns } from './audit-columns.tsx';
import { AuditEntryDialog } from './audit-entry-dialog.tsx';

export type AuditSearch = ListSearch<'person' | 'action' | 'from' | 'to'>;

/** Who did what for the business, when and from where. */
export function AuditPage({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<AuditEntry>();
  const { page = 1, ...filters } = search;
  const list = useList('/audit', { query: { ...filters, page, size: 50 } });
  const change = (next: { [K in keyof AuditSearch]?: AuditSearch[K] | undefined }) =>
    void navigate({ to: '/settings/audit', search: { ...search, page: undefined, ...next } as AuditSearch });
  const shown = list.data === undefined ? undefined : { ...list.data, records: withoutAnswered(list.data.records) };
  const filtered = Object.keys(filters).length > 0;

  return (
    <>
      <PageHeader title="Audit log" actions={<CsvButton filters={filters} />}>
        Who did what, when and from where, in the sandbox and live. Nobody can change or delete an entry, not even we.
      </PageHeader>
      <Filters>
        <SearchFilter
          label="What was done"
          placeholder="payout, key, role…"
          value={filters.action}
          onChange={(action) => change({ action })}
        />
        <PersonFilter value={filters.person} onChange={(person) => change({ person })} />
        <DayFilter label="From" value={filters.from} onChange={(from) => change({ from })} />
        <DayFilter label="To" value={filters.to} onChange={(to) => change({ to })} />
      </Filters>
      <Table
        caption="Audit log"
        columns={auditColumns(setOpen)}
        rowKey={({ entryId }) => entryId}
        list={{ data: shown, error: list.error, isPlaceholderData: list.isPlaceholderData, refetch: list.refetch }}
        onPage={(next) => change({ page: next })}
        empty={
          <EmptyState icon={ScrollText} title={filtered ? 'Nothing fits these filters' : 'Nothing was done yet'}>
            {filtered
              ? 'Take a filter away to see more.'
              : 'Everything that somebody changes here, signs in to or is refused is written down.'}
          </EmptyState>
        }
      />
      <AuditEntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

interface PersonFilterProps {
  value: string | undefined;
  onChange: (personId: string | undefined) => void;
}

function PersonFilter({ value, onChange }: PersonFilterProps) {
  const { data = [] } = useRead('/member', {});
  const options = data
    .filter(({ status }) => status !== 'INVITED')
    .map(({ personId, firstName, lastName, email }) => ({
      value: personId,
      label: `${firstName} ${lastName}`.trim() || email,
    }));
  return <SelectFilter label="Who" all="Everybody" options={options} value={value} onChange={onChange} />;
}

function CsvButton({ filters }: { filters: Record<string, string | undefined> }) {
  const mode = useMode();
  const [busy, setBusy] = useState(false);

  async function save(): Promise<void> {
    const given = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    setBusy(true);
    try {
      await downloadFile(`/audit.csv?${new URLSearchParams(given)}`, mode, 'audit.csv');
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button icon={Download} busy={busy} onClick={() => void save()}>
      Download as CSV
    </Button>
  );
}
