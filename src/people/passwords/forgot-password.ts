import type { Visitor } from '../../access/index.ts';
import { queueMail } from '../../mail/index.ts';
import { newId } from '../../platform/ids.ts';
import { countAttempts, mailsFrom, mailsTo } from '../attempts.ts';
import type { PeopleDeps } from '../deps.ts';
import { emailOf } from '../email.ts';
import { makeLink } from '../links/link.ts';
import { nobodyHereMail, removedMail, resetMail } from '../links/mails.ts';
import { findPersonByEmail } from '../queries.ts';

/**
 * Mails a link to choose a new password, or, where nobody has the address or who had it was removed, a mail that says so:
 * the answer and its time are the same.
 * @throws AppError 400 for what is no address; 423 `SIGN_IN_LOCKED` after many from one network or to one address.
 */
export async function forgotPassword(deps: PeopleDeps, input: { email: string; visitor: Visitor }): Promise<void> {
  const { database, secrets, clock } = deps;
  const { baseUrl, ip } = input.visitor;
  const email = emailOf(input.email);
  await countAttempts({ queries: database, clock }, mailsFrom(ip), mailsTo(email));
  const [found] = await database.query(findPersonByEmail, [email]);
  const person = found?.disabled_at === null ? found : undefined;
  await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    // For nobody the link leads nowhere and is told to nobody: it only takes its time.
    const made = await makeLink(on, { purpose: 'RESET', subjectId: person?.id ?? newId(), baseUrl });
    const nobody = found === undefined ? nobodyHereMail(email, `${baseUrl}/dashboard/sign-up`) : removedMail(email);
    await queueMail(on, person === undefined ? nobody : resetMail(email, made));
  });
}
