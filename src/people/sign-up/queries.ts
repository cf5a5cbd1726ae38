import { statement } from '../../platform/db/statement.ts';

export interface SignUpRow {
  id: string;
  email: string;
  password_hash: string;
  business_name: string;
  first_name: string;
  last_name: string;
  phone_number: string;
}

export const insertSignUp = statement(
  'insert-sign-up',
  `insert into sign_ups (id, email, password_hash, business_name, first_name, last_name, phone_number, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export const deleteSignUp = statement<SignUpRow>('delete-sign-up', 'delete from sign_ups where id = $1 returning *');

export const deleteOldSignUps = statement<{ id: string }>(
  'delete-old-sign-ups',
  'delete from sign_ups where created_at < $1 returning id',
);
