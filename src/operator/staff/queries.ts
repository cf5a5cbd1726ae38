import { statement } from '../../platform/db/statement.ts';

export const listPeopleEmails = statement<{ id: string; email: string }>(
  'list-people-emails',
  'select id, email from people where id = any($1::uuid[])',
);

export interface MerchantPersonRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: string | null;
  second_factor: boolean;
  disabled_at: Date | null;
  last_seen_at: Date | null;
  created_at: Date;
}

/** Who may sign in for a merchant, longest there first. */
export const listMerchantPeople = statement<MerchantPersonRow>(
  'list-people-of-merchant-for-operator',
  `select id, email, first_name, last_name, role, totp_sealed is not null as second_factor, disabled_at, last_seen_at,
          created_at
     from people where merchant_id = $1 order by id limit 500`,
);
