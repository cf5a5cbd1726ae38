import { statement } from '../platform/db/statement.ts';

export interface SignUpRow {
  id: string;
  email: string;
}

export const insertSignUp = statement(
  'insert-sign-up',
  'insert into sign_ups (id, email, created_at) values ($1, $2, $3)',
);

export const findSignUp = statement<SignUpRow>('find-sign-up', 'select id, email from sign_ups where id = $1');

export const deleteSignUp = statement<SignUpRow>(
  'delete-sign-up',
  'delete from sign_ups where id = $1 returning id, email',
);

/** With the links that lead to them. */
export const deleteSignUpsOf = statement(
  'delete-sign-ups-of-address',
  `with gone as (delete from sign_ups where email = $1 returning id)
   delete from links using gone where links.subject_id = gone.id`,
);

export const deleteOldSignUps = statement<{ id: string }>(
  'delete-old-sign-ups',
  'delete from sign_ups where created_at < $1 returning id',
);
