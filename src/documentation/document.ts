import { isDeepStrictEqual } from 'node:util';
import type { RouteFacts } from '../access/index.ts';

/** What is read here of a JSON Schema, as the document has it. */
export interface DocumentSchema {
  title?: string;
  description?: string;
  properties?: Record<string, unknown>;
  required?: string[];
  /** The component whose fields an object has beside its own. */
  'x-extends'?: string;
  [keyword: string]: unknown;
}

export type Components = Record<string, DocumentSchema>;

/** Names of components: what generators turn into a type. */
const NAME = /^[A-Z][A-Za-z0-9]*$/;

const pointerTo = (name: string) => `#/components/schemas/${name}`;

type Change = (part: unknown, key: string) => unknown;

/**
 * A value of the document with each of its parts changed. Examples are data and stay as they are; a field of a schema may
 * be called `example` all the same.
 * @param key under which the value itself stands
 */
export function mapParts(value: object, key: string, change: Change): object {
  if (Array.isArray(value)) return value.map((part) => change(part, ''));
  const isData = (name: string) => key !== 'properties' && (name === 'example' || name === 'examples');
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isData(name) ? part : change(part, name)]),
  );
}

/**
 * Puts every schema that has a name, its `title`, into `components` once, and gives the value back with references.
 * @param adds false: only what is a component already becomes a reference
 * @throws Error where two schemas have one name
 */
export function withReferences(value: unknown, components: Components, adds = true, key = ''): unknown {
  if (value === null || typeof value !== 'object') return value;
  const read = mapParts(value, key, (part, name) => withReferences(part, components, adds, name));
  if (Array.isArray(read)) return read;
  const { title, const: only, ...given } = read as DocumentSchema;
  // One form for a single value, however the schema had it: enums are what every generator reads.
  const rest: DocumentSchema = only === undefined || typeof only === 'object' ? given : { ...given, enum: [only] };
  const schema = rest['x-extends'] === undefined ? rest : extending(rest, components);
  // A field may be called title; then its value is a schema.
  if (typeof title !== 'string' || !NAME.test(title)) return title === undefined ? schema : { title, ...schema };
  return adds || components[title] !== undefined ? component(title, schema, components) : schema;
}

/** What one use says of itself stands beside its reference. */
function component(name: string, { description, ...schema }: DocumentSchema, components: Components): DocumentSchema {
  const known = components[name];
  if (known === undefined) components[name] = schema;
  else if (!isDeepStrictEqual(known, schema)) throw new Error(`two schemas are called ${name}`);
  const reference = { $ref: pointerTo(name) };
  return description === undefined ? reference : { ...reference, description };
}

/** The fields of the other component by reference, and its own. */
function extending(schema: DocumentSchema, components: Components): DocumentSchema {
  const { 'x-extends': name = '', type, properties = {}, required = [], ...rest } = schema;
  const shared = components[name];
  if (shared === undefined) throw new Error(`there is no schema ${name} to extend`);
  // A field that the other has as well is its own where it says more, as the type of one event.
  const own = Object.entries(properties).filter(
    ([field, fieldSchema]) => !isDeepStrictEqual(shared.properties?.[field], fieldSchema),
  );
  const names = own.map(([field]) => field);
  return {
    ...rest,
    allOf: [
      { $ref: pointerTo(name) },
      { type, required: required.filter((field) => names.includes(field)), properties: Object.fromEntries(own) },
    ],
  };
}

/** Puts every parameter that stands twice into `components` once, and gives the operations back with references. */
export function shareParameters<T>(operations: T): { operations: T; parameters: Record<string, object> } {
  const counts = new Map<string, number>();
  walkParameters(operations, (parameter) => {
    const text = JSON.stringify(parameter);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return parameter;
  });
  const parameters: Record<string, Parameter> = {};
  const shared = walkParameters(operations, (parameter) => {
    const text = JSON.stringify(parameter);
    if (parameter.name === undefined || (counts.get(text) ?? 0) < 2) return parameter;
    const plain = parameter.name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());
    // A header of every operation may have the name of what one looks for.
    const name = plain in PARAMETERS ? `${plain}Query` : plain;
    parameters[name] ??= parameter;
    return JSON.stringify(parameters[name]) === text ? { $ref: `#/components/parameters/${name}` } : parameter;
  });
  return { operations: shared as T, parameters };
}

interface Parameter {
  name?: string;
}

function walkParameters(value: unknown, change: (parameter: Parameter) => object, key = ''): unknown {
  if (value === null || typeof value !== 'object') return value;
  return mapParts(value, key, (part, name) =>
    name === 'parameters' && Array.isArray(part) ? part.map(change) : walkParameters(part, change, name),
  );
}

/** Headers of requests and answers, written once; operations refer to them. */
export const HEADERS = {
  RequestId: {
    description: 'Names this request in our logs. Quote it when you ask for help.',
    required: true,
    schema: { type: 'string', examples: ['mX3kP0aQ-4f'] },
  },
  IdempotencyReplayed: {
    description: 'Present when this is the answer of an earlier request with the same key; nothing was done now.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Whole seconds after which the same request may succeed.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimitLimit: {
    description: 'Requests that the key may make in a window of 10 seconds. Absent where no limit is set.',
    schema: { type: 'integer', minimum: 1 },
  },
  RateLimitRemaining: {
    description: 'Requests that are left in the window.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    description: 'Whole seconds until the window ends.',
    schema: { type: 'integer', minimum: 1 },
  },
  WwwAuthenticate: {
    description:
      'How to authenticate: `Bearer`, with `error="invalid_token"` where a key or token was sent (RFC 6750).',
    required: true,
    schema: { type: 'string', examples: ['Bearer realm="manilla"'] },
  },
} as const;

export const PARAMETERS = {
  IdempotencyKey: {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description:
      'Any text of yours, 1 to 255 printable ASCII characters without spaces; a UUID is good. The same key with the same request is answered as the first time, for ever, and nothing is done twice.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$', minLength: 1, maxLength: 255 },
    example: '7c0f9a52-3b1d-4a6e-9f55-2f6a9d0c1e44',
  },
} as const;

/** Headers by the name that is sent, as references. */
type HeaderReferences = Record<string, { $ref: string }>;

const refer = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMIT: HeaderReferences = {
  'RateLimit-Limit': refer('RateLimitLimit'),
  'RateLimit-Remaining': refer('RateLimitRemaining'),
  'RateLimit-Reset': refer('RateLimitReset'),
};

/** What every answer carries, and what some do. */
export function headersOf(status: string, isIdempotent: boolean): HeaderReferences {
  return {
    'X-Request-Id': refer('RequestId'),
    ...(status === '200' ? RATE_LIMIT : {}),
    ...(isIdempotent && ['200', '409', '422'].includes(status)
      ? { 'Idempotency-Replayed': refer('IdempotencyReplayed') }
      : {}),
    ...(status === '401' ? { 'WWW-Authenticate': refer('WwwAuthenticate') } : {}),
    ...(status === '423' || status === '429' || status === '503' ? { 'Retry-After': refer('RetryAfter') } : {}),
    ...(status === '429' ? RATE_LIMIT : {}),
  };
}

/** Where the facts of a route ride until the document is finished. */
export const FACTS = 'x-facts';

export interface DocumentResponse {
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema?: DocumentSchema; example?: unknown }>;
}

/** An operation as the document has it. */
export interface DocumentOperation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  parameters?: object[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: DocumentSchema; example?: unknown }> };
  responses?: Record<string, DocumentResponse>;
  [FACTS]?: RouteFacts;
  [keyword: string]: unknown;
}

/** An OpenAPI 3.1 document, as far as it is looked into here. */
export interface ApiDocument {
  paths?: Record<string, Record<string, DocumentOperation>>;
  webhooks?: Record<string, Record<string, DocumentOperation>>;
  components?: Record<string, Record<string, unknown>>;
  tags?: { name: string }[];
  [keyword: string]: unknown;
}

type Operations = NonNullable<ApiDocument['paths']>;

export const operationsIn = (paths: Operations): DocumentOperation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

export function mapOperations(
  paths: Operations,
  change: (operation: DocumentOperation) => DocumentOperation,
): Operations {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}
