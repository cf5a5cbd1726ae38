import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { ApiError } from '../api/errors.ts';
import { type Session, sessionQuery } from '../api/session.ts';

/**
 * For `beforeLoad` of pages that need a signed-in person: anybody else goes to the sign-in and comes back afterwards; a
 * person of the other organization goes to their own pages.
 */
export async function requireSession(
  queries: QueryClient,
  kind: Session['person']['kind'],
  location: { publicHref: string },
): Promise<void> {
  let session: Session;
  try {
    session = await queries.ensureQueryData(sessionQuery);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    // The router's own way of saying it: what is thrown is no error.
    // oxlint-disable-next-line typescript/only-throw-error
    throw redirect({ to: '/sign-in', search: { next: location.publicHref }, replace: true });
  }
  // In a support view one of the operator's staff is on a merchant's pages, and on no others.
  const own = session.supportView === null ? session.person.kind : 'MEMBER';
  if (own === kind) return;
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect({ to: kind === 'MEMBER' ? '/operator' : '/', search: {}, replace: true });
}
