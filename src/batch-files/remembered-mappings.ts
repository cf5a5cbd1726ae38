import { hash } from 'node:crypto';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { shortened } from '../platform/problem.ts';
import type { Tenant } from '../platform/tenant.ts';
import { FIELDS, type Field, plainName } from './column-names.ts';
import type { Header } from './header.ts';
import type { ColumnMapping, RememberedFields } from './map-columns.ts';
import { findFileMappings, lastFileMapping, upsertFileMappings } from './queries.ts';

/** The shape of a header: the names of its columns in their order, however they are written. */
export function shapeOf({ labels }: Pick<Header, 'labels'>): string {
  return hash('sha256', JSON.stringify(labels.map(plainName)), 'base64url');
}

/** A column of a file, as it is remembered. */
export interface RememberedColumn {
  name: string;
  field: Field | null;
}

/** What the columns of the merchant's files with one of these headers were, by the shape of the header. */
export async function findRememberedFields(
  queries: Queries,
  { merchantId, mode }: Tenant,
  shapes: readonly string[],
): Promise<ReadonlyMap<string, RememberedFields>> {
  const rows = await queries.query(findFileMappings, [merchantId, mode, shapes]);
  return new Map(rows.map(({ shape, columns }) => [shape, columnsOf(columns).map(({ field }) => field)]));
}

/** The columns of the file that the merchant made a batch of last; undefined before the first. */
export async function lastColumns(
  queries: Queries,
  { merchantId, mode }: Tenant,
): Promise<readonly RememberedColumn[] | undefined> {
  const [row] = await queries.query(lastFileMapping, [merchantId, mode]);
  return row === undefined ? undefined : columnsOf(row.columns);
}

/** What a field is called is kept: one that is none any more is not used. */
function columnsOf(text: string): RememberedColumn[] {
  const known = new Set<string | null>(FIELDS);
  return (JSON.parse(text) as [string, Field | null][]).map(([name, field]) => ({
    name,
    field: known.has(field) ? field : null,
  }));
}

interface ReadFile {
  header: Header | undefined;
  mapping: ColumnMapping | undefined;
}

/** Remembers what the columns of a file were, with the batch that is made of it; nothing of a list without a header. */
export function rememberingWrites({ merchantId, mode }: Tenant, seen: ReadFile | undefined, at: Date): Write[] {
  if (seen?.header === undefined || seen.mapping === undefined || seen.header.row === 0) return [];
  const { header, mapping } = seen;
  const fieldAt = new Map([...mapping.columns].map(([field, column]) => [column, field]));
  const columns = header.labels.map((label, column) => [shortened(label), fieldAt.get(column) ?? null]);
  return [
    write(upsertFileMappings, {
      merchant_id: merchantId,
      mode,
      shape: shapeOf(header),
      columns: JSON.stringify(columns),
      used_at: at,
    }),
  ];
}
