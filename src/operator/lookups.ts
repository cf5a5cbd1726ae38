import { readMerchantNames } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
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

/** Addresses of people by id. Leaves out texts that are no id of a person, such as a name from the terminal. */
export async function readEmails(queries: Queries, personIds: readonly string[]): Promise<Map<string, string>> {
  const ids = [...new Set(personIds)].filter(isUuid);
  if (ids.length === 0) return new Map();
  const rows = await queries.query(listPeopleEmails, [ids]);
  return new Map(rows.map(({ id, email }) => [id, email]));
}

export async function readLookups(
  database: Database,
  { merchants, people, personId }: { merchants: readonly string[]; people: readonly string[]; personId: string },
): Promise<Lookups> {
  const [names, emails] = await Promise.all([readMerchantNames(database, merchants), readEmails(database, people)]);
  return { names, emails, personId };
}
