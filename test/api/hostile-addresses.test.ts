import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { HOSTILE_QUERY_VALUES } from '../support/hostile.ts';
import { answerChecker, type Operation, operationsOf, refusalFaults, sampleRequest } from '../support/operations.ts';
import { type Books, knownOf, readBooks } from '../support/world.ts';

/** Wrong ids, query strings and addresses: refused, never a defect, and nothing moves. */
const t = await createTestApp();
const known = await knownOf(t, t.merchant);
const faults = answerChecker();
const operations = operationsOf(t.app);

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

const HOSTILE_PATH_IDS = [
  'x',
  '%00',
  '%ff',
  '..%2f..',
  '%20',
  "'%20or%201=1",
  'null',
  '1'.repeat(250),
  '1'.repeat(2_000),
  '01930000-0000-7000-8000-00000000000g',
];

describe.each(operations.filter(({ path }) => path.includes('{')))('$name', (operation) => {
  it('refuses malformed ids in the address', async () => {
    for (const id of HOSTILE_PATH_IDS) {
      const url = operation.path.replaceAll(/\{\w+\}/g, id);
      const reply = await t.call(operation.method, url, sampleRequest(operation, known).body);
      expect([400, 404], `${url}: ${reply.text}`).toContain(reply.status);
      expect(faults(operation, reply), url).toEqual([]);
    }
  });
});

/** Every list reads these by one schema and in one place: one list gets all values, the others one of each kind. */
const PAGING = new Set(['page', 'size', 'after', 'before']);
const PAGING_VALUES = ['', '-1', '1e3', '99999999999999999999', '%00', '__proto__'];
const valuesFor = (name: string, operation: Operation) =>
  PAGING.has(name) && operation.path !== '/transaction' ? PAGING_VALUES : HOSTILE_QUERY_VALUES;

describe.each(operations.filter(({ method }) => method === 'GET'))('$name', (operation) => {
  const { url: plain } = sampleRequest(operation, known);
  const url = plain.includes('?') ? `${plain}&` : `${plain}?`;
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);

  it('answers every value of its query without a defect, and no answer surprises the document', async () => {
    for (const name of names) {
      for (const value of valuesFor(name, operation)) {
        const reply = await t.call('GET', `${url}${name}=${value}`);
        expect([200, 400, 404], `${name}=${value}: ${reply.text}`).toContain(reply.status);
        expect(faults(operation, reply), `${name}=${value}: ${reply.text}`).toEqual([]);
      }
    }
  });

  it('refuses a parameter given twice', async () => {
    for (const name of names) {
      const reply = await t.call('GET', `${url}${name}=1&${name}=2`);
      expect(reply.status, `${name}: ${reply.text}`).toBe(400);
      expect(reply.body.errors, `${name}: ${reply.text}`).toContainEqual({
        field: name,
        message: 'must be given once',
      });
      expect(faults(operation, reply)).toEqual([]);
    }
  });

  it('refuses a parameter that it does not know', async () => {
    for (const name of ['merchantId', 'Page', '__proto__', 'constructor', 'a[b]']) {
      const reply = await t.call('GET', `${url}${name}=1`);
      expect([reply.status, reply.body.code], `${name}: ${reply.text}`).toEqual([400, 'VALIDATION_FAILED']);
      const message = 'is not a query parameter of this operation';
      expect(reply.body.errors, `${name}: ${reply.text}`).toContainEqual({ field: name, message });
      expect(faults(operation, reply)).toEqual([]);
    }
  });
});

describe('a field of the body that stands behind the question mark', () => {
  it('is refused as a parameter, since as a field the operation has it', async () => {
    const { status, body } = await t.call('POST', '/payout/quote?amount=100', { amount: 100 });
    expect([status, body.message]).toEqual([400, 'amount is not a query parameter of this operation.']);
  });
});

describe('a filter by the type of an event', () => {
  it('takes every type that there is, and refuses a misspelt one in place of waiting for it', async () => {
    const { webhooks } = (await t.call('GET', '/openapi.json')).body;
    const answers: string[] = [];
    for (const path of ['/event', '/webhook/delivery']) {
      for (const type of Object.keys(webhooks)) {
        const { status, text } = await t.call('GET', `${path}?type=${type}`);
        if (status !== 200) answers.push(`${path} ${type}: ${text}`);
      }
      const { status, body } = await t.call('GET', `${path}?type=payout.success`);
      expect([path, status, body.errors?.[0]?.field]).toEqual([path, 400, 'type']);
      expect(body.errors[0].message).toMatch(/^must be the name of an event, such as payout\.succeeded/);
    }
    expect(answers).toEqual([]);
  });
});

describe('addresses that lead nowhere', () => {
  it.each([
    ['GET', '/no/such/operation'],
    ['GET', '/wallet/merchant/..'],
    ['GET', `/${'a'.repeat(5_000)}`],
    ['GET', '/branch/store/%'],
    ['GET', '/branch/store/%zz'],
    ['GET', '/%2e%2e/etc/passwd'],
    ['GET', '//branch/store'],
    ['POST', '/'],
    ['POST', '/wallet/merchant'],
    ['PATCH', '/branch/store/debit'],
    ['DELETE', '/wallet/merchant'],
  ] as const)('%s %s is refused in the one voice', async (method, url) => {
    const reply = await t.call(method, url, method === 'GET' ? undefined : {});
    expect([400, 404, 405], reply.text).toContain(reply.status);
    expect(refusalFaults(reply.body), reply.text).toEqual([]);
    expect(reply.headers['x-request-id']).toBeTruthy();
  });
});

describe('an address that is there for another method', () => {
  const GET_OF_COMMANDS = operations
    .filter(({ method, path }) => method !== 'GET' && !path.includes('{'))
    .filter(({ path }) => !operations.some((other) => other.method === 'GET' && other.path === path));

  it.each(GET_OF_COMMANDS)(
    'is not taken for an id: GET of $name is 405 and names $method',
    async ({ method, path }) => {
      const reply = await t.call('GET', path);
      expect([reply.status, reply.body.code, reply.headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', method]);
    },
  );

  it('is refused for that, whatever the body is', async () => {
    const headers = { 'content-type': 'application/json', host: 'localhost' };
    for (const payload of ['{', '', '\xff']) {
      const reply = await t.app.server.inject({ method: 'POST', url: '/wallet/merchant', headers, payload });
      expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('is refused for that, whatever the method is', async () => {
    for (const method of ['QUERY', 'PUT', 'OPTIONS', 'TRACE'] as const) {
      const reply = await t.app.server.inject({ method: method as 'PUT', url: '/wallet/merchant' });
      expect([method, reply.statusCode]).toEqual([method, 405]);
    }
  });

  it('has the other methods of that path alone, with a slash at the end as well', async () => {
    const reply = await t.app.server.inject({ method: 'DELETE', url: '/branch/store/debit/?page=1' });
    expect([reply.statusCode, reply.headers['allow']]).toEqual([405, 'POST']);
  });
});
