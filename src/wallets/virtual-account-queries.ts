import { type StateChange, type StateMachine, stateChangeColumns, stateMachine } from '../ledger/index.ts';
import { among, ofDueTenants, setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';

/**
 * `REQUESTED`: a worker asks the provider. `FAILED`: it will not be opened as requested. `CLOSED`: nothing is credited
 * any more.
 */
export type VirtualAccountStatus = 'REQUESTED' | 'OPEN' | 'FAILED' | 'CLOSED';

const machine = stateMachine<VirtualAccountStatus>('virtual_account', 'virtual_accounts', {
  REQUESTED: ['OPEN', 'FAILED'],
  OPEN: ['CLOSED'],
  FAILED: [],
  CLOSED: [],
});

/**
 * When a request ends, no worker asks the provider for it any more; when an account is closed, a worker has the
 * provider close it.
 */
const update: StateMachine['update'] = setStatement<StateChange>(
  'update-virtual-account-states',
  stateChangeColumns,
  `update virtual_accounts v
      set status = rows.to_state, reason = rows.reason, updated_at = rows.created_at,
          due_at = case when rows.to_state = 'CLOSED' then rows.created_at end,
          closed_at = case when rows.to_state = 'CLOSED' then rows.created_at end,
          identity_sealed = case when rows.to_state = 'FAILED' then v.identity_sealed end
     from :rows
    where v.merchant_id = rows.merchant_id and v.mode = rows.mode and v.id = rows.subject_id
      and v.status = rows.from_state`,
);

/** A request for an account number at a provider: opened once, or refused; an open account may be closed. */
export const virtualAccountStates: typeof machine = { ...machine, update };

export interface VirtualAccountRow {
  merchant_id: string;
  mode: Mode;
  /** Without its hyphens it is our reference at the provider. */
  id: string;
  wallet_id: string;
  rail: string;
  status: VirtualAccountStatus;
  reason: string | null;
  message: string | null;
  preferred_bank: string | null;
  provider_account_id: string | null;
  attempts: number;
  due_at: Date | null;
  requested_at: Date;
  updated_at: Date;
  /** The customer whose it is; null: the wallet's own. */
  customer_id: string | null;
  /** The customer's name as it is reported to the provider, the same each time. */
  holder_name: string | null;
  holder_email: string | null;
  holder_phone: string | null;
  /** BVN and NIN of the customer, sealed for this row; null once it is open. */
  identity_sealed: string | null;
  closed_at: Date | null;
}

/** Inserts an account that is known to be the only one: of a wallet, or of a customer. */
export const insertVirtualAccounts = setInsert<VirtualAccountRow>('virtual_accounts', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  wallet_id: 'uuid',
  rail: 'text',
  status: 'text',
  reason: 'text',
  message: 'text',
  preferred_bank: 'text',
  provider_account_id: 'text',
  attempts: 'integer',
  due_at: 'timestamptz',
  requested_at: 'timestamptz',
  updated_at: 'timestamptz',
  customer_id: 'uuid',
  holder_name: 'text',
  holder_email: 'text',
  holder_phone: 'text',
  identity_sealed: 'text',
  closed_at: 'timestamptz',
});

/** The last account of a wallet at a provider account; $5: of this customer there, or null for the wallet's own. */
export const findLatestVirtualAccount = statement<VirtualAccountRow>(
  'find-latest-virtual-account',
  `(select * from virtual_accounts
     where $5::uuid is null and merchant_id = $1 and mode = $2 and wallet_id = $3 and rail = $4 and customer_id is null)
    union all
   (select * from virtual_accounts
     where merchant_id = $1 and mode = $2 and customer_id = $5 and wallet_id = $3 and rail = $4)
    order by requested_at desc, id desc limit 1`,
);

/** Erases identities that a later request for the same account has stored for itself. */
export const eraseVirtualAccountIdentities = setStatement<Pick<VirtualAccountRow, 'merchant_id' | 'mode' | 'id'>>(
  'erase-virtual-account-identities',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid' },
  `update virtual_accounts v set identity_sealed = null
     from :rows
    where v.merchant_id = rows.merchant_id and v.mode = rows.mode and v.id = rows.id`,
);

/** Requests accounts for wallets, where the wallet has none at this provider that is open or requested. */
export const requestVirtualAccounts = setStatement<
  Pick<VirtualAccountRow, 'merchant_id' | 'mode' | 'id' | 'wallet_id' | 'rail' | 'preferred_bank' | 'requested_at'>
>(
  'request-virtual-accounts',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    wallet_id: 'uuid',
    rail: 'text',
    preferred_bank: 'text',
    requested_at: 'timestamptz',
  },
  `insert into virtual_accounts (merchant_id, mode, id, wallet_id, rail, status, preferred_bank, attempts, due_at,
                                 requested_at, updated_at)
   select rows.merchant_id, rows.mode, rows.id, rows.wallet_id, rows.rail, 'REQUESTED', rows.preferred_bank, 0,
          rows.requested_at, rows.requested_at, rows.requested_at
     from :rows
   on conflict (merchant_id, mode, wallet_id, rail) where status in ('REQUESTED', 'OPEN') and customer_id is null do nothing`,
);

export interface WalletProviderRow {
  rail: string;
  preferred_bank: string | null;
}

/** The provider account at which wallets of a mode get their numbers; no row where there is none. */
export const findDefaultWalletProvider = statement<WalletProviderRow>(
  'find-default-wallet-provider',
  'select rail, preferred_bank from default_wallet_providers where mode = $1',
);

export const updateDefaultWalletProvider = statement(
  'update-default-wallet-provider',
  `insert into default_wallet_providers (mode, rail, preferred_bank, updated_at) values ($1, $2, $3, $4)
   on conflict (mode) do update set
     rail = excluded.rail, preferred_bank = excluded.preferred_bank, updated_at = excluded.updated_at`,
);

/**
 * Accounts of a mode to request from a provider, or to close there: merchants by turns, the longest due first. It goes
 * from merchant to merchant through the index of due rows, so that a merchant with many costs as much as one with a
 * few.
 */
export const listDueVirtualAccounts = ofDueTenants<VirtualAccountRow>(
  'list-due-virtual-accounts',
  { table: 'virtual_accounts', condition: 'due_at is not null', now: '$2' },
  `select due.merchant_id, due.mode, due.id, due.wallet_id, due.rail, due.status, due.reason, due.message,
          due.preferred_bank, due.provider_account_id, due.attempts, due.due_at, due.requested_at, due.updated_at,
          due.customer_id, due.holder_name, due.holder_email, due.holder_phone, due.identity_sealed, due.closed_at
     from tenants
    cross join lateral (
      select v.*, row_number() over (order by v.due_at) as place
        from virtual_accounts v
       where v.merchant_id = tenants.merchant_id and v.mode = tenants.mode and v.due_at is not null and v.due_at <= $2
         and v.id <> all ($4::uuid[])
       order by v.due_at limit $3
    ) due
    where tenants.mode = $1
    order by due.place, due.due_at limit $3`,
);

export const DUE_VIRTUAL_ACCOUNTS = queue(
  listDueVirtualAccounts,
  'virtual_accounts',
  'due_at is not null and due_at <= $1',
);

/** Of two workers one gets the row: the other finds it due at another time. */
export const leaseVirtualAccount = statement<{ id: string }>(
  'lease-virtual-account',
  `update virtual_accounts set due_at = $5, attempts = attempts + 1, updated_at = $6
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 returning id`,
);

/**
 * Only while this worker has it: a request that was ended meanwhile stays ended. $9: the status that it was leased
 * with.
 */
export const updateVirtualAccountWaiting = statement(
  'update-virtual-account-waiting',
  `update virtual_accounts set due_at = $5, reason = $6, message = $7, updated_at = $8
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = $9`,
);

/** The provider has closed it, or cannot: nobody is asked any more. $5 a message, or null; $6 now. */
export const updateVirtualAccountClosedThere = statement(
  'update-virtual-account-closed-there',
  `update virtual_accounts set due_at = null, reason = null, message = $5, updated_at = $6
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 and status = 'CLOSED'`,
);

/** Makes a waiting request due now, unless a worker has leased it or it is due within a minute anyway. $4 now. */
export const updateVirtualAccountDue = statement(
  'update-virtual-account-due',
  `update virtual_accounts set due_at = $4
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'REQUESTED'
      and due_at > $4::timestamptz + interval '1 minute'`,
);

/** Other columns that change with a transition to `OPEN`, `FAILED` or `CLOSED`. */
export const updateVirtualAccountsEnded = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  message: string | null;
  provider_account_id: string | null;
}>(
  'update-virtual-accounts-ended',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', message: 'text', provider_account_id: 'text' },
  `update virtual_accounts v
      set message = rows.message, provider_account_id = coalesce(rows.provider_account_id, v.provider_account_id)
     from :rows
    where v.merchant_id = rows.merchant_id and v.mode = rows.mode and v.id = rows.id`,
);

export interface VirtualAccountNumberRow {
  merchant_id: string;
  mode: Mode;
  wallet_id: string;
  virtual_account_id: string;
  account_number: string;
  bank_code: string | null;
  bank_name: string;
  account_name: string;
  opened_at: Date;
  closed_at: Date | null;
}

export const insertVirtualAccountNumbers = setInsert<VirtualAccountNumberRow>('virtual_account_numbers', {
  merchant_id: 'uuid',
  mode: 'text',
  wallet_id: 'uuid',
  virtual_account_id: 'uuid',
  account_number: 'text',
  bank_code: 'text',
  bank_name: 'text',
  account_name: 'text',
  opened_at: 'timestamptz',
  closed_at: 'timestamptz',
});

/**
 * The wallets' own numbers that can be paid to now, the oldest of a wallet first; none of their customers. $1
 * merchants, $2 modes, $3 wallets.
 */
export const listOpenNumbers = statement<VirtualAccountNumberRow>(
  'list-open-virtual-account-numbers',
  `select n.*
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as wanted (merchant_id, mode, wallet_id)
     join virtual_accounts v on v.merchant_id = wanted.merchant_id and v.mode = wanted.mode
      and v.wallet_id = wanted.wallet_id and v.status = 'OPEN' and v.customer_id is null
     join virtual_account_numbers n on n.merchant_id = v.merchant_id and n.mode = v.mode and n.wallet_id = v.wallet_id
      and n.virtual_account_id = v.id and n.closed_at is null
    where ${among('v.merchant_id', 4)}
    order by n.opened_at, n.account_number`,
);

/**
 * All numbers of accounts, also closed ones, by account, the oldest first. $3 wallets of the accounts, $4 the accounts.
 */
export const listNumbersOfAccounts = statement<VirtualAccountNumberRow>(
  'list-numbers-of-virtual-accounts',
  `select n.*
     from unnest($3::uuid[], $4::uuid[]) as asked (wallet_id, id)
     join virtual_account_numbers n on n.merchant_id = $1 and n.mode = $2 and n.wallet_id = asked.wallet_id
      and n.virtual_account_id = asked.id
    order by n.virtual_account_id, n.opened_at, n.account_number`,
);

/** Payments to the numbers of these accounts are not credited any more. */
export const closeVirtualAccountNumbers = setStatement<{
  merchant_id: string;
  mode: Mode;
  wallet_id: string;
  virtual_account_id: string;
  closed_at: Date;
}>(
  'close-virtual-account-numbers',
  { merchant_id: 'uuid', mode: 'text', wallet_id: 'uuid', virtual_account_id: 'uuid', closed_at: 'timestamptz' },
  `update virtual_account_numbers n set closed_at = rows.closed_at
     from :rows
    where n.merchant_id = rows.merchant_id and n.mode = rows.mode and n.wallet_id = rows.wallet_id
      and n.virtual_account_id = rows.virtual_account_id and n.closed_at is null`,
);

/** The same in the directory: a number that is closed there may be reserved for somebody else. */
export const closeReceivingNumbers = setStatement<{ virtual_account_id: string; closed_at: Date }>(
  'close-receiving-numbers',
  { virtual_account_id: 'uuid', closed_at: 'timestamptz' },
  `update receiving_numbers n set closed_at = rows.closed_at
     from :rows
    where n.virtual_account_id = rows.virtual_account_id and n.closed_at is null`,
);

/** A wallet's own accounts at providers, those that are open or requested first. */
export const listWalletAccounts = statement<VirtualAccountRow>(
  'list-wallet-virtual-accounts',
  `select merchant_id, mode, id, wallet_id, rail, status, reason, message, preferred_bank, provider_account_id, attempts,
          due_at, requested_at, updated_at, customer_id, holder_name, holder_email, holder_phone, identity_sealed, closed_at
     from virtual_accounts
    where merchant_id = $1 and mode = $2 and wallet_id = $3 and customer_id is null
    order by (status in ('REQUESTED', 'OPEN')) desc, requested_at desc, id desc limit 20`,
);

export const findReceivingNumber = statement<{ virtual_account_id: string }>(
  'find-receiving-number',
  'select virtual_account_id from receiving_numbers where rail = $1 and account_number = $2 and virtual_account_id = $3',
);

/**
 * Closes the number of an older payment session, where the provider gives it again. The number of a wallet's account is
 * never closed by this.
 */
export const closeOneTimeNumber = statement(
  'close-one-time-number',
  `with open as materialized (
     select n.merchant_id, n.mode, n.virtual_account_id from receiving_numbers n
      where n.rail = $1 and n.account_number = $2 and n.virtual_account_id <> $3 and n.closed_at is null
   ), of_wallets as materialized (
     select v.id from open
       join virtual_accounts v
         on v.merchant_id = open.merchant_id and v.mode = open.mode and v.id = open.virtual_account_id
   )
   update receiving_numbers n set closed_at = $4
    where n.rail = $1 and n.account_number = $2 and n.closed_at is null
      and n.virtual_account_id in (select virtual_account_id from open)
      and n.virtual_account_id not in (select id from of_wallets)`,
);

/** A number at a provider that leads to a wallet. */
export interface ReceivingNumber {
  rail: string;
  account_number: string;
  /** The virtual account of a wallet, or the session that it is opened for. */
  virtual_account_id: string;
  merchant_id: string;
  mode: Mode;
  wallet_id: string;
  opened_at: Date;
}

const receivingNumberColumns = {
  rail: 'text',
  account_number: 'text',
  virtual_account_id: 'uuid',
  merchant_id: 'uuid',
  mode: 'text',
  wallet_id: 'uuid',
  opened_at: 'timestamptz',
} as const;

/** Reserves numbers in the directory; no row comes back for one that somebody has, in the sandbox's own bank too. */
export const reserveReceivingNumbers = setStatement<ReceivingNumber>(
  'reserve-receiving-numbers',
  receivingNumberColumns,
  `insert into receiving_numbers (rail, account_number, virtual_account_id, merchant_id, mode, wallet_id, opened_at)
   select rows.* from :rows
    where not (rows.rail = 'sandbox' and exists (select from account_numbers a where a.account_number = rows.account_number))
   on conflict do nothing returning rail, account_number, virtual_account_id`,
);

/**
 * Which of these numbers somebody has, in the sandbox's own bank too. Each by its key: `exists` would be planned as a
 * hash of all.
 */
export const findTakenNumbers = setQuestion<Pick<ReceivingNumber, 'rail' | 'account_number'>, { place: number }>(
  'find-taken-numbers',
  { rail: 'text', account_number: 'text' },
  `select rows.place::int as place
     from :rows
    cross join lateral (select from receiving_numbers n
                         where n.rail = rows.rail and n.account_number = rows.account_number and n.closed_at is null
                         limit 1) taken
    union all
   select rows.place::int as place
     from :rows
    cross join lateral (select from account_numbers a where a.account_number = rows.account_number limit 1) taken
    where rows.rail = 'sandbox'`,
);

/** Takes numbers that nobody has. Where somebody takes one at the same moment, the whole movement fails. */
export const insertFreeNumbers = setInsert<ReceivingNumber>('receiving_numbers', receivingNumberColumns);
