import type { Visitor } from '../../access/index.ts';
import { type NewMail, queueMail } from '../../mail/index.ts';
import { internationalNumber } from '../../merchants/index.ts';
import { newId } from '../../platform/ids.ts';
import type { PeopleDeps } from '../deps.ts';
import { emailOf } from '../email.ts';
import { hashPassword } from '../hash-in-turn.ts';
import { makeLink } from '../links/link.ts';
import { addressTakenMail, confirmMail, removedMail } from '../links/mails.ts';
import { checkPassword } from '../password.ts';
import { findPersonByEmail, type PersonRow } from '../queries.ts';
import { countTries, mailsFrom, mailsTo } from '../tries.ts';
import { deleteOldSignUps, insertSignUp } from './queries.ts';

export interface SignUpInput {
  email: string;
  password: string;
  businessName: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  visitor: Visitor;
}

/** As long as the link to confirm it lives. */
const KEEP_MS = 24 * 60 * 60_000;

/**
 * Takes a sign-up in and mails a link to confirm it; until then nothing is made. Where the address is somebody's already,
 * the mail says so, and the answer and its time are the same.
 * @throws AppError 400 for a field that is wrong; 422 `PASSWORD_TOO_COMMON`; 423 `SIGN_IN_LOCKED` after many from one
 *   network or to one address; 503 `OVERLOADED`.
 */
export async function signUp(deps: PeopleDeps, input: SignUpInput): Promise<void> {
  const { database, secrets, clock } = deps;
  const { visitor, businessName } = input;
  const email = emailOf(input.email);
  const phoneNumber = internationalNumber(input.phoneNumber);
  await checkPassword(input.password, { email, businessName });
  await countTries({ queries: database, clock }, mailsFrom(visitor.ip), mailsTo(email));
  const passwordHash = await hashPassword(input.password);
  const [taken] = await database.query(findPersonByEmail, [email]);
  const id = newId();
  await database.transaction(async (tx) => {
    await tx.query(insertSignUp, [
      id,
      email,
      passwordHash,
      businessName,
      input.firstName,
      input.lastName,
      phoneNumber,
      clock.now(),
    ]);
    const made = await makeLink(
      { queries: tx, secrets, clock },
      { purpose: 'CONFIRM', subjectId: id, baseUrl: visitor.baseUrl },
    );
    const mail = taken === undefined ? confirmMail(email, businessName, made) : takenMail(taken, visitor.baseUrl);
    await queueMail({ queries: tx, secrets, clock }, mail);
  });
}

function takenMail({ email, disabled_at: removedAt }: PersonRow, baseUrl: string): NewMail {
  return removedAt === null ? addressTakenMail(email, `${baseUrl}/dashboard/sign-in`) : removedMail(email);
}

/** Removes sign-ups that nobody confirmed in time. */
export async function sweepSignUps({ database, clock }: Pick<PeopleDeps, 'database' | 'clock'>): Promise<number> {
  return (await database.query(deleteOldSignUps, [new Date(clock.now().getTime() - KEEP_MS)])).length;
}
