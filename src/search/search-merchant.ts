import type { Principal, Scope } from '../access/index.ts';
import { readEventSequence } from '../ledger/index.ts';
import type { ServiceKey } from '../merchants/index.ts';
import type { Database, Queries } from '../platform/db/database.ts';
import type { Tenant } from '../platform/tenant.ts';
import { findByReference, findDocuments, type Query, readQuery } from './find-documents.ts';
import { folded } from './fold.ts';
import { listPeopleToSearch } from './hit-queries.ts';
import { findSearchCursor } from './queries.ts';
import { chooseHits, type Hit, type Hits, readHits } from './read-hits.ts';
import type { DocumentKind } from './source-queries.ts';

/** By which right each kind is read where it has its own page. */
const NEEDS: Readonly<Record<DocumentKind, { scope: Scope; service?: ServiceKey }>> = {
  PAYOUT: { scope: 'transaction:read' },
  PAYOUT_SESSION: { scope: 'transaction:read' },
  TRANSACTION: { scope: 'transaction:read' },
  PAYMENT: { scope: 'collection:read' },
  BATCH: { scope: 'payout:read', service: 'PAYOUT' },
  BENEFICIARY: { scope: 'payout:read', service: 'PAYOUT' },
  CUSTOMER: { scope: 'collection:read', service: 'COLLECTION' },
  STORE: { scope: 'store:read', service: 'BRANCH' },
  SUBACCOUNT: { scope: 'subaccount:read', service: 'CHILD_ACCOUNT' },
};

/** How far the index is. */
interface IndexState {
  /** Its tables are still read from the beginning: what is old may be missing. */
  isFilling: boolean;
  /** Events that are not in it yet. */
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
    member?.permissions.has('member:read') === true ? findPeople(database, tenant, query) : [],
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

async function findPeople(queries: Queries, { merchantId }: Tenant, query: Query): Promise<Hit[]> {
  const people = await queries.query(listPeopleToSearch, [merchantId]);
  return people.flatMap((row) => {
    const lines = [row.title, row.subtitle].map(folded);
    const text = lines.join('\n');
    if (!query.words.every((word) => text.includes(word))) return [];
    return [{ ...row, type: 'PERSON' as const, isExact: lines.includes(query.line) }];
  });
}
