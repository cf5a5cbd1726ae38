import type { Queries } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import { listPeopleEmails } from './queries.ts';

/** Addresses of people by id; what is no id of a person, such as a name from the terminal, is left out. */
export async function readEmails(queries: Queries, personIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(personIds)].filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listPeopleEmails, [ids]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}
