import { setInsert, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { PayoutLimitRow } from './payout-limit.ts';

const COLUMNS = `id, owner, merchant_id as "merchantId", mode, per_payout_minor as "perPayoutMinor",
          per_day_minor as "perDayMinor", duplicate_window_seconds as "duplicateWindowSeconds",
          effective_from as "effectiveFrom", effective_to as "effectiveTo", source`;

/**
 * The operator's rows, past and future, in the order in which they are shown: of merchant $1 and of all, or with null
 * every one.
 */
export const listOperatorLimits = statement<PayoutLimitRow>(
  'list-operator-payout-limits',
  `select ${COLUMNS}
     from payout_limits
    where owner = 'OPERATOR' and ($1::uuid is null or merchant_id is null or merchant_id = $1)
    order by mode, merchant_id nulls first, effective_from, id`,
);

/** Rows for all merchants, past and future: the time of a payout decides which are in force. */
export const listLimitsForAll = statement<PayoutLimitRow>(
  'list-payout-limits-for-all',
  `select ${COLUMNS} from payout_limits where owner = 'OPERATOR' and merchant_id is null`,
);

/** Rows for merchant $1 alone in mode $2: the operator's, and the merchant's own that were set last. */
export const listMerchantLimits = statement<PayoutLimitRow>(
  'list-merchant-payout-limits',
  `(select ${COLUMNS} from payout_limits where merchant_id = $1 and mode = $2 and owner = 'OPERATOR')
   union all
   (select ${COLUMNS} from payout_limits where merchant_id = $1 and mode = $2 and owner = 'MERCHANT'
     order by effective_from desc, id desc limit 1)`,
);

/** When the own limits of merchant $1 in mode $2 that were set last begin. */
export const findLastOwnLimits = statement<Pick<PayoutLimitRow, 'effectiveFrom'>>(
  'find-last-own-payout-limits',
  `select effective_from as "effectiveFrom" from payout_limits
    where merchant_id = $1 and mode = $2 and owner = 'MERCHANT' order by effective_from desc, id desc limit 1`,
);

export const insertPayoutLimits = setInsert<{
  id: string;
  owner: string;
  merchant_id: string | null;
  mode: Mode;
  per_payout_minor: bigint | null;
  per_day_minor: bigint | null;
  duplicate_window_seconds: number;
  effective_from: string;
  effective_to: string | null;
  source: string;
}>('payout_limits', {
  id: 'text',
  owner: 'text',
  merchant_id: 'uuid',
  mode: 'text',
  per_payout_minor: 'bigint',
  per_day_minor: 'bigint',
  duplicate_window_seconds: 'integer',
  effective_from: 'timestamptz',
  effective_to: 'timestamptz',
  source: 'text',
});

/** Ends the operator's limits for one merchant at a given time; the ones for all apply from then on. */
export const updatePayoutLimitsEnded = statement<{ id: string }>(
  'update-payout-limits-ended',
  `update payout_limits set effective_to = $3
    where owner = 'OPERATOR' and merchant_id = $1 and mode = $2 and effective_from < $3 and (effective_to is null or effective_to > $3)
    returning id`,
);

/** Rows that have not begun have limited nothing yet. */
export const deletePayoutLimitsAhead = statement<{ id: string }>(
  'delete-payout-limits-ahead',
  `delete from payout_limits
    where owner = 'OPERATOR' and merchant_id = $1 and mode = $2 and effective_from >= $3
    returning id`,
);
