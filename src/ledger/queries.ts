import type { Currency } from '../money/index.ts';
import { among, setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import { ACTIVE_AT } from './active-queries.ts';
import { type StateChange, stateChangeColumns } from './state-machine.ts';

export type AccountKind =
  | 'MERCHANT_WALLET'
  | 'STORE_WALLET'
  | 'SUBACCOUNT_WALLET'
  | 'PAYOUT_CLEARING'
  | 'PROVIDER_FLOAT'
  | 'FEE_INCOME'
  | 'TAX_PAYABLE'
  | 'SUSPENSE'
  | 'COLLECTION_RECEIVABLE'
  | 'PENDING_COLLECTIONS'
  | 'PROVIDER_COST'
  | 'MERCHANT_RECEIVABLE'
  | 'RESERVE';

/** Accounts of a tenant that are opened when they are first needed. */
export type LateAccountKind =
  | 'COLLECTION_RECEIVABLE'
  | 'PENDING_COLLECTIONS'
  | 'PROVIDER_COST'
  | 'MERCHANT_RECEIVABLE'
  | 'RESERVE';

export interface AccountRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  kind: AccountKind;
  currency: Currency;
  debits_posted_minor: bigint;
  credits_posted_minor: bigint;
  debits_pending_minor: bigint;
  credits_pending_minor: bigint;
  sequence: bigint;
}

export const lockBooks = statement<{ merchant_id: string; mode: Mode; event_sequence: bigint }>(
  'lock-books',
  `select b.merchant_id, b.mode, b.event_sequence
     from books b
     join unnest($1::uuid[], $2::text[]) as wanted (merchant_id, mode)
       on b.merchant_id = wanted.merchant_id and b.mode = wanted.mode
    where ${among('b.merchant_id', 3)}
    order by b.merchant_id, b.mode
      for update of b`,
);

export const lockAccounts = statement<AccountRow>(
  'lock-accounts',
  `select a.merchant_id, a.mode, a.id, a.kind, a.currency, a.debits_posted_minor, a.credits_posted_minor,
          a.debits_pending_minor, a.credits_pending_minor, a.sequence
     from accounts a
     join unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
       on a.merchant_id = wanted.merchant_id and a.id = wanted.id
    where ${among('a.merchant_id', 3)}
    order by a.merchant_id, a.id
      for update of a`,
);

export interface AnswerRow {
  merchant_id: string;
  mode: Mode;
  key: string;
  input_hash: string;
  answer_status: number;
  answer_body: string | null;
  answer_message: string | null;
  /** As stored; null where the answer is none of an event. */
  event_data: string | null;
  template_id: string | null;
  subject_id: string | null;
  event_at: Date | null;
  /** The transaction of a request whose answer is in an archive; such a row has no other answer. */
  archived_as: string | null;
}

export const findAnswers = statement<AnswerRow>(
  'find-answers',
  // One statement, which sees one moment: a key leaves the one table for the other in one transaction.
  `select k.merchant_id, k.mode, k.key, k.input_hash, k.answer_status, k.answer_body, k.answer_message,
          e.data as event_data, e.template_id, e.subject_id, e.created_at as event_at, k.archived_as
     from (
       select i.merchant_id, i.mode, i.key, i.input_hash, i.answer_status, i.answer_body, i.answer_message, i.event_sequence,
              null::uuid as archived_as
         from unnest($1::uuid[], $2::text[], $3::text[]) as wanted (merchant_id, mode, key)
         join idempotency_keys i
           on i.merchant_id = wanted.merchant_id and i.mode = wanted.mode and i.key = wanted.key
        where ${among('i.merchant_id', 5)}
        union all
       select a.merchant_id, a.mode, wanted.key, '', 0, null, null, null, a.transaction_id
         from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as wanted (merchant_id, mode, key, fingerprint)
         join archived_keys a
           on a.merchant_id = wanted.merchant_id and a.mode = wanted.mode and a.fingerprint = wanted.fingerprint
        where ${among('a.merchant_id', 5)}
     ) k
     left join event_rows e
       on e.merchant_id = k.merchant_id and e.mode = k.mode and e.sequence = k.event_sequence and ${among('e.merchant_id', 5)}`,
);

export const findUniqueKeys = statement<{
  merchant_id: string;
  mode: Mode;
  scope: string;
  value: string;
  subject_id: string;
}>(
  'find-unique-keys',
  `select c.merchant_id, c.mode, c.scope, c.value, c.subject_id
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as wanted (merchant_id, mode, scope, value)
     join unique_keys c
       on c.merchant_id = wanted.merchant_id and c.mode = wanted.mode
      and c.scope = wanted.scope and c.value = wanted.value
    where ${among('c.merchant_id', 5)}`,
);

export interface PendingRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  debit_account_id: string;
  credit_account_id: string;
  amount_minor: bigint;
  code: string;
}

/**
 * All holds that these transactions ever made: those of a payout end together and are found by one statement. Pending
 * transfers are immutable, so this may run before any lock; `findResolved` says which are still open.
 */
export const findPending = statement<PendingRow>(
  'find-pending-transfers',
  `select t.merchant_id, t.mode, t.id, t.debit_account_id, t.credit_account_id, t.amount_minor, t.code
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, transaction_id)
     join transfers t on t.merchant_id = wanted.merchant_id and t.transaction_id = wanted.transaction_id
    where t.kind = 'PENDING' and ${among('t.merchant_id', 3)}`,
);

export const findResolved = statement<{ pending_id: string }>(
  'find-resolved-transfers',
  `select t.pending_id
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, pending_id)
     join transfers t on t.merchant_id = wanted.merchant_id and t.pending_id = wanted.pending_id
    where ${among('t.merchant_id', 3)}`,
);

/**
 * Whether this event is in the books. A group commits as a whole, so one of its events stands for all of it. Asked
 * under the lock of the same books, after a connection was lost when COMMIT had been sent.
 */
export const findEvent = statement<{ id: string }>(
  'find-event',
  'select id from events where merchant_id = $1 and mode = $2 and sequence = $3 and id = $4',
);

export interface TransferRow {
  merchant_id: string;
  mode: Mode;
  transaction_id: string;
  id: string;
  kind: string;
  pending_id: string | null;
  debit_account_id: string;
  credit_account_id: string;
  amount_minor: bigint;
  currency: string;
  code: string;
  debit_sequence: bigint;
  credit_sequence: bigint;
  debit_balance_minor: bigint;
  credit_balance_minor: bigint;
  created_at: string;
}

export const insertTransfers = setInsert<TransferRow>('transfers', {
  merchant_id: 'uuid',
  mode: 'text',
  transaction_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  pending_id: 'uuid',
  debit_account_id: 'uuid',
  credit_account_id: 'uuid',
  amount_minor: 'bigint',
  currency: 'text',
  code: 'text',
  debit_sequence: 'bigint',
  credit_sequence: 'bigint',
  debit_balance_minor: 'bigint',
  credit_balance_minor: 'bigint',
  created_at: 'timestamptz',
});

interface AccountSums {
  merchant_id: string;
  id: string;
  debits_posted_minor: bigint;
  credits_posted_minor: bigint;
  debits_pending_minor: bigint;
  credits_pending_minor: bigint;
  sequence: bigint;
}

export const updateAccounts = setStatement<AccountSums>(
  'update-account-sums',
  {
    merchant_id: 'uuid',
    id: 'uuid',
    debits_posted_minor: 'bigint',
    credits_posted_minor: 'bigint',
    debits_pending_minor: 'bigint',
    credits_pending_minor: 'bigint',
    sequence: 'bigint',
  },
  `update accounts a
      set debits_posted_minor = rows.debits_posted_minor, credits_posted_minor = rows.credits_posted_minor,
          debits_pending_minor = rows.debits_pending_minor, credits_pending_minor = rows.credits_pending_minor,
          sequence = rows.sequence
     from :rows
    where a.merchant_id = rows.merchant_id and a.id = rows.id`,
);

interface BooksRow {
  merchant_id: string;
  mode: Mode;
  event_sequence: bigint;
}

export const updateBooks = setStatement<BooksRow>(
  'update-books',
  { merchant_id: 'uuid', mode: 'text', event_sequence: 'bigint' },
  `update books b
      set event_sequence = rows.event_sequence, active_at = ${ACTIVE_AT}
     from :rows
    where b.merchant_id = rows.merchant_id and b.mode = rows.mode`,
);

export const insertIdempotencyKeys = setInsert<{
  merchant_id: string;
  mode: Mode;
  key: string;
  input_hash: string;
  transaction_id: string | null;
  answer_status: number;
  answer_body: string | null;
  answer_message: string | null;
  event_sequence: bigint | null;
  created_at: string;
}>('idempotency_keys', {
  merchant_id: 'uuid',
  mode: 'text',
  key: 'text',
  input_hash: 'text',
  transaction_id: 'uuid',
  answer_status: 'integer',
  answer_body: 'text',
  answer_message: 'text',
  event_sequence: 'bigint',
  created_at: 'timestamptz',
});

export const insertUniqueKeys = setInsert<{
  merchant_id: string;
  mode: Mode;
  scope: string;
  value: string;
  subject_id: string;
  created_at: string;
}>('unique_keys', {
  merchant_id: 'uuid',
  mode: 'text',
  scope: 'text',
  value: 'text',
  subject_id: 'uuid',
  created_at: 'timestamptz',
});

export const insertStateChanges = setInsert<StateChange>('state_changes', stateChangeColumns);

interface NewAccountRow extends AccountRow {
  owner_id: string;
  created_at: string;
}

export const insertAccounts = setInsert<NewAccountRow>('accounts', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  kind: 'text',
  owner_id: 'uuid',
  currency: 'text',
  debits_posted_minor: 'bigint',
  credits_posted_minor: 'bigint',
  debits_pending_minor: 'bigint',
  credits_pending_minor: 'bigint',
  sequence: 'bigint',
  created_at: 'timestamptz',
});

export const insertBooks = setInsert<BooksRow>('books', {
  merchant_id: 'uuid',
  mode: 'text',
  event_sequence: 'bigint',
});

/**
 * A table with a row for every tenant: each merchant in both modes. Where Citus distributes the database, what is
 * joined to it by merchant is looked up on the merchant's own shard.
 */
export const EVERY_TENANT = 'books';

/** True of every account. The index by owner has this condition, so only statements that name it can use that index. */
export const BY_OWNER = `created_at > '-infinity'`;

/** The system accounts of one tenant: all accounts except wallets. */
export const listSystemAccounts = statement<{ id: string; kind: AccountKind }>(
  'list-system-accounts',
  `select id, kind from accounts
    where merchant_id = $1 and mode = $2
      and kind in ('PAYOUT_CLEARING', 'PROVIDER_FLOAT', 'FEE_INCOME', 'TAX_PAYABLE', 'SUSPENSE')
      and owner_id = $1 and ${BY_OWNER}`,
);

const BALANCE = `a.merchant_id, a.mode, a.id, a.kind, a.currency, a.debits_posted_minor, a.credits_posted_minor,
          a.debits_pending_minor, a.credits_pending_minor, a.sequence`;

const AVAILABLE = 'a.credits_posted_minor - a.debits_posted_minor - a.debits_pending_minor > 0';

/** SQL for: a wallet has money that is not held. @param wallet a row with merchant_id and wallet_id */
export const walletHasMoneySql = (wallet: string): string =>
  `exists (select from accounts a
             where a.merchant_id = ${wallet}.merchant_id and a.id = ${wallet}.wallet_id and ${AVAILABLE})`;

/**
 * SQL for: a wallet, or the main wallet of its merchant, has money that is not held. For statements that look for
 * wallets to charge; the charge itself is decided by the balance at its commit.
 * @param wallet a row with merchant_id, mode and wallet_id, which may be null
 */
export const hasMoneySql = (wallet: string): string =>
  `(${walletHasMoneySql(wallet)}
     or exists (select from accounts a
                 where a.merchant_id = ${wallet}.merchant_id and a.mode = ${wallet}.mode and a.kind = 'MERCHANT_WALLET'
                   and a.owner_id = ${wallet}.merchant_id and a.${BY_OWNER} and ${AVAILABLE}))`;

/** Balances of wallets of any tenants. */
export const findBalances = statement<AccountRow>(
  'find-balances',
  `select ${BALANCE}
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
     join accounts a on a.merchant_id = wanted.merchant_id and a.id = wanted.id
    where ${among('a.merchant_id', 3)}`,
);

/**
 * The main wallets of tenants, each with the number of the tenant's subaccounts and what they hold together, booked.
 */
export const findWalletTotals = statement<AccountRow & { subaccounts: number; subaccounts_minor: bigint }>(
  'find-wallet-totals',
  `select ${BALANCE}, count(c.id)::int as subaccounts,
          coalesce(sum(c.credits_posted_minor - c.debits_posted_minor), 0)::bigint as subaccounts_minor
     from unnest($1::uuid[], $2::uuid[]) as wanted (merchant_id, id)
     join accounts a on a.merchant_id = wanted.merchant_id and a.id = wanted.id
     left join accounts c
       on c.merchant_id = a.merchant_id and c.mode = a.mode and c.kind = 'SUBACCOUNT_WALLET' and c.${BY_OWNER}
    where ${among('a.merchant_id', 3)}
    group by a.merchant_id, a.id`,
);

export type StoredTransfer = Omit<TransferRow, 'created_at'> & { created_at: Date };

/** Every transfer of a transaction, in the order in which it made them. */
export const listTransfersOfTransaction = statement<StoredTransfer>(
  'list-transfers-of-transaction',
  `select * from transfers where merchant_id = $1 and mode = $2 and transaction_id = $3 order by id`,
);

/** An account that is opened when it is first needed, by its owner; it is never closed. */
export const findLateAccount = statement<{ id: string }>(
  'find-late-account',
  `select id from accounts where merchant_id = $1 and mode = $2 and kind = $3 and owner_id = $4 and ${BY_OWNER}`,
);

/** Two processes that open it at once get the same one: the second inserts nothing. */
export const insertLateAccount = statement<{ id: string }>(
  'insert-late-account',
  `insert into accounts (merchant_id, mode, id, kind, owner_id, currency, debits_posted_minor, credits_posted_minor,
                         debits_pending_minor, credits_pending_minor, sequence, created_at)
   values ($1, $2, $5, $3, $4, 'NGN', 0, 0, 0, 0, 0, $6)
   on conflict (merchant_id, mode, kind, owner_id) where ${BY_OWNER} do nothing returning id`,
);
