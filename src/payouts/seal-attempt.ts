import { digestOf } from '../platform/db/digest.ts';
import type { AttemptRow, SealedAttempt } from './queries.ts';

/** The evidence with its digest, computed as `attemptDigest` does in SQL. */
export function sealAttempt<Attempt extends AttemptRow>(attempt: Attempt): Attempt & SealedAttempt {
  const { merchant_id, mode, payout_id, id, rail, kind, outcome, code, reason, message, session_id, reported } =
    attempt;
  const begun = [merchant_id, mode, payout_id, id, rail, kind, attempt.started_at];
  const said = [attempt.ended_at, outcome, code, reason, message, session_id, reported];
  return { ...attempt, digest: digestOf([...begun, ...said]) };
}
