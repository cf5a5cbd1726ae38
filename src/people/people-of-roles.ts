import type { Role } from '../access/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { listPeopleOfRoles } from './queries.ts';

/** A merchant's people who have one of these roles now, oldest first; nobody who was removed or only invited. */
export function peopleOfRoles(
  queries: Queries,
  merchantId: string,
  roles: readonly Role[],
): Promise<{ id: string; email: string }[]> {
  return queries.query(listPeopleOfRoles, [merchantId, roles]);
}
