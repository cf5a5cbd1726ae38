import { hash } from 'node:crypto';
import type { Queries } from '../platform/db/database.ts';
import { type Write, write } from '../platform/db/statement.ts';
import { type ProblemData, shortened } from '../platform/problem.ts';
import { columnName, type SheetRow } from '../platform/spreadsheet/cells.ts';
import { MAX_COLUMNS } from '../platform/spreadsheet/errors.ts';
import type { Tenant } from '../platform/tenant.ts';
import { FIELD_NAMES, FIELDS, type Field, meaningOf, namesTheAccount, plainName } from './column-names.ts';
import { listProblem } from './errors.ts';
import { columnsNamed, type Header, namesCurrency, shownColumn } from './header.ts';
import { deleteFormerMappings, findFileMappings, lastFileMapping, upsertFileMappings } from './queries.ts';
import type { ReadingOptions } from './upload-options.ts';

/**
 * Who decided what the columns are: the sender, an earlier file with the same header, or only the names of the columns.
 */
export type MappingSource = 'GIVEN' | 'REMEMBERED' | 'GUESSED';

/** The fields of a header's columns, from the first. Null for one that was not used. */
export type RememberedFields = readonly (Field | null)[];

export interface ColumnMapping {
  /** The column of each field, from 0. */
  columns: ReadonlyMap<Field, number>;
  /** The columns with the currencies of the amounts. */
  currencies: readonly number[];
  from: MappingSource;
  /** Columns that were not decided, and the field that each could be. */
  candidates: ReadonlyMap<number, Field>;
  /** Why no list can be made: columns that are missing or not decided. */
  problems: ProblemData[];
  /** Warnings about columns that are not used. */
  warnings: ProblemData[];
}

export interface MappingInput extends Pick<ReadingOptions, 'mapping' | 'defaults'> {
  header: Header;
  remembered?: RememberedFields | undefined;
}

/**
 * Which column is what: as the sender says, else as in the last file with this header, else by the names that people use.
 * Two columns that could both be the amount are not chosen between, and are said to be candidates.
 */
export function mapColumns({ header, mapping, defaults, remembered }: MappingInput): ColumnMapping {
  const { labels } = header;
  const given = givenColumns(labels, mapping ?? {});
  const decided = new Map<number, Field | null>();
  if (remembered !== undefined) for (const [column, field] of remembered.entries()) decided.set(column, field);
  for (const [column, field] of given.columns) {
    for (const [other, taken] of decided) if (taken !== null && taken === field) decided.set(other, null);
    decided.set(column, field);
  }
  const columns = new Map<Field, number>();
  for (const [column, field] of decided) if (field !== null) columns.set(field, column);
  const guessed = guessColumns(labels, decided, columns);
  const problems = [...given.problems, ...missingProblems(columns, guessed.candidates, defaults), ...guessed.problems];
  const taken = new Set(columns.values());
  const currencies = [...labels.keys()].filter((column) => !taken.has(column) && namesCurrency(labels[column] ?? ''));
  return {
    columns,
    currencies,
    from: mapping !== undefined ? 'GIVEN' : remembered !== undefined ? 'REMEMBERED' : 'GUESSED',
    candidates: guessed.candidates,
    problems,
    warnings: unusedWarnings(labels, new Set([...taken, ...currencies])),
  };
}

function givenColumns(labels: readonly string[], mapping: Readonly<Record<string, Field | null>>) {
  const columns = new Map<number, Field | null>();
  const problems: ProblemData[] = [];
  for (const [key, field] of Object.entries(mapping)) {
    const [column, ...more] = columnsNamed(labels, key);
    const given = shortened(key);
    if (column === undefined || column >= MAX_COLUMNS) problems.push(listProblem('MAPPING_COLUMN_UNKNOWN', { given }));
    else if (more.length > 0 || columns.has(column)) problems.push(listProblem('MAPPING_COLUMN_UNCLEAR', { given }));
    else columns.set(column, field);
  }
  return { columns, problems };
}

/** Decides columns by their names, where nobody has said what they are. */
function guessColumns(
  labels: readonly string[],
  decided: ReadonlyMap<number, Field | null>,
  columns: Map<Field, number>,
): { candidates: Map<number, Field>; problems: ProblemData[] } {
  const candidates = new Map<number, Field>();
  const problems: ProblemData[] = [];
  const meanings = [...labels.entries()].flatMap(([column, label]) => {
    const meaning = decided.has(column) ? undefined : meaningOf(label);
    return meaning === undefined ? [] : [{ column, label, ...meaning }];
  });
  for (const field of FIELDS) {
    if (columns.has(field)) continue;
    const all = meanings.filter((meaning) => meaning.field === field);
    const surest = field === 'accountName' ? all.filter(({ label }) => namesTheAccount(label)) : [];
    const found = surest.length === 1 ? surest : all;
    const [first] = found;
    if (first === undefined) continue;
    if (found.length === 1 && first.isSure) {
      columns.set(field, first.column);
      continue;
    }
    for (const { column } of found) candidates.set(column, field);
    const names = found.map(({ column }) => shownColumn(shownLabels(labels), column));
    const kind = found.length === 1 ? 'COLUMN_UNSURE' : 'COLUMN_TWICE';
    problems.push(listProblem(kind, { column: FIELD_NAMES[field], names }));
  }
  return { candidates, problems };
}

const shownLabels = (labels: readonly string[]): string[] => labels.map(shortened);

function missingProblems(
  columns: ReadonlyMap<Field, number>,
  candidates: ReadonlyMap<number, Field>,
  defaults: ReadingOptions['defaults'],
): ProblemData[] {
  const there = new Set<Field>([...columns.keys(), ...candidates.values()]);
  if (defaults?.narration !== undefined) there.add('narration');
  if (defaults?.bankCode !== undefined) there.add('bankCode');
  const missing = (['amount', 'accountNumber', 'narration'] as const).filter((field) => !there.has(field));
  const names: string[] = missing.map((field) => FIELD_NAMES[field]);
  if (!there.has('bankCode') && !there.has('bankName')) names.push('Bank Code or Bank Name');
  return names.map((column) => listProblem('COLUMN_MISSING', { column }));
}

function unusedWarnings(labels: readonly string[], used: ReadonlySet<number>): ProblemData[] {
  const names = labels.flatMap((label, column) => (label === '' || used.has(column) ? [] : [shortened(label)]));
  return names.length === 0 ? [] : [listProblem('COLUMNS_NOT_USED', { names })];
}

/** A column as it is shown to a person who decides what it is. */
export interface SeenColumn {
  /** Its letter. */
  column: string;
  header: string;
  /** The field that it is read as. Null where it is not used or not decided. */
  field: Field | null;
  /** The field that it could be, where that is not decided. */
  candidate: Field | null;
  /** Its cells in the first rows. */
  samples: string[];
}

const MAX_SAMPLES = 3;

export function seenColumns(header: Header, mapping: ColumnMapping, below: readonly SheetRow[]): SeenColumn[] {
  const width = Math.max(header.labels.length, ...below.map(({ cells }) => cells.length));
  const fieldAt = new Map([...mapping.columns].map(([field, column]) => [column, field]));
  return Array.from({ length: width }, (_, column) => ({
    column: columnName(column),
    header: shortened(header.labels[column] ?? ''),
    field: fieldAt.get(column) ?? null,
    candidate: mapping.candidates.get(column) ?? null,
    samples: below
      .map(({ cells }) => (cells[column] ?? '').trim())
      .filter((text) => text !== '')
      .slice(0, MAX_SAMPLES)
      .map(shortened),
  }));
}

/** The shape of a header: the names of its columns in their order, however they are written. */
export function shapeOf({ labels }: Pick<Header, 'labels'>): string {
  return hash('sha256', JSON.stringify(labels.map(plainName)), 'base64url');
}

/** A column of a file, as it is remembered. */
export interface RememberedColumn {
  name: string;
  field: Field | null;
}

/** The fields of columns in the merchant's earlier files with one of these headers, by the shape of the header. */
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

/** Reads remembered columns. The field is kept by name, and a name that is no field any more is not used. */
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

/**
 * Remembers the columns of a file with the batch that is made of it. A list without a header leaves nothing to
 * remember.
 */
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
    write(deleteFormerMappings, { merchant_id: merchantId, mode }),
  ];
}
