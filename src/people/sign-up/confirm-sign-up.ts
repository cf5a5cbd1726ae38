import type { Visitor } from '../../access/index.ts';
import { keepPerson } from '../create-person.ts';
import type { PeopleDeps } from '../deps.ts';
import { linkInvalid } from '../errors.ts';
import { takeLink } from '../links/link.ts';
import { noteDeed } from '../note-deed.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { deleteSignUp } from './queries.ts';

const DEED = {
  action: 'sign-up',
  summary: 'Sign up and confirm the e-mail address',
  outcome: 'DONE',
  code: null,
} as const;

/**
 * Makes what was signed up: the merchant with its wallets and services, and its owner, who is signed in. All or nothing,
 * once for each link.
 * @throws AppError 422 `LINK_INVALID`; 409 `EMAIL_TAKEN` to whoever reads that very address.
 */
export async function confirmSignUp(
  deps: PeopleDeps,
  input: { token: string; visitor: Visitor; secretBefore: string | undefined },
): Promise<OpenedSession> {
  const { database, secrets, clock, sessions } = deps;
  const { visitor, secretBefore } = input;
  const opened = await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    const personId = await takeLink(on, 'CONFIRM', input.token);
    const [row] = await tx.query(deleteSignUp, [personId]);
    if (row === undefined) throw linkInvalid();
    const { email, business_name: businessName, first_name: firstName, last_name: lastName } = row;
    const owner = { firstName, lastName, email, phoneNumber: row.phone_number };
    const business = { businessName, email, phoneNumber: row.phone_number, owner };
    const { merchantId } = await deps.openMerchant(tx, business);
    const person = { kind: 'MEMBER', merchantId, role: 'OWNER', firstName, lastName, email } as const;
    await keepPerson({ database: tx, clock }, { ...person, personId, passwordHash: row.password_hash });
    const session = await openSession(on, { personId, stage: 'WHOLE', passwordGiven: false, visitor, secretBefore });
    const doer = { ...row, id: personId, kind: 'MEMBER', role: 'OWNER', merchant_id: merchantId } as const;
    await noteDeed(on, visitor, doer, { ...DEED, sessionId: session.sessionId });
    return session;
  });
  sessions.forgetSecret(secretBefore);
  return opened;
}
