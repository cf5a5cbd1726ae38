import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type AppError, invalidField } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { Mode } from '../platform/tenant.ts';
import { isVisibleInLines, oneForm } from '../platform/text.ts';
import { requireApart } from './request-change.ts';
import { requireOperator } from './sign-in.ts';

/** A shorter note does not say what was seen and where. */
const MIN_NOTE_LENGTH = 10;
const MAX_NOTE_LENGTH = 1_000;
const MAX_REASON_LENGTH = 1_000;

/** What the first of two people saw, as it is stored. @throws AppError 400 `VALIDATION_FAILED`. */
export function noteOf(given: string): string {
  const note = oneForm(given).trim();
  if (note.length < MIN_NOTE_LENGTH || note.length > MAX_NOTE_LENGTH || !isVisibleInLines(note)) {
    const message = `must say in ${MIN_NOTE_LENGTH} to ${MAX_NOTE_LENGTH} characters what was seen, and where`;
    throw invalidField('note', message);
  }
  return note;
}

/** Why a proposal is rejected or withdrawn, as it is stored. @throws AppError 400 `VALIDATION_FAILED`. */
export function reasonOf(given: string): string {
  const reason = given.trim();
  if (reason === '' || reason.length > MAX_REASON_LENGTH) throw invalidField('reason', 'must say why');
  return reason;
}

/**
 * Requires that the person who decides is one of the operator's staff and not the one who proposed. This is the one
 * place that decides that there are two people.
 * @param yours what is thrown where they are one: 403 `SECOND_PERSON_NEEDED`.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_TOO_NEW`.
 */
export async function requireSecondPerson(
  { database, clock }: { database: Database; clock: Clock },
  { proposed_by: maker }: { proposed_by: string },
  { personId, yours }: { personId: string; yours: () => AppError },
): Promise<void> {
  await requireOperator(database, personId);
  if (maker === personId) throw yours();
  await requireApart({ queries: database, clock }, { decider: personId, maker });
}

interface ProposalDigests {
  mode: Mode;
  /** The digest as it was proposed; null on proposals from before digests were kept. */
  digest: string | null;
  /** The digest of the row as it is now. */
  digest_now: string;
}

/**
 * Requires that what is put into force is what one person proposed and the other saw. A row that was altered raises an
 * alarm.
 * @param seen the digest that the second person sends
 * @param isWhole false where something beside the row that belongs to it was altered
 * @param about of the log, where it was altered
 * @param altered what is thrown: 409 `…_ALTERED`.
 */
export function requireAsProposed(
  { logger, onAlarm }: { logger: Logger; onAlarm?: OnAlarm | undefined },
  { mode, digest, digest_now }: ProposalDigests,
  { seen, isWhole = true, about, message, altered }: AsProposed,
): void {
  if ((digest !== null && digest !== digest_now) || !isWhole) {
    logger.error({ ...about, mode }, message);
    const refusal = altered();
    onAlarm?.({ alarm: refusal.code, mode });
    throw refusal;
  }
  if (seen !== digest_now) throw altered();
}

interface AsProposed {
  seen: string;
  isWhole?: boolean;
  about: Record<string, string>;
  message: string;
  altered: () => AppError;
}
