import type { CommitResult, IdempotencyKey } from '../ledger/index.ts';
import { write } from '../platform/db/statement.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { DisputeCapabilities } from '../rails/index.ts';
import { type AnswerRow, insertAnswers } from './answer-queries.ts';
import { changeOf } from './change-dispute.ts';
import type { DisputeDeps } from './deps.ts';
import { disputeAnswered, disputeEnded, disputeNotAnswerable, disputeTooLate } from './errors.ts';
import type { DisputeRow } from './queries.ts';
import { findCapabilities, requireDispute } from './views.ts';

export interface AnswerInput {
  tenant: Tenant;
  disputeId: string;
  /** The id of a person, or of a key. */
  madeBy: string;
  idempotency: IdempotencyKey | undefined;
}

/** The answer, as it is kept. */
export interface AnswerContent {
  /** The id under which files were stored before. */
  id: string;
  action: AnswerRow['action'];
  words: Record<string, string | null>;
  files: number;
}

/**
 * Accepts a dispute: a worker notifies the provider, and the money is taken when the provider says that it is accepted.
 * @throws AppError 404 `DISPUTE_NOT_FOUND`; 409 `DISPUTE_NOT_OPEN`, `DISPUTE_TOO_LATE`, `DISPUTE_ANSWERED`; 422
 *   `DISPUTE_ANSWERED_ELSEWHERE`; of the ledger.
 */
export function acceptDispute(deps: DisputeDeps, input: AnswerInput): Promise<CommitResult> {
  return keepAnswer(deps, input, { id: newId(), action: 'ACCEPT', words: {}, files: 0 });
}

/** The dispute, where it may be answered now, with what its provider takes. @throws AppError as `acceptDispute` */
export async function requireAnswerable(
  deps: DisputeDeps,
  tenant: Tenant,
  disputeId: string,
): Promise<{ row: DisputeRow; capabilities: DisputeCapabilities }> {
  const row = await requireDispute(deps.database, tenant, disputeId);
  if (row.status !== 'OPEN') throw disputeEnded(row.status);
  if (row.answer_status === 'QUEUED' || row.answer_status === 'SENT') throw disputeAnswered();
  if (row.due_at !== null && row.due_at <= deps.clock.now()) throw disputeTooLate();
  const capabilities = await findCapabilities(deps.rails, row);
  if (capabilities === undefined) throw disputeNotAnswerable();
  return { row, capabilities };
}

/** As often as something else may change the dispute meanwhile. */
const MAX_ATTEMPTS = 20;

/** Keeps an answer for a worker to send, once: while one is on its way there can be no other. */
export async function keepAnswer(
  deps: DisputeDeps,
  { tenant, disputeId, madeBy, idempotency }: AnswerInput,
  content: AnswerContent,
): Promise<CommitResult> {
  for (let attempt = 1; ; attempt += 1) {
    const { row } = await requireAnswerable(deps, tenant, disputeId);
    const at = deps.clock.now();
    const answer = { answer: content.action, answer_status: 'QUEUED' as const, answer_reason: null };
    const { parts } = changeOf(row, answer, at);
    const kept: AnswerRow = {
      merchant_id: row.merchant_id,
      mode: row.mode,
      id: content.id,
      dispute_id: row.id,
      action: content.action,
      content: JSON.stringify(content.words),
      files: content.files,
      status: 'QUEUED',
      reason: null,
      made_by: madeBy,
      made_at: at,
      attempts: 0,
      due_at: at,
      ended_at: null,
    };
    try {
      return await deps.ledger.commit({
        tenant,
        id: content.id,
        occurredAt: at.toISOString(),
        idempotency,
        ...parts,
        writes: [...parts.writes, write(insertAnswers, kept)],
        answer: {
          message: content.action === 'ACCEPT' ? 'The provider is being notified' : 'The evidence is being sent',
        },
      });
    } catch (error) {
      const isOvertaken = error instanceof AppError && error.code === 'DISPUTE_CHANGED';
      if (!isOvertaken || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
