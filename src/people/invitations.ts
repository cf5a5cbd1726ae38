import type { Role, Visitor } from '../access/index.ts';
import { queueMail } from '../mail/index.ts';
import { requireMerchant } from '../merchants/index.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { newId } from '../platform/ids.ts';
import { countAttempts, invitationsOf, mailsTo } from './attempts.ts';
import type { PeopleDeps } from './deps.ts';
import { emailOf } from './email.ts';
import { memberExists, notInvited, personNotFound } from './errors.ts';
import { makeLink } from './link.ts';
import { invitationMail, invitationToTakenMail } from './mails.ts';
import { findInvitation, type Organization, upsertInvitation } from './member-queries.ts';
import {
  lockMembersOf,
  type Manager,
  membersOf,
  requireColleague,
  requireManager,
  requireOwnerFor,
} from './organization.ts';
import { findPersonByEmail } from './queries.ts';
import { agreementsForRole, requestChange, requireAgreedInvitation } from './request-change.ts';

const NAME_OF_STAFF = "the operator's staff of Manilla";

/** What an organization is called in its mails. */
export async function nameOfOrganization(queries: Queries, merchantId: Organization): Promise<string> {
  return merchantId === null ? NAME_OF_STAFF : (await requireMerchant(queries, merchantId)).business_name;
}

/** What became of something that a second person may have to agree to. */
export interface Asked {
  /** The change that waits for them; null: it is done. */
  changeId: string | null;
}

/**
 * Invites somebody by mail, once a second person has agreed where they are to decide about what others make. An address
 * that belongs to somebody of another organization gets a mail that says so, and the answer is the same: nobody learns who else
 * is here.
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
  await countAttempts({ queries: database, clock }, invitationsOf(merchantId), mailsTo(email));
  return database.transaction(async (tx) => {
    const members = await lockMembersOf(tx, merchantId);
    requireOwnerFor(requireManager(members, by), role);
    const own = members.find((member) => member.email === email);
    if (own?.disabled_at === null) throw memberExists();
    const subjectId = own?.id ?? newId();
    const needed = await agreementsForRole(deps, tx, { merchantId, before: null, role });
    if (needed === 0) {
      const isApproved = false;
      const personId = await sendInvitation(deps, tx, { subjectId, by, email, role, isApproved, ...input.visitor });
      return { personId, changeId: null };
    }
    if (merchantId === null) requireColleague(members, by);
    const change = { kind: 'INVITATION', merchantId, subjectId, email, role, needed, madeBy: by } as const;
    return { personId: subjectId, ...(await requestChange(deps, tx, change, members)) };
  });
}

/** Keeps the invitation and mails it, in the caller's transaction. Inviting an address again changes what is there. */
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
  await countAttempts({ queries: database, clock }, invitationsOf(by.merchantId), mailsTo(email));
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
