import type { Answer } from '../platform/answer.ts';
import type { AppError } from '../platform/errors.ts';
import { idempotencyKeyArchived, idempotencyKeyReused } from './errors.ts';
import type { CommitResult } from './movement.ts';

/** What became of a request, under its key. Of one that is archived it is known what it made, and its answer is in a file. */
export type EarlierAnswer = { inputHash: string; answer: Answer } | { archivedAs: string };

/** What who repeats a request gets: its answer, byte for byte, or why not. It is never carried out again. */
export function answerAgain(earlier: EarlierAnswer, inputHash: string | undefined): CommitResult | AppError {
  if ('archivedAs' in earlier) return idempotencyKeyArchived(earlier.archivedAs);
  return earlier.inputHash === inputHash ? { answer: earlier.answer, replayed: true } : idempotencyKeyReused();
}
