import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp, Scale } from 'lucide-react';
import { useState } from 'react';
import { atPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { railsText } from '../operator/rails.ts';
import { DecideFilter, NothingToDecide, type SettlementListProps } from '../reconciliation/decide-filter.tsx';
import { type ProviderSettlement, STEPS } from './line-words.ts';
import { RecordDialog } from './record-dialog.tsx';

const SIZE = 50;
/** Files are recorded by others, and providers are asked by the service. */
const LOOK_EVERY_MS = 30_000;

const COLUMNS: readonly Column<ProviderSettlement>[] = [
  {
    key: 'reference',
    header: 'Settlement',
    cell: (row) => (
      <div className="min-w-36">
        <Link
          to="/operator/provider-settlements/$settlementId"
          params={{ settlementId: row.settlementId }}
          className="font-medium break-all text-accent underline"
        >
          {row.reference}
        </Link>
        <p className="text-xs text-muted">{railsText([row.rail], row.mode)}</p>
        <p className="text-xs md:hidden">
          <Amount value={row.lumpSum} />
        </p>
      </div>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ status, unresolved }) =>
      status === 'DONE' && unresolved > 0 ? (
        <Badge tone="warn">{formatCount(unresolved)} to look into</Badge>
      ) : (
        <Badge tone={STEPS[status].tone}>{STEPS[status].word}</Badge>
      ),
  },
  { key: 'sum', header: 'Settled', align: 'right', wideOnly: true, cell: ({ lumpSum }) => <Amount value={lumpSum} /> },
  {
    key: 'difference',
    header: 'Difference',
    align: 'right',
    wideOnly: true,
    cell: ({ difference }) => <Amount value={difference} />,
  },
  { key: 'on', header: 'On', wideOnly: true, cell: ({ settledOn }) => <Moment at={settledOn} show="day" /> },
  {
    key: 'by',
    header: 'Recorded by',
    wideOnly: 'xl',
    cell: ({ importedBy }) => (
      <span className="wrap-anywhere">{importedBy === 'system' ? 'Fetched from the provider' : importedBy}</span>
    ),
  },
  { key: 'at', header: 'When', wideOnly: 'xl', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** What providers settled of money in. */
export function ProviderSettlementsPage({ search: { page, show }, onSearch }: SettlementListProps) {
  const navigate = useNavigate();
  const [recording, setRecording] = useState(false);
  const list = useList(
    '/operator/provider-settlement',
    { query: { ...atPlace(page), size: SIZE, needsDecision: show === 'decide' } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const take = (
    <Button look="primary" icon={FileUp} onClick={() => setRecording(true)}>
      Record a settlement
    </Button>
  );
  return (
    <ListPage
      title="Provider settlements"
      actions={
        <>
          <Button onClick={() => void navigate({ to: '/operator/provider-settlements/fetched' })}>Fetched</Button>
          {take}
        </>
      }
      about="What providers settled of money in: a lump sum, and the file that says of which payments. One person records it, another applies it."
      caption="Settlements of providers, newest first"
      columns={COLUMNS}
      rowKey={(row) => row.settlementId}
      list={list}
      filters={<DecideFilter show={show} onSearch={onSearch} />}
      onPage={(next) => onSearch({ page: next })}
      empty={
        show === 'decide' ? (
          <NothingToDecide />
        ) : (
          <EmptyState icon={Scale} title="No settlement was recorded yet" action={take}>
            Providers settle a day's payments in a lump, less their fee. Record each with its file: it finds what was
            confirmed and not settled, and what does not add up.
          </EmptyState>
        )
      }
    >
      {recording && <RecordDialog onClose={() => setRecording(false)} />}
    </ListPage>
  );
}
