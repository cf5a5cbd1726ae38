import { useQueries } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { keyOf } from '../api/reads.ts';
import { useMode } from '../api/session.ts';
import type { Input } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { formatCount } from '../format/money.ts';
import {
  activeFields,
  type FilterSearch,
  type Filters,
  type FilterWords,
  filterText,
  type ViewList,
} from './filter-fields.ts';

export type ListPath = '/transaction' | '/collection/payment';

export interface NothingLeftProps {
  list: ViewList;
  path: ListPath;
  search: FilterSearch;
  words: FilterWords;
  /** What is asked for a search. */
  queryOf: (search: Filters) => object;
  onFilter: (change: FilterSearch) => void;
  /** What helps beside, such as that a reference has to be given whole. */
  hint?: string | undefined;
}

/** How many there would be without each filter of a list that is empty, as buttons that take it away. */
export function FilterCounts({ list, path, search, words, queryOf, onFilter }: NothingLeftProps) {
  const mode = useMode();
  const active = activeFields(list, search);
  const counts = useQueries({
    queries: active.map((field) => {
      const fewer = { ...search, page: undefined, [field]: undefined };
      const input = { query: { ...queryOf(fewer), size: 1 } } as Input<'get', ListPath>;
      return {
        queryKey: keyOf(mode, path, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call('get', path, input, { mode, signal }),
        staleTime: 30_000,
      };
    }),
  });
  const helpful = active.flatMap((field, at) => {
    const { totalRecords, totalIsExact } = counts[at]?.data ?? {};
    if (totalRecords === undefined || totalRecords === null || totalRecords === 0) return [];
    return [{ field, count: `${totalIsExact === false ? 'more than ' : ''}${formatCount(totalRecords)}` }];
  });
  if (helpful.length === 0) return null;
  return (
    <ul className="mt-3 flex flex-col items-center gap-1.5">
      {helpful.map(({ field, count }) => (
        <li key={field}>
          <Button
            size="small"
            className="h-auto py-1.5 whitespace-normal"
            onClick={() => onFilter({ [field]: undefined })}
          >
            Without “{filterText(field, search[field] ?? '', words)}”: {count}
          </Button>
        </li>
      ))}
    </ul>
  );
}
