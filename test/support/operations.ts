import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { App } from '../../src/app.ts';
import { finishDocument, madeDocument, publicDocument } from '../../src/documentation/index.ts';
import { isUuid } from '../../src/platform/ids.ts';
import type { Reply } from './app.ts';

/** A JSON Schema as the document has it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  anyOf?: Schema[];
  allOf?: Schema[];
  multipleOf?: number;
  examples?: unknown[];
  additionalProperties?: boolean | Schema;
}

interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  schema: Schema;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface RequestBody {
  content?: Record<string, { schema: Schema }>;
  required?: boolean;
}

/** One operation of the API document. `name` is how tests and people call it: `POST /branch/store/debit`. */
export interface Operation {
  name: string;
  method: Method;
  /** With `{placeholders}`. */
  path: string;
  operationId: string;
  tags: string[];
  /** Of the JSON body; undefined where the operation takes none, or no JSON. */
  body: Schema | undefined;
  /** It is refused without one. */
  needsBody: boolean;
  /** Of bodies of every kind, by content type. */
  contents: Record<string, Schema>;
  parameters: Parameter[];
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** The operations of a document of the API, in the order of the routes, with what their references name in place. */
function operationsIn(document: ReturnType<typeof publicDocument>): Operation[] {
  const paths = resolve(document.paths, document) as Record<string, Record<string, Record<string, unknown>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => {
      const { content, required } = (found['requestBody'] ?? {}) as RequestBody;
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase() as Method,
        path,
        operationId: String(found['operationId']),
        tags: (found['tags'] ?? []) as string[],
        body: content?.['application/json']?.schema,
        needsBody: required === true,
        contents: Object.fromEntries(Object.entries(content ?? {}).map(([type, { schema }]) => [type, schema])),
        parameters: (found['parameters'] ?? []) as Parameter[],
        responses: found['responses'] as Operation['responses'],
      };
    }),
  );
}

/** A value of a document without references: each is what it names. */
export function resolve(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, document));
  if (value === null || typeof value !== 'object') return value;
  const { $ref, ...rest } = value as { $ref?: string };
  if ($ref !== undefined) {
    const target = $ref
      .split('/')
      .slice(1)
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
    return { ...(resolve(target, document) as object), ...rest };
  }
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry, document)]));
}

/**
 * Every operation of the app that integrators read of: a new route is in every generated test by itself. What only people
 * do with a session is tested with sessions.
 */
export function operationsOf(app: App): Operation[] {
  made ??= operationsIn(publicDocument(madeDocument(app.server)));
  return made;
}

/** Every app has the same routes: what was read of one is not read again of the next one of this process. */
let made: Operation[] | undefined;
let madeWithPages: Operation[] | undefined;

/** Every operation there is, those of people with a session among them. */
export function allOperationsOf(app: App): Operation[] {
  madeWithPages ??= operationsIn(finishDocument(madeDocument(app.server)));
  return madeWithPages;
}

/** Values by field name: what makes a generated request meet things that are there. */
export type Known = Record<string, unknown>;

export interface SampleRequest {
  method: Method;
  url: string;
  body: unknown;
}

/** A request that the schemas accept: known values where the field's name has one, the documented examples elsewhere. */
export function sampleRequest(operation: Operation, known: Known): SampleRequest {
  let url = operation.path;
  for (const { in: where, name, required, schema } of operation.parameters) {
    const value = encodeURIComponent(String(known[name] ?? sample(schema, {})));
    if (where === 'path') url = url.replace(`{${name}}`, value);
    if (where === 'query' && required === true) url += `${url.includes('?') ? '&' : '?'}${name}=${value}`;
  }
  const body = operation.body === undefined ? undefined : sample(operation.body, known);
  return { method: operation.method, url, body };
}

/** A name of what is called by its id. */
export const IS_ID = /^(id|\w+Id|batchReference)$/;

/** What an operation calls by id: in its address, its query and its body, at whatever depth. */
export function idsOf({ parameters, body }: Operation, wanted: readonly ('path' | 'query' | 'body')[]): string[] {
  const named = parameters.filter(({ in: where }) => wanted.some((one) => one === where)).map(({ name }) => name);
  return [...named, ...(wanted.includes('body') ? fieldsOf(body) : [])].filter((name) => IS_ID.test(name));
}

function fieldsOf(schema: Schema | undefined): string[] {
  if (schema === undefined) return [];
  const within = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  return [...Object.keys(schema.properties ?? {}), ...within.flatMap(fieldsOf)];
}

/** The fields of the JSON body by name. */
export function bodyFields(operation: Operation): [string, Schema][] {
  return Object.entries(operation.body?.properties ?? {});
}

export function sample(schema: Schema, known: Known): unknown {
  if (schema.properties !== undefined) {
    const all = Object.entries(schema.properties);
    const chosen = all.filter(([name]) => name in known || schema.required?.includes(name) === true);
    const fields = chosen.length >= (schema.minProperties ?? 0) ? chosen : all.slice(0, schema.minProperties);
    return Object.fromEntries(
      fields.map(([name, field]) => [name, name in known ? known[name] : sample(field, known)]),
    );
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return sample(schema.anyOf[0] as Schema, known);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'array':
      return schema.items === undefined ? [] : [sample(schema.items, known)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'uuid' ? '01930000-0000-7000-8000-00000000dead' : 'text';
    default:
      return {};
  }
}

/**
 * What is wrong with an answer by the document: the status is not documented, the body does not fit its schema, there is
 * no request id, or a refusal does not say what and why. Nothing where all is well.
 */
export function answerChecker(): (operation: Operation, reply: Reply) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date-time', (text) => /T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'http://localhost'));
  // Those say how long a number is, and that a text is a file or written by people: nothing that an answer could break.
  for (const format of ['int32', 'int64', 'double', 'binary', 'visible-text', 'visible-lines'])
    ajv.addFormat(format, true);
  const compiled = new Map<Schema, ValidateFunction>();

  return (operation, reply) => {
    const wrong: string[] = [];
    if (!reply.headers['x-request-id']) wrong.push('no X-Request-Id');
    if (reply.status >= 400) wrong.push(...refusalFaults(reply.body));
    const schema = responseSchema(operation, reply);
    if (schema === undefined) return [...wrong, `${reply.status} ${contentType(reply)} is not documented`];
    if (typeof schema === 'string') return wrong;
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(schema);
      compiled.set(schema, validate);
    }
    if (!validate(reply.body)) wrong.push(`does not fit its schema: ${ajv.errorsText(validate.errors)}`);
    return wrong;
  };
}

function contentType(reply: Reply): string {
  return (reply.headers['content-type'] as string | undefined)?.split(';')[0] ?? '';
}

/** The schema of the answer's status and type; a text where the type is documented without a shape. */
function responseSchema(operation: Operation, reply: Reply): Schema | string | undefined {
  const { responses } = operation;
  const answer = responses[String(reply.status)] ?? responses[`${Math.floor(reply.status / 100)}XX`];
  const type = contentType(reply);
  // A statement as CSV is documented in words, and rows of a file have no shape beyond their header.
  if (type === 'text/csv') {
    const isDocumented = operation.path.includes('statement') || answer?.content?.[type] !== undefined;
    return isDocumented ? type : undefined;
  }
  return answer?.content?.[type]?.schema;
}

const SENTENCE = /^\S.*[\w.!?)]$/s;
/** As the validator's library says it, in words of its own and not of the field. */
const LIBRARY_WORDS = /must NOT|must match|items ##|pattern "|passing schemas|must be equal to/;

/** A refusal has a sentence for people and a stable code for programs. One documented refusal has no code. */
export function refusalFaults(body: unknown): string[] {
  if (body === null || typeof body !== 'object') return ['the refusal is not a JSON object'];
  const { status, message, code } = body as { status?: unknown; message?: unknown; code?: unknown };
  const wrong: string[] = [];
  if (status !== false) wrong.push('status is not false');
  if (typeof message !== 'string' || !SENTENCE.test(message) || !message.includes(' '))
    wrong.push('message is no sentence');
  const { errors = [] } = body as { errors?: { field: string; message: string }[] };
  if (errors.some(({ field, message: said }) => said.startsWith(`${field} `))) wrong.push('errors has a field twice');
  if (code === 'VALIDATION_FAILED' && errors.some(({ message: said }) => /^[A-Z]|\.$/.test(said)))
    wrong.push('errors has a sentence of its own, where it goes on after the field');
  if (LIBRARY_WORDS.test(String(message))) wrong.push('message is in the words of a library');
  const codeless = Object.keys(body).sort().join() === 'message,status';
  if (!codeless && (typeof code !== 'string' || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(code)))
    wrong.push('code is not UPPER_SNAKE');
  return wrong;
}
