import type { AnnouncementRow } from './queries.ts';
import type { Audience } from './read-announcements.ts';

/** An announcement as a merchant's people see it. */
export function shownView(row: AnnouncementRow) {
  return {
    announcementId: row.id,
    title: row.title,
    text: row.body,
    severity: row.severity,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
  };
}

/** The same as the operator's staff see it. */
export function announcementView(row: AnnouncementRow, audience: Audience | undefined, now: Date) {
  return {
    ...shownView(row),
    status: statusOf(row, now),
    merchants: row.for_all ? null : (audience ?? []),
    revision: row.revision,
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedBy: row.updated_by,
    updatedAt: row.updated_at.toISOString(),
    publishedBy: row.published_by,
    publishedAt: row.published_at?.toISOString() ?? null,
    endedBy: row.ended_by,
    endedAt: row.ended_at?.toISOString() ?? null,
    byMail: row.by_mail,
    mailedPeople: row.mailed_people,
    mailedAt: row.mailed_at?.toISOString() ?? null,
  };
}

function statusOf(row: AnnouncementRow, now: Date): 'DRAFT' | 'SCHEDULED' | 'SHOWN' | 'ENDED' {
  if (row.ended_at !== null || row.ends_at <= now) return 'ENDED';
  if (row.published_at === null) return 'DRAFT';
  return row.starts_at > now ? 'SCHEDULED' : 'SHOWN';
}
