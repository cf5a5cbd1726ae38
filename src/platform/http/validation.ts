import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { isDay, isInYears } from '../clock.ts';
import { AppError, type FieldError, sentenceAbout } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { isVisible, isVisibleInLines, oneForm } from '../text.ts';
import { shown, under } from './field-path.ts';
import { bodyMissing } from './json-body.ts';

/**
 * Values are used as they are: nothing is coerced or dropped; texts that people read are brought to one form. It stops
 * at the first mistake, so that a body of nothing but mistakes costs no more than a valid one; `explain` looks for a
 * handful of them afterwards.
 */
const ajv = new Ajv({ removeAdditional: false, useDefaults: true, strict: false, verbose: true });
ajv.addFormat('uuid', isUuid);
ajv.addFormat('date', isDay);
ajv.addFormat('date-time', isDateTime);
ajv.addFormat('visible-text', (text) => isVisible(text) && !isBlank(text));
ajv.addFormat('visible-lines', (text) => isVisibleInLines(text) && !isBlank(text));
ajv.addKeyword({ keyword: 'x-one-form', modifying: true, errors: false, validate: bringToOneForm });
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addKeyword({ keyword: 'x-decimals', type: 'number', errors: false, validate: hasDecimals });

/** Spaces alone are no narration or name. An empty text is what `minLength` is for. */
const isBlank = (text: string): boolean => text !== '' && text.trim() === '';

/** By the digits of its shortest text, as it was written: `multipleOf` divides, and refuses 4.35 for 0.01. */
function hasDecimals(most: number, value: number): boolean {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [, fraction = ''] = digits.split('.');
  return fraction.length - Number(exponent) <= most;
}

/** The only change to a body: two spellings of one name become one. */
function bringToOneForm(_isWanted: boolean, text: unknown, _schema: unknown, at?: DataValidationCxt): boolean {
  // A text that is validated by itself has no place to be written back to.
  if (typeof at?.parentData === 'object' && typeof text === 'string') {
    (at.parentData as Record<string, unknown>)[at.parentDataProperty] = oneForm(text);
  }
  return true;
}

/** ISO 8601 with an offset or `Z`, of an existing time: JavaScript reads 30 February as 2 March. */
function isDateTime(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  const moment = new Date(text);
  if (day === undefined || Number.isNaN(moment.getTime())) return false;
  return isInYears(moment) && new Date(day).toISOString().startsWith(day);
}

/** The parts of a JSON Schema that are read here. */
interface Schema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: unknown;
  items?: Schema;
  'x-hint'?: string;
}

/** The server's validator: each part of a request against its schema, with a 400 `VALIDATION_FAILED` for a mismatch. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const check = compileCheck(schema);
  const readTexts = httpPart === 'body' ? undefined : textReader(schema);
  return (data: unknown) => {
    readTexts?.(data);
    const mistakes = check(data);
    if (mistakes.length === 0) return true;
    const isMissing = httpPart === 'body' && (data === undefined || data === null);
    if (!isMissing) return { error: validationError(httpPart === 'querystring' ? ofQuery(mistakes, data) : mistakes) };
    // Whoever needs to say nothing may send nothing.
    const nothing = {};
    return check(nothing).length === 0 ? { value: nothing } : { error: bodyMissing() };
  };
};

/**
 * What is wrong with a query. A field that it names twice is a list there, which no field of a query is; one that it does
 * not know may well be a field of the body.
 */
function ofQuery(mistakes: readonly FieldError[], query: unknown): FieldError[] {
  return mistakes.map(({ field, message }) => {
    if (message === IS_UNKNOWN) return { field, message: IS_NO_PARAMETER };
    const isRepeated = Array.isArray((query as Record<string, unknown>)[field]);
    return { field, message: isRepeated ? 'must be given once' : message };
  });
}

/**
 * Refuses the fields of a query or of a JSON body that an operation without such a part was sent: whoever sends
 * `?walletId=` to what reads no wallet is not answered as if it had been read. Call it before the command.
 * @throws AppError `VALIDATION_FAILED`.
 */
export function requireNothingUnread({ method, headers, route, query, body }: FastifyRequest): void {
  const { schema } = route;
  if (method === 'GET' && Number(headers['content-length'] ?? 0) > LONGEST_NOTHING) throw validationError([OF_A_GET]);
  const inQuery = schema?.querystring === undefined ? unreadOf(query, IS_NO_PARAMETER) : NONE;
  const inBody = schema?.body === undefined && body !== undefined && body !== null ? unreadOf(body, IS_UNKNOWN) : NONE;
  if (inQuery.length > 0 || inBody.length > 0) {
    throw validationError([...inQuery, ...inBody].slice(0, MAX_MISTAKES));
  }
}

const NONE: readonly FieldError[] = [];
/** The length of `null`; `{}` and `[]` are shorter. What has a field is longer. */
const LONGEST_NOTHING = 4;
/** It is not read, so a list would come without the filters that stand in it. */
const OF_A_GET: FieldError = {
  field: 'body',
  message: 'is not read of a GET: parameters stand behind the ? of its address',
};

function unreadOf(part: unknown, message: string): readonly FieldError[] {
  if (!isObject(part)) return [{ field: 'body', message: 'must be an object' }];
  const fields = Object.keys(part);
  return fields.length === 0 ? NONE : fields.map((field) => ({ field: shown(field), message }));
}

/**
 * A check of values against a schema: returns a handful of the mistakes at most, at a cost that does not grow with
 * their number. It is compiled for its first value: all operations together take most of a start, and few are called soon.
 */
export function compileCheck(schema: object): (value: unknown) => FieldError[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    if (validate(value)) return [];
    const found: FieldError[] = [];
    explain(schema, value, '', found);
    // Where no part explains it, the whole is wrong.
    return found.length > 0 ? found : [fieldError(schema, '', (validate.errors as ErrorObject[])[0] as ErrorObject)];
  };
}

/** Whether a value is what the schema says, where nobody asks what is wrong with it. Compiled for its first value. */
export function compileGuard<Checked extends TSchema>(schema: Checked): (value: unknown) => value is Static<Checked> {
  let validate: ValidateFunction<Static<Checked>> | undefined;
  return (value) => {
    validate ??= ajv.compile<Static<Checked>>(schema);
    return validate(value);
  };
}

/** 400 `VALIDATION_FAILED`: one sentence for people, and every field at fault in `errors`. */
export function validationError(mistakes: readonly FieldError[]): AppError {
  return new AppError('invalid', 'VALIDATION_FAILED', sentenceAbout(mistakes), { errors: mistakes });
}

/**
 * A query string, an address and headers are texts by nature: a field that is a number or a boolean by its schema is
 * read from its digits or its word. Any other text stays a text, and is refused as one.
 */
function textReader(schema: object): (data: unknown) => void {
  const readers = Object.entries((schema as Schema).properties ?? {}).flatMap(([name, { type }]) => {
    const reader = READERS[String(type)];
    return reader === undefined ? [] : [{ name, reader }];
  });
  return (data) => {
    const fields = data as Record<string, unknown>;
    for (const { name, reader } of readers) {
      const text = fields[name];
      if (typeof text === 'string') fields[name] = reader(text);
    }
  };
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text),
  number: (text) => (/^-?\d{1,13}(\.\d{1,2})?$/.test(text) ? Number(text) : text),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
};

/** As many as a person can read. The next ones are shown when these are corrected. */
const MAX_MISTAKES = 20;
/** As `parseJson` has it. */
const IS_TOO_EXACT = 'has too many digits: at most 15 of a number can be kept';
const IS_REQUIRED = 'is required';
const IS_UNKNOWN = 'is not a field of this operation';
const IS_NO_PARAMETER = 'is not a query parameter of this operation';

/**
 * Goes down to the wrong fields and notes the first mistake of each, until there are enough. The validator of a part is
 * made when a value is first wrong there, and kept.
 */
function explain(schema: Schema, value: unknown, path: string, found: FieldError[]): void {
  if (found.length >= MAX_MISTAKES) return;
  const validate = ajv.compile(schema);
  if (validate(value)) return;
  const [first] = validate.errors as ErrorObject[];
  const before = found.length;
  if (schema.properties !== undefined && isObject(value)) {
    explainMembers(schema, value, path, found);
  } else if (schema.items !== undefined && Array.isArray(value) && first?.instancePath !== '') {
    for (let at = 0; at < value.length && found.length < MAX_MISTAKES; at += 1)
      explain(schema.items, value[at], under(path, String(at)), found);
  }
  if (found.length > before || first === undefined) return;
  const isTooExact = typeof value === 'bigint';
  found.push(isTooExact ? { field: shown(path), message: IS_TOO_EXACT } : fieldError(schema, path, first));
}

function explainMembers(schema: Schema, value: object, path: string, found: FieldError[]): void {
  const { properties = {} } = schema;
  const note = (name: string, message: string) => {
    if (found.length < MAX_MISTAKES) found.push({ field: shown(under(path, name)), message });
  };
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(value, name)) note(name, IS_REQUIRED);
  }
  if (schema.additionalProperties === false) {
    for (const name of Object.keys(value)) {
      if (found.length >= MAX_MISTAKES) return;
      if (!Object.hasOwn(properties, name)) note(name, IS_UNKNOWN);
    }
  }
  for (const [name, member] of Object.entries(properties)) {
    if (Object.hasOwn(value, name)) explain(member, (value as Record<string, unknown>)[name], under(path, name), found);
  }
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function fieldError(schema: Schema, path: string, error: ErrorObject): FieldError {
  const inner = error.instancePath.split('/').slice(1).join('.');
  const field = inner === '' ? path : under(path, inner);
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  if (missingProperty !== undefined) return { field: shown(under(field, missingProperty)), message: IS_REQUIRED };
  if (additionalProperty !== undefined) return { field: shown(under(field, additionalProperty)), message: IS_UNKNOWN };
  return { field: field === '' ? 'body' : shown(field), message: complaint(error, hintAt(schema, error.schemaPath)) };
}

/** What the schema at fault says of itself. `schemaPath` is such as `#/anyOf/0/pattern`. */
function hintAt(schema: Schema, schemaPath: string): string | undefined {
  const names = schemaPath.split('/').slice(1, -1);
  const at = names.reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], schema);
  return (at as Schema | undefined)?.['x-hint'];
}

function complaint(error: ErrorObject, hint: string | undefined): string {
  const format = error.keyword === 'format' ? String(error.params['format']) : '';
  if (format.startsWith('visible-'))
    return isBlank(String(error.data)) ? 'must not be blank' : 'must not contain invisible characters';
  if (hint !== undefined && error.keyword !== 'type') return hint;
  const limit = String(error.params['limit']);
  switch (error.keyword) {
    case 'type':
      return `must be ${article(String(error.params['type']))}`;
    case 'format':
      return `must be a valid ${format === 'date-time' ? 'date and time with offset (ISO 8601)' : format.toUpperCase()}`;
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as unknown[]).join(', ')}`;
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'uniqueItems':
      return 'must not have an entry twice';
    case 'pattern':
      return 'is not in the form that this field has';
    case 'const':
      return `must be ${String(error.params['allowedValue'])}`;
    case 'minProperties':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} fields`;
    case 'maxProperties':
      return `must have at most ${limit} keys`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`;
    case 'x-decimals':
      return `must have at most ${error.schema === 2 ? 'two' : String(error.schema)} decimals`;
    default:
      return error.message ?? 'is not valid';
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
