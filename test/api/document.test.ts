import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areTypesOf } from '../../scripts/api-types.ts';
import { type Components, shareParameters, withReferences } from '../../src/documentation/document.ts';
import { finishDocument, madeDocument } from '../../src/documentation/index.ts';
import { createTestApp, type TestApp } from '../support/app.ts';

/** How the API document reads to a generator of clients. */

interface Node {
  [key: string]: unknown;
}

let t: TestApp;
// biome-ignore lint/suspicious/noExplicitAny: tests look into every part of the document
let document: any;

beforeAll(async () => {
  t = await createTestApp();
  document = (await t.call('GET', '/openapi.json')).body;
});
afterAll(() => t.close());

/** Calls `see` with every object of the document and where it stands. Examples are data, not schemas. */
function walk(value: unknown, see: (node: Node, at: string) => void, at = ''): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) see(value as Node, at);
  for (const [key, entry] of Object.entries(value)) {
    if (key !== 'example' && key !== 'examples') walk(entry, see, `${at}/${key}`);
  }
}

interface Operation extends Node {
  operationId: string;
  tags: string[];
  description: string;
  parameters?: Node[];
  responses: Record<string, Node>;
}

function operations(): { name: string; operation: Operation }[] {
  return Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

/** What a reference names. */
function target(node: Node): Node {
  const pointer = node['$ref'] as string | undefined;
  if (pointer === undefined) return node;
  return pointer
    .split('/')
    .slice(1)
    .reduce((found, key) => found[key], document) as Node;
}

const namesOf = (operation: Operation, status: string): string[] =>
  Object.keys((target(operation.responses[status] ?? {})['headers'] as object | undefined) ?? {});

/** A token is a secret, and a preview makes nothing. */
const KEEPS_NO_ANSWER: ReadonlySet<string> = new Set(['POST /auth/token', 'POST /payout/bulk/preview']);

describe('the API document', () => {
  it('names every operation as a method of an SDK would be called, each once', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]+)+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('puts every operation under one tag that it explains, and says in sentences what it does', () => {
    const tags = new Map((document.tags as { name: string; description: string }[]).map((tag) => [tag.name, tag]));
    const wrong = operations().filter(
      ({ operation }) =>
        operation.tags.length !== 1 ||
        (tags.get(operation.tags[0] as string)?.description ?? '') === '' ||
        !/\.$/.test(operation.description ?? ''),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const used = new Set(operations().flatMap(({ operation }) => operation.tags));
    expect([...tags.keys()].filter((name) => !used.has(name))).toEqual([]);
  });

  it('says of every number how wide it is, so that no client holds money in 32 bits', () => {
    const bare: string[] = [];
    walk(document, (node, at) => {
      const types = [node['type']].flat();
      if (types.includes('number') && node['format'] !== 'double') bare.push(at);
      if (types.includes('integer') && !/^int(32|64)$/.test(String(node['format']))) bare.push(at);
    });
    expect(bare).toEqual([]);
  });

  it('gives every amount of a request its bounds, and no step: validators that divide refuse 4.35 for 0.01', () => {
    const amounts: Node[] = [];
    walk(document.paths, (node, at) => {
      if (/requestBody.*\/(amount|controlTotal)$/.test(at) && [node['type']].flat().includes('number'))
        amounts.push(node);
    });
    expect(amounts.length).toBeGreaterThan(5);
    for (const { minimum, maximum, multipleOf } of amounts) {
      // An item of a bulk payout may be of less: it is kept, and shown as invalid.
      expect([-9_999_999_999_999.99, 0, 0.01]).toContain(minimum);
      expect([maximum, multipleOf]).toEqual([9_999_999_999_999.99, undefined]);
    }
  });

  it('writes every object of an operation once: what stands twice has a name', () => {
    const places = new Map<string, string[]>();
    // What only webhooks have is written out: some generators make no types of what nothing else refers to.
    walk({ paths: document.paths, components: document.components }, (node, at) => {
      // The fields that a page or an answer has of its own are a reference and little more.
      if (node['properties'] === undefined || Object.keys(node['properties'] as object).length < 3) return;
      const text = JSON.stringify(node);
      places.set(text, [...(places.get(text) ?? []), at]);
    });
    expect([...places.values()].filter((found) => found.length > 1)).toEqual([]);
  });

  it('declares the header Idempotency-Key where an answer is kept, and that it was replayed', () => {
    for (const { name, operation } of operations()) {
      const takes = (operation.parameters ?? [])
        .map(target)
        .some((parameter) => parameter['name'] === 'Idempotency-Key');
      const keeps = !name.startsWith('GET ') && !KEEPS_NO_ANSWER.has(name);
      expect([name, takes]).toEqual([name, keeps]);
      expect([name, namesOf(operation, '200').includes('Idempotency-Replayed')]).toEqual([name, keeps]);
    }
  });

  it('declares the headers that answers carry', () => {
    for (const { name, operation } of operations()) {
      for (const status of Object.keys(operation.responses)) {
        expect([name, status, namesOf(operation, status)]).toEqual([
          name,
          status,
          expect.arrayContaining(['X-Request-Id']),
        ]);
      }
      expect(namesOf(operation, '429')).toEqual(expect.arrayContaining(['Retry-After', 'RateLimit-Limit']));
      expect(namesOf(operation, '503')).toContain('Retry-After');
      expect(namesOf(operation, '401')).toContain('WWW-Authenticate');
    }
  });

  it('lists for every refusal of every operation the codes that it may carry, each in the catalogue', async () => {
    const page = (await t.call('GET', '/docs/errors')).text;
    for (const { name, operation } of operations()) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (!/^[45]/.test(status)) continue;
        const codes: string[] = [];
        walk(target(response), (node, at) => {
          if (/\/code$/.test(at)) codes.push(...((node['enum'] as string[] | undefined) ?? []));
        });
        if (name === 'GET /wallet/merchant' && status === '403') continue;
        expect([name, status, codes.length]).not.toEqual([name, status, 0]);
        for (const code of codes) expect(page).toContain(`id="${code}"`);
      }
    }
  });

  it('shows for every operation an answer that was seen, and for every body a request', () => {
    const without = operations().filter(({ operation }) => {
      const answer = (operation.responses['200'] as { content?: Record<string, Node> }).content ?? {};
      const body = (operation['requestBody'] as { content?: Record<string, Node> } | undefined)?.content ?? {};
      const shown = [answer['application/json'] ?? answer['text/csv'], body['application/json']];
      return shown.some((media) => media !== undefined && media['example'] === undefined);
    });
    expect(without.map(({ name }) => name)).toEqual([]);
  });
});

describe('an example in a schema', () => {
  const data = { title: 'Invoice', const: 7, parameters: [{ name: 'page' }, { name: 'page' }] };

  it.each(['example', 'examples'])('is data under `%s`: nothing in it becomes a component or is changed', (key) => {
    const schema = { type: 'object', [key]: key === 'example' ? data : [data] };
    const schemas: Components = {};
    expect(withReferences({ one: schema, two: schema }, schemas)).toEqual({ one: schema, two: schema });
    expect(schemas).toEqual({});
    expect(shareParameters(schema)).toEqual({ operations: schema, parameters: {} });
  });

  it('is not what a field of that name has', () => {
    const schemas: Components = {};
    const named = { title: 'Sample', type: 'string' };
    withReferences({ type: 'object', properties: { example: named } }, schemas);
    expect(Object.keys(schemas)).toEqual(['Sample']);
  });
});

describe('openapi.json', () => {
  it('has nothing of what only signed-in people use', () => {
    const tags = operations().flatMap(({ operation }) => operation.tags);
    expect(tags.filter((tag) => /^(Dashboard|Operator)/.test(tag))).toEqual([]);
  });

  it('is the one copy in the repository, without a schema written out twice', () => {
    const kept = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
    expect(JSON.parse(kept)).toEqual(document);
  });
});

describe('the types of the dashboard', () => {
  const file = readFileSync(new URL('../../dashboard/src/api/schema.d.ts', import.meta.url), 'utf8');
  const served = () => JSON.parse(JSON.stringify(finishDocument(madeDocument(t.app.server))));

  it('are those of what this commit serves: npm run openapi writes them', () => {
    expect(areTypesOf(served(), file)).toBe(true);
  });

  it('are not taken for them where either is changed', () => {
    expect(areTypesOf({ ...served(), openapi: '3.1.1' }, file)).toBe(false);
    expect(areTypesOf(served(), file.replace(': string;', ': number;'))).toBe(false);
  });
});
