import type { Role } from '../../access/index.ts';
import { type MailSealer, type SecurityNotice, tellOperators, tellOwners } from '../../mail/index.ts';
import type { Queries } from '../../platform/db/database.ts';
import { roleInWords } from '../links/mails.ts';
import type { Organization } from '../members/queries.ts';
import type { ChangeRow } from './queries.ts';

type Described = Pick<ChangeRow, 'merchant_id' | 'kind' | 'email' | 'role' | 'role_before'>;

/** What is asked for, as a sentence begins with it: `Invite ada@shop.example as approver`. */
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

/** Tells every owner of a merchant, or all of the operator's staff, and others whom it concerns. */
export async function notifyOrganization(
  on: MailSealer & { queries: Queries },
  merchantId: Organization,
  notice: (organization: string) => SecurityNotice,
  also: readonly string[] = [],
): Promise<void> {
  if (merchantId === null) return tellOperators(on, notice('the operator’s staff of Manilla'), also);
  return tellOwners(on, merchantId, notice, also);
}

const STOP = 'If this is not right, talk to each other at once, and remove whoever should not be there.';

/** Something waits for a second person. */
export const waitsNotice = (change: Omit<ChangeRow, 'approved_by'>) => (organization: string) => ({
  subject: `Waits for a second person: ${changeInWords(change)}`,
  paragraphs: [
    `At ${organization}, ${change.made_by_name} asked for this: ${changeInWords(change)}.`,
    ...(change.reason === null ? [] : [`The reason that was given: ${change.reason}`]),
    'It happens only when somebody else who decides about approvals agrees, under People in the dashboard.',
  ],
});

/** What became of it. */
export const decidedNotice =
  (change: ChangeRow, what: 'approved' | 'rejected' | 'withdrawn', by: string) => (organization: string) => ({
    subject: `${what.charAt(0).toUpperCase()}${what.slice(1)}: ${changeInWords(change)}`,
    paragraphs: [
      `At ${organization}, ${change.made_by_name} had asked for this: ${changeInWords(change)}. ${by} has ${what} it.`,
      ...(what === 'approved' ? [STOP] : []),
    ],
  });

/** Somebody may decide from now on. */
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
