import { useSession } from '../api/session.ts';
import type { Role } from '../components/role-names.ts';

export const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER'];

/** The roles that the person may give: only an owner makes owners. */
export function useGivableRoles(): readonly Role[] {
  const { person } = useSession();
  return person.role === 'OWNER' ? ROLES : ROLES.filter((role) => role !== 'OWNER');
}
