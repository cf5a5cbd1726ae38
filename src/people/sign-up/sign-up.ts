import type { Visitor } from '../../access/index.ts';
import { type NewMail, queueMail } from '../../mail/index.ts';
import { newId } from '../../platform/ids.ts';
import { countAttempts, mailsFrom, mailsTo } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { emailOf } from '../email.ts';
import { linkInvalid } from '../errors.ts';
import { lookAtLink, makeLink } from '../links/link.ts';
import { addressTakenMail, confirmMail, removedMail } from '../links/mails.ts';
import { findPersonByEmail, type PersonRow } from '../queries.ts';
import { deleteOldSignUps, findSignUp, insertSignUp, type SignUpRow } from './queries.ts';

/** As long as the link to confirm it lives. */
const KEEP_MS = 24 * 60 * 60_000;

/**
 * Takes an address and mails a link to it; nothing else is asked before whoever reads the address has opened it, so nobody
 * else's word is waiting there. Where the address is somebody's already, the mail says so, and the answer and its time
 * are the same.
 * @throws AppError 400 for what is no address; 423 `SIGN_IN_LOCKED` after many from one network or to one address.
 */
export async function signUp(deps: PeopleDeps, input: { email: string; visitor: Visitor }): Promise<void> {
  const { database, secrets, clock } = deps;
  const { baseUrl, ip } = input.visitor;
  const email = emailOf(input.email);
  await countAttempts({ queries: database, clock }, mailsFrom(ip), mailsTo(email));
  const [taken] = await database.query(findPersonByEmail, [email]);
  const id = newId();
  await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    await tx.query(insertSignUp, [id, email, clock.now()]);
    const made = await makeLink(on, { purpose: 'CONFIRM', subjectId: id, baseUrl });
    await queueMail(on, taken === undefined ? confirmMail(email, made) : takenMail(taken, baseUrl));
  });
}

function takenMail({ email, disabled_at: removedAt }: PersonRow, baseUrl: string): NewMail {
  return removedAt === null ? addressTakenMail(email, `${baseUrl}/dashboard/sign-in`) : removedMail(email);
}

/** Whose address a link confirms. @throws AppError 422 `LINK_INVALID`. */
export async function requireSignUp({ database, secrets, clock }: PeopleDeps, token: string): Promise<SignUpRow> {
  const id = await lookAtLink({ queries: database, secrets, clock }, 'CONFIRM', token);
  const [row] = await database.query(findSignUp, [id]);
  if (row === undefined) throw linkInvalid();
  return row;
}

/** Removes sign-ups that nobody confirmed in time. */
export async function sweepSignUps({ database, clock }: Pick<PeopleDeps, 'database' | 'clock'>): Promise<number> {
  return (await database.query(deleteOldSignUps, [new Date(clock.now().getTime() - KEEP_MS)])).length;
}
