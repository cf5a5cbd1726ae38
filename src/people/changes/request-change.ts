import type { Tx } from '../../platform/db/database.ts';
import { write } from '../../platform/db/statement.ts';
import { newId } from '../../platform/ids.ts';
import type { PeopleDeps } from '../deps.ts';
import type { MemberRow, Organization } from '../members/queries.ts';
import { decides } from './needs-second.ts';
import { notifyOrganization, waitsNotice } from './notices.ts';
import { type ChangeRow, insertChange, updateChangeReplaced } from './queries.ts';

/** What nobody has agreed to for so long is not meant any more. */
const EXPIRES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export type NewChange = Pick<ChangeRow, 'kind' | 'email' | 'role' | 'needed'> & {
  merchantId: Organization;
  subjectId: string;
  roleBefore?: ChangeRow['role_before'];
  keepKeys?: boolean | undefined;
  reason?: string;
  /** Null: the operator's terminal. */
  madeBy: { personId: string | null; name: string };
};

/**
 * Puts a change of people before a second person, in the caller's transaction and under the lock of the organization's people.
 * The same that waits already is replaced. Every owner hears of it by mail, and so does everybody who can decide.
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
