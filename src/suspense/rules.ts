import { requireApart, requireOperator } from '../people/index.ts';
import type { OnAlarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { invalidField } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { isVisibleInLines, oneForm } from '../platform/text.ts';
import { proposalNotYours, proposalYours, suspenseProposalAltered } from './errors.ts';
import type { Proposal } from './proposal.ts';

const MIN_NOTE_LENGTH = 10;
const MAX_NOTE_LENGTH = 1_000;
const MAX_REASON_LENGTH = 1_000;

interface PeopleDeps {
  database: Database;
  clock: Clock;
}

/** @throws AppError 400 `VALIDATION_FAILED` for a note that says too little. */
export function noteOf(given: string): string {
  const note = oneForm(given).trim();
  if (note.length < MIN_NOTE_LENGTH || note.length > MAX_NOTE_LENGTH || !isVisibleInLines(note)) {
    const message = `must say in ${MIN_NOTE_LENGTH} to ${MAX_NOTE_LENGTH} characters what was seen, and where`;
    throw invalidField('note', message);
  }
  return note;
}

/** @throws AppError 400 `VALIDATION_FAILED`. */
export function reasonOf(given: string): string {
  const reason = given.trim();
  if (reason === '' || reason.length > MAX_REASON_LENGTH) throw invalidField('reason', 'must say why');
  return reason;
}

/**
 * The one place where it is decided that there are two people.
 * @throws AppError 403 `OPERATOR_NOT_FOUND`, `SECOND_PERSON_NEEDED`, `SECOND_PERSON_TOO_NEW`.
 */
export async function requireSecondPerson(
  { database, clock }: PeopleDeps,
  { proposed_by: maker }: Pick<Proposal, 'proposed_by'>,
  personId: string,
): Promise<void> {
  await requireOperator(database, personId);
  if (maker === personId) throw proposalYours();
  await requireApart({ queries: database, clock }, { decider: personId, maker });
}

/** Who turns it down is another person; who takes it back made it. @throws AppError 403. */
export async function requireCloser(
  { database }: PeopleDeps,
  { proposed_by: maker }: Pick<Proposal, 'proposed_by'>,
  { personId, status }: { personId: string; status: 'REJECTED' | 'WITHDRAWN' },
): Promise<void> {
  await requireOperator(database, personId);
  if (status === 'REJECTED' && maker === personId) throw proposalYours();
  if (status === 'WITHDRAWN' && maker !== personId) throw proposalNotYours();
}

/** What is put into force is what the one person said and the other saw. @throws AppError 409 `SUSPENSE_PROPOSAL_ALTERED`. */
export function requireAsProposed(
  { logger, onAlarm }: { logger: Logger; onAlarm?: OnAlarm | undefined },
  { id: proposalId, mode, digest, digest_now }: Proposal,
  seen: string,
): void {
  if (digest !== digest_now) {
    logger.error({ proposalId, mode }, 'a proposal about money in suspense is not what was proposed');
    const refusal = suspenseProposalAltered();
    onAlarm?.({ alarm: refusal.code, mode });
    throw refusal;
  }
  if (seen !== digest) throw suspenseProposalAltered();
}
