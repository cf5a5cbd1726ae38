import { leftOf } from '../collections/index.ts';
import { walletHasMoneySql } from '../ledger/index.ts';
import { statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import { type DisputeRow, SHORT_END } from './queries.ts';

/**
 * The payment p of a dispute d, unless it was returned or kept: then nothing of it could be taken from the merchant.
 */
const OF_PAYMENT = `join inbound_payments p on p.merchant_id = d.merchant_id and p.mode = d.mode and p.id = d.payment_id
      and p.status not in ('RETURNED', 'KEPT')`;

export type FreedDispute = Pick<DisputeRow, 'merchant_id' | 'mode' | 'id' | 'payment_id' | 'ended_at'>;

/** May take more than it did, of a payment that has something left. */
const TAKES_MORE = `d.disputed_minor < d.amount_minor and ${leftOf('p')} > 0`;

/** Orders disputes d: the first of each merchant, then the second of each, and so on. $3 how many. */
const inTurn = (
  found: string,
): string => `select freed.merchant_id, freed.mode, freed.id, freed.payment_id, freed.ended_at
     from (
       select d.merchant_id, d.mode, d.id, d.payment_id, d.ended_at,
              row_number() over (partition by d.merchant_id order by d.id) as place
         from ${found}
     ) freed
    order by freed.place, freed.merchant_id
    limit $3`;

/**
 * Disputes that took less than their amount, and whose payment has something left now. $1 mode, $2 those that are left
 * alone for now, $3 how many.
 */
export const listFreedDisputes = statement<FreedDispute>(
  'list-freed-disputes',
  inTurn(`(select * from disputes where mode = $1 and ${SHORT_END} and id <> all ($2::uuid[])) d
         ${OF_PAYMENT}
        where ${TAKES_MORE}`),
);

export const SHORT_DISPUTES = queue(listFreedDisputes, 'disputes', SHORT_END);

/** Runs, and its wallet holds less for it than is wanted. */
const UNHELD = `ended_at is null and wallet_id is not null and held_minor < amount_minor`;

/**
 * Of those, the ones that may hold more and whose wallet has money: it had too little before, or what was taken back of their
 * payment came to nothing since. Wallets are looked at once each, however many disputes are of one. $1 mode, $2 those that are
 * left alone for now, $3 how many.
 */
export const listUnheldDisputes = statement<FreedDispute>(
  'list-unheld-disputes',
  `with unheld as not materialized (
     select * from disputes where mode = $1 and ${UNHELD} and id <> all ($2::uuid[])
   )
   ${inTurn(`(select distinct merchant_id, mode, wallet_id from unheld) w
         join unheld d on d.merchant_id = w.merchant_id and d.mode = w.mode and d.wallet_id = w.wallet_id
         ${OF_PAYMENT}
        where ${walletHasMoneySql('w')} and (d.held_minor < d.disputed_minor or ${TAKES_MORE})`)}`,
);

export const UNHELD_DISPUTES = queue(listUnheldDisputes, 'disputes', UNHELD);

/**
 * Why disputes keep money from leaving to the merchant's bank: a debt; or an open one that may take more than the
 * wallet holds for it, as a refund may have failed since it was opened; or a lost one that may take more now.
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
