import { leftOf } from '../collections/index.ts';
import { statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import { type DisputeRow, SHORT_END } from './queries.ts';

/** The payment p of a dispute d, unless it went back or was kept: then nothing of it could be taken from the merchant. */
const OF_PAYMENT = `join inbound_payments p on p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id
      and p.status not in ('RETURNED', 'KEPT')`;

/** Of disputes that took less than their amount, those whose payment has something left by now. $1 mode, $2 those that are left alone for now, $3 how many. */
export const listFreedDisputes = statement<DisputeRow>(
  'list-freed-disputes',
  `select d.*
     from (select * from disputes where mode = $1 and ${SHORT_END} and id <> all ($2::uuid[])) d
     ${OF_PAYMENT}
    where d.disputed_minor < d.amount_minor and ${leftOf('p')} > 0
    order by d.id
    limit $3`,
);

export const SHORT_DISPUTES = queue(listFreedDisputes, 'disputes', SHORT_END);

/** Runs, may take less than it wants of its payment, and nothing is held for it. */
const UNHELD = `ended_at is null and operator_reason in ('TAKEN_BACK_BEFORE', 'ABOVE_PAYMENT', 'STATE_NOT_LISTED') and hold_id is null and wallet_id is not null`;

/** Of those, the ones whose payment has something left by now. $1 mode, $2 those that are left alone for now, $3 how many. */
export const listUnheldDisputes = statement<DisputeRow>(
  'list-unheld-disputes',
  `select d.*
     from (select * from disputes where mode = $1 and ${UNHELD} and id <> all ($2::uuid[])) d
     ${OF_PAYMENT}
    where d.disputed_minor < d.amount_minor and ${leftOf('p')} > 0
    order by d.id
    limit $3`,
);

export const UNHELD_DISPUTES = queue(listUnheldDisputes, 'disputes', UNHELD);

/**
 * What of disputes keeps money from leaving to the merchant's bank: a debt; or an open one that may take more than the wallet
 * holds for it, as a refund may have come to nothing since it was opened; or a lost one that may take more by now.
 */
export const findUncovered = statement<{ owes: boolean | null; is_short: boolean | null }>(
  'find-uncovered-disputes',
  `select bool_or(owes) as owes, bool_or(not owes) as is_short
     from (
       select true as owes from disputes where merchant_id = $1 and mode = $2 and repaid_minor < loss_minor
        union all
       select false from disputes d
         ${OF_PAYMENT}
        where d.merchant_id = $1 and d.mode = $2 and d.ended_at is null and d.wallet_id is not null
          and d.held_minor < least(d.amount_minor, d.disputed_minor + greatest(${leftOf('p')}, 0))
        union all
       select false from disputes d
         ${OF_PAYMENT}
        where d.merchant_id = $1 and d.mode = $2 and d.operator_reason = 'TAKEN_BACK_BEFORE'
          and d.ended_at is not null and d.disputed_minor < d.amount_minor and ${leftOf('p')} > 0
     ) uncovered`,
);
