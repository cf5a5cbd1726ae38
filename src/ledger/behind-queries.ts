import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

/** For each mode, the time of the first event after any of these positions. $1 merchants, $2 modes, $3 sequences. */
export const findOldestBehind = statement<{ mode: Mode | null; since: Date | null }>(
  'find-oldest-events-behind',
  `select wanted.mode, min(next.created_at) as since
     from unnest($1::uuid[], $2::text[], $3::bigint[]) as wanted (merchant_id, mode, sequence)
     join events next
       on next.merchant_id = wanted.merchant_id and next.mode = wanted.mode and next.sequence = wanted.sequence + 1
    group by wanted.mode`,
);

/** All of this kind, which have an index of their own: as many as there are merchants who take payments, in each mode. */
const RECEIVABLES = `from (
       select merchant_id, mode, owner_id, debits_posted_minor - credits_posted_minor as owed_minor from accounts
        where kind = 'COLLECTION_RECEIVABLE'
     ) a
    where a.owed_minor <> 0`;

/** What each provider account owes over all merchants; the id is null for the sandbox's own bank. */
export const sumReceivablesByProvider = statement<{
  mode: Mode;
  provider_account_id: string | null;
  merchants: number;
  owed_minor: bigint;
}>(
  'sum-receivables-by-provider',
  `select a.mode, nullif(a.owner_id, a.merchant_id) as provider_account_id, count(*)::int as merchants,
          coalesce(sum(a.owed_minor), 0)::bigint as owed_minor
     ${RECEIVABLES}
    group by a.mode, nullif(a.owner_id, a.merchant_id)
    order by owed_minor desc`,
);

/** The merchants for whom providers owe most. $1 how many merchants. */
export const listLargestReceivables = statement<{ merchant_id: string; mode: Mode; owed_minor: bigint }>(
  'list-largest-receivables',
  `select a.merchant_id, a.mode, coalesce(sum(a.owed_minor), 0)::bigint as owed_minor
     ${RECEIVABLES}
    group by a.merchant_id, a.mode
    order by owed_minor desc, a.merchant_id, a.mode
    limit $1`,
);
