import { type StateChange, type StateMachine, stateChangeColumns } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { setInsert, setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export const TRANSACTION_STATUSES = [
  'PENDING_APPROVAL',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'SUCCESS',
  'FAILED',
  'REVERSED',
  'CANCELLED',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export const TRANSACTION_CATEGORIES = [
  'STORE_TO_MERCHANT',
  'SUBACCOUNT',
  'SUBACCOUNT_TO_MERCHANT',
  'WALLET_FUNDING',
  'COLLECTION',
  'MANUAL_CREDIT',
  'PAYOUT',
  'DISPUTE',
  'RECEIVABLE_REPAYMENT',
  'REFUND',
  'RESERVE_RELEASE',
] as const;
export type TransactionCategory = (typeof TRANSACTION_CATEGORIES)[number];

/** A transaction as it stands in the table. */
export interface TransactionRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  category: TransactionCategory;
  status: TransactionStatus;
  reason: string | null;
  amount_minor: bigint;
  charges_minor: bigint;
  currency: Currency;
  narration: string;
  description: string;
  client_reference: string | null;
  batch_id: string | null;
  wallet_id: string;
  from_wallet_id: string | null;
  to_wallet_id: string | null;
  provider_wallet_id: string;
  /** The store or subaccount on the other side, if there is one. */
  subject_id: string | null;
  subject_name: string | null;
  beneficiary_bank_name: string;
  beneficiary_bank_code: string;
  beneficiary_account_number: string;
  beneficiary_account_name: string;
  originator_bank_name: string;
  originator_bank_code: string;
  originator_account_number: string;
  originator_account_name: string;
  /** JSON as text. */
  metadata: string | null;
  created_at: Date;
  updated_at: Date;
  paid_at: Date | null;
}

export const insertTransactions = setInsert<TransactionRow>('transactions', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  category: 'text',
  status: 'text',
  reason: 'text',
  amount_minor: 'bigint',
  charges_minor: 'bigint',
  currency: 'text',
  narration: 'text',
  description: 'text',
  client_reference: 'text',
  batch_id: 'uuid',
  wallet_id: 'uuid',
  from_wallet_id: 'uuid',
  to_wallet_id: 'uuid',
  provider_wallet_id: 'uuid',
  subject_id: 'uuid',
  subject_name: 'text',
  beneficiary_bank_name: 'text',
  beneficiary_bank_code: 'text',
  beneficiary_account_number: 'text',
  beneficiary_account_name: 'text',
  originator_bank_name: 'text',
  originator_bank_code: 'text',
  originator_account_number: 'text',
  originator_account_name: 'text',
  metadata: 'json',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  paid_at: 'timestamptz',
});

export const findTransaction = statement<TransactionRow>(
  'find-transaction',
  'select * from transactions where merchant_id = $1 and mode = $2 and id = $3',
);

export type NotedRow = Pick<
  TransactionRow,
  | 'id'
  | 'category'
  | 'client_reference'
  | 'batch_id'
  | 'narration'
  | 'beneficiary_account_name'
  | 'beneficiary_account_number'
  | 'beneficiary_bank_name'
>;

/**
 * For other statements: transactions of $1 and $2 on their way, the oldest first and so many at most. One without an
 * outcome is old.
 */
export const OLDEST_ON_THEIR_WAY = `(
     select id, created_at, reason from transactions
      where merchant_id = $1 and mode = $2 and status = 'PROCESSING' and status <> 'SUCCESS'
      order by created_at limit 5000
   ) on_their_way`;

export const listTransactionNotes = statement<NotedRow>(
  'list-transaction-notes',
  `select id, category, client_reference, batch_id, narration, beneficiary_account_name, beneficiary_account_number,
          beneficiary_bank_name
     from transactions
    where merchant_id = $1 and mode = $2 and id = any ($3::uuid[])`,
);

/** A change of state, with the moment of payment in the same row version: one update for a payout instead of two. */
export const updateTransactionStates: StateMachine['update'] = setStatement<StateChange>(
  'update-transaction-states',
  stateChangeColumns,
  `update transactions t
      set status = rows.to_state, reason = rows.reason, updated_at = rows.created_at,
          paid_at = case when rows.to_state = 'SUCCESS' then coalesce(t.paid_at, rows.created_at) else t.paid_at end
     from :rows
    where t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.subject_id
      and t.status = rows.from_state`,
);

/** Sets the moment of payment where it becomes known later. */
export const updateTransactionsPaid = setStatement<{ merchant_id: string; mode: Mode; id: string; paid_at: Date }>(
  'update-transactions-paid',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', paid_at: 'timestamptz' },
  `update transactions t
      set paid_at = rows.paid_at
     from :rows
    where t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.id`,
);

/** A schedule is priced again on the day it runs. */
export const updateTransactionCharges = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  charges_minor: bigint;
}>(
  'update-transaction-charges',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', charges_minor: 'bigint' },
  `update transactions t
      set charges_minor = rows.charges_minor
     from :rows
    where t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.id`,
);

/** Says why a payout is still under way; one that has ended keeps the reason that it ended with. */
export interface DelayRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  reason: string;
  at: Date;
}

/**
 * Why open transactions take longer. That their outcome is unknown says more and stays. What a movement has locked at
 * this moment is about to change.
 */
export const updateDelayReasons = setStatement<DelayRow>(
  'update-transaction-delay-reasons',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', reason: 'text', at: 'timestamptz' },
  `with held as (
     select t.merchant_id, t.mode, t.id, rows.reason, rows.at
       from transactions t
       join :rows on t.merchant_id = rows.merchant_id and t.mode = rows.mode and t.id = rows.id
      where t.status in ('SCHEDULED', 'QUEUED', 'PROCESSING')
        and t.reason is distinct from rows.reason and t.reason is distinct from 'OUTCOME_UNKNOWN'
        for update of t skip locked
   )
   update transactions t
      set reason = held.reason, updated_at = held.at
     from held
    where t.merchant_id = held.merchant_id and t.mode = held.mode and t.id = held.id`,
);

export const updateProcessingReason = statement<{ id: string }>(
  'update-processing-transaction-reason',
  `update transactions set reason = $4, updated_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'PROCESSING' and reason is distinct from $4
    returning id`,
);
