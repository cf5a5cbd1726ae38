import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { sweepLinks } from './links/link.ts';
import { sweepSessions } from './sessions/end-session.ts';
import { sweepSignUps } from './sign-up/sign-up.ts';

/** Removes sessions, links and sign-ups that have ended by themselves. @returns how many. */
export async function sweepPeople(deps: { database: Database; clock: Clock }): Promise<number> {
  return (await sweepSessions(deps)) + (await sweepLinks(deps)) + (await sweepSignUps(deps));
}
