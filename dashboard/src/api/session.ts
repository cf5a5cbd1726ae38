import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call, setCsrfToken } from './call.ts';
import type { Data, Mode } from './types.ts';

export type Session = Data<'get', '/session'>;
/** A permission such as `key:manage`, or a scope such as `payout:write`. */
export type Right = Session['permissions'][number] | Session['scopes'][Mode][number];

/** Who is signed in and what they may do. Asked for quietly: nobody signed in is an answer. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await call('get', '/session', {}, { mode: 'SANDBOX', quiet: true, signal });
    setCsrfToken(session.csrfToken);
    return session;
  },
  staleTime: 60_000,
  retry: (count, error) => count < 2 && 'status' in error && error.status === 0,
});

/** The session of a page behind the sign-in. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** Whether the merchant has no PIN yet in the mode of the page: each mode has its own. */
export function useLacksPin(): boolean {
  const { merchant } = useSession();
  return merchant?.isPinSet[useMode()] === false;
}

/** Whether the person may do something: permissions hold in both modes, scopes in one. */
export function useMay(): (right: Right, mode: Mode) => boolean {
  const session = useSession();
  return (right, mode) => [...session.permissions, ...session.scopes[mode]].includes(right);
}

/** After signing in, second factor or a step-up: the token and the rights are new. */
export function useRenewSession(): () => Promise<Session> {
  const queries = useQueryClient();
  return () => renewSession(queries);
}

export function renewSession(queries: QueryClient): Promise<Session> {
  return queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Nothing of the person who left stays in memory. */
export function forgetSession(queries: QueryClient): void {
  setCsrfToken(undefined);
  queries.clear();
}

/** The mode stands in the address (`?mode=live`), so that a link, a tab and a reload keep it. */
export function useMode(): Mode {
  return useSearch({ strict: false, select: (search) => (search.mode === 'live' ? 'LIVE' : 'SANDBOX') });
}
