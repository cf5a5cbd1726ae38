import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { updateChangesExpired } from './change-queries.ts';
import { sweepLinks } from './link.ts';
import { sweepDevices, sweepSessions } from './session.ts';
import { sweepSignUps } from './sign-up.ts';

/** Removes sessions, links, sign-ups and browsers that have ended by themselves, and ends what nobody agreed to. @returns how many. */
export async function sweepPeople(deps: { database: Database; clock: Clock }): Promise<number> {
  const swept = [await sweepSessions(deps), await sweepLinks(deps), await sweepSignUps(deps), await sweepDevices(deps)];
  const expired = await deps.database.query(updateChangesExpired, [deps.clock.now()]);
  return swept.reduce((sum, each) => sum + each, expired.length);
}
