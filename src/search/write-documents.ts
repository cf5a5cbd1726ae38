import type { Tx } from '../platform/db/database.ts';
import { arrayLiteral, rowsFor } from '../platform/db/statement.ts';
import type { Tenant } from '../platform/tenant.ts';
import {
  type DocumentRow,
  deleteDocuments,
  listDocuments,
  listSearchCounts,
  upsertDocuments,
  upsertSearchCounts,
} from './queries.ts';
import type { DocumentKind, Source, SourceRow } from './source-queries.ts';
import { ERA_DOCUMENTS, type Searched, seedOf, textOf, tokensOf } from './tokens.ts';

/** A document as its row would have it now. */
interface Wanted extends Searched {
  kind: DocumentKind;
  subjectId: string;
  createdAt: Date;
}

/** What is found of a row: itself, and what the bank answered about it. */
function documentsOf({ kind, sessionKind }: Source, row: SourceRow): Wanted[] {
  const { id: subjectId, created_at: createdAt, amount_minor: amountMinor, names, codes, session_id: sessionId } = row;
  const own: Wanted = { kind, subjectId, createdAt, amountMinor, names, codes };
  if (sessionKind === null || sessionId === null) return [own];
  return [own, { kind: sessionKind, subjectId, createdAt, amountMinor: null, names: [], codes: [sessionId] }];
}

/**
 * Makes the documents of these rows what the rows say now, in the transaction that has locked the tenant's cursor: done
 * again, it changes nothing.
 * @returns how many documents were written
 */
export async function writeDocuments(tx: Tx, tenant: Tenant, source: Source, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { merchantId, mode } = tenant;
  const rows = await tx.query(source.rows, [merchantId, mode, arrayLiteral('uuid', ids)]);
  const wanted = rows.flatMap((row) => documentsOf(source, row));
  const written = await writeWanted(tx, tenant, wanted);
  if (source.mayGo) {
    const found = new Set(rows.map(({ id }) => id));
    const gone = ids.filter((id) => !found.has(id));
    await deleteGone(tx, tenant, source.kind, gone);
  }
  return written;
}

async function writeWanted(tx: Tx, tenant: Tenant, wanted: readonly Wanted[]): Promise<number> {
  if (wanted.length === 0) return 0;
  const { merchantId, mode } = tenant;
  const [stored, counts] = await Promise.all([
    tx.query(listDocuments, [
      merchantId,
      mode,
      arrayLiteral(
        'text',
        wanted.map(({ kind }) => kind),
      ),
      arrayLiteral(
        'uuid',
        wanted.map(({ subjectId }) => subjectId),
      ),
    ]),
    tx.query(listSearchCounts, [merchantId, mode]),
  ]);
  const known = new Map(stored.map((document) => [`${document.kind}/${document.subject_id}`, document]));
  const counted = new Map<string, bigint>(counts.map(({ kind, documents }) => [kind, documents]));
  const grown = new Map<string, bigint>();
  const documents = wanted.flatMap((document) => {
    const { kind, subjectId, createdAt, amountMinor } = document;
    const before = known.get(`${kind}/${subjectId}`);
    const text = textOf(document);
    if (before !== undefined && isSame(before, text, amountMinor)) return [];
    const era = before?.era ?? nextEra(kind);
    const tokens = `{${tokensOf(document, seedOf(tenant, kind), era).join(',')}}`;
    const place = { merchant_id: merchantId, mode, kind, subject_id: subjectId, era };
    return [{ ...place, created_at: createdAt, amount_minor: amountMinor, text, tokens }];
  });

  function nextEra(kind: string): number {
    const before = grown.get(kind) ?? counted.get(kind) ?? 0n;
    grown.set(kind, before + 1n);
    return Number(before / BigInt(ERA_DOCUMENTS));
  }

  const totals = Array.from(grown, ([kind, total]) => ({ merchant_id: merchantId, mode, kind, documents: total }));
  await Promise.all([
    ...(documents.length > 0 ? [tx.run(...rowsFor(upsertDocuments, documents))] : []),
    ...(totals.length > 0 ? [tx.run(...rowsFor(upsertSearchCounts, totals))] : []),
  ]);
  return documents.length;
}

function isSame(before: DocumentRow, text: string, amountMinor: bigint | null): boolean {
  return before.text === text && before.amount_minor === amountMinor;
}

async function deleteGone(tx: Tx, tenant: Tenant, kind: DocumentKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { merchantId, mode } = tenant;
  const rows = ids.map((id) => ({ merchant_id: merchantId, mode, kind, subject_id: id }));
  await tx.run(...rowsFor(deleteDocuments, rows));
}
