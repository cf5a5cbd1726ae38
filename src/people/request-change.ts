import { permissionsOfRole, type Role, scopesOfRole } from '../access/index.ts';
import { type MailSealer, notifyOperators, notifyOwners, type SecurityNotice } from '../mail/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Queries, Tx } from '../platform/db/database.ts';
import { write } from '../platform/db/statement.ts';
import { newId } from '../platform/ids.ts';
import type { PeopleDeps } from './deps.ts';
import { invitationNotApproved, secondPersonTooNew } from './errors.ts';
import { roleInWords } from './mails.ts';
import {
  type ChangeRow,
  type InvitationRow,
  insertChange,
  listBroughtIn,
  type MemberRow,
  type Organization,
  updateChangeReplaced,
} from './member-queries.ts';

/**
 * For so long after one brought the other in, neither decides about what the other made: owners have time to notice.
 */
const APART_FOR_MS = 24 * 60 * 60 * 1000;

/** A person about whose work another may not decide yet. */
export interface TooNear {
  personId: string;
  email: string;
  until: Date;
}

/** All such people for one person, in any organization. */
export async function listTooNear(
  { queries, clock }: { queries: Queries; clock: Clock },
  personId: string,
): Promise<TooNear[]> {
  const since = new Date(clock.now().getTime() - APART_FOR_MS);
  const rows = await queries.query(listBroughtIn, [personId, since]);
  return rows.map((row) => ({
    personId: row.other_id,
    email: row.other_email,
    until: new Date(row.since.getTime() + APART_FOR_MS),
  }));
}

/**
 * Requires that two people are independent: neither brought the other in, or gave them more than they had, within the
 * last 24 hours.
 * @param maker id or e-mail address of the person who made what is decided about; null where nobody is known.
 * @throws AppError 403 `SECOND_PERSON_TOO_NEW`.
 */
export async function requireApart(
  deps: { queries: Queries; clock: Clock },
  { decider, maker }: { decider: string; maker: string | null },
): Promise<void> {
  if (maker === null) return;
  const near = (await listTooNear(deps, decider)).find(({ personId, email }) => personId === maker || email === maker);
  if (near !== undefined) throw secondPersonTooNew(near.until);
}

/** Whether a role decides about what others made. */
export const decides = (role: Role | null): boolean => role !== null && permissionsOfRole(role).has('approval:decide');

/** Whether a role gives a person rights that they do not have; null: they have none. */
export function givesMore(before: Role | null, role: Role): boolean {
  if (before === null || (role === 'OWNER' && before !== 'OWNER')) return true;
  const had = rightsOf(before);
  return rightsOf(role).some((right) => !had.includes(right));
}

/** Of live mode, which is about money. */
const rightsOf = (role: Role): string[] => [...permissionsOfRole(role), ...scopesOfRole(role, 'LIVE')];

/**
 * How many others have to agree before a person gets a role; 0: none. At the operator everybody decides, so one always
 * has to. At a merchant, while approvals are on, as many as the strictest rule needs: otherwise a few could make
 * themselves many.
 */
export async function agreementsForRole(
  deps: Pick<PeopleDeps, 'approversNeeded'>,
  queries: Queries,
  { merchantId, before, role }: { merchantId: Organization; before: Role | null; role: Role | null },
): Promise<number> {
  if (merchantId === null) return 1;
  if (role === null || !decides(role) || !givesMore(before, role)) return 0;
  return agreementsOf(deps, queries, merchantId);
}

/** While approvals are on at a merchant: as many as its strictest rule needs. */
export async function agreementsOf(
  { approversNeeded }: Pick<PeopleDeps, 'approversNeeded'>,
  queries: Queries,
  merchantId: string,
): Promise<number> {
  // One more than have to approve is needed, so that nobody approves what they made.
  return Math.max(0, (await approversNeeded(queries, merchantId)) - 1);
}

/**
 * An invitation from before approvals were switched on, or from before this rule, admits nobody who decides.
 * @throws AppError 409 `INVITATION_NOT_APPROVED`.
 */
export async function requireAgreedInvitation(
  deps: Pick<PeopleDeps, 'approversNeeded'>,
  queries: Queries,
  { merchant_id: merchantId, role, is_approved }: InvitationRow,
): Promise<void> {
  if (is_approved === true) return;
  if ((await agreementsForRole(deps, queries, { merchantId, before: null, role })) > 0) throw invitationNotApproved();
}

type Described = Pick<ChangeRow, 'merchant_id' | 'kind' | 'email' | 'role' | 'role_before'>;

/** What is requested, as a sentence begins with it: `Invite ada@shop.example as approver`. */
export function changeInWords({ merchant_id, kind, email, role, role_before }: Described): string {
  switch (kind) {
    case 'INVITATION':
      return merchant_id === null ? `Invite ${email} to the operator’s staff` : `Invite ${email} as ${words(role)}`;
    case 'ROLE':
      return `Change the role of ${email} from ${words(role_before)} to ${words(role)}`;
    case 'SECOND_FACTOR':
      return `Switch off the second factor of ${email}`;
  }
}

const words = (role: Role | null): string => (role === null ? 'nothing' : roleInWords(role));

/** Notifies every owner of a merchant, or all of the operator's staff, and others whom it concerns. */
export async function notifyOrganization(
  on: MailSealer & { queries: Queries },
  merchantId: Organization,
  notice: (organization: string) => SecurityNotice,
  also: readonly string[] = [],
): Promise<void> {
  if (merchantId === null) return notifyOperators(on, notice('the operator’s staff of Manilla'), also);
  return notifyOwners(on, merchantId, notice, also);
}

const STOP = 'If this is not right, talk to each other at once, and remove anyone who should not be there.';

/** A change waits for a second person. */
const waitsNotice = (change: Omit<ChangeRow, 'approved_by'>) => (organization: string) => ({
  subject: `Waits for a second person: ${changeInWords(change)}`,
  paragraphs: [
    `At ${organization}, ${change.made_by_name} asked for this: ${changeInWords(change)}.`,
    ...(change.reason === null ? [] : [`The reason that was given: ${change.reason}`]),
    'It happens only when somebody else who decides about approvals agrees, under People in the dashboard.',
  ],
});

/** The result of a change. */
export const decidedNotice =
  (change: ChangeRow, what: 'approved' | 'rejected' | 'withdrawn', by: string) => (organization: string) => ({
    subject: `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${changeInWords(change)}`,
    paragraphs: [
      `At ${organization}, ${change.made_by_name} had asked for this: ${changeInWords(change)}. ${by} has ${what} it.`,
      ...(what === 'approved' ? [STOP] : []),
    ],
  });

/** A person may decide from now on. */
export const deciderNotice =
  ({ email, role, by }: { email: string; role: Role | null; by: string }) =>
  (organization: string) => ({
    subject: `${email} may decide from now on`,
    paragraphs: [
      `At ${organization}, ${email} is ${role === null ? 'one of the staff' : roleInWords(role)} from now on. ${by} brought that about.`,
      STOP,
    ],
  });

/** The terminal alone did it: nobody had to agree, or nobody could. */
export const resetNotice = (email: string, reason: string) => (organization: string) => ({
  subject: `The second factor of ${email} is off`,
  paragraphs: [
    `At ${organization}, the operator switched off the second factor of ${email} and ended their sessions. The reason that was given: ${reason}`,
    STOP,
  ],
});

/** One of the first two, whom the terminal alone makes. */
export const newOperatorNotice = (email: string, by: string) => (organization: string) => ({
  subject: `${email} is one of the staff from now on`,
  paragraphs: [`${by} made ${email} one of ${organization}.`, STOP],
});

/** A change that nobody agrees to for so long is no longer wanted. */
const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

type NewChange = Pick<ChangeRow, 'kind' | 'email' | 'role' | 'needed'> & {
  merchantId: Organization;
  subjectId: string;
  roleBefore?: ChangeRow['role_before'];
  keepKeys?: boolean | undefined;
  reason?: string;
  /** Null: the operator's terminal. */
  madeBy: { personId: string | null; name: string };
};

/**
 * Requests that a second person agrees to a change of people, in the caller's transaction and under the lock of the
 * organization's people. It replaces an equal change that waits. Every owner is notified by mail, and so is everybody
 * who can decide.
 * @param members the people of the organization.
 */
export async function requestChange(
  { secrets, clock }: Pick<PeopleDeps, 'secrets' | 'clock'>,
  tx: Tx,
  change: NewChange,
  members: readonly MemberRow[],
): Promise<{ changeId: string }> {
  const now = clock.now();
  const row: Omit<ChangeRow, 'approved_by'> = {
    id: newId(),
    merchant_id: change.merchantId,
    kind: change.kind,
    subject_id: change.subjectId,
    email: change.email,
    role: change.role,
    role_before: change.roleBefore ?? null,
    keep_keys: change.keepKeys === true,
    reason: change.reason ?? null,
    made_by: change.madeBy.personId,
    made_by_name: change.madeBy.name,
    made_at: now,
    expires_at: new Date(now.getTime() + EXPIRES_AFTER_MS),
    needed: change.needed,
    status: 'PENDING',
    decided_by: null,
    decided_at: null,
  };
  await tx.query(updateChangeReplaced, [row.merchant_id, row.email, row.kind, now]);
  const kept = write(insertChange, row);
  await tx.run(kept.into, [kept.row]);
  const deciders = members.filter(({ role, disabled_at }) => disabled_at === null && decides(role));
  const also = [...deciders.map(({ email }) => email), ...(row.kind === 'SECOND_FACTOR' ? [row.email] : [])];
  await notifyOrganization({ queries: tx, secrets, clock }, row.merchant_id, waitsNotice(row), also);
  return { changeId: row.id };
}
