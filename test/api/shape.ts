import { isUuid } from '../../src/platform/ids.ts';

/** What a field must be, by a name that a failing test can print. */
const KINDS = {
  uuid: (value: unknown) => typeof value === 'string' && isUuid(value),
  text: (value: unknown) => typeof value === 'string' && value !== '',
  textOrEmpty: (value: unknown) => typeof value === 'string',
  textOrNull: (value: unknown) => value === null || typeof value === 'string',
  digits: (value: unknown) => typeof value === 'string' && /^\d+$/.test(value),
  number: (value: unknown) => typeof value === 'number' && Number.isFinite(value),
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === 'boolean',
  utcTime: (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  offsetTime: (value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/.test(value),
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  texts: (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  array: Array.isArray,
  anything: () => true,
};

export type Shape = Record<string, keyof typeof KINDS>;

/** One sentence for each field that is missing, of another kind, or not documented. */
export function misfits(value: unknown, shape: Shape, options: { mayHaveMore?: boolean } = {}): string[] {
  if (!KINDS.object(value)) return ['it is not an object'];
  const object = value as Record<string, unknown>;
  const wrong = Object.entries(shape)
    .filter(([field, kind]) => !(field in object) || !KINDS[kind](object[field]))
    .map(([field, kind]) => `${field} is not ${kind}: ${JSON.stringify(object[field])}`);
  const extra = Object.keys(object).filter((field) => !(field in shape));
  return options.mayHaveMore === true ? wrong : [...wrong, ...extra.map((field) => `${field} is not documented`)];
}

/** The page wrapper of the interface, with what every list adds to it. */
export const PAGE: Shape = {
  page: 'integer',
  size: 'integer',
  totalRecords: 'integer',
  totalPages: 'integer',
  totalIsExact: 'boolean',
  nextCursor: 'textOrNull',
  previousCursor: 'textOrNull',
  records: 'array',
};

export const FAILURE: Shape = { status: 'boolean', message: 'text', code: 'text' };
