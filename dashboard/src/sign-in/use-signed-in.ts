import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { renewSession } from '../api/session.ts';

/** After any way of signing in: what was read before is nobody's, and one goes to one's first screen. */
export function useSignedIn(): (next?: string) => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async (next) => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
    const { person } = await renewSession(queries);
    if (next !== undefined) router.history.push(next);
    else await router.navigate({ to: person.kind === 'OPERATOR' ? '/operator' : '/' });
  };
}
