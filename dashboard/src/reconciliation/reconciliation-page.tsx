import { Link } from '@tanstack/react-router';
import { FileUp, Scale } from 'lucide-react';
import { useState } from 'react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { railsText } from '../operator/rails.ts';
import { DecideFilter, NothingToDecide, type SettlementListProps } from './decide-filter.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { type Settlement, STEPS } from './line-words.ts';

const SIZE = 50;

const COLUMNS: readonly Column<Settlement>[] = [
  {
    key: 'file',
    header: 'File',
    cell: (row) => (
      <div className="min-w-32">
        <Link
          to="/operator/reconciliation/$importId"
          params={{ importId: row.importId }}
          className="font-medium break-all text-accent underline"
        >
          {row.fileName}
        </Link>
        <p className="text-xs text-muted">{railsText([row.rail], row.mode)}</p>
        <p className="figures text-xs text-muted md:hidden">
          {formatCount(row.lineCount)} {row.lineCount === 1 ? 'line' : 'lines'}
        </p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ status, unresolved }) =>
      status === 'DONE' && unresolved > 0 ? (
        <Badge tone="warn">{formatCount(unresolved)} to decide</Badge>
      ) : (
        <Badge tone={STEPS[status].tone}>{STEPS[status].word}</Badge>
      ),
  },
  {
    key: 'lines',
    header: 'Lines',
    align: 'right',
    wideOnly: true,
    cell: ({ lineCount }) => <span className="figures">{formatCount(lineCount)}</span>,
  },
  {
    key: 'period',
    header: 'Covers',
    wideOnly: true,
    cell: ({ periodFrom, periodTo }) => (
      <span className="text-xs">
        <Moment at={periodFrom} show="day" /> to <Moment at={periodTo} show="day" />
      </span>
    ),
  },
  { key: 'by', header: 'Imported by', wideOnly: true, cell: ({ importedBy }) => importedBy },
  { key: 'at', header: 'When', wideOnly: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** The rails' own files beside the books. */
export function ReconciliationPage({ search: { page, show }, onSearch }: SettlementListProps) {
  const [importing, setImporting] = useState(false);
  const list = useList('/operator/settlement', {
    query: { ...atPlace(page), size: SIZE, needsDecision: show === 'decide' },
  });
  const take = (
    <Button look="primary" icon={FileUp} onClick={() => setImporting(true)}>
      Import a file
    </Button>
  );
  return (
    <ListPage
      title="Reconciliation"
      actions={take}
      about="Settlement files of the rails, compared with the books line by line. What agrees is settled; what differs waits for a decision."
      caption="Settlement files"
      columns={COLUMNS}
      rowKey={(row) => row.importId}
      list={list}
      filters={<DecideFilter show={show} onSearch={onSearch} />}
      onPage={(next) => onSearch({ page: next })}
      empty={
        show === 'decide' ? (
          <NothingToDecide />
        ) : (
          <EmptyState icon={Scale} title="No file was imported yet" action={take}>
            Every provider offers its settlements as a CSV file. Import each day's: it finds what was paid and is not in
            the books, and what the books say was paid and was not.
          </EmptyState>
        )
      }
    >
      {importing && <ImportDialog onClose={() => setImporting(false)} />}
    </ListPage>
  );
}
