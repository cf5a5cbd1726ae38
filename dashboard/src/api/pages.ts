import { useQueries } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { call } from './call.ts';
import { keyOf } from './reads.ts';
import { useMode } from './session.ts';
import type { Input, PathWith, RecordOf } from './types.ts';

export interface Pages<R> {
  total: number | undefined;
  rowAt: (index: number) => R | undefined;
  onSight: (first: number, last: number) => void;
  error: unknown;
  refetch: () => void;
}

interface Answer<R> {
  totalRecords: number | null;
  records: readonly R[];
}

const SIZE = 200;
/** The server's own name for the page of a list, and how many rows it holds. */
type Sized = { query?: { page?: number; size?: number } };

/** Reads the pages of a long list that are in sight: for a table that draws what is in sight. Pages that were read stay. */
export function usePages<P extends PathWith<'get'>>(path: P, input: Input<'get', P>): Pages<RecordOf<P>> {
  const mode = useMode();
  const [sight, setSight] = useState({ first: 1, last: 1 });
  const numbers = Array.from({ length: sight.last - sight.first + 1 }, (_, at) => sight.first + at);
  const { query } = input as Sized;
  const wanted = numbers[0] === 1 ? numbers : [1, ...numbers];
  const answers = useQueries({
    queries: wanted.map((page) => {
      const asked = { ...input, query: { ...query, page, size: SIZE } } as Input<'get', P>;
      return {
        queryKey: keyOf(mode, String(path), asked),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          call('get', path, asked, { mode, signal }) as Promise<Answer<RecordOf<P>>>,
        staleTime: 10_000,
      };
    }),
  });
  const pageOf = (page: number) => answers[wanted.indexOf(page)]?.data;
  const onSight = useCallback((first: number, last: number) => {
    const next = { first: Math.floor(first / SIZE) + 1, last: Math.floor(last / SIZE) + 1 };
    setSight((before) => (before.first === next.first && before.last === next.last ? before : next));
  }, []);
  return {
    total: pageOf(1)?.totalRecords ?? undefined,
    rowAt: (index) => pageOf(Math.floor(index / SIZE) + 1)?.records[index % SIZE],
    onSight,
    error: answers.find(({ error }) => error !== null)?.error ?? undefined,
    refetch: () => {
      for (const answer of answers) void answer.refetch();
    },
  };
}
