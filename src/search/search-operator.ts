import { readMerchantNames, readRegister } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arrayLiteral } from '../platform/db/statement.ts';
import { listRequest } from '../platform/lists/list.ts';
import { findCodes, LOOKED_FOR, type Query, readQuery } from './find-documents.ts';
import { folded } from './fold.ts';
import { type HitRow, searchPeople } from './hit-queries.ts';
import { chooseHits, type Hit, type Hits, readHits } from './read-hits.ts';

/** Of the operator's own people. */
const NOBODYS = '00000000-0000-0000-0000-000000000000';

export interface OperatorSearch extends Hits {
  /** Names of the merchants that hits are of, by id. */
  merchants: ReadonlyMap<string, string>;
}

/**
 * Merchants and people by name, address or number, and what any merchant has under a whole reference, in both modes.
 * @throws AppError 400 `SEARCH_TOO_SHORT`
 */
export async function searchOperator({ database }: { database: Database }, q: string): Promise<OperatorSearch> {
  const query = readQuery(q);
  const [merchants, people, found] = await Promise.all([
    findMerchants(database, query),
    findPeople(database, query),
    findCodes(database, query),
  ]);
  const hits = await readHits(database, found);
  const chosen = chooseHits([...merchants, ...people, ...hits]);
  const ids = chosen.hits.map(({ merchant_id: id }) => id).filter((id) => id !== NOBODYS);
  return { ...chosen, merchants: await readMerchantNames(database, ids) };
}

async function findMerchants(queries: Queries, { text, line }: Query): Promise<Hit[]> {
  const { rows } = await readRegister(queries, { search: text }, listRequest({ size: LOOKED_FOR }));
  return rows.map((row) => ({
    type: 'MERCHANT',
    merchant_id: row.id,
    mode: null,
    id: row.id,
    reference: null,
    title: row.business_name,
    subtitle: row.email,
    amount_minor: null,
    status: row.status,
    created_at: row.created_at,
    isExact: [row.business_name, row.email, row.id].map(folded).includes(line),
  }));
}

async function findPeople(queries: Queries, { text, line }: Query): Promise<Hit[]> {
  const patterns = text.split(/\s+/).map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const rows: HitRow[] = await queries.query(searchPeople, [arrayLiteral('text', patterns), LOOKED_FOR]);
  return rows.map((row) => ({
    ...row,
    type: 'PERSON',
    isExact: [row.title, row.subtitle].map(folded).includes(line),
  }));
}
