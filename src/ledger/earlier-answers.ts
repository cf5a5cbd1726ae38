import type { Answer } from '../platform/answer.ts';
import type { AppError } from '../platform/errors.ts';
import { idempotencyKeyArchived, idempotencyKeyReused } from './errors.ts';
import type { CommitResult } from './movement.ts';

/**
 * The result of an earlier request with this key. Where it is archived, the id of what it made is known and its answer
 * is in a file.
 */
export type EarlierAnswer = { inputHash: string; answer: Answer } | { archivedAs: string };

/**
 * What a repeated request gets: the first answer, byte for byte, or the refusal. The request is never carried out
 * again.
 */
export function answerAgain(earlier: EarlierAnswer, inputHash: string | undefined): CommitResult | AppError {
  if ('archivedAs' in earlier) return idempotencyKeyArchived(earlier.archivedAs);
  return earlier.inputHash === inputHash ? { answer: earlier.answer, replayed: true } : idempotencyKeyReused();
}
