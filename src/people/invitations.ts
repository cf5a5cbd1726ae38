import { nameOfPerson, type Role, type Visitor } from '../access/index.ts';
import { queueMail } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { keepPerson } from './add-operator.ts';
import { countAttempts, invitationsOf, invitationsTo } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { emailOf } from './email.ts';
import { linkInvalid, memberExists, notInvited, personNotFound } from './errors.ts';
import { lookAtLink, makeLink, takeLink } from './link.ts';
import { invitationMail, invitationToTakenMail } from './mails.ts';
import {
  deleteInvitation,
  findInvitation,
  type InvitationRow,
  type Organization,
  updateChangesAboutVoid,
  updatePersonRejoined,
  upsertInvitation,
} from './member-queries.ts';
import {
  lockMembersOf,
  type Manager,
  membersOf,
  requireColleague,
  requireManager,
  requireOwnerFor,
} from './organization.ts';
import { checkPassword, hashPassword } from './password.ts';
import { findPerson, findPersonByEmail } from './queries.ts';
import { noteRoleGiven, recordAction } from './record-action.ts';
import { agreementsForRole, requestChange, requireAgreedInvitation } from './request-change.ts';
import { noteDevice, type OpenedSession, openSession } from './session.ts';

const NAME_OF_STAFF = "the operator's staff of Manilla";

/** The name of an organization in its mails. */
async function nameOfOrganization(queries: Queries, merchantId: Organization): Promise<string> {
  return merchantId === null ? NAME_OF_STAFF : (await requireMerchant(queries, merchantId)).business_name;
}

/** The result of a command that a second person may have to agree to. */
export interface Asked {
  /** The change that waits for a second person; null: it is done. */
  changeId: string | null;
}

/**
 * Invites a person by mail; for a role that decides about what others make, only after a second person has agreed. An
 * address that belongs to a person of another organization gets a mail that says so, and the answer is the same: nobody
 * learns who else is here.
 * @throws AppError 400; 409 `MEMBER_EXISTS` for one of the organization itself; 403 `OWNERS_ONLY`; 422
 *   `SECOND_OPERATOR_MISSING`; 423 `SIGN_IN_LOCKED` after many mails to one address, or many invitations of one organization.
 */
export async function invitePerson(
  deps: PeopleDeps,
  input: { by: Manager; email: string; role: Role | null; visitor: Visitor },
): Promise<{ personId: string } & Asked> {
  const { database, clock } = deps;
  const { by, role } = input;
  const { merchantId } = by;
  const email = emailOf(input.email);
  await countAttempts({ queries: database, clock }, invitationsOf(merchantId), invitationsTo(merchantId, email));
  return database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, merchantId);
    requireOwnerFor(requireManager(members, by), role);
    const own = members.find((member) => member.email === email);
    if (own?.disabled_at === null) throw memberExists();
    const subjectId = own?.id ?? newId();
    const needed = await agreementsForRole(deps, tx, { merchantId, before: null, role });
    if (needed === 0) {
      const isApproved = false;
      // A request that was made before must not give the invited person more than this invitation does.
      await tx.query(updateChangesAboutVoid, [merchantId, email, clock.now()]);
      const personId = await sendInvitation(deps, tx, { subjectId, by, email, role, isApproved, ...input.visitor });
      return { personId, changeId: null };
    }
    if (merchantId === null) requireColleague(members, by);
    const change = { kind: 'INVITATION', merchantId, subjectId, email, role, needed, madeBy: by } as const;
    return { personId: subjectId, ...(await requestChange(deps, tx, change, members)) };
  });
}

/**
 * Stores the invitation and mails it, in the caller's transaction. Inviting an address again changes its invitation.
 */
export async function sendInvitation(
  deps: PeopleDeps,
  tx: Tx,
  input: {
    subjectId: string;
    by: Manager;
    email: string;
    role: Role | null;
    isApproved: boolean;
    baseUrl: string;
  },
): Promise<string> {
  const { subjectId, by, email, role, isApproved, baseUrl } = input;
  const row = [subjectId, by.merchantId, role, email, by.personId, deps.clock.now(), isApproved];
  const [kept] = await tx.query(upsertInvitation, row);
  const personId = kept?.id ?? subjectId;
  await mailInvitation(deps, tx, { by, personId, email, role, baseUrl });
  return personId;
}

/** Sends an invitation again, with a new link. @throws AppError 404 `PERSON_NOT_FOUND`; 409 `NOT_INVITED`, `INVITATION_NOT_APPROVED`; 423. */
export async function remindInvited(
  deps: PeopleDeps,
  input: { by: Manager; personId: string; visitor: Visitor },
): Promise<void> {
  const { database, clock } = deps;
  const { by, personId } = input;
  const [invitation] = await database.query(findInvitation, [personId]);
  if (invitation?.merchant_id !== by.merchantId) {
    const members = await membersOf(database, by.merchantId);
    throw members.some(({ id }) => id === personId) ? notInvited() : personNotFound();
  }
  const { email, role } = invitation;
  await requireAgreedInvitation(deps, database, invitation);
  await countAttempts({ queries: database, clock }, invitationsOf(by.merchantId), invitationsTo(by.merchantId, email));
  await database.transaction(async (tx) => {
    requireOwnerFor(requireManager(await lockMembersOf(tx, by.merchantId), by), role);
    await mailInvitation(deps, tx, { by, personId, email, role, baseUrl: input.visitor.baseUrl });
  });
}

async function mailInvitation(
  { secrets, clock }: PeopleDeps,
  tx: Tx,
  input: { by: Manager; personId: string; email: string; role: Role | null; baseUrl: string },
): Promise<void> {
  const { by, personId, email, role, baseUrl } = input;
  const on = { queries: tx, secrets, clock };
  const organization = await nameOfOrganization(tx, by.merchantId);
  const [holder] = await tx.query(findPersonByEmail, [email]);
  const made = await makeLink(on, { purpose: 'INVITATION', subjectId: personId, baseUrl });
  const isTaken = holder !== undefined && holder.id !== personId;
  const mail = isTaken
    ? invitationToTakenMail(email, { name: by.name, organization })
    : invitationMail(email, { name: by.name, organization, role }, made);
  await queueMail(on, mail);
}

const SIGN_IN = {
  action: 'join',
  summary: 'Accept an invitation',
  category: 'PEOPLE',
  outcome: 'DONE',
  code: null,
} as const;

/** What an invitation says, before it is accepted. @throws AppError 422 `LINK_INVALID`. */
export async function lookAtInvitation(
  deps: PeopleDeps,
  token: string,
): Promise<{ email: string; businessName: string | null; role: Role | null; invitedBy: string }> {
  const invitation = await requireInvitation(deps, token);
  const { email, role, merchant_id: merchantId } = invitation;
  const [inviter] = await deps.database.query(findPerson, [invitation.invited_by]);
  const invitedBy =
    inviter === undefined
      ? ''
      : nameOfPerson({ firstName: inviter.first_name, lastName: inviter.last_name, email: inviter.email });
  const businessName = merchantId === null ? null : await nameOfOrganization(deps.database, merchantId);
  return { email, businessName, role, invitedBy };
}

/**
 * Somebody joins the organization that invited them, and is signed in. What is refused leaves the link valid.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400; 409 `INVITATION_NOT_APPROVED`, and `EMAIL_TAKEN`,
 *   which only the reader of that very address gets.
 */
export async function acceptInvitation(
  deps: PeopleDeps,
  input: {
    token: string;
    password: string;
    firstName: string;
    lastName: string;
    visitor: Visitor;
    secretBefore: string | undefined;
  },
): Promise<OpenedSession> {
  const { database, secrets, clock, sessions } = deps;
  const { visitor, secretBefore, firstName, lastName } = input;
  const looked = await requireInvitation(deps, input.token);
  const businessName = looked.merchant_id === null ? undefined : await nameOfOrganization(database, looked.merchant_id);
  await checkPassword(input.password, { email: looked.email, businessName });
  const passwordHash = await hashPassword(input.password);
  const session = await database.transaction(async (tx) => {
    const on = { queries: tx, secrets, clock };
    // The same lock as a change of the role or a withdrawal of the invitation takes: one is first, and the other sees
    // it.
    await lockMembersOf(tx, looked.merchant_id);
    const personId = await takeLink(on, 'INVITATION', input.token);
    // Read again after the link was used: the role may have been changed meanwhile.
    const [invitation] = await tx.query(findInvitation, [personId]);
    if (invitation === undefined) throw linkInvalid();
    await requireAgreedInvitation(deps, tx, invitation);
    const { email, role, merchant_id: merchantId } = invitation;
    await tx.query(deleteInvitation, [personId, merchantId]);
    const rejoined = await tx.query(updatePersonRejoined, [personId, passwordHash, role, firstName, lastName]);
    if (rejoined.length === 0) {
      const kind =
        merchantId === null || role === null
          ? ({ kind: 'OPERATOR' } as const)
          : ({ kind: 'MEMBER', merchantId, role } as const);
      await keepPerson({ database: tx, clock }, { ...kind, personId, email, firstName, lastName, passwordHash });
    }
    await noteRoleGiven(deps, tx, { personId, email, role, merchantId, by: invitation.invited_by });
    const opened = await openSession(on, { personId, stage: 'FULL', passwordGiven: true, visitor, secretBefore });
    const kind = merchantId === null ? 'OPERATOR' : 'MEMBER';
    const names = { first_name: firstName, last_name: lastName };
    const actor = { id: personId, kind, merchant_id: merchantId, email, role, ...names } as const;
    await recordAction(on, visitor, actor, { ...SIGN_IN, sessionId: opened.sessionId });
    return { ...opened, deviceSecret: await noteDevice(on, actor, visitor, { isFirst: true }) };
  });
  sessions.forget(looked.id);
  sessions.forgetSecret(secretBefore);
  return session;
}

async function requireInvitation({ database, secrets, clock }: PeopleDeps, token: string): Promise<InvitationRow> {
  const id = await lookAtLink({ queries: database, secrets, clock }, 'INVITATION', token);
  const [invitation] = await database.query(findInvitation, [id]);
  if (invitation === undefined) throw linkInvalid();
  return invitation;
}
