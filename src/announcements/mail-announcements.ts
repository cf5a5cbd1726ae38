import { countFreeInOutbox, queueMails } from '../mail/index.ts';
import { type Clock, lagosTimeText } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { NIL_ID } from '../platform/ids.ts';
import type { JobMonitor } from '../platform/jobs/job-monitor.ts';
import type { Secrets } from '../platform/secrets.ts';
import {
  type AnnouncementRow,
  listPeopleOfAll,
  listPeopleOfSome,
  lockAnnouncementToMail,
  type Reached,
  updateAnnouncementMailed,
} from './queries.ts';

interface MailingDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  jobs: JobMonitor;
  /** Without one nothing leaves the outbox, so it is never too full for the next piece. */
  hasMailServer: boolean;
}

/** Mails of one transaction: a few milliseconds. */
const PIECE = 100;
/**
 * As many mails as the mail server accepts within half a minute. The outbox is sent in order, so a person who waits for
 * a sign-up link waits for no more mails than these, however many people an announcement goes to. Mails that the server
 * did not accept are sent beside them: among many people a few addresses are always full or gone, and only a server
 * that accepts nothing leaves more than that.
 */
const MOST_WAITING = { first: 100, again: 1_000 };

/**
 * Puts the next few mails of an announcement that goes by e-mail into the outbox, to people of its merchants in the order of
 * their ids: of several, the one that has gone to the fewest. How far it is commits with the mails, so a crash repeats nothing
 * and leaves nobody out. What was changed meanwhile, the rest get as it is then; what has ended goes to nobody more. One whose
 * mails cannot be written is left alone for a while that grows, and holds up no other.
 * @returns how many mails it wrote.
 */
export async function mailAnnouncements(deps: MailingDeps): Promise<number> {
  const failures = deps.jobs.failuresOf('announcements.mail');
  let announcementId: string | undefined;
  try {
    return await deps.database.transaction(async (tx) => {
      const [announcement] = await tx.query(lockAnnouncementToMail, [deps.clock.now(), failures.backingOffKeys()]);
      announcementId = announcement?.id;
      const written = announcement === undefined ? 0 : await mailPiece(deps, tx, announcement);
      if (announcementId !== undefined) failures.succeeded(announcementId);
      return written;
    });
  } catch (error) {
    if (announcementId === undefined) throw error;
    failures.failed(announcementId, error, {
      message: 'the mails of an announcement could not be written',
      announcementId,
    });
    return 0;
  }
}

async function mailPiece(deps: MailingDeps, tx: Tx, announcement: AnnouncementRow): Promise<number> {
  const most = deps.hasMailServer ? Math.min(PIECE, await countFreeInOutbox(tx, MOST_WAITING)) : PIECE;
  if (most <= 0) return 0;
  const { id, for_all, mailed_up_to } = announcement;
  const after = mailed_up_to ?? NIL_ID;
  const people = for_all
    ? await tx.query(listPeopleOfAll, [after, most])
    : await tx.query(listPeopleOfSome, [after, most, id]);
  if (people.length > 0) {
    await queueMails(
      { queries: tx, ...deps },
      people.map((person) => mailOf(announcement, person)),
    );
  }
  const mailedAt = people.length < most ? deps.clock.now() : null;
  await tx.query(updateAnnouncementMailed, [id, people.at(-1)?.id ?? null, people.length, mailedAt]);
  return people.length;
}

/** No link in it: nobody learns to follow one of a mail like this. */
function mailOf({ title, body, ends_at }: AnnouncementRow, { email, business_name }: Reached) {
  const foot = [
    `It is shown above the pages of ${business_name} until ${lagosTimeText(ends_at)}.`,
    'You get this mail because you are one of its people. There is no link in it: sign in as you always do.',
  ];
  return { to: email, subject: title, text: [body, foot.join(' '), 'Manilla'].join('\n\n'), link: null };
}
