import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { atPlace, filtersOf, type ListSearch } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import type { Input } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { MerchantFilter } from '../components/merchant-picker.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { MODES } from '../format/modes.ts';
import { CaseDialog } from './case-dialog.tsx';
import { CASE_REASONS, CASE_STATES, type ComplianceCase } from './compliance-words.ts';

const SIZE = 50;
const LOOK_EVERY_MS = 30_000;

const columnsOf = (onOpen: (found: ComplianceCase) => void): readonly Column<ComplianceCase>[] => [
  {
    key: 'who',
    header: 'Payer or payee',
    cell: (row) => (
      <div className="max-w-72 min-w-32">
        <RowButton onOpen={() => onOpen(row)}>{row.partyName ?? row.subjectId}</RowButton>
        <p className="text-xs text-muted">
          {row.subjectType === 'PAYMENT' ? 'pays' : 'is paid by'} {row.businessName ?? row.merchantId}
        </p>
        <p className="text-xs">{CASE_REASONS[row.reason]}</p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ status, proposal }) => (
      <div className="space-y-1">
        <Badge tone={CASE_STATES[status].tone}>{CASE_STATES[status].word}</Badge>
        {proposal !== null && <p className="text-xs">Release is proposed</p>}
      </div>
    ),
  },
  {
    key: 'amount',
    header: 'Amount',
    align: 'right',
    cell: ({ amount }) => (amount === null ? '' : <Amount value={amount} />),
  },
  { key: 'since', header: 'Since', wideOnly: true, cell: ({ openedAt }) => <Moment at={openedAt} /> },
];

type Query = NonNullable<Input<'get', '/operator/compliance-case'>['query']>;

/** In the address the mode is `only`: `mode` is that of the page. */
export type CasesSearch = ListSearch<'merchantId' | 'only' | 'status' | 'freezeId'>;

interface CasesPageProps {
  search: CasesSearch;
  onSearch: (change: { [K in keyof CasesSearch]?: CasesSearch[K] | undefined }) => void;
}

const STATES = Object.entries(CASE_STATES).map(([value, { word }]) => ({ value, label: word }));

/** Why payments and payouts are held, and what became of each. */
export function CasesPage({ search, onSearch }: CasesPageProps) {
  const [open, setOpen] = useState<ComplianceCase>();
  const { page, merchantId, only, status, freezeId } = search;
  const filters: Record<string, string> = {
    ...filtersOf(search, 'merchantId', 'status', 'freezeId'),
    ...(only !== undefined && { mode: only }),
  };
  const onFilter: CasesPageProps['onSearch'] = (change) => onSearch({ ...change, page: undefined });
  const list = useList(
    '/operator/compliance-case',
    { query: { ...(filters as Query), ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Held for review"
      about="Payments and payouts that a freeze, a list or a limit holds. The money is safe: what came in is in suspense, what was to leave is still in its wallet."
      actions={
        <DownloadButton
          address={`/operator/compliance-case.csv?${new URLSearchParams(filters)}`}
          fileName={csvName(['compliance-cases'])}
        >
          Download CSV
        </DownloadButton>
      }
      filters={
        <>
          <MerchantFilter value={merchantId} onChange={(next) => onFilter({ merchantId: next })} />
          <SelectFilter
            label="State"
            all="All states"
            options={STATES}
            value={status}
            onChange={(next) => onFilter({ status: next })}
          />
          <SelectFilter
            label="Mode"
            all="Live and sandbox"
            options={MODES}
            value={only}
            onChange={(next) => onFilter({ only: next })}
          />
        </>
      }
      note={
        freezeId !== undefined && (
          <div className="card mb-4 flex flex-wrap items-center justify-between gap-3 p-4 text-sm">
            <p>Only what one freeze holds, or held.</p>
            <Button onClick={() => onFilter({ freezeId: undefined })}>Show all</Button>
          </div>
        )
      }
      isFiltered={Object.keys(filters).length > 0}
      columns={columnsOf(setOpen)}
      rowKey={({ caseId }) => caseId}
      list={list}
      onPage={(next) => onSearch({ page: next })}
      rowClass={({ status }) => (status === 'OPEN' ? undefined : 'text-muted')}
      empty={
        <EmptyState icon={ShieldAlert} title="Nothing is held">
          Payments and payouts that a freeze, a screening list or a limit stops are listed here.
        </EmptyState>
      }
    >
      {open !== undefined && <CaseDialog found={open} onClose={() => setOpen(undefined)} />}
    </ListPage>
  );
}
