import { forgetMails } from '../mail/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { doEach } from '../platform/jobs/pieces.ts';
import { forgetFloatChecks } from '../reconciliation/index.ts';
import { forgetRequests } from '../request-log/index.ts';
import { forgetDeliveries } from '../webhooks/index.ts';
import type { RetentionDays } from './kept.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * Removes what is older than the operator's settings say, each kind in pieces and for itself: of the books, of events and of
 * the audit log nothing is ever removed.
 * @returns how many rows are gone; `MOST_A_RUN` or more where there may be more.
 * @throws the first error, once all kinds had their turn
 */
export async function removeOldRows(deps: { database: Database; clock: Clock }, days: RetentionDays): Promise<number> {
  const now = deps.clock.now().getTime();
  const before = (kept: number) => new Date(now - kept * DAY_MS);
  return doEach([
    () => forgetRequests(deps, before(days.requests)),
    () => forgetDeliveries(deps, before(days.deliveries)),
    () => forgetMails(deps, before(days.mails)),
    () => forgetFloatChecks(deps, before(days.floatChecks)),
  ]);
}
