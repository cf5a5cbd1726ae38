import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { sweepLinks } from './links/link.ts';
import { sweepDevices } from './sessions/device.ts';
import { sweepSessions } from './sessions/end-session.ts';
import { sweepSignUps } from './sign-up/sign-up.ts';

/** Removes sessions, links, sign-ups and browsers that have ended by themselves. @returns how many. */
export async function sweepPeople(deps: { database: Database; clock: Clock }): Promise<number> {
  const swept = [await sweepSessions(deps), await sweepLinks(deps), await sweepSignUps(deps), await sweepDevices(deps)];
  return swept.reduce((sum, each) => sum + each, 0);
}
