import type {
  EventDraft,
  IdempotencyKey,
  Movement,
  TransferCode,
  TransferDraft,
  VaryingText,
} from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import type { Answer } from '../platform/answer.ts';
import { isoOf } from '../platform/clock.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import { jsonOf } from '../platform/json-text.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Wallet } from '../wallets/index.ts';
import { insertTransactions, type TransactionCategory, type TransactionRow } from './queries.ts';
import { transactionView } from './views.ts';

/** Where money came from, or went to, as its transaction shows it: a wallet, or another account that is named like one. */
export type TransferSide = Omit<Wallet, 'createdAt'>;

/** What the transaction of money says that moves between two accounts of one merchant. */
interface TransferRecord {
  tenant: Tenant;
  /** Where what asks for it has fixed one before; otherwise a new one. */
  transactionId?: string;
  category: TransactionCategory;
  amountMinor: bigint;
  currency: Currency;
  narration: string;
  description: string;
  from: TransferSide;
  to: TransferSide;
  providerWalletId: string;
  /** The wallet that the merchant's list shows it under. */
  walletId: string;
  /** The store or subaccount that it is of. */
  subject?: { id: string; name: string };
  metadata?: string | null;
  at: Date;
}

/** A transfer between two wallets of one merchant, or from its provider float: posted at once, free of charges. */
interface WalletTransfer extends TransferRecord {
  code: TransferCode;
  idempotency?: IdempotencyKey | undefined;
}

/**
 * Builds the movement: one transfer, the transaction, its event. The answer is a message around the transaction, or what
 * `answerWith` makes of the row where an operation has a shape of its own.
 */
export function walletTransfer(
  transfer: WalletTransfer,
  answerWith: string | ((row: TransactionRow) => Answer),
): Movement {
  const { tenant, from, to, amountMinor, code, at } = transfer;
  const row = transactionRow(transfer);
  const posted: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: from.id,
    creditAccountId: to.id,
    amountMinor,
    code,
  };
  return {
    tenant,
    id: row.id,
    occurredAt: isoOf(at),
    idempotency: transfer.idempotency,
    transfers: [posted],
    ...partsOf(row),
    answer: typeof answerWith === 'string' ? { message: answerWith } : answerWith(row),
  };
}

/** The transaction alone, with its event: for a movement that has transfers of its own. */
export const transactionParts = (record: TransferRecord) => partsOf(transactionRow(record));

const partsOf = (row: TransactionRow) => ({
  writes: [write(insertTransactions, row)],
  events: [succeeded(row)],
});

function succeeded(row: TransactionRow): EventDraft {
  const view = transactionView(row);
  const data = jsonOf(view);
  const kind = `${row.category} ${row.from_wallet_id} ${row.to_wallet_id}`;
  const values = [String(view.amount), JSON.stringify(row.narration)];
  const description = JSON.stringify(view.description);
  const metadata = row.metadata ?? 'null';
  const varying = BETWEEN_WALLETS.has(row.category)
    ? { kind, fields: VARYING, values: [...values, firstWordIn(description), metadata] }
    : { kind, fields: VARYING_WITH_SIDES, values: [...values, description, metadata, ...sidesOf(row)] };
  return { id: newId(), type: 'transaction.succeeded', subjectId: row.id, data, varying };
}

/** Of which two between the same wallets have the same words, but for their amount, which comes first. */
const BETWEEN_WALLETS: ReadonlySet<TransactionCategory> = new Set([
  'STORE_TO_MERCHANT',
  'SUBACCOUNT',
  'SUBACCOUNT_TO_MERCHANT',
  'WALLET_FUNDING',
]);

/** Without the quote before it. */
const firstWordIn = (json: string): string => json.slice(1, json.indexOf(' '));

const sidesOf = (row: TransactionRow): string[] =>
  [
    row.beneficiary_bank_name,
    row.beneficiary_bank_code,
    row.beneficiary_account_number,
    row.beneficiary_account_name,
    row.originator_bank_name,
    row.originator_bank_code,
    row.originator_account_number,
    row.originator_account_name,
  ].map((value) => JSON.stringify(value));

type Fields = VaryingText['fields'];
const BEGINNING: Fields = [
  ['"transactionId":"', 'SUBJECT'],
  ['"reference":"MNL', 'SUBJECT_WITHOUT_HYPHENS'],
  ['"amount":', 0],
  ['"totalAmount":', 0],
  ['"narration":', 1],
];
const SIDES: Fields = [
  ['"beneficiaryBankName":', 4],
  ['"beneficiaryBankCode":', 5],
  ['"beneficiaryAccountNumber":', 6],
  ['"beneficiaryAccountName":', 7],
  ['"originatorBankName":', 8],
  ['"originatorBankCode":', 9],
  ['"originatorAccountNumber":', 10],
  ['"originatorAccountName":', 11],
];
const END: Fields = [
  ['"metadata":', 3],
  ['"createdAt":"', 'TIME'],
  ['"updatedAt":"', 'TIME'],
  ['"paidAt":"', 'TIME'],
];

/** What two transfers between the same wallets do not have in common. */
const VARYING: Fields = [...BEGINNING, ['"description":"', 2], ...END];
/** The same where one side is a payer, and the words name more than the amount. */
const VARYING_WITH_SIDES: Fields = [...BEGINNING, ['"description":', 2], ...SIDES, ...END];

function transactionRow(transfer: TransferRecord): TransactionRow {
  const { from, to, at } = transfer;
  return {
    merchant_id: transfer.tenant.merchantId,
    mode: transfer.tenant.mode,
    id: transfer.transactionId ?? newId(),
    category: transfer.category,
    status: 'SUCCESS',
    reason: null,
    amount_minor: transfer.amountMinor,
    charges_minor: 0n,
    currency: transfer.currency,
    narration: transfer.narration,
    description: transfer.description,
    client_reference: null,
    batch_id: null,
    wallet_id: transfer.walletId,
    from_wallet_id: from.id,
    to_wallet_id: to.id,
    provider_wallet_id: transfer.providerWalletId,
    subject_id: transfer.subject?.id ?? null,
    subject_name: transfer.subject?.name ?? null,
    beneficiary_bank_name: to.bankName,
    beneficiary_bank_code: to.bankCode,
    beneficiary_account_number: to.accountNumber,
    beneficiary_account_name: to.accountName,
    originator_bank_name: from.bankName,
    originator_bank_code: from.bankCode,
    originator_account_number: from.accountNumber,
    originator_account_name: from.accountName,
    metadata: transfer.metadata ?? null,
    created_at: at,
    updated_at: at,
    paid_at: at,
  };
}
