import { stateMachine } from '../ledger/index.ts';
import { AppError, invalidField } from '../platform/errors.ts';
import { uuidOfHex } from '../platform/ids.ts';
import { type TransactionStatus, updateTransactionStates } from './queries.ts';

export type { TransactionStatus };

/**
 * A transfer between wallets begins as `SUCCESS`; a payout goes through this table. `SUCCESS` may still become
 * `REVERSED`. A transaction that becomes `SUCCESS` was paid at that moment, unless the movement says when.
 */
const machine = stateMachine<TransactionStatus>('transaction', 'transactions', {
  PENDING_APPROVAL: ['SCHEDULED', 'QUEUED', 'CANCELLED'],
  SCHEDULED: ['QUEUED', 'FAILED', 'CANCELLED'],
  QUEUED: ['PROCESSING', 'SUCCESS', 'FAILED', 'CANCELLED'],
  PROCESSING: ['SUCCESS', 'FAILED', 'PROCESSING'],
  SUCCESS: ['REVERSED'],
  FAILED: [],
  REVERSED: [],
  CANCELLED: [],
});

export const transactionStates: typeof machine = { ...machine, update: updateTransactionStates };

/**
 * Whether a client may act on this status as final. `SUCCESS` is: should the bank return the money later, an event says
 * so.
 */
export function isConclusive(status: TransactionStatus): boolean {
  return status === 'SUCCESS' || status === 'FAILED' || status === 'REVERSED' || status === 'CANCELLED';
}

/** Metadata is a note on a transaction, not a document store: every view, event and webhook of it carries the note. */
const MAX_BYTES = 8 * 1024;
/** The object itself is the first level. */
const MAX_DEPTH = 5;

/**
 * A merchant's free-form data as the JSON text that is kept and returned byte for byte; null where there is none.
 * @param text as it was sent.
 * @throws AppError `VALIDATION_FAILED` beyond 8 KB or five levels.
 */
export function metadataText(metadata: object | null | undefined, text: string | undefined): string | null {
  if (metadata === undefined || metadata === null) return null;
  if (isDeeper(metadata, MAX_DEPTH)) throw invalidField('metadata', `must be nested at most ${MAX_DEPTH} levels deep`);
  if (text === undefined) throw new Error('there is metadata without its text');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) throw invalidField('metadata', `must be at most 8 KB of JSON; it is ${bytes} bytes`);
  return text;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const PREFIX = 'MNL';
const BATCH_PREFIX = 'MNB';

/** The reference of a transaction that the merchant gave none. It is the id in another form, so it needs no index. */
export function referenceOf(transactionId: string): string {
  return `${PREFIX}${transactionId.replaceAll('-', '')}`;
}

/** The reference of a bulk payout: its id in another form. */
export function batchReferenceOf(batchId: string): string {
  return `${BATCH_PREFIX}${batchId.replaceAll('-', '')}`;
}

/** The transaction id inside one of our references, or undefined for a merchant's own. */
export function transactionIdOf(reference: string): string | undefined {
  return idInside(PREFIX, reference);
}

/** The batch id inside a batch reference, or undefined for anything else. */
export function batchIdOf(batchReference: string): string | undefined {
  return idInside(BATCH_PREFIX, batchReference);
}

function idInside(prefix: string, reference: string): string | undefined {
  const hex = reference.slice(prefix.length);
  if (!reference.startsWith(prefix) || !/^[0-9a-f]{32}$/.test(hex)) return undefined;
  return uuidOfHex(hex);
}

/** @param how what it was asked for by */
export const transactionNotFound = (how = 'with this id') =>
  new AppError('not_found', 'TRANSACTION_NOT_FOUND', `There is no transaction ${how}.`);
