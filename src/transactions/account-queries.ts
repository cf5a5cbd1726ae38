import { statement } from '../platform/db/statement.ts';
import { BY_ACCOUNT } from './list-queries.ts';

/** What the newest payouts to one account come to; amounts in minor units, of those that are `SUCCESS` now. */
export interface PaidRow {
  paid: number;
  paid_minor: bigint;
  last_paid_at: Date | null;
  /** How many payouts were looked at, of whatever status. */
  seen: number;
}

/** $3 the bank's code in the directory, $4 the account number, $5 how many payouts are looked at, the newest. */
export const sumPaidToAccount = statement<PaidRow>(
  'sum-paid-to-account',
  `select (count(*) filter (where status = 'SUCCESS'))::int as paid,
          coalesce(sum(amount_minor) filter (where status = 'SUCCESS'), 0)::bigint as paid_minor,
          max(paid_at) filter (where status = 'SUCCESS') as last_paid_at, count(*)::int as seen
     from (
       select status, amount_minor, paid_at from transactions
        where merchant_id = $1 and mode = $2 and category = 'PAYOUT' and beneficiary_account_number = $4
          and ${BY_ACCOUNT} and beneficiary_bank_code = $3
        order by created_at desc, id desc limit $5
     ) newest`,
);

/** $3 bank codes, $4 account numbers, $5 how many payouts to each are looked at. No row for an account without any paid. */
export const listLastPaid = statement<{ bank_code: string; account_number: string; last_paid_at: Date | null }>(
  'list-last-paid',
  `select wanted.bank_code, wanted.account_number, latest.paid_at as last_paid_at
     from unnest($3::text[], $4::text[]) as wanted (bank_code, account_number)
    cross join lateral (
      select paid_at from (
        select status, paid_at, created_at, id from transactions
         where merchant_id = $1 and mode = $2 and category = 'PAYOUT'
           and beneficiary_account_number = wanted.account_number and ${BY_ACCOUNT}
           and beneficiary_bank_code = wanted.bank_code
         order by created_at desc, id desc limit $5
      ) newest
      where status = 'SUCCESS'
      order by created_at desc, id desc limit 1
    ) latest`,
);
