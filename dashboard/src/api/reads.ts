import {
  keepPreviousData,
  type UseQueryOptions,
  type UseQueryResult,
  type UseSuspenseQueryResult,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { call } from './call.ts';
import { ApiError } from './errors.ts';
import { useMode } from './session.ts';
import { useIsLive } from './stream.ts';
import { isStreamed } from './stream-topics.ts';
import type { Data, Input, Mode, PathWith } from './types.ts';

type Options<T> = Omit<UseQueryOptions<T, ApiError>, 'queryKey' | 'queryFn'>;

/** The key of a read: the mode comes first, so that sandbox and live never share an answer. */
export const keyOf = (mode: Mode, path: string, input?: unknown): readonly unknown[] => [mode, path, input ?? {}];

/** A refusal is an answer; only what was lost or overloaded is retried. */
export function shouldRetry(count: number, error: Error): boolean {
  return count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503);
}

function readOptions<P extends PathWith<'get'>>(mode: Mode, path: P, input: Input<'get', P>) {
  return {
    queryKey: keyOf(mode, String(path), input),
    queryFn: ({ signal }: { signal: AbortSignal }) => call('get', path, input, { mode, signal }),
  };
}

/** While the page is notified of changes it looks by itself only to be sure. */
const TO_BE_SURE_MS = 60_000;

/** How often a read looks by itself: as it asks for, unless the page is notified when it changes. */
function useInterval<T>(path: string, wanted: Options<T>['refetchInterval']): Options<T>['refetchInterval'] {
  const isQuiet = useIsLive() && isStreamed(path);
  if (!isQuiet || wanted === undefined) return wanted;
  return (query) => {
    const ms = typeof wanted === 'function' ? wanted(query) : wanted;
    return typeof ms === 'number' ? Math.max(ms, TO_BE_SURE_MS) : ms;
  };
}

/** Reads an operation of the mode that the page is in: `useRead('/wallet/merchant', {})`. Typed from the API document. */
export function useRead<P extends PathWith<'get'>>(
  path: P,
  input: Input<'get', P>,
  options: Options<Data<'get', P>> = {},
): UseQueryResult<Data<'get', P>, ApiError> {
  const refetchInterval = useInterval<Data<'get', P>>(String(path), options.refetchInterval);
  return useQuery<Data<'get', P>, ApiError>({ ...readOptions(useMode(), path, input), ...options, refetchInterval });
}

/** The same for a part of a page that cannot be drawn without it: the skeleton and the error are the route's. */
export function useNeeded<P extends PathWith<'get'>>(
  path: P,
  input: Input<'get', P>,
): UseSuspenseQueryResult<Data<'get', P>, ApiError> {
  return useSuspenseQuery<Data<'get', P>, ApiError>(readOptions(useMode(), path, input));
}

/**
 * A page of a list. The page before stays in sight while the next one comes, so nothing jumps. Who comes back to a place
 * sees what came meanwhile. A place that is none of this list, as in a link that was made in the other mode, is the
 * beginning.
 */
export function useList<P extends PathWith<'get'>>(
  path: P,
  input: Input<'get', P>,
  options: Options<Data<'get', P>> = {},
): UseQueryResult<Data<'get', P>, ApiError> {
  const mode = useMode();
  const refetchInterval = useInterval<Data<'get', P>>(String(path), options.refetchInterval);
  return useQuery<Data<'get', P>, ApiError>({
    queryKey: keyOf(mode, String(path), input),
    queryFn: async ({ signal }) => {
      try {
        return await call('get', path, input, { mode, signal });
      } catch (error) {
        if (!(error instanceof ApiError) || !error.code.startsWith('CURSOR_')) throw error;
        const { after: _after, before: _before, ...query } = (input as { query: Record<string, unknown> }).query;
        return call('get', path, { ...input, query }, { mode, signal });
      }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    ...options,
    refetchInterval,
  });
}
