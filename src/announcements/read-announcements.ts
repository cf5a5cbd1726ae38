import type { Clock } from '../platform/clock.ts';
import type { Queries } from '../platform/db/database.ts';
import type { ListRequest } from '../platform/lists/list.ts';
import { type FoundList, readList } from '../platform/lists/read-list.ts';
import { MAX_SHOWN } from './announcement-bounds.ts';
import { announcementNotFound } from './errors.ts';
import {
  type AnnouncementRow,
  announcementList,
  findShownRevision,
  listAudiences,
  listShownAnnouncements,
  upsertDismissal,
} from './queries.ts';

interface ReadDeps {
  database: Queries;
  clock: Clock;
}

/** Who is asked for: a person of a merchant. */
interface Reader {
  merchantId: string;
  personId: string;
}

/** What a person is shown now and did not dismiss, at most 10: the gravest first, then the newest. */
export function readShown({ database, clock }: ReadDeps, reader: Reader): Promise<AnnouncementRow[]> {
  return database.query(listShownAnnouncements, [reader.merchantId, reader.personId, clock.now(), MAX_SHOWN]);
}

/**
 * This person does not see it again, unless it is changed. Again is as once.
 * @throws AppError 404 `ANNOUNCEMENT_NOT_FOUND`, also for one that is not shown to the merchant.
 */
export async function dismissAnnouncement(
  { database, clock }: ReadDeps,
  { merchantId, personId, announcementId }: Reader & { announcementId: string },
): Promise<void> {
  const now = clock.now();
  const [shown] = await database.query(findShownRevision, [merchantId, announcementId, now]);
  if (shown === undefined) throw announcementNotFound();
  await database.query(upsertDismissal, [merchantId, personId, announcementId, shown.revision, now]);
}

/** All there are, newest first. @throws AppError 400 `CURSOR_MISMATCH`, `CURSOR_INVALID` */
export function readAnnouncements(queries: Queries, request: ListRequest): Promise<FoundList<AnnouncementRow>> {
  return readList(queries, announcementList(), request);
}

export type Audience = { merchantId: string; businessName: string }[];

/** To whom announcements go that are not for all, by id. */
export async function readAudiences(
  queries: Queries,
  rows: readonly AnnouncementRow[],
): Promise<ReadonlyMap<string, Audience>> {
  const ids = rows.filter((row) => !row.for_all).map(({ id }) => id);
  const audiences = new Map<string, Audience>(ids.map((id) => [id, []]));
  if (ids.length === 0) return audiences;
  for (const { announcement_id, merchant_id, business_name } of await queries.query(listAudiences, [ids])) {
    audiences.get(announcement_id)?.push({ merchantId: merchant_id, businessName: business_name });
  }
  return audiences;
}
