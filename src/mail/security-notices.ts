import type { Queries } from '../platform/db/database.ts';
import type { Write } from '../platform/db/statement.ts';
import { listOperatorAddresses, listOwnerAddresses } from './queries.ts';
import { type MailSealer, mailWrite, type NewMail, queueMail } from './queue-mail.ts';

/** What happened to the security of an organization, in plain words and without anything that opens a door. */
export interface SecurityNotice {
  subject: string;
  paragraphs: readonly string[];
}

/** All notices are one group: an attacker who causes many must not bury one under the others, nor make one get lost. */
const GROUP = 'security';
const FOOT = 'Owners get mails like this whoever did it, and nobody can switch them off.';
const OPERATORS_FOOT =
  'All of the operator\u2019s staff get mails like this whoever did it, and nobody can switch them off.';

/**
 * Notifies every owner of a business, also the one who did it, in the caller's transaction. A business without people
 * has nobody to notify.
 * @param also addresses of others whom it concerns.
 */
export async function notifyOwners(
  deps: MailSealer & { queries: Queries },
  merchantId: string,
  notice: (businessName: string) => SecurityNotice,
  also: readonly string[] = [],
): Promise<void> {
  for (const mail of await mailsToOwners(deps.queries, merchantId, notice, also)) await queueMail(deps, mail);
}

/** The same for a movement of the books. */
export async function ownersNoticeWrites(
  deps: MailSealer & { queries: Queries },
  merchantId: string,
  notice: (businessName: string) => SecurityNotice,
): Promise<Write[]> {
  return (await mailsToOwners(deps.queries, merchantId, notice, [])).map((mail) => mailWrite(deps, mail));
}

async function mailsToOwners(
  queries: Queries,
  merchantId: string,
  notice: (businessName: string) => SecurityNotice,
  also: readonly string[],
): Promise<NewMail[]> {
  const owners = await queries.query(listOwnerAddresses, [merchantId]);
  const [first] = owners;
  if (first === undefined) return [];
  const to = new Set([...owners.map(({ email }) => email), ...also]);
  return [...to].map((email) => mailOf(email, notice(first.business_name), FOOT));
}

/** Notifies all of the operator's staff, also the one who did it, in the caller's transaction. */
export async function notifyOperators(
  deps: MailSealer & { queries: Queries },
  notice: SecurityNotice,
  also: readonly string[] = [],
): Promise<void> {
  const staff = await deps.queries.query(listOperatorAddresses);
  const to = new Set([...staff.map(({ email }) => email), ...also]);
  for (const email of to) await queueMail(deps, mailOf(email, notice, OPERATORS_FOOT));
}

function mailOf(to: string, { subject, paragraphs }: SecurityNotice, foot: string): NewMail {
  return { to, subject, text: [...paragraphs, foot, 'Manilla'].join('\n\n'), link: null, group: GROUP };
}
