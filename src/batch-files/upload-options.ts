import { type Static, Type } from 'typebox';
import { invalidField } from '../platform/errors.ts';
import { parseJson } from '../platform/http/json-body.ts';
import { compileCheck, validationError } from '../platform/http/validation.ts';
import { HEAD_ROWS, MAX_CELL_CHARACTERS, MAX_COLUMNS, MAX_SHEET_ROWS } from '../platform/spreadsheet/errors.ts';
import { FIELDS, type Field } from './column-names.ts';

/** So many rows below the header are read before a sheet is chosen, to show how they would be read. */
const SHOWN_ROWS = 5;
/** The header is looked for in so many rows. */
export const HEADER_WITHIN = HEAD_ROWS - SHOWN_ROWS - 1;
/** A person can include so many rows one by one. A list with more of them has to be corrected in the file. */
const MAX_INCLUDED_ROWS = 500;
/** The most bytes of a form's field with all of these. */
export const MAX_OPTION_BYTES = 16 * 1024;

const DefaultsBody = Type.Object(
  {
    narration: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    bankCode: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false },
);
const MappingBody = Type.Record(Type.String(), Type.Union([Type.Enum([...FIELDS]), Type.Null()]), {
  minProperties: 1,
  maxProperties: MAX_COLUMNS,
});
const RowsBody = Type.Array(Type.Integer({ minimum: 1, maximum: MAX_SHEET_ROWS }), { maxItems: MAX_INCLUDED_ROWS });

/** How the sender wants a file to be read. */
export interface ReadingOptions {
  /** The name of a sheet, or its place from 1. */
  sheet?: string | undefined;
  /** The row that names the columns; 0 where none does. */
  headerRow?: number | undefined;
  /** By header text or column letter; null for a column that is not used. */
  mapping?: Readonly<Record<string, Field | null>> | undefined;
  /** Values for rows that leave a field empty. `bankCode` may be a name too. */
  defaults?: Static<typeof DefaultsBody> | undefined;
  /** Rows that are read although they would be left out. */
  includeRows?: readonly number[] | undefined;
}

/** The fields of a form that say how its file is read. */
export const OPTION_FIELDS = ['sheet', 'headerRow', 'mapping', 'defaults', 'includeRows'] as const;
type OptionField = (typeof OPTION_FIELDS)[number];

export const isOptionField = (name: string): name is OptionField => (OPTION_FIELDS as readonly string[]).includes(name);

/** Puts one field of a form among the options. @throws AppError `VALIDATION_FAILED` */
export function readOption(options: ReadingOptions, name: OptionField, value: string): void {
  switch (name) {
    case 'sheet':
      if (value === '' || value.length > MAX_CELL_CHARACTERS) throw invalidField(name, 'must name a sheet');
      options.sheet = value;
      break;
    case 'headerRow':
      if (!/^\d{1,7}$/.test(value)) throw invalidField(name, 'must be the number of a row, or 0');
      options.headerRow = Number(value);
      break;
    case 'mapping':
      options.mapping = mappingOf(jsonOf(name, value, checkMapping) as Static<typeof MappingBody>);
      break;
    case 'defaults':
      options.defaults = jsonOf(name, value, checkDefaults) as Static<typeof DefaultsBody>;
      break;
    case 'includeRows':
      options.includeRows = jsonOf(name, value, checkRows) as number[];
      break;
  }
}

const checkMapping = compileCheck(Type.Object({ mapping: MappingBody }));
const checkDefaults = compileCheck(Type.Object({ defaults: DefaultsBody }));
const checkRows = compileCheck(Type.Object({ includeRows: RowsBody }));

function jsonOf(name: OptionField, text: string, check: ReturnType<typeof compileCheck>): unknown {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw invalidField(name, 'must be JSON');
  }
  const mistakes = check({ [name]: value });
  if (mistakes.length > 0) throw validationError(mistakes);
  return value;
}

/** @throws AppError `VALIDATION_FAILED` where two columns would be the same field */
function mappingOf(mapping: Static<typeof MappingBody>): Readonly<Record<string, Field | null>> {
  const fields = Object.values(mapping).filter((field) => field !== null);
  const twice = fields.find((field, at) => fields.indexOf(field) !== at);
  if (twice !== undefined) throw invalidField('mapping', `names two columns for ${twice}`);
  return mapping;
}

/**
 * The options as content of the request, for the idempotency key. Empty where there are none, as before options
 * existed.
 */
export function optionsContent({ sheet, headerRow, mapping, defaults, includeRows }: ReadingOptions): unknown[] {
  const said = [sheet, headerRow, mapping, defaults, includeRows];
  return said.every((one) => one === undefined) ? [] : said.map((one) => one ?? null);
}
