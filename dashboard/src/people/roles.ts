import { useSession } from '../api/session.ts';

export const ROLES: readonly Role[] = ['OWNER', 'ADMIN', 'MAKER', 'APPROVER', 'VIEWER', 'DEVELOPER'];

/** The roles that the person may give: only an owner makes owners. */
export function useGivableRoles(): readonly Role[] {
  const { person } = useSession();
  return person.role === 'OWNER' ? ROLES : ROLES.filter((role) => role !== 'OWNER');
}

export type Role = 'OWNER' | 'ADMIN' | 'MAKER' | 'APPROVER' | 'VIEWER' | 'DEVELOPER';

export const ROLE_NAMES: Record<Role, string> = {
  OWNER: 'Owner',
  ADMIN: 'Administrator',
  MAKER: 'Maker',
  APPROVER: 'Approver',
  VIEWER: 'Viewer',
  DEVELOPER: 'Developer',
};

/** What a role is for, in a sentence for the person who gives it. */
export const ROLE_PURPOSES: Record<Role, string> = {
  OWNER: 'Everything, owners included.',
  ADMIN: 'Everything but changing owners, and saying when collections go to the bank.',
  MAKER: 'Makes payouts, stores and subaccounts. Approves nothing.',
  APPROVER: 'Approves what others created. Creates nothing.',
  VIEWER: 'Looks and changes nothing.',
  DEVELOPER: 'API keys, webhooks and requests; makes payouts only in the sandbox.',
};
