import { readMerchantNames } from '../merchants/index.ts';
import type { Queries } from '../platform/db/database.ts';
import { isUuid } from '../platform/ids.ts';
import { listPeopleEmails } from './queries.ts';

/** Names that the views of the operator's lists show beside the rows. */
export interface Lookups {
  /** Names of merchants and addresses of the operator's people, by id. */
  names: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
  /** The person who looks. */
  personId: string;
}

type OfMerchant = { merchant_id: string | null } | { merchantId: string | null };

/** The names of the merchants of these rows, by id. A row of all merchants has null for its merchant. */
export function readNamesOf(queries: Queries, rows: readonly OfMerchant[]): Promise<Map<string, string>> {
  return readMerchantNames(
    queries,
    rows.map((row) => ('merchant_id' in row ? row.merchant_id : row.merchantId)),
  );
}

/** Who proposed and who decided; null where nobody decided yet. For `readEmails` and `readLookups`. */
export const peopleOf = (proposals: readonly { proposed_by: string; decided_by: string | null }[]) =>
  proposals.flatMap(({ proposed_by, decided_by }) => [proposed_by, decided_by]);

/** Addresses of people by id. Passes over null, and names from the terminal, which are no ids. */
export async function readEmails(queries: Queries, people: readonly (string | null)[]): Promise<Map<string, string>> {
  const ids = [...new Set(people)].filter((id) => id !== null && isUuid(id));
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listPeopleEmails, [ids]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export async function readLookups(
  queries: Queries,
  {
    merchants,
    people,
    personId,
  }: { merchants: readonly string[]; people: readonly (string | null)[]; personId: string },
): Promise<Lookups> {
  const [names, emails] = await Promise.all([readMerchantNames(queries, merchants), readEmails(queries, people)]);
  return { names, emails, personId };
}
