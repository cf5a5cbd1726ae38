import { nameOfPerson, type Role } from '../access/index.ts';
import type { Tx } from '../platform/db/database.ts';
import { updateRoleGiven } from './change-queries.ts';
import type { PeopleDeps } from './deps.ts';
import type { Organization } from './member-queries.ts';
import { findPerson } from './queries.ts';
import { deciderNotice, decides, notifyOrganization } from './request-change.ts';

/**
 * Keeps who brought somebody in or gave them more than they had, in the transaction that does it: for a day the two do
 * not decide about each other's work. Of whoever may decide from now on, every owner hears by mail.
 */
export async function noteRoleGiven(
  { secrets, clock }: Pick<PeopleDeps, 'secrets' | 'clock'>,
  tx: Tx,
  given: { personId: string; email: string; role: Role | null; merchantId: Organization; by: string },
): Promise<void> {
  const { personId, email, role, merchantId, by } = given;
  await tx.query(updateRoleGiven, [personId, by, clock.now()]);
  if (merchantId !== null && !decides(role)) return;
  const [giver] = await tx.query(findPerson, [by]);
  const name =
    giver === undefined
      ? 'Somebody who is gone'
      : nameOfPerson({ firstName: giver.first_name, lastName: giver.last_name, email: giver.email });
  await notifyOrganization({ queries: tx, secrets, clock }, merchantId, deciderNotice({ email, role, by: name }));
}
