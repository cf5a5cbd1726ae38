import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { DecideLine, LineAmount, LineDecision, LineFilters, LineHead, LineResult } from '../components/file-lines.tsx';
import { ListPage } from '../components/list-page.tsx';
import { PayoutLink } from '../components/operator-links.tsx';
import { EmptyState } from '../components/states.tsx';
import { Status } from '../components/status.tsx';
import type { Column } from '../components/table.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { formatCount } from '../format/money.ts';
import { type Line, RESOLUTIONS, RESULTS, type LineResult as Result } from './line-words.ts';
import { ResolveAllDialog, ResolveDialog } from './resolve-dialogs.tsx';

const SIZE = 100;
const STATES = [
  { value: 'OPEN', label: 'To decide' },
  { value: 'RESOLVED', label: 'Decided' },
] as const;
const RESULT_OPTIONS = Object.entries(RESULTS).map(([value, { word }]) => ({ value, label: word }));

export interface SettlementFilters {
  state?: 'OPEN' | 'RESOLVED' | undefined;
  result?: Result | undefined;
}

export interface SettlementPageProps {
  importId: string;
  page: ListPlace | undefined;
  filters: SettlementFilters;
  onPage: (place: ListPlace | undefined) => void;
  onFilter: (change: { state?: string | undefined; result?: string | undefined }) => void;
}

/** The lines of one file, and what came of each. */
export function SettlementPage({ importId, page, filters, onPage, onFilter }: SettlementPageProps) {
  const [line, setLine] = useState<Line>();
  const [decidingAll, setDecidingAll] = useState(false);
  const list = useList('/operator/settlement/{importId}/line', {
    path: { importId },
    query: { ...atPlace(page), size: SIZE, ...filters },
  });
  const { state, result } = filters;
  // Counted where the list begins.
  const count = list.data?.totalRecords ?? 0;
  const alike = state === 'OPEN' && count > 1 && !list.isPlaceholderData ? result : undefined;
  const all = <Button onClick={() => setDecidingAll(true)}>Decide about all {formatCount(count)}</Button>;
  return (
    <ListPage
      title="Settlement file"
      back={{ label: 'All files', to: '/operator/reconciliation' }}
      actions={alike === undefined ? undefined : all}
      about="Each line of the rail's file beside the books. What the file lacks comes last."
      filters={<LineFilters states={STATES} results={RESULT_OPTIONS} filters={filters} onFilter={onFilter} />}
      caption="Lines of the file"
      columns={lineColumns(setLine)}
      rowKey={(row) => row.lineId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={CircleCheck} title="No such line">
          {filters.state === 'OPEN' ? 'Everything that differed is decided.' : 'Remove a filter to see more.'}
        </EmptyState>
      }
    >
      {decidingAll && result !== undefined && (
        <ResolveAllDialog
          importId={importId}
          result={result}
          count={count}
          mayApply={list.data?.records.some(({ mayApply }) => mayApply) === true}
          onClose={() => setDecidingAll(false)}
        />
      )}
      {line !== undefined && <ResolveDialog importId={importId} line={line} onClose={() => setLine(undefined)} />}
    </ListPage>
  );
}

const isOpen = ({ result, resolution }: Line) => result !== 'MATCHED' && resolution === null;

function lineColumns(onDecide: (line: Line) => void): readonly Column<Line>[] {
  return [
    {
      key: 'line',
      header: 'Line',
      cell: (line) => (
        <div className="min-w-32">
          <LineHead lineNumber={line.lineNumber} id={<Reference line={line} />} />
          <div className="mt-2 flex flex-col items-start gap-2 md:hidden">
            <LineResult words={RESULTS[line.result]} detail={line.detail} />
            <Next line={line} onDecide={onDecide} />
          </div>
        </div>
      ),
    },
    {
      key: 'result',
      header: 'Result',
      wideOnly: true,
      cell: (line) => <LineResult words={RESULTS[line.result]} detail={line.detail} />,
    },
    {
      key: 'theirs',
      header: 'File says',
      align: 'right',
      cell: (line) => (
        <>
          <Theirs line={line} />
          <p className="mt-3 text-xs text-muted md:hidden">Books say</p>
          <div className="md:hidden">
            <Ours line={line} />
          </div>
        </>
      ),
    },
    { key: 'ours', header: 'Books say', align: 'right', wideOnly: true, cell: (line) => <Ours line={line} /> },
    { key: 'at', header: 'When', wideOnly: true, cell: ({ occurredAt }) => <Moment at={occurredAt} /> },
    {
      key: 'next',
      header: 'Decision',
      wideOnly: true,
      cell: (line) => <Next line={line} onDecide={onDecide} />,
    },
  ];
}

/** Where it is of a payout of ours, the way to all that is known of it: by that somebody decides. */
function Reference({ line: { reference, payoutId } }: { line: Line }) {
  const words = reference ?? 'no reference';
  return payoutId === null ? words : <PayoutLink payoutId={payoutId}>{words}</PayoutLink>;
}

/** The decision that it needs, or that was taken. */
function Next({ line, onDecide }: { line: Line; onDecide: (line: Line) => void }) {
  const { lineNumber, resolution } = line;
  if (isOpen(line)) {
    return <DecideLine lineNumber={lineNumber} verb="Decide" about="Decide about" onDecide={() => onDecide(line)} />;
  }
  if (resolution === null) return <span className="text-muted">–</span>;
  return <LineDecision word={RESOLUTIONS[resolution.how]} resolution={resolution} />;
}

function Theirs({ line: { amount, currency, accountNumber, statusText } }: { line: Line }) {
  return (
    <div>
      <LineAmount amount={amount} currency={currency} />
      {accountNumber !== null && <p className="figures text-xs text-muted">to {accountNumber}</p>}
      <p className="text-xs text-muted">{statusText}</p>
    </div>
  );
}

function Ours({ line: { ourAmount, ourStatus } }: { line: Line }) {
  return (
    <div>
      {ourAmount === null ? '–' : <Amount value={ourAmount} />}
      {ourStatus !== null && (
        <p className="mt-0.5">
          <Status status={ourStatus} />
        </p>
      )}
    </div>
  );
}
