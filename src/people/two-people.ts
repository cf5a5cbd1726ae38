import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { type AppError, invalidField } from '../platform/errors.ts';
import { isVisibleInLines, oneForm } from '../platform/text.ts';
import { requireApart } from './request-change.ts';
import { requireOperator } from './sign-in.ts';

/** Shorter than this, a note does not say what was seen and where. */
const MIN_NOTE_LENGTH = 10;
const MAX_NOTE_LENGTH = 1_000;
const MAX_REASON_LENGTH = 1_000;

/** What the first of two people saw, as it is kept. @throws AppError 400 `VALIDATION_FAILED`. */
export function noteOf(given: string): string {
  const note = oneForm(given).trim();
  if (note.length < MIN_NOTE_LENGTH || note.length > MAX_NOTE_LENGTH || !isVisibleInLines(note)) {
    const message = `must say in ${MIN_NOTE_LENGTH} to ${MAX_NOTE_LENGTH} characters what was seen, and where`;
    throw invalidField('note', message);
  }
  return note;
}

/** Why a proposal is rejected or withdrawn, as it is kept. @throws AppError 400 `VALIDATION_FAILED`. */
export function reasonOf(given: string): string {
  const reason = given.trim();
  if (reason === '' || reason.length > MAX_REASON_LENGTH) throw invalidField('reason', 'must say why');
  return reason;
}

/**
 * That whoever decides is one of the operator's staff and is not who proposed: the one place where it is decided that
 * there are two people.
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
