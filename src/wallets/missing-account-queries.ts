import { statement } from '../platform/db/statement.ts';

/**
 * Requests accounts for wallets of a mode that never had one at this provider, `$5` wallets on from the last one that was
 * looked at. What the provider refused is not asked for again by itself. The id of a request may be any: it is made here
 * from random bits. Returns the last wallet that was looked at, with how many requests were added.
 */
export const insertMissingVirtualAccounts = statement<{
  merchant_id: string;
  wallet_id: string;
  looked_at: number;
  added: number;
}>(
  'insert-missing-virtual-accounts',
  `with looked as materialized (
     select w.merchant_id, w.mode, w.id, v.accounts
       from wallets w
      cross join lateral (
        select count(*) as accounts from virtual_accounts v
         where v.merchant_id = w.merchant_id and v.mode = w.mode and v.wallet_id = w.id and v.rail = $2
           and v.customer_id is null
      ) v
      where (w.merchant_id, w.mode, w.id) > ($6::uuid, $1::text, $7::uuid) and w.mode = $1
      order by w.merchant_id, w.mode, w.id limit $5
   ), added as (
     insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, preferred_bank, attempts, due_at,
                                   requested_at, updated_at)
     select l.merchant_id, l.mode, gen_random_uuid(), l.id, $2, 'REQUESTED', $3, 0, $4, $4, $4
       from looked l
      where l.accounts = 0
     on conflict (merchant_id, mode, wallet_id, rail) where status in ('REQUESTED', 'OPEN') and customer_id is null
     do nothing
     returning id
   )
   select merchant_id, id as wallet_id, (select count(*) from looked)::int as looked_at,
          (select count(*) from added)::int as added
     from looked order by merchant_id desc, id desc limit 1`,
);
