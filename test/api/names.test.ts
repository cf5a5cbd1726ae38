import { afterAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';

const t = await createTestApp();
afterAll(() => t.close());

interface Schema {
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** Every text that a body may hold, as `POST /branch/store name`. */
function textsOf(name: string, schema: Schema, path = ''): { name: string; schema: Schema }[] {
  const own = [schema.type].flat().includes('string') && schema.enum === undefined && schema.const === undefined;
  return [
    ...(own ? [{ name: `${name} ${path}`, schema }] : []),
    ...(schema.anyOf ?? []).flatMap((one) => textsOf(name, one, path)),
    ...(schema.items === undefined ? [] : textsOf(name, schema.items, `${path}[]`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, one]) =>
      textsOf(name, one, path === '' ? field : `${path}.${field}`),
    ),
  ];
}

const document = t.app.server.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };
const texts = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody }]) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      textsOf(`${method.toUpperCase()} ${path}`, schema),
    ),
  ),
);

/** What is never shown to anybody as it was given, or is taken only where it is something that we made. */
const NOT_SHOWN = [
  / (password|newPassword|token|code|pin)$/,
  / (file|batchReference|transactionId|reference)$/,
  / (allowedIps|rails|endsRuleIds|transactionIds)\[\]$/,
  // Looked at by the command, which says what is wrong with an address.
  /^POST \/(sign-up|session|password\/forgot|member\/invite|operator\/person\/invite) email$/,
  // Cleaned, with a warning at the row: what comes out of a spreadsheet is corrected, not refused.
  /^(POST \/payout\/bulk(\/preview)? (items\[\]|defaults)\.|PATCH \/payout\/bulk\/item |POST \/payout\/bulk\/\{batchReference\}\/problem\/resolve )/,
  // Compared with the names of the sheets that the file has.
  / sheet$/,
  // Looked at by the command, field by field: a form has no formats.
  /^POST \/collection\/dispute\/\{disputeId\}\/evidence /,
  // Read as an amount and as a day.
  /^POST \/operator\/settlement-fetch (lumpSum|settledOn)$/,
  / rail$/,
];
/** Of these nothing but plain characters can be given. */
const ASCII_ONLY = /^[\x20-\x7e]*$/;
const takesOnlyAscii = ({ format, pattern }: Schema) =>
  format === 'uuid' ||
  format === 'date-time' ||
  (pattern !== undefined && ASCII_ONLY.test(pattern) && !new RegExp(pattern, 'u').test('a\u202eb@x\u202ey.z'));

describe('a name, and whatever else people read', () => {
  const shown = texts.filter(({ name, schema }) => !NOT_SHOWN.some((one) => one.test(name)) && !takesOnlyAscii(schema));

  it.each(shown)('takes no mark that nobody sees: $name', ({ schema }) => {
    expect(schema.format).toMatch(/^visible-(text|lines)$/);
  });

  it.each([
    ['turns the direction of writing', 'Ikeja\u202eegniN'],
    ['isolates a direction', 'Ikeja\u2066'],
    ['has no width', 'Ike\u200bja'],
    ['joins', 'Ikeja \u{1f468}\u200d\u{1f469}'],
    ['only varies what stands before it', 'Ikeja\ufe0f'],
    ['only joins what stands beside it', 'Ike\u034fja'],
  ])('is refused at its field where a mark %s', async (_what, name) => {
    const reply = await t.call('POST', '/branch/store', { name });
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(reply.body.errors).toEqual([{ field: 'name', message: 'must not contain invisible characters' }]);
  });

  it('is kept in one form, however a keyboard composes it', async () => {
    const { data } = (await t.call('POST', '/branch/store', { name: 'Ado\u0301 E\u0323kiti\u00a0Branch' })).body;
    expect(data.name).toBe('Ad\u00f3 \u1eb8kiti Branch');
  });
});
