import { queueMails } from '../mail/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import { takeTurns } from '../platform/jobs/take-turns.ts';
import { type Mode, tenantOf } from '../platform/tenant.ts';
import type { DisputeDeps } from './deps.ts';
import { reminderMail } from './mails.ts';
import { listDisputesToRemind, updateDisputeReminded } from './reminder-queries.ts';

/** Reminders of one run; the rest has its turn in the next. */
const REMINDERS = 200;

type RemindDeps = Pick<DisputeDeps, 'database' | 'secrets' | 'clock' | 'jobs'>;
type Due = Parameters<typeof tenantOf>[0] & { id: string };

/**
 * Reminds everybody who may answer, once, that a third of the time is left. Merchants take turns, and a dispute whose
 * reminder cannot be written is left alone for a time that grows.
 * @returns the number of disputes.
 */
export async function remindOfDisputes(deps: RemindDeps, mode: Mode, stopped?: AbortSignal): Promise<number> {
  const failures = deps.jobs.failuresOf('disputes.remind');
  const asked = [mode, deps.clock.now(), failures.backingOffKeys(), REMINDERS];
  return takeTurns<Due>(await deps.database.query(listDisputesToRemind, asked), {
    failures,
    stopped,
    tenantOf,
    keyOf: ({ id }) => id,
    take: (row) => remind(deps, row),
    aboutOf: (row) => ({ message: 'nobody could be reminded of a dispute', ...tenantOf(row), disputeId: row.id }),
  });
}

/** The note that it was done, and the mails, commit together. */
function remind(deps: RemindDeps, { merchant_id, mode, id }: Due): Promise<number> {
  const now = deps.clock.now();
  return deps.database.transaction(async (tx) => {
    const [row] = await tx.query(updateDisputeReminded, [merchant_id, mode, id, now]);
    if (row?.status !== 'OPEN' || row.answer_status === 'QUEUED') return 0;
    const people = await peopleOfRoles(tx, merchant_id, ['OWNER', 'ADMIN', 'MAKER']);
    if (people.length > 0) {
      await queueMails(
        { ...deps, queries: tx },
        people.map(({ email }) => reminderMail(email, row, now)),
      );
    }
    return 1;
  });
}
