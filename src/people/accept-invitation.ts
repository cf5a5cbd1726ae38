import { nameOfPerson, type Role, type Visitor } from '../access/index.ts';
import { keepPerson } from './add-operator.ts';
import type { PeopleDeps } from './deps.ts';
import { linkInvalid } from './errors.ts';
import { nameOfOrganization } from './invitations.ts';
import { lookAtLink, takeLink } from './link.ts';
import { deleteInvitation, findInvitation, type InvitationRow, updatePersonRejoined } from './member-queries.ts';
import { noteRoleGiven } from './note-role-given.ts';
import { checkPassword, hashPassword } from './password.ts';
import { findPerson } from './queries.ts';
import { recordAction } from './record-action.ts';
import { requireAgreedInvitation } from './request-change.ts';
import { noteDevice, type OpenedSession, openSession } from './session.ts';

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
 * Somebody joins the organization that invited them, and is signed in.
 * @throws AppError 422 `LINK_INVALID`, `PASSWORD_TOO_COMMON`; 400; 409 `INVITATION_NOT_APPROVED`, and `EMAIL_TAKEN` to
 *   whoever reads that very address.
 *   What is refused leaves the link good.
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
    const personId = await takeLink(on, 'INVITATION', input.token);
    // Read again behind the link: the role may have been changed meanwhile.
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
