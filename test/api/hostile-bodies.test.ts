import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type Reply } from '../support/app.ts';
import { HOSTILE_BODIES, HOSTILE_KEYS, hostileValues } from '../support/hostile.ts';
import { answerChecker, bodyFields, type Operation, operationsOf, sampleRequest } from '../support/operations.ts';
import { type Books, knownOf, readBooks } from '../support/world.ts';

/**
 * Every operation that takes a body gets every kind of wrong one. Each is refused with a sentence and a stable code, and
 * the books do not move: generated from the routes, so a new operation is held to it from its first day.
 */
const t = await createTestApp();
const known = await knownOf(t, t.merchant);
const faults = answerChecker();
const all = operationsOf(t.app);
const operations = all.filter(({ body }) => body !== undefined);
const commands = all.filter(({ method }) => method !== 'GET');
const withoutBody = commands.filter(({ contents }) => Object.keys(contents).length === 0);

let books: Books;
beforeAll(async () => {
  books = await readBooks(t.connectionString);
});
afterEach(async () => {
  const before = books;
  books = await readBooks(t.connectionString);
  expect(books).toEqual(before);
});
afterAll(() => t.close());

async function send(operation: Operation, body: string | Buffer, headers: Record<string, string> = {}): Promise<Reply> {
  const { method, url } = sampleRequest(operation, known);
  const answer = await t.app.server.inject({
    method,
    url,
    headers: { authorization: `Bearer ${t.merchant.secretKey}`, 'content-type': 'application/json', ...headers },
    payload: body,
  });
  let parsed: unknown;
  try {
    parsed = JSON.parse(answer.body);
  } catch {
    parsed = answer.body;
  }
  return { status: answer.statusCode, headers: answer.headers, body: parsed, text: answer.body };
}

/** The operation's sample with one field's JSON text replaced. */
function bodyWith(operation: Operation, field: string, json: string): string {
  const body = { ...(sampleRequest(operation, known).body as Record<string, unknown>) };
  delete body[field];
  const rest = JSON.stringify(body).slice(1, -1);
  return `{${rest}${rest === '' ? '' : ','}${JSON.stringify(field)}:${json}}`;
}

const said = (label: string, reply: Reply) => `${label}: ${reply.status} ${reply.text.slice(0, 200)}`;

describe.each(operations)('$name', (operation) => {
  it('answers every body that is wrong as a whole with the code of what is wrong', async () => {
    const wrong: string[] = [];
    for (const { label, body, type, status, code, message } of HOSTILE_BODIES) {
      // A list of 100,000 items is longer; its own limit is tested with its files.
      if (code === 'BODY_TOO_LARGE' && /^POST \/payout\/bulk(?:\/preview)?$/.test(operation.name)) continue;
      const reply = await send(operation, body, type === undefined ? {} : { 'content-type': type });
      if (reply.status !== status || reply.body.code !== code) wrong.push(said(label, reply));
      if (message !== undefined && reply.body.message !== message) wrong.push(said(label, reply));
      wrong.push(...faults(operation, reply).map((fault) => said(`${label}: ${fault}`, reply)));
    }
    expect(wrong).toEqual([]);
  });

  it.runIf(operation.needsBody)('says so where its body is empty', async () => {
    const reply = await send(operation, '');
    expect([reply.status, reply.body.code], reply.text).toEqual([400, 'BODY_MISSING']);
    expect(faults(operation, reply)).toEqual([]);
  });

  it('answers a body without a content type with 415', async () => {
    const reply = await send(operation, '{}', { 'content-type': '' });
    expect([reply.status, reply.body.code]).toEqual([415, 'CONTENT_TYPE_UNSUPPORTED']);
  });

  it('refuses wrong values of each field and names the field', async () => {
    const wrong: string[] = [];
    for (const [field, schema] of bodyFields(operation)) {
      for (const { label, json } of hostileValues(field, schema)) {
        const reply = await send(operation, bodyWith(operation, field, json));
        if (reply.status !== 400) wrong.push(said(`${field}: ${label}`, reply));
        const named = (reply.body.errors as { field: string }[] | undefined)?.some((error) =>
          error.field.startsWith(field),
        );
        if (reply.body.code === 'VALIDATION_FAILED' && named !== true)
          wrong.push(said(`${field}: ${label}: not named`, reply));
        wrong.push(...faults(operation, reply).map((fault) => said(`${field}: ${label}: ${fault}`, reply)));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('refuses wrong values also with an idempotency key, and keeps nothing under it', async () => {
    const wrong: string[] = [];
    for (const [field, schema] of bodyFields(operation)) {
      // Of each kind that the schema or the operation itself refuses there is one among every fourth.
      const some = hostileValues(field, schema).filter((_value, at) => at % 4 === 0);
      for (const { label, json } of some) {
        const reply = await send(operation, bodyWith(operation, field, json), { 'idempotency-key': 'hostile-1' });
        if (reply.status !== 400) wrong.push(said(`${field}: ${label}`, reply));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('refuses a body that lacks a required field, and names it', async () => {
    for (const field of operation.body?.required ?? []) {
      const body = { ...(sampleRequest(operation, known).body as Record<string, unknown>) };
      delete body[field];
      const reply = await send(operation, JSON.stringify(body));
      expect([reply.status, reply.body.code], said(field, reply)).toEqual([400, 'VALIDATION_FAILED']);
      expect(reply.body.errors).toEqual([{ field, message: 'is required' }]);
      expect(faults(operation, reply)).toEqual([]);
    }
  });

  it('refuses fields that it does not know, by name', async () => {
    for (const field of ['amountMinor', 'Amount', ' amount', 'merchantId', 'hasOwnProperty', '', '💸']) {
      const reply = await send(operation, bodyWith(operation, field, '1'));
      expect([reply.status, reply.body.code], said(field, reply)).toEqual([400, 'VALIDATION_FAILED']);
      expect(reply.body.errors).toContainEqual({ field, message: 'is not a field of this operation' });
    }
  });

  it('refuses idempotency keys that are none', async () => {
    const body = JSON.stringify(sampleRequest(operation, known).body);
    for (const { label, key } of HOSTILE_KEYS) {
      const reply = await send(operation, body, { 'idempotency-key': key });
      expect([reply.status, reply.body.code], said(label, reply)).toEqual([400, 'IDEMPOTENCY_KEY_MALFORMED']);
      expect(faults(operation, reply)).toEqual([]);
    }
  });
});

describe('a body with a GET', () => {
  const reads = all.filter(({ method }) => method === 'GET');

  it.each(reads)(
    '$name is refused where it would say something, and taken where it says nothing',
    async (operation) => {
      const reply = await send(operation, JSON.stringify({ status: 'FAILED' }));
      expect([reply.status, reply.body.code], reply.text).toEqual([400, 'VALIDATION_FAILED']);
      const message = 'is not read of a GET: parameters stand behind the ? of its address';
      expect(reply.body.errors).toEqual([{ field: 'body', message }]);
      expect(faults(operation, reply)).toEqual([]);
      for (const nothing of ['{}', 'null'])
        expect((await send(operation, nothing)).text, nothing).not.toContain('is not read of a GET');
    },
  );
});

describe.each(withoutBody)('$name, which takes no body,', (operation) => {
  it('refuses a field that it would not read, and keeps nothing under the key', async () => {
    const fields = { pin: '1234', narration: 'December salary' };
    const reply = await send(operation, JSON.stringify(fields), { 'idempotency-key': 'unread-1' });
    expect([reply.status, reply.body.code], reply.text).toEqual([400, 'VALIDATION_FAILED']);
    const message = 'is not a field of this operation';
    expect(reply.body.errors).toEqual(Object.keys(fields).map((field) => ({ field, message })));
    expect(faults(operation, reply)).toEqual([]);
  });

  it('refuses a list and a text, which are no fields at all', async () => {
    for (const body of ['[1]', '"text"', 'null']) {
      const reply = await send(operation, body);
      expect(reply.status, `${body}: ${reply.text}`).toBe(400);
      expect(faults(operation, reply)).toEqual([]);
    }
  });
});

describe('an operation that needs no field', () => {
  const free = commands.filter(({ path, needsBody }) => !needsBody && (path.includes('{') || path === '/auth/token'));

  it.each(free)('is the same with no body, an empty one and an empty object: $name', async (operation) => {
    // Of nobody's record: it is looked for after the body was read.
    const { method, url } = sampleRequest(operation, {});
    const authorization = `Bearer ${t.merchant.secretKey}`;
    const json = { authorization, 'content-type': 'application/json' };
    const answers = [
      await t.app.server.inject({ method, url, headers: { authorization } }),
      await t.app.server.inject({ method, url, headers: json, payload: '' }),
      await t.app.server.inject({ method, url, headers: json, payload: '{}' }),
    ].map((answer) => [answer.statusCode, answer.json<{ code?: string }>().code]);
    expect(answers).toEqual(Array(3).fill(operation.path === '/auth/token' ? [200, undefined] : answers[0]));
    expect(answers[0]?.[0]).toBe(operation.path === '/auth/token' ? 200 : 404);
  });
});
