import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/db/database.ts';
import { AppError } from '../platform/errors.ts';
import { type ApprovalDeps, endApproval } from './decide-approval.ts';
import { isSubjectAltered } from './errors.ts';
import { listExpiredApprovals } from './queries.ts';

/** In one round of the chore; the rest has its turn in the next. */
const MAX_A_ROUND = 200;
/** What was altered behind the service stays as it is until people put it right: it is looked at again this often. */
const ALTERED_MS = 60 * 60_000;
const MAX_REMEMBERED = 10_000;

/** When each approval whose subject was altered may be looked at again, by the database that they are in. */
const alteredUntil = new WeakMap<Database, LRUCache<string, number>>();

/** Ends what has run out, and gives back what it held. Returns how many; any number of workers may do it at once. */
export async function expireApprovals(deps: ApprovalDeps): Promise<number> {
  const altered = alteredUntil.get(deps.database) ?? new LRUCache<string, number>({ max: MAX_REMEMBERED });
  alteredUntil.set(deps.database, altered);
  const now = deps.clock.now();
  const later = [...altered.entries()].flatMap(([id, untilMs]) => (untilMs > now.getTime() ? [id] : []));
  const expired = await deps.database.query(listExpiredApprovals, [now, MAX_A_ROUND, later]);
  let ended = 0;
  for (const approval of expired) {
    try {
      await endApproval(deps, approval, 'EXPIRED', null);
      ended += 1;
    } catch (error) {
      // Decided at the last moment, or another worker was faster: the next round sees.
      if (error instanceof AppError && error.passing) continue;
      // That has its own alarm, and must not keep the others from their turn.
      if (isSubjectAltered(error)) altered.set(approval.id, now.getTime() + ALTERED_MS);
      deps.logger.error({ err: error, approvalId: approval.id }, 'an approval could not be ended');
    }
  }
  return ended;
}
