import { readFileSync } from 'node:fs';
import { MAX_INTEGER, SuccessBase } from '../platform/http/schemas.ts';
import { ListPageBase, PageBase } from '../platform/lists/schemas.ts';
import {
  type ApiDocument,
  type Components,
  type DocumentOperation,
  FACTS,
  HEADERS,
  mapOperations,
  mapParts,
  PARAMETERS,
  shareParameters,
  withReferences,
} from './document.ts';
import { responsesForPeople, responsesOf, shareRefusals } from './error-responses.ts';

/** A request body and the answer to it, as a service gave it; of a webhook, the event that it sent. */
interface Example {
  request?: unknown;
  response?: unknown;
}

/** By `operationId`. `npm run examples` records them anew. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('./examples.json', import.meta.url), 'utf8'),
);

const INT32_MAX = 2 ** 31 - 1;

type Schema = Record<string, unknown>;

/**
 * Writes schemas the way that generators of clients read them. Numbers say how wide they are: generators make 32 bits of
 * what says nothing, and ₦1,234,567.89 does not fit into a 32-bit float. Amounts of requests have their bounds beside it.
 * What may be null says so in its type. Keywords that only the service reads are left out.
 */
function forGenerators(value: unknown, key = ''): unknown {
  if (value === null || typeof value !== 'object') return value;
  const read = mapParts(value, key, forGenerators);
  if (Array.isArray(read)) return read;
  const { 'x-money': isAmount, 'x-hint': _, 'x-log': _kind, 'x-decimals': _decimals, ...given } = read as Schema;
  const schema = nullable(typed(given));
  if (schema['type'] === 'number' || isNullable(schema, 'number')) {
    const { exclusiveMinimum, ...rest } = schema;
    if (isAmount !== true || exclusiveMinimum === undefined) return { ...schema, format: 'double' };
    // For generators that know `minimum` alone.
    return { ...rest, minimum: 0.01, format: 'double' };
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

/** Operations that only a signed-in person can use: the dashboard's own, and the operator's. */
const SESSION_ONLY = /^(Dashboard|Operator)/;

const isForPeople = ({ tags = [] }: DocumentOperation): boolean => tags.some((tag) => SESSION_ONLY.test(tag));

/**
 * What integrators read: the document without the operations that need a person's session. The whole one is the
 * dashboard's, whose types are generated from it (`npm run openapi`).
 */
export function publicDocument(made: ApiDocument): ApiDocument {
  const paths = Object.entries(made.paths ?? {}).map(([path, item]) => {
    const open = Object.entries(item).filter(([, operation]) => !isForPeople(operation));
    return [path, Object.fromEntries(open)] as const;
  });
  return finishDocument({
    ...made,
    paths: Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0)),
  });
}

/**
 * Makes of what the routes say the document that is served: what stands twice is a component, headers and refusals are
 * written out for each operation, and numbers say how wide they are. Pure: the same routes make the same document.
 * @throws Error where two schemas have one name or an error code is in no catalogue
 */
export function finishDocument(made: ApiDocument): ApiDocument {
  const schemas: Components = {};
  withReferences([SuccessBase, PageBase, ListPageBase], schemas);
  const { paths, responses } = shareRefusals(mapOperations(made.paths ?? {}, finishOperation));
  const { operations, parameters } = shareParameters(withReferences(paths, schemas));
  const shared = withReferences(responses, schemas);
  const finished = {
    ...made,
    paths: operations,
    // What only webhooks have stays where it is: oapi-codegen makes no types of what nothing else refers to.
    webhooks: withReferences(mapOperations(made.webhooks ?? {}, withExample), schemas, false),
    components: {
      ...made.components,
      headers: HEADERS,
      parameters: { ...PARAMETERS, ...parameters },
      responses: shared,
      schemas,
    },
  };
  return forGenerators(finished) as ApiDocument;
}

function finishOperation({ [FACTS]: facts, ...operation }: DocumentOperation): DocumentOperation {
  const { codes = [], isIdempotent = false } = facts ?? {};
  const { requestBody: body } = operation;
  const parameters = [
    ...(operation.parameters ?? []),
    ...(isIdempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return withExample({
    ...operation,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body !== undefined && mayBeMissing(body) ? { requestBody: { ...body, required: false } } : {}),
    responses: isForPeople(operation) ? responsesForPeople(operation) : responsesOf(operation, { codes, isIdempotent }),
  });
}

/** As the validator has it: where an empty object says enough, no body does. */
function mayBeMissing({ content }: NonNullable<DocumentOperation['requestBody']>): boolean {
  const { 'application/json': json, ...others } = content;
  if (json?.schema === undefined || Object.keys(others).length > 0) return false;
  const { required = [], minProperties = 0 } = json.schema;
  return required.length === 0 && minProperties === 0;
}

/** The request and the answer that were seen of the operation, beside their schemas. */
function withExample(operation: DocumentOperation): DocumentOperation {
  const seen = EXAMPLES[operation.operationId ?? ''];
  if (seen === undefined) return operation;
  const json = operation.requestBody?.content['application/json'];
  if (json !== undefined && seen.request !== undefined) json.example = seen.request;
  const content = operation.responses?.['200']?.content;
  const answer = content?.['application/json'] ?? content?.['text/csv'];
  if (answer !== undefined && seen.response !== undefined) answer.example = seen.response;
  return operation;
}
