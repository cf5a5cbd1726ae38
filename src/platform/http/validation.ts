import { Ajv, type ErrorObject } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { AppError, type FieldError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { isVisible, isVisibleInLines, oneForm } from '../text.ts';

/** Bodies are taken as they are: nothing is coerced, dropped or filled in. What people read is brought to one form. */
const strict = newAjv(false);
/** Query strings are text by nature, so `?page=2` may become a number. */
const coercing = newAjv(true);

function newAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    removeAdditional: false,
    useDefaults: true,
    allErrors: true,
    verbose: true,
    strict: false,
  });
  ajv.addFormat('uuid', isUuid);
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('visible-text', isVisible);
  ajv.addFormat('visible-lines', isVisibleInLines);
  ajv.addKeyword({ keyword: 'x-one-form', modifying: true, errors: false, validate: bringToOneForm });
  ajv.addFormat('uri', (text) => URL.canParse(text));
  return ajv;
}

/** The one thing about a body that is changed: two spellings of one name are one name. */
function bringToOneForm(_isWanted: boolean, text: unknown, _schema: unknown, at?: DataValidationCxt): boolean {
  if (at !== undefined && typeof text === 'string') {
    (at.parentData as Record<string, unknown>)[at.parentDataProperty] = oneForm(text);
  }
  return true;
}

/** ISO 8601 with an offset or `Z`, naming a moment that exists: JavaScript reads 30 February as 2 March. */
function isDateTime(text: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  return new Date(day).toISOString().startsWith(day);
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? strict : coercing).compile(schema);

/** A body of nothing but mistakes gets an answer that a person can still read. */
const MAX_COMPLAINTS = 50;
const MAX_NAME_LENGTH = 100;

/** 400 `VALIDATION_FAILED`: one sentence for people, and every field at fault in `errors`. */
export function validationError(errors: readonly FastifySchemaValidationError[]): AppError {
  const fields = new Map<string, FieldError>();
  for (const error of errors as unknown as ErrorObject[]) {
    const found = fieldError(error);
    if (!fields.has(found.field)) fields.set(found.field, found);
    if (fields.size === MAX_COMPLAINTS) break;
  }
  const list = [...fields.values()];
  const sentence = list
    .map(({ field, message }) => `${/^[\w.-]+$/.test(field) ? field : `"${field}"`} ${message}`)
    .join('; ');
  return new AppError('invalid', 'VALIDATION_FAILED', `${sentence}.`, { errors: list });
}

function fieldError(error: ErrorObject): FieldError {
  const path = error.instancePath.split('/').slice(1).join('.');
  const under = (name: string) => (path === '' ? name : `${path}.${name}`).slice(0, MAX_NAME_LENGTH).toWellFormed();
  if (error.keyword === 'required')
    return { field: under(String(error.params['missingProperty'])), message: 'is required' };
  if (error.keyword === 'additionalProperties') {
    return { field: under(String(error.params['additionalProperty'])), message: 'is not a field of this operation' };
  }
  return { field: path === '' ? 'body' : path, message: complaint(error) };
}

function complaint(error: ErrorObject): string {
  const format = error.keyword === 'format' ? String(error.params['format']) : '';
  if (format.startsWith('visible-')) return 'must not contain invisible characters';
  const hint = (error.parentSchema as { 'x-hint'?: string } | undefined)?.['x-hint'];
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
      return `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    default:
      return error.message ?? 'is not valid';
  }
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
