import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { createCallers } from '../support/callers.ts';
import { allOperationsOf, type Schema, sampleRequest } from '../support/operations.ts';

/** What a request may carry is bounded in every direction, by its schema and by the length of its body. */
const t = await createTestApp();
const operations = allOperationsOf(t.app);
afterAll(() => t.close());

/** Formats that have a length of their own; the text of a file is counted where it is put aside. */
const BOUNDED_FORMATS = new Set(['uuid', 'date-time', 'binary']);
/** `^\d{4,6}$`: nothing in it repeats without an end. */
const isBoundedPattern = (pattern: string) => /^\^.*\$$/.test(pattern) && !/[^\\][*+]|\{\d+,\}/.test(pattern);

/** The parts of a schema that have no end, by their path. */
function unboundedParts(schema: Schema, path: string): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((part) => unboundedParts(part, path));
  if (schema.const !== undefined || schema.enum !== undefined) return [];
  switch ([schema.type].flat()[0]) {
    case 'string': {
      const { maxLength, format = '', pattern = '' } = schema;
      const isBounded = maxLength !== undefined || BOUNDED_FORMATS.has(format) || isBoundedPattern(pattern);
      return isBounded ? [] : [path];
    }
    case 'array':
      return [...(schema.maxItems === undefined ? [path] : []), ...unboundedParts(schema.items ?? {}, `${path}[]`)];
    case 'object':
      if (schema.properties === undefined) return schema.maxProperties === undefined ? [path] : [];
      return [
        ...(schema.additionalProperties === false || path.includes('?') ? [] : [path]),
        ...Object.entries(schema.properties).flatMap(([name, part]) => unboundedParts(part, `${path}.${name}`)),
      ];
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return [];
    default:
      return [path];
  }
}

/** Six bytes a character: what a program sends that escapes all but ASCII. */
function largest(schema: Schema): unknown {
  if (schema.anyOf !== undefined) return largest(schema.anyOf[0] as Schema);
  if (schema.const !== undefined || schema.enum !== undefined) return schema.const ?? schema.enum?.[0];
  switch ([schema.type].flat()[0]) {
    case 'string':
      return 'ọ'.repeat(schema.maxLength ?? 7);
    case 'array':
      return Array.from({ length: schema.maxItems ?? 0 }, () => largest(schema.items ?? {}));
    case 'object':
      if (schema.properties === undefined) return { note: 'x'.repeat(8 * 1024 - 11) };
      return Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, largest(part)]));
    case 'integer':
    case 'number':
      return 1_234_567_890_123.45;
    default:
      return false;
  }
}

const escaped = (value: unknown) => JSON.stringify(value).replaceAll('ọ', '\\u1ecd');

describe('a request', () => {
  it('can carry no text, list or map without an end, whatever the operation', () => {
    const unbounded = operations.flatMap(({ name, contents, parameters }) => [
      ...Object.values(contents).flatMap((schema) => unboundedParts(schema, name)),
      ...parameters.flatMap((parameter) => unboundedParts(parameter.schema, `${name} ?${parameter.name}`)),
    ]);
    expect(unbounded).toEqual([]);
  });

  it('may be as long as its schema allows, however it is escaped', async () => {
    const callers = createCallers(t);
    const tooLong: string[] = [];
    for (const operation of operations) {
      // Whole lists are as long as they are in a file, and nobody escapes every letter of one.
      const isList = /^\/payout\/bulk(?:\/preview)?$/.test(operation.path);
      if (operation.body === undefined || isList) continue;
      const { method, url } = sampleRequest(operation, {});
      const headers = { 'content-type': 'application/json', ...(await callers.headersFor(operation)) };
      const payload = escaped({ ...(largest(operation.body) as object), notAField: 1 });
      const { statusCode } = await t.app.server.inject({ method, url, headers, payload });
      if (statusCode !== 400) tooLong.push(`${operation.name}: ${payload.length} bytes: ${statusCode}`);
    }
    expect(tooLong).toEqual([]);
  });

  it('of more than 16 KiB is refused by its length where nothing longer is needed', async () => {
    const payload = JSON.stringify({ email: 'x'.repeat(16 * 1024) });
    const headers = { 'content-type': 'application/json' };
    const answer = await t.app.server.inject({ method: 'POST', url: '/session', headers, payload });
    expect([answer.statusCode, answer.json().code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});
