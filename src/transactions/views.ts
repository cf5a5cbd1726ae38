import type { StateChangeRow, StoredTransfer, SubjectEventRow } from '../ledger/index.ts';
import { toNumber, toNumberIfExact } from '../money/index.ts';
import { isoOf } from '../platform/clock.ts';
import { escapedNaira, jsonText } from '../platform/json-text.ts';
import type { ListSums } from '../platform/lists/totals.ts';
import type { CsvColumns } from '../platform/spreadsheet/write-csv.ts';
import type { TransactionCategory, TransactionRow } from './queries.ts';
import { batchReferenceOf, isConclusive, referenceOf } from './transaction.ts';

/** Any transaction on the wire: amounts in naira, and the names and accounts of both sides as they were. */
export function transactionView(row: TransactionRow) {
  return {
    transactionId: row.id,
    reference: row.client_reference ?? referenceOf(row.id),
    category: row.category,
    status: row.status,
    conclusive: isConclusive(row.status),
    reason: row.reason,
    amount: toNumber(row.amount_minor),
    charges: toNumber(row.charges_minor),
    totalAmount: toNumber(row.amount_minor + row.charges_minor),
    currency: row.currency,
    narration: row.narration,
    description: escapedNaira(row.description),
    merchantId: row.merchant_id,
    mode: row.mode,
    walletId: row.wallet_id,
    fromWalletId: row.from_wallet_id,
    toWalletId: row.to_wallet_id,
    providerWalletId: row.provider_wallet_id,
    storeId: row.category === 'STORE_TO_MERCHANT' ? row.subject_id : null,
    storeName: row.category === 'STORE_TO_MERCHANT' ? row.subject_name : null,
    subaccountId: row.category.startsWith('SUBACCOUNT') ? row.subject_id : null,
    batchReference: row.batch_id === null ? null : batchReferenceOf(row.batch_id),
    beneficiaryBankName: row.beneficiary_bank_name,
    beneficiaryBankCode: row.beneficiary_bank_code,
    beneficiaryAccountNumber: row.beneficiary_account_number,
    beneficiaryAccountName: row.beneficiary_account_name,
    originatorBankName: row.originator_bank_name,
    originatorBankCode: row.originator_bank_code,
    originatorAccountNumber: row.originator_account_number,
    originatorAccountName: row.originator_account_name,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
    paidAt: row.paid_at === null ? null : isoOf(row.paid_at),
  };
}

/** The totals of a filter as the API shows them: in naira, by status. */
export function listTotalsView({ records, sums }: ListSums) {
  return {
    isComplete: sums !== null,
    count: records,
    totals:
      sums?.map(({ amountMinor, feesMinor, status, currency, records: ofStatus }) => ({
        status,
        currency,
        count: ofStatus,
        amount: toNumberIfExact(amountMinor),
        fees: toNumberIfExact(feesMinor),
      })) ?? null,
  };
}

/** One transfer of a transaction: what it did to both accounts, with the booked balances after it. */
function transferView(row: StoredTransfer) {
  return {
    transferId: row.id,
    kind: row.kind,
    code: row.code,
    pendingTransferId: row.pending_id,
    amount: toNumber(row.amount_minor),
    currency: row.currency,
    debitAccountId: row.debit_account_id,
    debitBalanceAfter: toNumber(row.debit_balance_minor),
    creditAccountId: row.credit_account_id,
    creditBalanceAfter: toNumber(row.credit_balance_minor),
    createdAt: row.created_at.toISOString(),
  };
}

/** What the books know of one transaction beside its row. */
export function historyView(
  transfers: readonly StoredTransfer[],
  stateChanges: readonly StateChangeRow[],
  events: readonly SubjectEventRow[],
) {
  return {
    transfers: transfers.map(transferView),
    stateChanges: stateChanges.map((change) => ({
      from: change.from_state,
      to: change.to_state,
      reason: change.reason,
      createdAt: change.created_at.toISOString(),
    })),
    events: events.map((event) => ({
      eventId: event.id,
      sequence: Number(event.sequence),
      type: event.type,
      createdAt: event.created_at.toISOString(),
    })),
  };
}

/** What a module above this one keeps of its transactions in a table of its own, by the same key. */
export interface TransactionDetails<Row = Record<string, unknown>> {
  category: TransactionCategory;
  table: string;
  /** None has the name of a column of `transactions`. */
  columns: readonly (keyof Row & string)[];
  /** The column that says by which rail it went. */
  railColumn: keyof Row & string;
  /** Its columns in a file, behind those of every transaction; empty where a transaction has none. */
  csvColumns: CsvColumns<Row>;
  /** Its fields on the wire, behind those that every transaction has. */
  fieldsOf(row: Row): Record<string, unknown>;
}

/** A transaction with the columns of its details; they are null where it has none. */
export type DetailedRow = TransactionRow & Record<string, unknown>;

/** A transaction as every answer and event about it has it. */
export function detailedView(row: DetailedRow, { category, fieldsOf }: TransactionDetails) {
  const view = transactionView(row);
  return row.category === category ? { ...view, ...fieldsOf(row) } : view;
}
