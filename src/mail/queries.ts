import { statement } from '../platform/db/statement.ts';

export interface MailRow {
  id: string;
  recipient: string;
  subject: string;
  body_sealed: string | null;
  created_at: Date;
  tries: number;
  sent_at: Date | null;
}

const MAIL = 'id, recipient, subject, body_sealed, created_at, tries, sent_at';

export const insertMail = statement(
  'insert-mail',
  `insert into mails (id, recipient, subject, body_sealed, created_at, due_at) values ($1, $2, $3, $4, $5, $5)`,
);

/** Takes what is due, by moving it on to $2: whoever dies over it leaves it due again by then. */
export const claimDueMails = statement<MailRow>(
  'claim-due-mails',
  `update mails set due_at = $2, tries = tries + 1
    where id in (
      select id from mails where sent_at is null and given_up_at is null and due_at <= $1
      order by due_at limit $3 for update skip locked)
   returning ${MAIL}`,
);

export const updateMailSent = statement(
  'update-mail-sent',
  'update mails set sent_at = $2, last_error = null where id = $1',
);

/** $4 is set where it is not tried again. */
export const updateMailRefused = statement(
  'update-mail-refused',
  'update mails set due_at = $2, last_error = $3, given_up_at = $4 where id = $1',
);

export const updateMailsWiped = statement<{ id: string }>(
  'update-mails-wiped',
  'update mails set body_sealed = null where body_sealed is not null and created_at < $1 returning id',
);

export const listMails = statement<MailRow>('list-mails', `select ${MAIL} from mails order by id desc limit $1`);

export const findMail = statement<MailRow>('find-mail', `select ${MAIL} from mails where id = $1`);
