import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { MAX_OPEN, MAX_PERIOD_MS } from './announcement-bounds.ts';
import { announcementEnded, announcementNotFound, announcementPublished, announcementsTooMany } from './errors.ts';
import {
  type AnnouncementRow,
  countOpenAnnouncements,
  deleteAudience,
  insertAnnouncement,
  insertAudience,
  lockAnnouncement,
  updateAnnouncement,
  updateAnnouncementEnded,
  updateAnnouncementPublished,
} from './queries.ts';
import type { AnnouncementFields } from './schemas.ts';

export interface AnnouncementDeps {
  database: Database;
  clock: Clock;
}

/** Who of the operator's staff. */
interface By {
  by: string;
}

/**
 * Keeps a draft: nobody but the operator's staff sees it.
 * @throws AppError 400 `VALIDATION_FAILED`; 422 `ANNOUNCEMENTS_TOO_MANY`.
 */
export function createAnnouncement(
  { database, clock }: AnnouncementDeps,
  { by, fields }: By & { fields: AnnouncementFields },
): Promise<AnnouncementRow> {
  const now = clock.now();
  const columns = columnsOf(fields, now);
  return database.transaction(async (tx) => {
    await requireFewerOpen(tx, now);
    const [row] = await tx.query(insertAnnouncement, [newId(), ...columns, by, now]);
    await keepAudience(tx, (row as AnnouncementRow).id, fields.merchantIds);
    return row as AnnouncementRow;
  });
}

/**
 * Changes a draft, or a published announcement: a person who dismissed that sees it again.
 * @throws AppError 400 `VALIDATION_FAILED`; 404 `ANNOUNCEMENT_NOT_FOUND`; 409 `ANNOUNCEMENT_ENDED`.
 */
export function changeAnnouncement(
  { database, clock }: AnnouncementDeps,
  { announcementId, by, fields }: By & { announcementId: string; fields: AnnouncementFields },
): Promise<AnnouncementRow> {
  const now = clock.now();
  const columns = columnsOf(fields, now);
  return database.transaction(async (tx) => {
    await requireOpen(tx, announcementId, now);
    const [row] = await tx.query(updateAnnouncement, [announcementId, ...columns, by, now]);
    await keepAudience(tx, announcementId, fields.merchantIds);
    return row as AnnouncementRow;
  });
}

/**
 * From now on merchants see it, as soon as its time has come.
 * @throws AppError 404 `ANNOUNCEMENT_NOT_FOUND`; 409 `ANNOUNCEMENT_ENDED`, `ANNOUNCEMENT_PUBLISHED`.
 */
export function publishAnnouncement(
  { database, clock }: AnnouncementDeps,
  { announcementId, by }: By & { announcementId: string },
): Promise<AnnouncementRow> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    const before = await requireOpen(tx, announcementId, now);
    if (before.published_at !== null) throw announcementPublished();
    const [row] = await tx.query(updateAnnouncementPublished, [announcementId, by, now]);
    return row as AnnouncementRow;
  });
}

/**
 * From now on nobody sees it. A draft is discarded so.
 * @throws AppError 404 `ANNOUNCEMENT_NOT_FOUND`; 409 `ANNOUNCEMENT_ENDED`.
 */
export function endAnnouncement(
  { database, clock }: AnnouncementDeps,
  { announcementId, by }: By & { announcementId: string },
): Promise<AnnouncementRow> {
  const now = clock.now();
  return database.transaction(async (tx) => {
    await requireOpen(tx, announcementId, now);
    const [row] = await tx.query(updateAnnouncementEnded, [announcementId, by, now]);
    return row as AnnouncementRow;
  });
}

/** In the order of the statements. */
function columnsOf({ title, text, severity, merchantIds, startsAt, endsAt, byMail }: AnnouncementFields, now: Date) {
  const [from, until] = [new Date(startsAt), new Date(endsAt)];
  if (until <= from) throw invalidField('endsAt', 'must be after startsAt');
  if (until <= now) throw invalidField('endsAt', 'must be in the future');
  if (until.getTime() - from.getTime() > MAX_PERIOD_MS)
    throw invalidField('endsAt', 'must be within a year of startsAt');
  return [title.trim(), text.trim(), severity, merchantIds === null, from, until, byMail ?? false];
}

async function requireFewerOpen(tx: Tx, now: Date): Promise<void> {
  const [counted] = await tx.query(countOpenAnnouncements, [now]);
  if ((counted?.open ?? 0) >= MAX_OPEN) throw announcementsTooMany(MAX_OPEN);
}

async function requireOpen(tx: Tx, announcementId: string, now: Date): Promise<AnnouncementRow> {
  const [row] = await tx.query(lockAnnouncement, [announcementId]);
  if (row === undefined) throw announcementNotFound();
  if (row.ended_at !== null || row.ends_at <= now) throw announcementEnded();
  return row;
}

/** @throws AppError 400 where one of them is no merchant */
async function keepAudience(tx: Tx, announcementId: string, merchantIds: readonly string[] | null): Promise<void> {
  await tx.query(deleteAudience, [announcementId]);
  if (merchantIds === null) return;
  const wanted = new Set(merchantIds.map((id) => id.toLowerCase()));
  const kept = await tx.query(insertAudience, [[...wanted], announcementId]);
  if (kept.length < wanted.size) throw invalidField('merchantIds', 'must name merchants that there are');
}
