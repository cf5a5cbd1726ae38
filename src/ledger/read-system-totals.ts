import type { Queries } from '../platform/db/database.ts';
import { statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { BY_OWNER } from './queries.ts';

/** What the operator's own accounts add up to, over one merchant or all, in minor units. */
export interface SystemTotals {
  /** What lies at the providers, by our books. */
  floatMinor: bigint;
  /** Paid, and not yet confirmed by the rail's own file. Negative where the rail owes us returned payouts. */
  clearingMinor: bigint;
  /** Held for payouts that have no outcome. */
  heldMinor: bigint;
  /** What providers owe for payments in that they have not settled. */
  receivableMinor: bigint;
}

const sumSystemAccounts = statement<{
  float_minor: bigint;
  clearing_minor: bigint;
  held_minor: bigint;
  receivable_minor: bigint;
}>(
  'sum-system-accounts',
  `select coalesce(sum(debits_posted_minor - credits_posted_minor) filter (where kind = 'PROVIDER_FLOAT'), 0)::bigint
            as float_minor,
          coalesce(sum(credits_posted_minor - debits_posted_minor) filter (where kind = 'PAYOUT_CLEARING'), 0)::bigint
            as clearing_minor,
          coalesce(sum(credits_pending_minor) filter (where kind = 'PAYOUT_CLEARING'), 0)::bigint as held_minor,
          coalesce(sum(debits_posted_minor - credits_posted_minor) filter (where kind = 'COLLECTION_RECEIVABLE'), 0)::bigint
            as receivable_minor
     from accounts
    where mode = $1 and currency = $2 and kind in ('PROVIDER_FLOAT', 'PAYOUT_CLEARING', 'COLLECTION_RECEIVABLE')
      and ${BY_OWNER}
      and ($3::uuid is null or merchant_id = $3)`,
);

/** Over all merchants unless one is named: for the operator, outside any movement. */
export async function readSystemTotals(
  queries: Queries,
  { mode, currency, merchantId }: { mode: Mode; currency: string; merchantId: string | null },
): Promise<SystemTotals> {
  const [row] = await queries.query(sumSystemAccounts, [mode, currency, merchantId]);
  if (row === undefined) throw new Error('a sum gave no row');
  return {
    floatMinor: row.float_minor,
    clearingMinor: row.clearing_minor,
    heldMinor: row.held_minor,
    receivableMinor: row.receivable_minor,
  };
}
