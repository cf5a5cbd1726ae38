import { permissionsOfRole, ROLES } from '../access/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { DecisionRow } from './queries.ts';

/** The people who may decide about approvals of this merchant now. */
export async function listDeciders(queries: Queries, merchantId: string): Promise<ReadonlySet<string>> {
  const roles = ROLES.filter((role) => permissionsOfRole(role).has('approval:decide'));
  const people = await peopleOfRoles(queries, merchantId, roles);
  return new Set(people.map(({ id }) => id));
}

/**
 * The first of those who approved who may no longer decide: somebody may have been removed because of that approval.
 */
export const findLeaver = (decisions: readonly DecisionRow[], deciders: ReadonlySet<string>): DecisionRow | undefined =>
  decisions.find(({ person_id }) => !deciders.has(person_id));
