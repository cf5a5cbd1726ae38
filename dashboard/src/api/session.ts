import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { call, setCsrfToken } from './call.ts';
import type { Data, Mode } from './types.ts';

export type Session = Data<'get', '/session'>;
/** A permission such as `key:manage`, or a scope such as `payout:write`. */
export type Right = Session['permissions'][number] | Session['scopes'][Mode][number];

/** Who everything on this page was read and typed as, once it is known. A browser has one session, and tabs share it. */
let owner: string | undefined;

/** Under which the page that begins anew finds that it does. */
const BEGUN_ANEW = 'begun-anew';

/**
 * Somebody else has signed in, in another tab: nothing that was read or typed here is theirs. What waits for the session
 * is never sent.
 */
function beginAnew(): Promise<never> {
  sessionStorage.setItem(BEGUN_ANEW, 'yes');
  location.assign(import.meta.env.BASE_URL);
  return new Promise(() => undefined);
}

/** Whether this page is the one that followed, the first time that it is asked. */
export function hasBegunAnew(): boolean {
  const has = sessionStorage.getItem(BEGUN_ANEW) !== null;
  sessionStorage.removeItem(BEGUN_ANEW);
  return has;
}

/** Under which a browser keeps that somebody is signed in, until they sign out. */
const SIGNED_IN = 'signed-in';

/** Whether somebody was signed in here and did not sign out: then it was the session that ended. */
export const hasSessionEnded = (): boolean => localStorage.getItem(SIGNED_IN) !== null;

/**
 * A sign-in is announced to the other tabs, which would otherwise show figures of one person below the name of another.
 */
const otherTabs = new BroadcastChannel('signed-in');
otherTabs.addEventListener('message', ({ data }) => {
  if (owner !== undefined && data !== owner) void beginAnew();
});

/** Who is signed in and what they may do. Asked for quietly: nobody signed in is an answer. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await call('get', '/session', {}, { mode: 'SANDBOX', quiet: true, signal });
    if (owner === undefined) otherTabs.postMessage(session.person.personId);
    owner ??= session.person.personId;
    if (owner !== session.person.personId) return beginAnew();
    setCsrfToken(session.csrfToken);
    localStorage.setItem(SIGNED_IN, 'yes');
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

/** Whether the operator has suspended the business: nobody of it moves money or changes what money does. */
export function useIsSuspended(): boolean {
  return useSession().merchant?.status === 'SUSPENDED';
}

/**
 * Whether the person may do something: permissions hold in both modes, scopes in one. What writes is refused in a suspended
 * business, and not offered there.
 */
export function useMay(): (right: Right, mode: Mode) => boolean {
  const session = useSession();
  const isSuspended = useIsSuspended();
  return (right, mode) =>
    !(isSuspended && right.endsWith(':write')) && [...session.permissions, ...session.scopes[mode]].includes(right);
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
  owner = undefined;
  localStorage.removeItem(SIGNED_IN);
  setCsrfToken(undefined);
  queries.clear();
}

/** The mode stands in the address (`?mode=live`), so that a link, a tab and a reload keep it. */
export function useMode(): Mode {
  return useSearch({ strict: false, select: (search) => (search.mode === 'live' ? 'LIVE' : 'SANDBOX') });
}
