import type { Data } from '../api/types.ts';

/** How a file would be read. */
export type Preview = Data<'post', '/payout/bulk/preview'>;
export type Understood = NonNullable<Preview['understood']>;
export type FileColumn = Understood['columns'][number];
export type FileField = NonNullable<FileColumn['field']>;

/** How a file is to be read, where somebody says so. */
export interface Wishes {
  sheet: string;
  headerRow: number | undefined;
  /** What columns are, in the order in which it was said: by the header's text, or by the letter where that is not clear. */
  mapping: readonly (readonly [key: string, field: FileField | null])[];
  narration: string;
  includeRows: readonly number[];
}

export const NO_WISHES: Wishes = { sheet: '', headerRow: undefined, mapping: [], narration: '', includeRows: [] };

export interface UploadSettings {
  purpose: string;
  /** As typed; empty where nothing is checked. */
  controlCount: string;
  controlTotal: string;
}

/** The fields beside the file, as texts; what is empty is not sent. */
export type UploadForm = Readonly<Record<string, string>>;

export function fieldsOf(
  settings: UploadForm,
  { sheet, headerRow, mapping, narration, includeRows }: Wishes,
): UploadForm {
  const given = narration.trim();
  return {
    ...settings,
    sheet,
    headerRow: headerRow === undefined ? '' : String(headerRow),
    mapping: mapping.length === 0 ? '' : JSON.stringify(Object.fromEntries(settledMapping(mapping))),
    defaults: given === '' ? '' : JSON.stringify({ narration: given }),
    includeRows: includeRows.length === 0 ? '' : JSON.stringify(includeRows),
  };
}

export function formOf(file: File, fields: UploadForm): FormData {
  const form = new FormData();
  // The service reads the fields before it takes the rows in.
  for (const [name, value] of Object.entries(fields)) if (value.trim() !== '') form.append(name, value.trim());
  form.append('file', file);
  return form;
}

/** Longer ones are shown cut. */
const MAX_KEY = 60;

/** What a column is called in a mapping: as its header, where no other is called so. */
export function keyOfColumn(columns: readonly FileColumn[], { column, header }: FileColumn): string {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const alike = columns.filter((other) => plain(other.header) === plain(header)).length;
  return plain(header) === '' || alike > 1 || header.length > MAX_KEY ? column : header;
}

/** Of two columns that were said to be the same, the later counts, and the other is not used. */
function settledMapping(said: Wishes['mapping']): ReadonlyMap<string, FileField | null> {
  const isTaken = (field: FileField | null, at: number) =>
    field !== null && said.slice(at + 1).some(([, later]) => later === field);
  return new Map(said.map(([key, field], at) => [key, isTaken(field, at) ? null : field]));
}

/** With what a column is said to be now. */
export function withColumn(wishes: Wishes, key: string, field: FileField | null): Wishes {
  return { ...wishes, mapping: [...wishes.mapping.filter(([said]) => said !== key), [key, field]] };
}

/** What a column is: as it was said, before the service has answered, else as the service has it. */
export function fieldNow(wishes: Wishes, columns: readonly FileColumn[], column: FileColumn): FileField | null {
  const said = settledMapping(wishes.mapping);
  const own = said.get(keyOfColumn(columns, column));
  if (own !== undefined) return own;
  return [...said.values()].includes(column.field) ? null : column.field;
}
