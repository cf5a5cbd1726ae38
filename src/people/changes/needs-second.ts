import { permissionsOfRole, type Role, scopesOfRole } from '../../access/index.ts';
import type { Queries } from '../../platform/db/database.ts';
import type { PeopleDeps } from '../deps.ts';
import { invitationNotApproved } from '../errors.ts';
import type { InvitationRow, Organization } from '../members/queries.ts';

/** Whether a role decides about what others made. */
export const decides = (role: Role | null): boolean => role !== null && permissionsOfRole(role).has('approval:decide');

/** Whether somebody may do with the role what they may not do without it; null: they have none. */
export function givesMore(before: Role | null, role: Role): boolean {
  if (before === null || (role === 'OWNER' && before !== 'OWNER')) return true;
  const had = rightsOf(before);
  return rightsOf(role).some((right) => !had.includes(right));
}

/** Live: there it is about money. */
const rightsOf = (role: Role): string[] => [...permissionsOfRole(role), ...scopesOfRole(role, 'LIVE')];

/**
 * How many others have to agree before somebody gets a role; 0: none. At the operator everybody decides, so that always
 * takes one. At a merchant it takes, while approvals are on, as many as the strictest rule: else a few could make
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

/** While approvals are on at a merchant: as many as their strictest rule asks. */
export async function agreementsOf(
  { approversNeeded }: Pick<PeopleDeps, 'approversNeeded'>,
  queries: Queries,
  merchantId: string,
): Promise<number> {
  // One more than have to approve is needed, so that nobody approves what they made.
  return Math.max(0, (await approversNeeded(queries, merchantId)) - 1);
}

/**
 * An invitation of before approvals were switched on, or of before this rule, brings in nobody who decides.
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
