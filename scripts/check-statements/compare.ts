import type { DescribedColumn } from './describe.ts';
import type { TypedColumn } from './rows.ts';

/** What JavaScript gets for a column, as `platform/db/value-types.ts` reads it. Any other type is a breach. */
const KINDS: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  numeric: 'string',
  integer: 'number',
  bigint: 'bigint',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  date: 'string',
  bytea: 'Buffer',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  'bigint[]': 'bigint[]',
  'integer[]': 'number[]',
  jsonb: 'object',
};

export interface Disagreement {
  column: string;
  /** What is wrong with it, after its name. */
  sentence: string;
  /** Only whether it may be null. */
  isNullness?: true;
}

/** Where the rows that the code reads are not those that the database returns. */
export function disagreements(
  described: readonly DescribedColumn[],
  typed: ReadonlyMap<string, TypedColumn>,
): Disagreement[] {
  // Without a row type nobody reads the rows.
  if (typed.size === 0) return [];
  const names = described.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const missing = [...typed].filter(([name, { optional }]) => !optional && !names.includes(name));
  return [
    ...twice.map((column) => ({ column, sentence: 'is selected twice' })),
    ...missing.map(([column]) => ({ column, sentence: 'is not selected' })),
    // A type may leave out what it does not read.
    ...described.flatMap((column) => {
      const type = typed.get(column.name);
      return type === undefined ? [] : differences(column, type);
    }),
  ];
}

function differences({ name, type, nullness }: DescribedColumn, { kinds, nullable }: TypedColumn): Disagreement[] {
  const expected = KINDS[type];
  const found: Disagreement[] = [];
  if (expected === undefined) found.push({ column: name, sentence: `is ${type}, which has no type in compare.ts` });
  else if (kinds.some((kind) => kind !== expected)) {
    found.push({ column: name, sentence: `is ${type}, hence ${expected}, and typed ${kinds.join(' | ')}` });
  }
  if (nullness === 'maybe' && !nullable) {
    found.push({ column: name, sentence: 'may be null and is typed as if it never were', isNullness: true });
  }
  return found;
}
