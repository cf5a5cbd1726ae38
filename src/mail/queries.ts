import { setInsert, statement } from '../platform/db/statement.ts';

export interface MailRow {
  id: string;
  recipient: string;
  subject: string;
  body_sealed: string | null;
  created_at: Date;
  attempts: number;
  sent_at: Date | null;
  /** What goes out together with others of the same group to the same address; null goes by itself. */
  group_key: string | null;
}

const MAIL = 'id, recipient, subject, body_sealed, created_at, attempts, sent_at, group_key';

export const insertMails = setInsert<{
  id: string;
  recipient: string;
  subject: string;
  body_sealed: string;
  created_at: string;
  due_at: string;
  group_key: string | null;
}>('mails', {
  id: 'uuid',
  recipient: 'text',
  subject: 'text',
  body_sealed: 'text',
  created_at: 'timestamptz',
  due_at: 'timestamptz',
  group_key: 'text',
});

/**
 * Leases mails that are due, by moving them on to $2: a worker that dies leaves them due again by then. Of a group to
 * one address it takes the first, and none while one was sent since $4. $5 says whether it takes mails that were sent
 * before and not accepted, or new ones. Nothing waits for what a clock that was ahead wrote: sent after $2, due after
 * $6.
 *
 * At most $7 mails of groups are read, and of each group one is sent. The first mail of a group that cannot be sent yet
 * is not due before $8, and those behind it not before $9: however many wait for one address, mail to another is not
 * held up. Mail of no group, such as a link that somebody waits for, has half of the places before any group.
 */
export const leaseDueMails = statement<MailRow>(
  'lease-due-mails',
  `with grouped as materialized (
     select id, recipient, group_key, due_at from mails
      where sent_at is null and abandoned_at is null and due_at <= $1 and (attempts > 0) = $5 and group_key is not null
      order by due_at limit $7 for update skip locked
   ), firsts as materialized (
     select distinct on (recipient, group_key) id, recipient, group_key, due_at from grouped
      order by recipient, group_key, id
   ), heads as materialized (
     select id, due_at from firsts
      where not exists (
        select 1 from mails other
         where other.recipient = firsts.recipient and other.group_key = firsts.group_key
           and ((other.sent_at > $4 and other.sent_at <= $2)
                or (other.sent_at is null and other.abandoned_at is null and other.id < firsts.id and other.due_at <= $6)))
   ), alone as materialized (
     select id, due_at from mails
      where sent_at is null and abandoned_at is null and due_at <= $1 and (attempts > 0) = $5 and group_key is null
      order by due_at limit $3 for update skip locked
   ), later as (
     update mails m
        set due_at = case when exists (select 1 from firsts where firsts.id = m.id) then $8 else $9::timestamptz end
      where m.id in (select id from grouped where id not in (select id from heads))
   )
   update mails set due_at = $2, attempts = attempts + 1
    where id in (
      select id
        from (select id, due_at, row_number() over (order by due_at) as place from alone
              union all
              select id, due_at, $3 / 2 + row_number() over (order by due_at) from heads) as free
       order by place, due_at limit $3)
   returning ${MAIL}`,
);

/** What goes out with the first of a group: $1 recipient, $2 group, $3 the first, $4 the lease, $5 how many. */
export const leaseMailsOfGroup = statement<MailRow>(
  'lease-mails-of-group',
  `update mails set due_at = $4, attempts = attempts + 1
    where id in (
      select id from mails where recipient = $1 and group_key = $2 and id > $3 and sent_at is null and abandoned_at is null
      order by id limit $5 for update skip locked)
   returning ${MAIL}`,
);

/** The oldest that still waits of a group is due by $3, so that the group goes on: those behind it were moved further. */
export const updateNextOfGroup = statement(
  'update-next-of-group',
  `update mails set due_at = least(due_at, $3)
    where id = (
      select id from mails
       where recipient = $1 and group_key = $2 and sent_at is null and abandoned_at is null
       order by id limit 1 for update skip locked)`,
);

/**
 * How many wait for the mail server, counted up to $1 of those that were not sent before, and to $2 of those that it did not
 * take. Those of groups wait for their turn: all to one address are one mail every few minutes.
 */
export const countWaitingMails = statement<{ first: number; again: number }>(
  'count-waiting-mails',
  `select (select count(*)::int from (
             select 1 from mails
              where sent_at is null and abandoned_at is null and group_key is null and attempts = 0 limit $1) as mails_waiting
          ) as first,
          (select count(*)::int from (
             select 1 from mails
              where sent_at is null and abandoned_at is null and group_key is null and attempts > 0 limit $2) as mails_waiting
          ) as again`,
);

/** Who owns a business, by address. The table is that of people, who stand above mails. */
export const listOwnerAddresses = statement<{ email: string; business_name: string }>(
  'list-owner-addresses',
  `select p.email, m.business_name
     from people p join merchants m on m.id = p.merchant_id
    where p.merchant_id = $1 and p.kind = 'MEMBER' and p.role = 'OWNER' and p.disabled_at is null
    order by p.id`,
);

export const listOperatorAddresses = statement<{ email: string }>(
  'list-operator-addresses',
  `select email from people where kind = 'OPERATOR' and disabled_at is null order by id`,
);

export const updateMailsSent = statement(
  'update-mails-sent',
  'update mails set sent_at = $2, last_error = null where id = any($1::uuid[])',
);

/** Those of $4 are not tried again; $5 is now. */
export const updateMailsRefused = statement(
  'update-mails-refused',
  `update mails set due_at = $2, last_error = $3, abandoned_at = case when id = any($4::uuid[]) then $5::timestamptz end
    where id = any($1::uuid[])`,
);

export const updateMailsWiped = statement<{ id: string }>(
  'update-mails-wiped',
  'update mails set body_sealed = null where body_sealed is not null and created_at < $1 returning id',
);

export const listMails = statement<MailRow>('list-mails', `select ${MAIL} from mails order by id desc limit $1`);

export const findMail = statement<MailRow>('find-mail', `select ${MAIL} from mails where id = $1`);

/** A piece of what was sent, or abandoned, whose text is gone. $1 the first id that is kept, $2 how many at most. */
export const deleteOldMails = statement<{ gone: number }>(
  'delete-old-mails',
  `with old as materialized (
     select id from mails
      where id < $1 and body_sealed is null and num_nonnulls(sent_at, abandoned_at) > 0 order by id limit $2
   ), deleted as (
     delete from mails m using old where m.id = old.id returning 1
   )
   select count(*)::int as gone from deleted`,
);
