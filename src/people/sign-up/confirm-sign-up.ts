import type { Visitor } from '../../access/index.ts';
import { internationalNumber } from '../../merchants/index.ts';
import { keepPerson } from '../create-person.ts';
import type { PeopleDeps } from '../deps.ts';
import { linkInvalid } from '../errors.ts';
import { hashPassword } from '../hash-in-turn.ts';
import { takeLink } from '../links/link.ts';
import { checkPassword } from '../password.ts';
import { recordAction } from '../record-action.ts';
import { noteDevice } from '../sessions/device.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { deleteSignUp, deleteSignUpsOf } from './queries.ts';
import { requireSignUp } from './sign-up.ts';

const SIGN_IN = {
  action: 'sign-up',
  summary: 'Confirm the e-mail address and open an account',
  outcome: 'DONE',
  code: null,
} as const;

export interface ConfirmInput {
  token: string;
  password: string;
  businessName: string;
  firstName: string;
  lastName: string;
  phoneNumber: string;
  visitor: Visitor;
  secretBefore: string | undefined;
}

/**
 * Makes the merchant with its wallets and services, and its owner, who is signed in: by whoever reads the address, with
 * the password that they choose now. All or nothing, once for each link; every other sign-up of the address dies with it.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400 for a field that is wrong; 409 `EMAIL_TAKEN` to whoever
 *   reads that very address; 503 `OVERLOADED`. What is refused leaves the link good.
 */
export async function confirmSignUp(deps: PeopleDeps, input: ConfirmInput): Promise<OpenedSession> {
  const { database, secrets, clock, sessions } = deps;
  const { visitor, secretBefore, businessName, firstName, lastName } = input;
  const { email } = await requireSignUp(deps, input.token);
  const phoneNumber = internationalNumber(input.phoneNumber);
  await checkPassword(input.password, { email, businessName });
  const passwordHash = await hashPassword(input.password);
  const opened = await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    const personId = await takeLink(on, 'CONFIRM', input.token);
    if ((await tx.query(deleteSignUp, [personId])).length === 0) throw linkInvalid();
    await tx.query(deleteSignUpsOf, [email]);
    const owner = { firstName, lastName, email, phoneNumber };
    const { merchantId } = await deps.openMerchant(tx, { businessName, email, phoneNumber, owner });
    const person = { kind: 'MEMBER', merchantId, role: 'OWNER', firstName, lastName, email } as const;
    await keepPerson({ database: tx, clock }, { ...person, personId, passwordHash });
    const session = await openSession(on, { personId, stage: 'WHOLE', passwordGiven: true, visitor, secretBefore });
    const names = { first_name: firstName, last_name: lastName };
    const actor = { id: personId, kind: 'MEMBER', merchant_id: merchantId, email, role: 'OWNER', ...names } as const;
    await recordAction(on, visitor, actor, { ...SIGN_IN, sessionId: session.sessionId });
    const deviceSecret = await noteDevice(on, actor, visitor, { isFirst: true });
    return { ...session, deviceSecret };
  });
  sessions.forgetSecret(secretBefore);
  return opened;
}
