import { MAX_INTEGER } from '../platform/http/schemas.ts';
import { mapParts } from './components.ts';

const INT32_MAX = 2 ** 31 - 1;
/** The largest amount that a request may name: what a JSON number holds to the kobo. */
const MAX_NAIRA = 9_999_999_999_999.99;

type Schema = Record<string, unknown>;

/**
 * Writes schemas the way that generators of clients read them. Numbers say how wide they are: generators make 32 bits of
 * what says nothing, and ₦1,234,567.89 does not fit into a 32-bit float. Amounts of requests have their bounds beside it.
 * What may be null says so in its type. Keywords that only the service reads are left out.
 */
export function forGenerators(value: unknown, key = ''): unknown {
  if (value === null || typeof value !== 'object') return value;
  const read = mapParts(value, key, forGenerators);
  if (Array.isArray(read)) return read;
  const { 'x-money': isAmount, 'x-hint': _, ...given } = read as Schema;
  const schema = nullable(typed(given));
  if (schema['type'] === 'number' || isNullable(schema, 'number')) {
    const bounds = isAmount === true ? { minimum: 0.01, maximum: MAX_NAIRA, multipleOf: 0.01 } : {};
    return { ...schema, format: 'double', ...bounds };
  }
  if (schema['type'] === 'integer' || isNullable(schema, 'integer')) {
    const { maximum = MAX_INTEGER } = schema;
    return { ...schema, format: Number(maximum) <= INT32_MAX ? 'int32' : 'int64', maximum };
  }
  return schema;
}

/** A list of words is of texts: without a type generators make anything of it. */
function typed(schema: Schema): Schema {
  const words = schema['enum'];
  if (!Array.isArray(words) || schema['type'] !== undefined || typeof words[0] !== 'string') return schema;
  return { type: 'string', ...schema };
}

const isNullable = ({ type }: Schema, name: string) => Array.isArray(type) && type[0] === name;

/** `anyOf` something simple and null becomes one type with null beside it. */
function nullable(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [something, nothing] = anyOf as [Schema, Schema];
  if (nothing['type'] !== 'null') return schema;
  if (Array.isArray(something['enum'])) {
    return { ...something, ...rest, type: ['string', 'null'], enum: [...something['enum'], null] };
  }
  return typeof something['type'] === 'string' ? { ...something, ...rest, type: [something['type'], 'null'] } : schema;
}
