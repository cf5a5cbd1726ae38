import { statement } from '../../platform/db/statement.ts';

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
