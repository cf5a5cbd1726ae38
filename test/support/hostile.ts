import { type Schema, sample } from './operations.ts';

/** A value written as JSON text, so that it may be one that JavaScript cannot hold. */
export interface HostileValue {
  label: string;
  json: string;
}

const value = (label: string, of: unknown): HostileValue => ({ label, json: JSON.stringify(of) });
const raw = (label: string, json: string): HostileValue => ({ label, json });

const HOSTILE_AMOUNTS: readonly HostileValue[] = [
  value('a string', '100'),
  value('three decimals', 1.001),
  value('a tenth of a kobo', 0.001),
  value('far too fine', 1e-7),
  value('zero', 0),
  raw('minus zero', '-0'),
  value('negative', -1),
  value('a negative kobo', -0.01),
  value('fourteen digits', 99_999_999_999_999),
  value('1e21', 1e21),
  value('1e308', 1e308),
  raw('beyond every double', '1e999'),
  raw('beyond every double, negative', '-1e999'),
  raw('ten thousand digits', '9'.repeat(10_000)),
  raw('ten thousand decimals', `1.${'1'.repeat(10_000)}`),
  raw('more digits than a double holds', '1.0000000000000000001'),
  raw('a whole number that no double holds', '9007199254740993'),
  raw('an exponent below a kobo', '1e-3'),
  value('true', true),
  value('an array', [1]),
  value('an object', { naira: 1 }),
];

const HOSTILE_IDS: readonly HostileValue[] = [
  value('an empty id', ''),
  value('no UUID', 'not-a-uuid'),
  value('a UUID and more', '01930000-0000-7000-8000-000000000001x'),
  value('a UUID and a line end', '01930000-0000-7000-8000-000000000001\n'),
  value('a UUID in braces', '{01930000-0000-7000-8000-000000000001}'),
  value('a UUID without dashes', '01930000000070008000000000000001'),
  value('SQL', `' or 1=1; drop table transfers; --`),
];

const HOSTILE_MOMENTS: readonly HostileValue[] = [
  value('a word', 'tomorrow'),
  value('a day', '2026-11-20'),
  value('no offset', '2036-11-20T09:30:00'),
  value('no such moment', '2036-13-40T25:61:00Z'),
  value('a year too far', '2999-01-01T00:00:00Z'),
  value('long ago', '1970-01-01T00:00:00Z'),
  value('a year that no text of the database has', '0000-01-01T00:00:00Z'),
  value('the year 10000 in UTC', '9999-12-31T23:59:59-23:59'),
];

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const HOSTILE_OBJECTS: readonly HostileValue[] = [
  value('an array', [1]),
  value('a string', 'text'),
  raw('six levels', deep(6)),
  raw('a thousand levels', deep(1_000)),
  raw('two thousand levels', deep(2_000)),
  raw('fifty-one keys', JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at])))),
  value('more than 8 KB', { note: 'x'.repeat(9_000) }),
  raw('a number that becomes null', '{"n":1e999}'),
];

const LONE_SURROGATES: readonly HostileValue[] = [
  raw('half a character', '"\\ud800"'),
  raw('the other half', '"text \\uDFFF text"'),
];

/** Values of this field that the API has to refuse with 400, whatever else the request says. */
export function hostileValues(name: string, schema: Schema): HostileValue[] {
  const types = typesOf(schema);
  const nullable = types.has('null');
  const wrong: HostileValue[] = types.size === 0 || nullable ? [] : [value('null', null)];
  if (name === 'amount') {
    // A bulk item of no or less than no money is kept, and shown as invalid.
    const kept = (schema.minimum ?? 0) < 0 ? ['zero', 'minus zero', 'negative', 'a negative kobo'] : [];
    return [...wrong, ...HOSTILE_AMOUNTS.filter(({ label }) => !kept.includes(label))];
  }
  if (types.has('string')) wrong.push(...hostileStrings(stringSchema(schema)));
  if (types.has('integer') || types.has('number')) wrong.push(...hostileIntegers(schema));
  if (types.has('object')) wrong.push(...HOSTILE_OBJECTS);
  if (types.has('array')) {
    wrong.push(
      value('an object', { a: 1 }),
      value('a string', 'text'),
      value('a number', 7),
      value('an array in it', [[]]),
    );
    wrong.push(...hostileItems(schema.items ?? {}));
    const entry = sample(schema.items ?? {}, {});
    if (schema.uniqueItems === true) wrong.push(value('an entry twice', [entry, entry]));
    if ((schema.minItems ?? 0) > 0) wrong.push(value('an empty list', []));
  }
  return wrong;
}

/** One entry, of which one field is wrong. */
function hostileItems(schema: Schema): HostileValue[] {
  const entry = JSON.stringify(sample(schema, {}));
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    hostileValues(name, field).map(({ label, json }) => {
      const rest = { ...(JSON.parse(entry) as Record<string, unknown>) };
      delete rest[name];
      return raw(`${name}: ${label}`, `[{${JSON.stringify(rest).slice(1, -1)},${JSON.stringify(name)}:${json}}]`);
    }),
  );
}

function typesOf(schema: Schema): Set<string> {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  const implied = schema.enum?.every((item) => typeof item === 'string') === true ? ['string'] : [];
  return new Set([...own, ...implied, ...(schema.anyOf ?? []).flatMap((part) => [...typesOf(part)])]);
}

function stringSchema(schema: Schema): Schema {
  return schema.anyOf?.find((part) => typesOf(part).has('string')) ?? schema;
}

function hostileStrings(schema: Schema): HostileValue[] {
  const wrong = [
    value('a number', 42),
    value('false', false),
    value('an array', ['text']),
    value('an object', { a: 'b' }),
  ];
  if (schema.format === 'uuid') wrong.push(...HOSTILE_IDS);
  else if (schema.format === 'date-time') wrong.push(...HOSTILE_MOMENTS);
  else wrong.push(...LONE_SURROGATES);
  wrong.push(raw('a NUL', '"te\\u0000xt"'));
  if ((schema.minLength ?? 0) > 0) wrong.push(value('nothing', ''));
  if (schema.maxLength !== undefined) {
    wrong.push(value('one character too many', 'x'.repeat(schema.maxLength + 1)));
    wrong.push(value('twelve thousand characters', 'x'.repeat(12_000)));
  }
  if (schema.pattern !== undefined) wrong.push(value('twelve thousand brackets', '('.repeat(12_000)));
  if (schema.enum !== undefined) wrong.push(value('an unknown word', 'NO_SUCH_WORD'), value('__proto__', '__proto__'));
  return wrong;
}

function hostileIntegers(schema: Schema): HostileValue[] {
  const wrong = [
    value('a string', '1'),
    value('true', true),
    value('an array', [1]),
    raw('beyond every double', '1e999'),
    raw('more digits than a double holds', '1.0000000000000000001'),
  ];
  if (schema.type === 'integer') wrong.push(value('a fraction', 1.5));
  if (schema.minimum !== undefined) wrong.push(value('too small', schema.minimum - 1));
  if (schema.maximum !== undefined) wrong.push(value('too large', schema.maximum + 1));
  return wrong;
}

export interface HostileBody {
  label: string;
  body: string | Buffer;
  type?: string;
  status: number;
  code: string;
  /** The whole sentence, where it names a field. */
  message?: string;
}

const tooMuch = JSON.stringify({ narration: 'x'.repeat(1024 * 1024) });

/** Bodies that are wrong as a whole, with the answer that each gets from every operation that takes one. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  { label: 'an array', body: '[]', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'an array of bodies', body: '[{"amount":1}]', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'null', body: 'null', status: 400, code: 'BODY_MISSING' },
  { label: 'a number', body: '42', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'a string', body: '"text"', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'true', body: 'true', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'half an object', body: '{"amount":1,', status: 400, code: 'JSON_MALFORMED' },
  { label: 'a comma too many', body: '{"amount":1,}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'single quotes', body: `{'amount':1}`, status: 400, code: 'JSON_MALFORMED' },
  { label: 'a comment', body: '{"amount":1/*all*/}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'NaN', body: '{"amount":NaN}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'Infinity', body: '{"amount":-Infinity}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'a hexadecimal number', body: '{"amount":0x10}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'a leading zero', body: '{"amount":010}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'two objects', body: '{}{}', status: 400, code: 'JSON_MALFORMED' },
  { label: 'spaces', body: '   ', status: 400, code: 'JSON_MALFORMED' },
  { label: 'a raw NUL', body: '{"amount":1\0}', status: 400, code: 'JSON_MALFORMED' },
  {
    label: 'a byte order mark',
    body: '\ufeff{"amount":1}',
    status: 400,
    code: 'JSON_MALFORMED',
    message: 'The body begins with a byte order mark, which JSON does not have. Send it without.',
  },
  {
    label: 'an escaped NUL',
    body: '{"lines":[{"narration":"ab"},{"narration":"a\\u0000b"}]}',
    status: 400,
    code: 'NUL_CHARACTER',
    message: 'lines.1.narration holds a NUL character, which no field may contain.',
  },
  {
    label: 'a NUL in a name',
    body: '{"a\\u0000b":1}',
    status: 400,
    code: 'NUL_CHARACTER',
    message: 'body holds a NUL character, which no field may contain.',
  },
  {
    label: 'half a character',
    body: '{"narration":"a\\ud800"}',
    status: 400,
    code: 'HALF_CHARACTER',
    message: 'narration holds half of a surrogate pair (\\ud800 to \\udfff alone), which is no character.',
  },
  {
    label: 'a number that no double holds',
    body: '{"other":1,"amount":1e999}',
    status: 400,
    code: 'NUMBER_TOO_LARGE',
    message: 'amount is a number that is too large for JSON numbers.',
  },
  { label: 'a raw line end in a string', body: '{"narration":"a\nb"}', status: 400, code: 'JSON_MALFORMED' },
  {
    label: 'a field named twice',
    body: '{"amount":1,"note":"amount: }","amount":2}',
    status: 400,
    code: 'FIELD_REPEATED',
    message: 'The body names amount more than once.',
  },
  {
    label: 'a field named twice in the second entry of a list',
    body: '{"note":["a,b"],"lines":[{"amount":1},{"amount":1,"amount":2}]}',
    status: 400,
    code: 'FIELD_REPEATED',
    message: 'The body names lines.1.amount more than once.',
  },
  {
    label: 'a field without a name, twice',
    body: '{"":1,"":2}',
    status: 400,
    code: 'FIELD_REPEATED',
    message: 'The body names body more than once.',
  },
  {
    label: 'a field named twice, once escaped',
    body: '{"amount":1,"\\u0061mount" :2}',
    status: 400,
    code: 'FIELD_REPEATED',
    message: 'The body names amount more than once.',
  },
  { label: '__proto__', body: '{"__proto__":{"amount":1}}', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'an escaped __proto__', body: '{"\\u005f_proto__":{"amount":1}}', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'constructor.prototype', body: '{"constructor":{"prototype":{}}}', status: 400, code: 'VALIDATION_FAILED' },
  { label: 'toString as a field', body: '{"toString":1}', status: 400, code: 'VALIDATION_FAILED' },
  {
    label: 'six thousand arrays',
    body: `${'['.repeat(6_000)}${']'.repeat(6_000)}`,
    status: 400,
    code: 'BODY_TOO_DEEP',
  },
  { label: 'twelve thousand open arrays', body: '['.repeat(12_000), status: 400, code: 'JSON_MALFORMED' },
  { label: 'more than a MiB', body: tooMuch, status: 413, code: 'BODY_TOO_LARGE' },
  { label: 'JSON called text', body: '{}', type: 'text/plain', status: 415, code: 'CONTENT_TYPE_UNSUPPORTED' },
  { label: 'XML', body: '<amount>1</amount>', type: 'application/xml', status: 415, code: 'CONTENT_TYPE_UNSUPPORTED' },
  {
    label: 'a form',
    body: 'amount=1',
    type: 'application/x-www-form-urlencoded',
    status: 415,
    code: 'CONTENT_TYPE_UNSUPPORTED',
  },
  { label: 'a content type of nonsense', body: '{}', type: ';;;', status: 415, code: 'CONTENT_TYPE_UNSUPPORTED' },
  { label: 'a UTF-16 body', body: Buffer.from('{"amount":1}', 'utf16le'), status: 400, code: 'JSON_MALFORMED' },
];

export const HOSTILE_KEYS: readonly { label: string; key: string }[] = [
  { label: 'empty', key: '' },
  { label: 'spaces inside', key: 'two words' },
  { label: '256 characters', key: 'k'.repeat(256) },
  { label: 'eight thousand characters', key: 'k'.repeat(8_000) },
  { label: 'not ASCII', key: 'clé' },
  { label: 'a tab', key: 'a\tb' },
];

/** What may stand in a query string where a value was expected. */
export const HOSTILE_QUERY_VALUES: readonly string[] = [
  '',
  '0',
  '-1',
  '1.5',
  '1e3',
  'NaN',
  'abc',
  '99999999999999999999',
  '%00',
  '%ff',
  '%e2%82',
  "' or 1=1 --",
  'null',
  '__proto__',
  '[]',
  '{}',
  '2026-02-30',
  '2026-11-20T25:00:00Z',
  '0000-01-01',
  '0001-01-01',
  '0000-01-01T00:00:00%2B23:59',
  '9999-12-31',
  '9999-12-31T23:59:59-23:59',
  'x'.repeat(3_000),
];
