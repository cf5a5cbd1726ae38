import type { Visitor } from '../access/index.ts';
import { type NewMail, queueMail } from '../mail/index.ts';
import { internationalNumber } from '../merchants/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { doEach } from '../platform/jobs/pieces.ts';
import { keepPerson } from './add-operator.ts';
import { countAttempts, mailsFrom, mailsTo } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { emailOf } from './email.ts';
import { linkInvalid } from './errors.ts';
import { lookAtLink, makeLink, sweepLinks, takeLink } from './link.ts';
import { addressTakenMail, confirmMail, removedMail } from './mails.ts';
import { updateChangesExpired } from './member-queries.ts';
import { checkPassword, hashPassword } from './password.ts';
import {
  deleteOldSignUps,
  deleteSignUp,
  deleteSignUpsOf,
  findPersonByEmail,
  findSignUp,
  insertSignUp,
  type PersonRow,
  type SignUpRow,
} from './queries.ts';
import { recordAction } from './record-action.ts';
import { noteDevice, type OpenedSession, openSession, sweepDevices, sweepSessions } from './session.ts';

const SIGN_IN = {
  action: 'sign-up',
  summary: 'Confirm the e-mail address and open an account',
  outcome: 'DONE',
  code: null,
} as const;

interface ConfirmInput {
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
 * Creates the merchant with its wallets and services, and its owner, who is signed in: the reader of the address, with
 * the password that they choose now. All or nothing, once for each link; every other sign-up of the address becomes
 * void.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400 for a field that is wrong; 409 `EMAIL_TAKEN`, which
 *   only the reader of that very address gets; 503 `OVERLOADED`. What is refused leaves the link valid.
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
    const session = await openSession(on, { personId, stage: 'FULL', passwordGiven: true, visitor, secretBefore });
    const names = { first_name: firstName, last_name: lastName };
    const actor = { id: personId, kind: 'MEMBER', merchant_id: merchantId, email, role: 'OWNER', ...names } as const;
    await recordAction(on, visitor, actor, { ...SIGN_IN, sessionId: session.sessionId });
    const deviceSecret = await noteDevice(on, actor, visitor, { isFirst: true });
    return { ...session, deviceSecret };
  });
  sessions.forgetSecret(secretBefore);
  return opened;
}

/** As long as the link to confirm it is valid. */
const KEEP_MS = 24 * 60 * 60_000;

/**
 * Takes an address and mails a link to it. Nothing else is asked for before the reader of the address has opened the
 * link, so an address cannot be signed up with somebody else's password. Where the address is somebody's already, the
 * mail says so, and the answer and its time are the same.
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

/** The address that a link confirms. @throws AppError 422 `LINK_INVALID`. */
export async function requireSignUp({ database, secrets, clock }: PeopleDeps, token: string): Promise<SignUpRow> {
  const id = await lookAtLink({ queries: database, secrets, clock }, 'CONFIRM', token);
  const [row] = await database.query(findSignUp, [id]);
  if (row === undefined) throw linkInvalid();
  return row;
}

/** Removes sign-ups that nobody confirmed in time. */
async function sweepSignUps({ database, clock }: Pick<PeopleDeps, 'database' | 'clock'>): Promise<number> {
  return (await database.query(deleteOldSignUps, [new Date(clock.now().getTime() - KEEP_MS)])).length;
}

/**
 * Removes sessions, links, sign-ups and browsers that have expired, and ends changes that nobody agreed to; each kind
 * for itself.
 * @returns how many.
 */
export function sweepPeople(deps: { database: Database; clock: Clock }): Promise<number> {
  return doEach([
    () => sweepSessions(deps),
    () => sweepLinks(deps),
    () => sweepSignUps(deps),
    () => sweepDevices(deps),
    async () => (await deps.database.query(updateChangesExpired, [deps.clock.now()])).length,
  ]);
}
