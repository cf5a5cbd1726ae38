import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { DisputeRow } from './queries.ts';

/**
 * Disputes whose reminder is due: the first of each merchant, then the second of each, and so on. $1 mode, $2 now, $3
 * those that are left alone for now, $4 how many.
 */
export const listDisputesToRemind = statement<{ merchant_id: string; mode: Mode; id: string }>(
  'list-disputes-to-remind',
  `select due.merchant_id, due.mode, due.id
     from (
       select merchant_id, mode, id, remind_at, row_number() over (partition by merchant_id order by remind_at, id) as place
         from disputes
        where mode = $1 and ended_at is null and remind_at <= $2 and id <> all ($3::uuid[])
     ) due
    order by due.place, due.remind_at
    limit $4`,
);

/** Each once: of two workers that remind at the same moment one gets the row. $4 now. */
export const updateDisputeReminded = statement<DisputeRow>(
  'update-dispute-reminded',
  `update disputes set remind_at = null
    where merchant_id = $1 and mode = $2 and id = $3 and ended_at is null and remind_at <= $4
    returning *`,
);
