import { statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';

export const SEVERITIES = ['INFO', 'WARNING', 'CRITICAL'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface AnnouncementRow {
  id: string;
  title: string;
  body: string;
  severity: Severity;
  for_all: boolean;
  starts_at: Date;
  ends_at: Date;
  /** Grows with every change of a published announcement: a person who dismissed it sees it again. */
  revision: number;
  created_by: string;
  created_at: Date;
  updated_by: string;
  updated_at: Date;
  published_by: string | null;
  published_at: Date | null;
  ended_by: string | null;
  ended_at: Date | null;
  /** Whether it goes by e-mail too. */
  by_mail: boolean;
  /** Up to which person mails are in the outbox, by the order of the ids. */
  mailed_up_to: string | null;
  mailed_people: number;
  mailed_at: Date | null;
}

const COLUMNS = `id, title, body, severity, for_all, starts_at, ends_at, revision, created_by, created_at, updated_by,
  updated_at, published_by, published_at, ended_by, ended_at, by_mail, mailed_up_to, mailed_people, mailed_at`;

/** $9 who, $10 now. */
export const insertAnnouncement = statement<AnnouncementRow>(
  'insert-announcement',
  `insert into announcements (id, title, body, severity, for_all, starts_at, ends_at, by_mail, revision, created_by,
     created_at, updated_by, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10, $9, $10) returning ${COLUMNS}`,
);

export const lockAnnouncement = statement<AnnouncementRow>(
  'lock-announcement',
  `select ${COLUMNS} from announcements where id = $1 for update`,
);

/** $9 who, $10 now. What is published gets a new revision. */
export const updateAnnouncement = statement<AnnouncementRow>(
  'update-announcement',
  `update announcements set title = $2, body = $3, severity = $4, for_all = $5, starts_at = $6, ends_at = $7,
     by_mail = $8, revision = revision + case when published_at is null then 0 else 1 end, updated_by = $9, updated_at = $10
    where id = $1 returning ${COLUMNS}`,
);

export const updateAnnouncementPublished = statement<AnnouncementRow>(
  'update-announcement-published',
  `update announcements set published_by = $2, published_at = $3 where id = $1 returning ${COLUMNS}`,
);

export const updateAnnouncementEnded = statement<AnnouncementRow>(
  'update-announcement-ended',
  `update announcements set ended_by = $2, ended_at = $3 where id = $1 returning ${COLUMNS}`,
);

/**
 * One that is shown at $1 and not mailed to everybody yet, but those of $2: a short one need not wait for the end of a long
 * one. Another process that mails one at the same time takes the next.
 */
export const lockAnnouncementToMail = statement<AnnouncementRow>(
  'lock-announcement-to-mail',
  `select ${COLUMNS} from announcements
    where by_mail and mailed_at is null and ended_at is null and published_at is not null and starts_at <= $1 and ends_at > $1
      and id <> all ($2::uuid[])
    order by mailed_people, published_at, id limit 1 for update skip locked`,
);

export const ANNOUNCEMENTS_TO_MAIL = queue(
  lockAnnouncementToMail,
  'announcements',
  'by_mail and mailed_at is null and ended_at is null and published_at is not null and starts_at <= $1 and ends_at > $1',
  { isCopied: true, hasNoMode: true },
);

export interface Reached {
  id: string;
  email: string;
  business_name: string;
}

/** People of all merchants: $1 after whom, $2 how many. */
export const listPeopleOfAll = statement<Reached>(
  'list-people-of-all-merchants',
  `select p.id, p.email, m.business_name from people p join merchants m on m.id = p.merchant_id
    where p.kind = 'MEMBER' and p.disabled_at is null and p.id > $1 order by p.id limit $2`,
);

/** People of the merchants of an announcement: $1 after whom, $2 how many, $3 announcement. */
export const listPeopleOfSome = statement<Reached>(
  'list-people-of-some-merchants',
  `select p.id, p.email, m.business_name
     from announcement_merchants a join people p on p.merchant_id = a.merchant_id join merchants m on m.id = a.merchant_id
    where a.announcement_id = $3 and p.kind = 'MEMBER' and p.disabled_at is null and p.id > $1 order by p.id limit $2`,
);

/** $2 the last person, $3 how many more, $4 when that was everybody, else null. */
export const updateAnnouncementMailed = statement(
  'update-announcement-mailed',
  `update announcements set mailed_up_to = coalesce($2, mailed_up_to), mailed_people = mailed_people + $3, mailed_at = $4
    where id = $1`,
);

/** Drafts and published ones that have not ended by themselves either. $1 now. */
export const countOpenAnnouncements = statement<{ open: number }>(
  'count-open-announcements',
  'select count(*)::int as open from announcements where ended_at is null and ends_at > $1',
);

export const deleteAudience = statement(
  'delete-announcement-merchants',
  'delete from announcement_merchants where announcement_id = $1',
);

export const insertAudience = statement<{ merchant_id: string }>(
  'insert-announcement-merchants',
  `insert into announcement_merchants (merchant_id, announcement_id)
   select m.id, $2 from merchants m where m.id = any($1::uuid[]) returning merchant_id`,
);

export const listAudiences = statement<{ announcement_id: string; merchant_id: string; business_name: string }>(
  'list-announcement-merchants',
  `select a.announcement_id, a.merchant_id, m.business_name
     from announcement_merchants a join merchants m on m.id = a.merchant_id
    where a.announcement_id = any($1::uuid[]) order by m.business_name, a.merchant_id`,
);

/** What a person of a merchant is shown: $1 merchant, $2 person, $3 now, $4 how many. The gravest first, then the newest. */
export const listShownAnnouncements = statement<AnnouncementRow>(
  'list-shown-announcements',
  `select ${COLUMNS} from announcements a
    where a.ended_at is null and a.published_at is not null and a.starts_at <= $3 and a.ends_at > $3
      and (a.for_all or exists (
        select 1 from announcement_merchants m where m.merchant_id = $1 and m.announcement_id = a.id))
      and not exists (
        select 1 from announcement_dismissals d
         where d.merchant_id = $1 and d.person_id = $2 and d.announcement_id = a.id and d.revision >= a.revision)
    order by case a.severity when 'CRITICAL' then 0 when 'WARNING' then 1 else 2 end, a.starts_at desc, a.id desc
    limit $4`,
);

/** $1 merchant, $2 announcement, $3 now. Whether it is shown to the merchant, dismissed or not. */
export const findShownRevision = statement<{ revision: number }>(
  'find-shown-announcement',
  `select a.revision from announcements a
    where a.id = $2 and a.ended_at is null and a.published_at is not null and a.starts_at <= $3 and a.ends_at > $3
      and (a.for_all or exists (
        select 1 from announcement_merchants m where m.merchant_id = $1 and m.announcement_id = a.id))`,
);

/** $1 merchant, $2 person, $3 announcement, $4 revision, $5 now. */
export const upsertDismissal = statement(
  'upsert-announcement-dismissal',
  `insert into announcement_dismissals (merchant_id, person_id, announcement_id, revision, dismissed_at)
   values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, person_id, announcement_id)
   do update set revision = greatest(announcement_dismissals.revision, excluded.revision), dismissed_at = excluded.dismissed_at`,
);

const NEWEST: ListOrder<AnnouncementRow> = {
  direction: 'desc',
  keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }],
};

/** All there are, newest first. */
export const announcementList = (): List<AnnouncementRow> => ({
  name: 'announcements',
  of: [],
  order: NEWEST,
  columns: COLUMNS,
  from: 'announcements',
  where: ['true'],
  values: [],
});
