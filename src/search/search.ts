import type { Principal, Scope } from '../access/index.ts';
import { readEventSequence } from '../ledger/index.ts';
import { readMerchantNames, readRegister, type ServiceKey } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import { arrayOf } from '../platform/db/statement.ts';
import { NIL_ID } from '../platform/ids.ts';
import { listRequest } from '../platform/lists/list.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findByReference, findCodes, findDocuments, LOOKED_FOR, type Query, readQuery } from './find-documents.ts';
import { type HitRow, listPeopleToSearch, searchPeople } from './hit-queries.ts';
import { findSearchCursor } from './queries.ts';
import { chooseHits, type Hit, type Hits, readHits } from './read-hits.ts';
import type { DocumentKind } from './source-queries.ts';
import { folded } from './tokens.ts';

/** The right that a caller needs to find each kind, where the kind has its own page. */
const NEEDS: Readonly<Record<DocumentKind, { scope: Scope; service?: ServiceKey }>> = {
  PAYOUT: { scope: 'transaction:read' },
  PAYOUT_SESSION: { scope: 'transaction:read' },
  TRANSACTION: { scope: 'transaction:read' },
  PAYMENT: { scope: 'collection:read' },
  REFUND: { scope: 'collection:read' },
  BATCH: { scope: 'payout:read', service: 'PAYOUT' },
  BENEFICIARY: { scope: 'payout:read', service: 'PAYOUT' },
  CUSTOMER: { scope: 'collection:read', service: 'COLLECTION' },
  STORE: { scope: 'store:read', service: 'BRANCH' },
  SUBACCOUNT: { scope: 'subaccount:read', service: 'CHILD_ACCOUNT' },
};

/** How far the index is filled. */
interface IndexState {
  /** Its tables are still being read from the beginning: old documents may be missing. */
  isFilling: boolean;
  /** How many events are not in it yet. */
  waitingEvents: bigint;
}

export interface MerchantSearch extends Hits {
  index: IndexState;
}

/**
 * What a merchant has of this text, amount or reference in the caller's mode, as far as the caller may read it.
 * @throws AppError 400 `SEARCH_TOO_SHORT`
 */
export async function searchMerchant(
  { database }: { database: Database },
  principal: Principal,
  q: string,
): Promise<MerchantSearch> {
  const { tenant, scopes, services, member } = principal;
  const query = readQuery(q);
  const kinds = (Object.keys(NEEDS) as DocumentKind[]).filter((kind) => {
    const { scope, service } = NEEDS[kind];
    return scopes.has(scope) && (service === undefined || services.has(service));
  });
  const [index, people, ...found] = await Promise.all([
    readIndexState(database, tenant),
    member?.permissions.has('member:read') === true ? findPeopleOfMerchant(database, tenant, query) : [],
    findDocuments(database, tenant, query, kinds),
    findByReference(database, tenant, query),
  ]);
  const hits = await readHits(
    database,
    found.flat().filter(({ kind }) => kinds.includes(kind)),
  );
  return { ...chooseHits([...hits, ...people]), index };
}

async function readIndexState(queries: Queries, tenant: Tenant): Promise<IndexState> {
  const { merchantId, mode } = tenant;
  const [[cursor], last] = await Promise.all([
    queries.query(findSearchCursor, [merchantId, mode]),
    readEventSequence(queries, tenant),
  ]);
  if (cursor === undefined) return { isFilling: last > 0n, waitingEvents: last };
  const waiting = last - cursor.event_sequence;
  return { isFilling: cursor.filling !== null, waitingEvents: waiting > 0n ? waiting : 0n };
}

async function findPeopleOfMerchant(queries: Queries, { merchantId }: Tenant, query: Query): Promise<Hit[]> {
  const people = await queries.query(listPeopleToSearch, [merchantId]);
  return people.flatMap((row) => {
    const lines = [row.title, row.subtitle].map(folded);
    const text = lines.join('\n');
    if (!query.words.every((word) => text.includes(word))) return [];
    return [{ ...row, type: 'PERSON' as const, isExact: lines.includes(query.line) }];
  });
}

export interface OperatorSearch extends Hits {
  /** Names of the merchants of hits, by id. */
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
    findAllPeople(database, query),
    findCodes(database, query),
  ]);
  const hits = await readHits(database, found);
  const chosen = chooseHits([...merchants, ...people, ...hits]);
  // The operator's own people have no merchant.
  const ids = chosen.hits.map(({ merchant_id: id }) => id).filter((id) => id !== NIL_ID);
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

async function findAllPeople(queries: Queries, { text, line }: Query): Promise<Hit[]> {
  const patterns = text.split(/\s+/).map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  const rows: HitRow[] = await queries.query(searchPeople, [arrayOf('text', patterns), LOOKED_FOR]);
  return rows.map((row) => ({
    ...row,
    type: 'PERSON',
    isExact: [row.title, row.subtitle].map(folded).includes(line),
  }));
}
