import { permissionsOfRole, ROLES } from '../access/index.ts';
import { peopleOfRoles } from '../people/index.ts';
import type { Queries } from '../platform/db/database.ts';
import type { DecisionRow } from './queries.ts';

/** Who may decide about approvals of this merchant now. */
export async function listDeciders(queries: Queries, merchantId: string): Promise<ReadonlySet<string>> {
  const roles = ROLES.filter((role) => permissionsOfRole(role).has('approval:decide'));
  const people = await peopleOfRoles(queries, merchantId, roles);
  return new Set(people.map(({ id }) => id));
}

/** Of those who approved, who may decide no more: of people who had to be two, one may have been removed for it. */
export const whoLeft = (decisions: readonly DecisionRow[], deciders: ReadonlySet<string>): DecisionRow | undefined =>
  decisions.find(({ person_id }) => !deciders.has(person_id));
