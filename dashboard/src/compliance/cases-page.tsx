import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { DownloadButton } from '../components/download-button.tsx';
import { csvName } from '../components/file-name.ts';
import { ListPage } from '../components/list-page.tsx';
import { RowButton } from '../components/row-button.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { CaseDialog } from './case-dialog.tsx';
import { CASE_REASONS, CASE_STATES, type ComplianceCase } from './compliance-words.ts';
import type { CompliancePageProps } from './freezes-page.tsx';

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

/** Why payments and payouts are held, and what became of each. */
export function CasesPage({ page, onPage }: CompliancePageProps) {
  const [open, setOpen] = useState<ComplianceCase>();
  const list = useList(
    '/operator/compliance-case',
    { query: { ...atPlace(page), size: SIZE } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  return (
    <ListPage
      title="Held for review"
      about="Payments and payouts that a freeze, a list or a limit holds. The money is safe: what came in is in suspense, what was to leave is still in its wallet."
      actions={
        <DownloadButton address="/operator/compliance-case.csv" fileName={csvName(['compliance-cases'])}>
          Download CSV
        </DownloadButton>
      }
      columns={columnsOf(setOpen)}
      rowKey={({ caseId }) => caseId}
      list={list}
      onPage={onPage}
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
