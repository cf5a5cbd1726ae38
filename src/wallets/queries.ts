import { setInsert, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

export interface WalletRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  owner_id: string;
  bank_code: string;
  bank_name: string;
  account_name: string;
  account_number: string;
  created_at: Date;
}

export const insertWallets = setInsert<WalletRow>('wallets', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  owner_id: 'uuid',
  bank_code: 'text',
  bank_name: 'text',
  account_name: 'text',
  account_number: 'text',
  created_at: 'timestamptz',
});

export const findWalletByOwner = statement<WalletRow>(
  'find-wallet-by-owner',
  // True of every wallet. The index by owner has this condition, so only statements that name it can use that index.
  `select * from wallets where merchant_id = $1 and mode = $2 and owner_id = $3 and created_at > '-infinity'`,
);

export const findWallet = statement<WalletRow>(
  'find-wallet',
  'select * from wallets where merchant_id = $1 and mode = $2 and id = $3',
);

/** Found by its key for a number `n` of this tenant, whatever other conditions there are. */
const ITS_WALLET = `cross join lateral (
      select * from wallets where merchant_id = $1 and mode = $2 and id = n.wallet_id offset 0
    ) w`;

/** The wallet of an account number, where it is this tenant's: in the sandbox's own bank also that of a session. */
export const findWalletByNumber = statement<WalletRow>(
  'find-wallet-by-number',
  `select w.* from account_numbers n
    ${ITS_WALLET}
    where n.account_number = $3 and n.merchant_id = $1 and n.mode = $2
    union all
   select w.* from receiving_numbers n
    ${ITS_WALLET}
    where n.rail = 'sandbox' and n.account_number = $3 and n.merchant_id = $1 and n.mode = $2
    limit 1`,
);

/** The number by which a merchant knows its wallet `w`: its first own one at a provider, else the generated one. */
export const SHOWN_NUMBER = `coalesce((select n.account_number from virtual_accounts v
      join virtual_account_numbers n on n.merchant_id = v.merchant_id and n.mode = v.mode and n.wallet_id = v.wallet_id
       and n.virtual_account_id = v.id and n.closed_at is null
    where v.merchant_id = w.merchant_id and v.mode = w.mode and v.wallet_id = w.id and v.status = 'OPEN'
      and v.customer_id is null
    order by n.opened_at, n.account_number limit 1), w.account_number)`;

/** A wallet of any merchant, as the operator finds it. */
export type FoundWallet = Pick<WalletRow, 'merchant_id' | 'mode' | 'id' | 'account_name'>;

/**
 * The wallets of all merchants that an account number leads to, up to two: by our own number, or by one of a provider,
 * which alone is shown in live mode. $1 number, $2 mode, $3 code of its bank or null, $4 merchant or null.
 */
export const listWalletsOfNumber = statement<FoundWallet>(
  'list-wallets-of-number',
  `with found as (
     select w.merchant_id, w.mode, w.id, w.bank_code
       from account_numbers a
       join wallets w on w.merchant_id = a.merchant_id and w.mode = a.mode and w.id = a.wallet_id
      where a.account_number = $1 and a.mode = $2
      union
     select n.merchant_id, n.mode, n.wallet_id, v.bank_code
       from receiving_numbers n
       left join virtual_account_numbers v
         on v.merchant_id = n.merchant_id and v.mode = n.mode and v.wallet_id = n.wallet_id
        and v.virtual_account_id = n.virtual_account_id and v.account_number = n.account_number
      where n.account_number = $1 and n.mode = $2 and n.closed_at is null
   )
   select w.merchant_id, w.mode, w.id, w.account_name
     from (select distinct merchant_id, mode, id from found
            where ($3::text is null or bank_code = $3) and ($4::uuid is null or merchant_id = $4)) n
     join wallets w on w.merchant_id = n.merchant_id and w.mode = n.mode and w.id = n.id
    limit 2`,
);

/** Takes a free account number; no row comes back when somebody has it already. */
export const insertAccountNumber = statement<{ account_number: string }>(
  'insert-account-number',
  `insert into account_numbers (account_number, merchant_id, mode, wallet_id, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict (account_number) do nothing
   returning account_number`,
);

/** The row of a store or subaccount in the table of its kind, which the module of that kind owns. */
export interface ChildRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  name: string;
  wallet_id: string;
  created_at: Date;
}

/** A child of a list with its wallet's columns; `id` and `created_at` are the wallet's. */
export interface ListedChildRow extends WalletRow {
  child_id: string;
  child_name: string;
  child_created_at: Date;
}

const NEWEST: ListOrder<ListedChildRow> = {
  direction: 'desc',
  keys: [{ sql: 'c.id', type: 'uuid', of: ({ child_id }) => child_id }],
};

/**
 * A tenant's children of one kind, newest first: ids sort by time.
 * @param search is looked for in names, in lower case
 */
export const childList = (
  table: ChildTable,
  { merchantId, mode }: Tenant,
  search?: string | undefined,
): List<ListedChildRow> => ({
  name: table,
  of: search === undefined ? [merchantId, mode] : [merchantId, mode, search],
  order: NEWEST,
  columns: 'c.id as child_id, c.name as child_name, c.created_at as child_created_at, w.*',
  // Each row by its key: joined otherwise, a plan made for few rows would read all wallets of the merchant for every
  // child.
  from: `${table} c
     join lateral (
       select * from wallets where merchant_id = c.merchant_id and mode = c.mode and id = c.wallet_id offset 0
     ) w on true`,
  countFrom: `${table} c`,
  where: ['c.merchant_id = $1', 'c.mode = $2', ...(search === undefined ? [] : ['strpos(lower(c.name), $3) > 0'])],
  values: search === undefined ? [merchantId, mode] : [merchantId, mode, search],
});

/** Each owned by the module of its kind. */
export type ChildTable = 'stores' | 'subaccounts';

export const childColumns = {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  name: 'text',
  wallet_id: 'uuid',
  created_at: 'timestamptz',
} as const;

/**
 * Wallets of a mode $1 that never had an account at the provider $2, among the $3 wallets after the last one that was
 * looked at, $4 and $5. An account that the provider refused is not requested again automatically. The last wallet that
 * was looked at is among the rows in any case; each row says how many were.
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
