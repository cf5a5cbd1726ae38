import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { ApiError } from '../api/errors.ts';
import type { Data } from '../api/types.ts';

/**
 * The mails that can be read here, as where no mail server is set up. Nobody is asked to sign in for it: who may not read
 * them is told so by the page, or told nothing of them.
 */
export function useOutbox({
  refetchInterval = false,
}: {
  refetchInterval?: number | false;
} = {}): UseQueryResult<Data<'get', '/mail'>, ApiError> {
  return useQuery<Data<'get', '/mail'>, ApiError>({
    queryKey: ['outbox'],
    queryFn: () => call('get', '/mail', {}, { mode: 'SANDBOX', quiet: true }),
    retry: false,
    refetchInterval,
  });
}
