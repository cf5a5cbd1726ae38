import { statement } from '../platform/db/statement.ts';

/**
 * Wallets of a mode $1 that never had an account at the provider $2, among $3 wallets on from the last one that was looked at,
 * $4 and $5. What the provider refused is not asked for again by itself. The last one that was looked at is among the rows
 * whether it is missing or not; each says how many were.
 */
export const listWalletsWithoutAccount = statement<{
  merchant_id: string;
  wallet_id: string;
  is_missing: boolean;
  looked_at: number;
}>(
  'list-wallets-without-virtual-account',
  `with looked as materialized (
     select w.merchant_id, w.id, v.accounts
       from wallets w
      cross join lateral (
        select count(*) as accounts from virtual_accounts v
         where v.merchant_id = w.merchant_id and v.mode = w.mode and v.wallet_id = w.id and v.rail = $2
           and v.customer_id is null
      ) v
      where (w.merchant_id, w.mode, w.id) > ($4::uuid, $1::text, $5::uuid) and w.mode = $1
      order by w.merchant_id, w.mode, w.id limit $3
   )
   select numbered.merchant_id, numbered.id as wallet_id, coalesce(numbered.accounts = 0, false) as is_missing,
          coalesce(numbered.looked_at, 0)::int as looked_at
     from (
       select l.*, count(*) over () as looked_at, row_number() over (order by l.merchant_id, l.id) as place from looked l
     ) numbered
    where numbered.accounts = 0 or numbered.place = numbered.looked_at
    order by numbered.place`,
);
