import { statement } from '../platform/db/statement.ts';

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

export interface VerifyRunRow {
  id: string;
  state: 'RIGHT' | 'WRONG' | 'FAILED';
  started_at: Date;
  finished_at: Date;
  started_by: string;
  report: string;
}

export const insertVerifyRun = statement(
  'insert-verify-run',
  `insert into verify_runs (id, state, started_at, finished_at, started_by, report) values ($1, $2, $3, $4, $5, $6)`,
);

export const findLastVerifyRun = statement<VerifyRunRow>(
  'find-last-verify-run',
  'select id, state, started_at, finished_at, started_by, report from verify_runs order by id desc limit 1',
);

/** What the last proof said that said anything. */
export const findLastVerdict = statement<Pick<VerifyRunRow, 'state'>>(
  'find-last-verdict',
  `select state from verify_runs where state <> 'FAILED' order by id desc limit 1`,
);

/** Keeps the last ones: a proof says nothing about later. */
export const deleteOldVerifyRuns = statement(
  'delete-old-verify-runs',
  'delete from verify_runs where id not in (select id from verify_runs order by id desc limit $1)',
);
