import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export interface SupportViewRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  session_id: string;
  person_id: string;
  person_name: string;
  reason: string;
  opened_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

const COLUMNS = `merchant_id, mode, id, session_id, person_id, person_name, reason, opened_at, expires_at, ended_at`;

export const insertSupportView = statement<SupportViewRow>(
  'insert-support-view',
  `insert into support_views (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, null) returning ${COLUMNS}`,
);

/** $1 merchant, $2 view, $3 the session that it was opened in, $4 now. No row: it opens nothing, or nothing any more. */
export const findOpenSupportView = statement<SupportViewRow>(
  'find-open-support-view',
  `select ${COLUMNS} from support_views
    where merchant_id = $1 and id = $2 and session_id = $3 and ended_at is null and expires_at > $4`,
);

/** What a session has open of a merchant in a mode. $4 now. */
export const endSupportViewsOfSession = statement(
  'end-support-views-of-session',
  `update support_views set ended_at = $4
    where merchant_id = $1 and mode = $2 and session_id = $3 and ended_at is null and expires_at > $4`,
);

/** $1 merchant, $2 view, $3 whose, $4 now. */
export const endSupportView = statement<{ id: string }>(
  'end-support-view',
  `update support_views set ended_at = $4
    where merchant_id = $1 and id = $2 and person_id = $3 and ended_at is null and expires_at > $4
   returning id`,
);

/**
 * Newest first; $2 how many, $3 now. One is open while its time runs, nobody ended it, and the session that it was opened in is
 * still there.
 */
export const listSupportViews = statement<SupportViewRow & { is_open: boolean }>(
  'list-support-views',
  `select v.merchant_id, v.mode, v.id, v.session_id, v.person_id, v.person_name, v.reason, v.opened_at, v.expires_at,
     v.ended_at,
     v.ended_at is null and v.expires_at > $3
       and exists (select 1 from sessions s where s.id = v.session_id and s.expires_at > $3) as is_open
   from support_views v where v.merchant_id = $1 order by v.id desc limit $2`,
);
