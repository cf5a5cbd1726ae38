import { expect } from 'vitest';
import {
  accountWrite,
  createLedger,
  findSystemAccounts,
  type IdempotencyKey,
  type Ledger,
  type Movement,
  openBooks,
  type SystemAccounts,
  type TransferDraft,
} from '../../src/ledger/index.ts';
import { insertPayouts } from '../../src/payouts/queries.ts';
import { success } from '../../src/platform/answer.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { statement, type Write, write } from '../../src/platform/db/statement.ts';
import { AppError } from '../../src/platform/errors.ts';
import { newId } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { Mode, Tenant } from '../../src/platform/tenant.ts';
import {
  insertTransactions,
  type TransactionRow,
  type TransactionStatus,
  transactionStates,
} from '../../src/transactions/index.ts';
import { bookChecks } from '../../src/verify/books-queries.ts';
import { historyChecks } from '../../src/verify/history-queries.ts';
import { verifyBooks } from '../../src/verify/index.ts';

const logger = createLogger('silent');

export function openTestDatabase(connectionString: string, maxConnections = 4): Database {
  return openDatabase({ connectionString, maxConnections, logger });
}

export function openTestLedger(database: Database, committers = 1): Ledger {
  return createLedger({ database, logger, clock: systemClock, committers });
}

/** A merchant in one mode: its books, system accounts, a merchant wallet and some store wallets, all empty. */
export interface TestBooks {
  tenant: Tenant;
  wallet: string;
  stores: string[];
  system: SystemAccounts;
}

export async function openTestBooks(
  database: Database,
  { merchantId = newId(), mode = 'SANDBOX', stores = 2 }: { merchantId?: string; mode?: Mode; stores?: number } = {},
): Promise<TestBooks> {
  const tenant: Tenant = { merchantId, mode };
  const openedAt = new Date().toISOString();
  const wallet = newId();
  const storeWallets = Array.from({ length: stores }, newId);
  await database.transaction(async (tx) => {
    await openBooks(tx, tenant, openedAt);
    const accounts = [
      accountWrite(tenant, { id: wallet, kind: 'MERCHANT_WALLET', ownerId: merchantId }, openedAt),
      ...storeWallets.map((id) => accountWrite(tenant, { id, kind: 'STORE_WALLET', ownerId: newId() }, openedAt)),
    ];
    for (const account of accounts) await tx.run(account.into, [account.row]);
  });
  return { tenant, wallet, stores: storeWallets, system: await findSystemAccounts(database, tenant) };
}

type Category = TransactionRow['category'];

interface Terms {
  id: string;
  category: Category;
  status: TransactionStatus;
  amountMinor: bigint;
  chargesMinor: bigint;
  from: string | null;
  to: string | null;
}

function transactionWrite(books: TestBooks, terms: Terms, at: Date): Write {
  return write(insertTransactions, {
    merchant_id: books.tenant.merchantId,
    mode: books.tenant.mode,
    id: terms.id,
    category: terms.category,
    status: terms.status,
    reason: null,
    amount_minor: terms.amountMinor,
    charges_minor: terms.chargesMinor,
    currency: 'NGN',
    narration: 'test',
    description: 'test',
    client_reference: null,
    batch_id: null,
    wallet_id: books.wallet,
    from_wallet_id: terms.from,
    to_wallet_id: terms.to,
    provider_wallet_id: books.system.providerFloat,
    subject_id: null,
    subject_name: null,
    beneficiary_bank_name: 'Test Bank',
    beneficiary_bank_code: '999',
    beneficiary_account_number: '0000000001',
    beneficiary_account_name: 'Ada',
    originator_bank_name: 'Test Bank',
    originator_bank_code: '999',
    originator_account_number: '0000000002',
    originator_account_name: 'Bola',
    metadata: null,
    created_at: at,
    updated_at: at,
    paid_at: null,
  });
}

function movementOf(books: TestBooks, id: string, rest: Partial<Movement>): Movement {
  return {
    tenant: books.tenant,
    id,
    occurredAt: new Date().toISOString(),
    events: [{ id: newId(), type: 'transaction.changed', subjectId: id, data: '{}' }],
    answer: success('Done', { id }),
    ...rest,
  };
}

interface WalletMove {
  category: Category;
  code: TransferDraft['code'];
  from: string;
  to: string;
  amountMinor: bigint;
  idempotency?: IdempotencyKey | undefined;
}

function walletMove(books: TestBooks, move: WalletMove): Movement {
  const { category, code, from, to, amountMinor, idempotency } = move;
  const id = newId();
  const posted: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: from,
    creditAccountId: to,
    amountMinor,
    code,
  };
  const terms: Terms = { id, category, status: 'SUCCESS', amountMinor, chargesMinor: 0n, from, to };
  return movementOf(books, id, {
    idempotency,
    transfers: [posted],
    writes: [transactionWrite(books, terms, new Date())],
  });
}

/** Money from outside into a wallet: the provider's float owes it. */
export function fund(books: TestBooks, to: string, amountMinor: bigint, idempotency?: IdempotencyKey): Movement {
  const from = books.system.providerFloat;
  return walletMove(books, { category: 'WALLET_FUNDING', code: 'SANDBOX_FUNDING', from, to, amountMinor, idempotency });
}

/** From one wallet of the merchant to another, at once. */
export function debit(
  books: TestBooks,
  from: string,
  to: string,
  amountMinor: bigint,
  idempotency?: IdempotencyKey,
): Movement {
  return walletMove(books, { category: 'STORE_TO_MERCHANT', code: 'STORE_DEBIT', from, to, amountMinor, idempotency });
}

export interface TestPayout {
  id: string;
  payer: string;
  amountMinor: bigint;
  feeMinor: bigint;
  holdIds: string[];
}

export interface PayoutTerms {
  payer: string;
  amountMinor: bigint;
  feeMinor?: bigint;
  idempotency?: IdempotencyKey | undefined;
}

/** A payout accepted: its amount and its fee held together. */
export function hold(books: TestBooks, terms: PayoutTerms): { movement: Movement; payout: TestPayout } {
  const { payer, amountMinor, feeMinor = 0n, idempotency } = terms;
  const id = newId();
  const pending = (code: TransferDraft['code'], creditAccountId: string, minor: bigint): TransferDraft => {
    return { kind: 'PENDING', id: newId(), debitAccountId: payer, creditAccountId, amountMinor: minor, code };
  };
  const transfers = [pending('PAYOUT', books.system.payoutClearing, amountMinor)];
  if (feeMinor > 0n) transfers.push(pending('PAYOUT_FEE', books.system.feeIncome, feeMinor));
  const row: Terms = {
    id,
    category: 'PAYOUT',
    status: 'QUEUED',
    amountMinor,
    chargesMinor: feeMinor,
    from: payer,
    to: null,
  };
  const payout = { id, payer, amountMinor, feeMinor, holdIds: transfers.map((transfer) => transfer.id) };
  const movement = movementOf(books, id, {
    idempotency,
    transfers,
    writes: [transactionWrite(books, row, new Date()), payoutWrite(books, payout)],
  });
  return { movement, payout };
}

function payoutWrite(books: TestBooks, { id, feeMinor, holdIds }: TestPayout): Write {
  return write(insertPayouts, {
    merchant_id: books.tenant.merchantId,
    mode: books.tenant.mode,
    id,
    batch_id: null,
    purpose: 'GENERAL',
    phone_number: null,
    rail: 'sandbox',
    rail_reference: id,
    scenario: null,
    scheduled_for: null,
    next_step: 'SEND',
    due_at: null,
    attempts: 0,
    first_sent_at: null,
    session_id: null,
    rail_code: null,
    fee_minor: feeMinor,
    vat_minor: 0n,
    stamp_duty_minor: 0n,
    amount_hold_id: holdIds[0] ?? null,
    fee_hold_id: holdIds[1] ?? null,
    vat_hold_id: null,
    stamp_duty_hold_id: null,
    counted_on: null,
    allow_duplicate: false,
    approval_id: null,
    rules_version: null,
    sent_at: null,
    lease_id: null,
  });
}

const concluded = () => new AppError('conflict', 'TRANSACTION_CONCLUDED', 'It has been concluded already.');

function step(books: TestBooks, payout: TestPayout, from: TransactionStatus[], to: TransactionStatus): Movement {
  return movementOf(books, payout.id, {
    transitions: [{ machine: transactionStates, id: payout.id, from, to, reason: null, refusal: concluded }],
  });
}

export const take = (books: TestBooks, payout: TestPayout) => step(books, payout, ['QUEUED'], 'PROCESSING');

export const ask = (books: TestBooks, payout: TestPayout) => step(books, payout, ['PROCESSING'], 'PROCESSING');

/** Ends every hold of the payout: posted when it succeeded, released when it failed. */
export function conclude(books: TestBooks, payout: TestPayout, kind: 'POST' | 'VOID'): Movement {
  return {
    ...step(books, payout, ['QUEUED', 'PROCESSING'], kind === 'POST' ? 'SUCCESS' : 'FAILED'),
    transfers: payout.holdIds.map((pendingId) => ({ kind, id: newId(), pendingId, pendingTransactionId: payout.id })),
  };
}

/** The bank returned the money later. */
export function reverse(books: TestBooks, payout: TestPayout): Movement {
  const returned: TransferDraft = {
    kind: 'POSTED',
    id: newId(),
    debitAccountId: books.system.payoutClearing,
    creditAccountId: payout.payer,
    amountMinor: payout.amountMinor,
    code: 'PAYOUT_REVERSAL',
  };
  return { ...step(books, payout, ['SUCCESS'], 'REVERSED'), transfers: [returned] };
}

/** What became of a commit, in a word: `applied`, `replayed`, or the code of the refusal. A defect is thrown. */
export async function outcomeOf(committed: ReturnType<Ledger['commit']>): Promise<string> {
  try {
    return (await committed).replayed ? 'replayed' : 'applied';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** How many times each word came. */
export function tally(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** What the ledger alone answers for: tests of it make movements that no command would make. */
const OF_THE_LEDGER = new Set(['events-without-gaps', ...[...bookChecks, ...historyChecks].map(({ name }) => name)]);

export async function expectProven(database: Database): Promise<void> {
  const { checks } = await verifyBooks(database);
  expect(checks.filter(({ name, ok }) => !ok && OF_THE_LEDGER.has(name))).toEqual([]);
}

const countTransactions = statement<{ count: bigint }>(
  'test-count-transactions',
  'select count(*) as count from transactions where merchant_id = $1 and mode = $2',
);

export async function transactionsOf(database: Database, { tenant }: TestBooks): Promise<number> {
  const [row] = await database.query(countTransactions, [tenant.merchantId, tenant.mode]);
  return Number(row?.count);
}
