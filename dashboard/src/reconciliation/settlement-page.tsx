import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { atPlace, type ListPlace } from '../api/list-search.ts';
import { useList } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { SelectFilter } from '../components/filters.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { formatCount } from '../format/money.ts';
import { lineColumns } from './line-columns.tsx';
import { type Line, type LineResult, RESULTS } from './line-words.ts';
import { ResolveAllDialog } from './resolve-all-dialog.tsx';
import { ResolveDialog } from './resolve-dialog.tsx';

const SIZE = 100;
const STATES = [
  { value: 'OPEN', label: 'To decide' },
  { value: 'RESOLVED', label: 'Decided' },
] as const;
const RESULT_OPTIONS = Object.entries(RESULTS).map(([value, { word }]) => ({ value, label: word }));

export interface SettlementFilters {
  state?: 'OPEN' | 'RESOLVED' | undefined;
  result?: LineResult | undefined;
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
      filters={
        <>
          <SelectFilter
            label="State"
            all="All lines"
            options={STATES}
            value={filters.state}
            onChange={(state) => onFilter({ state })}
          />
          <SelectFilter
            label="Result"
            all="Any result"
            options={RESULT_OPTIONS}
            value={filters.result}
            onChange={(result) => onFilter({ result })}
          />
        </>
      }
      caption="Lines of the file"
      columns={lineColumns(setLine)}
      rowKey={(row) => row.lineId}
      list={list}
      onPage={onPage}
      empty={
        <EmptyState icon={CircleCheck} title="No such line">
          {filters.state === 'OPEN' ? 'Everything that differed is decided.' : 'Take a filter away to see more.'}
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
