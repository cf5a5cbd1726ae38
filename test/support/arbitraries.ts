import fc from 'fast-check';
import type { Known, Operation, SampleRequest, Schema } from './operations.ts';

/** Requests made from an operation's schemas: mostly what it takes, and often something that it must not choke on. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<SampleRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query' && !isCursor(parameter));
  return fc
    .record({
      path: fc.record(Object.fromEntries(inPath.map(({ name, schema }) => [name, idOf(name, schema, known)]))),
      query: fc.record(
        Object.fromEntries(
          inQuery.map(({ name, schema }) => [
            name,
            some(FILTERS / inQuery.length, mostly(valuesOf(name, schema, known), anything)),
          ]),
        ),
      ),
      body: operation.body === undefined ? fc.constant(undefined) : bodiesOf(operation.body, known),
    })
    .map(({ path, query, body }) => {
      const filled = inPath.reduce(
        (url, { name }) => url.replace(`{${name}}`, encodeURIComponent(path[name] as string)),
        operation.path,
      );
      const asked = Object.entries(query)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
      return { method: operation.method, url: asked.length === 0 ? filled : `${filled}?${asked.join('&')}`, body };
    });
}

/** Comes from an answer: a made-up one is refused, and every request that has one would only hear of that. */
const isCursor = ({ name, schema }: { name: string; schema: Schema }): boolean =>
  (name === 'after' || name === 'before') && schema.type === 'string';

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}

/** So many parameters of a query are given together, more or less: with all of ten filters nearly every request is refused. */
const FILTERS = 2;

/** A value in so many of all cases, half of them at most; nothing otherwise. */
function some(share: number, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const weight = Math.max(1, Math.round(100 * Math.min(share, 0.5)));
  return fc.oneof({ weight, arbitrary: value }, { weight: 100 - weight, arbitrary: fc.constant(undefined) });
}

function mostly<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

/** Any code point, halves of pairs too. The library's own unit of this kind takes seconds to be able to make shorter texts. */
const codePoint = fc.integer({ min: 0, max: 0x10_ff_ff }).map((point) => String.fromCodePoint(point));

/** JSON of any shape, with the texts and numbers that break things. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: codePoint }),
  fc.string({ unit: codePoint, maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    'null',
    '__proto__',
    'constructor',
    '\u202e',
    '\ud800',
    '\0',
    '𝕄',
    "'; drop table accounts; --",
  ),
  fc.constantFrom(
    0,
    -0,
    -1,
    0.001,
    1e-7,
    1e21,
    1e308,
    Number.MAX_SAFE_INTEGER,
    2 ** 53,
    -(2 ** 63),
    99_999_999_999_999,
  ),
  fc.double({ noNaN: true }),
);

function idOf(name: string, schema: Schema, known: Known): fc.Arbitrary<string> {
  const valid = name in known ? [fc.constant(String(known[name]))] : [];
  const usual = fc.oneof(...valid, schema.format === 'uuid' ? fc.uuid() : fc.string({ minLength: 1, maxLength: 60 }));
  return mostly(usual, fc.string({ minLength: 1, maxLength: 80 })).map(
    (id) => textOf(id).replace(/^\.+$/, 'dots') || 'x',
  );
}

/** The right fields, some of them hostile; now and then one too many; seldom no object at all. */
function bodiesOf(schema: Schema, known: Known): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  // A wrong PIN of the right form would lock the PIN, and every later request would only hear of that.
  const values = fields.map(([name, field]) => [
    name,
    name === 'pin'
      ? mostly(fc.constant(known['pin']), fc.constantFrom('', '12', 4826, null, 'abcd', '1234567'))
      : mostly(valuesOf(name, field, known), anything),
  ]);
  const whole = fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
    noNullPrototype: true,
  });
  const complete = fc.record(Object.fromEntries(values) as Record<string, fc.Arbitrary<unknown>>, {
    noNullPrototype: true,
  });
  const required = complete.map((body) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => name in known || schema.required?.includes(name))),
  );
  const extra = fc.tuple(complete, fc.string(), anything).map(([body, name, value]) => ({ ...body, [name]: value }));
  return fc.oneof(
    { weight: 12, arbitrary: complete },
    { weight: 6, arbitrary: required },
    { weight: 4, arbitrary: whole },
    { weight: 1, arbitrary: extra },
    { weight: 1, arbitrary: anything },
  );
}

/** Values that the schema accepts, known ones among them. */
function valuesOf(name: string, schema: Schema, known: Known): fc.Arbitrary<unknown> {
  if (name === 'amount') {
    const kobo = fc.integer({ min: 1, max: 500 }).map((minor) => minor / 100);
    const naira = fc.integer({ min: 1, max: 5 });
    const large = fc.constantFrom(999_999, 9_999_999_999_999);
    return schema.type === 'integer' ? fc.oneof(naira, large) : fc.oneof(kobo, naira, { weight: 1, arbitrary: large });
  }
  const valid = validOf(schema);
  return name in known ? fc.oneof(fc.constant(known[name]), valid) : valid;
}

function validOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(validOf));
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(([name, field]) => [name, validOf(field)]);
    const requiredKeys = schema.required as never[];
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys,
      noNullPrototype: true,
    });
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1_000, max: schema.maximum ?? 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validOf(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case 'object':
      return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), {
        maxKeys: 5,
        noNullPrototype: true,
      });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function stringsOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString());
  const examples = (schema.examples ?? []).filter((item) => typeof item === 'string');
  const made =
    schema.pattern === undefined || schema.pattern.includes('(?')
      ? fc.string({
          unit: 'grapheme',
          minLength: schema.minLength ?? 0,
          maxLength: Math.min(schema.maxLength ?? 50, 200),
        })
      : fc.stringMatching(new RegExp(schema.pattern), {
          maxLength: Math.min(schema.maxLength ?? 100, 100),
        });
  if (examples.length === 0) return made;
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: made });
}
