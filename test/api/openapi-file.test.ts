import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';

it('no two components have one name, of whatever kind they are: generators make one type of each', () => {
  const { components } = readDocument() as { components: Record<string, object> };
  const names = Object.values(components).flatMap((kind) => Object.keys(kind));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

it('what is assumed where nothing is sent is a value that may be sent', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const document = readDocument();
  ajv.addSchema(document, 'document');
  const assumed = [...schemasWithDefault(document, '#')];
  expect(assumed.length).toBeGreaterThan(10);
  const wrong = assumed.filter(([place, value]) => !ajv.validate({ $ref: `document${place}` }, value));
  expect(wrong).toEqual([]);
});

function readDocument(): object {
  return JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as object;
}

function* schemasWithDefault(node: object, place: string): Generator<[place: string, value: unknown]> {
  if ('default' in node) yield [place, node.default];
  for (const [key, value] of Object.entries(node)) {
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
    if (typeof value === 'object' && value !== null) yield* schemasWithDefault(value, `${place}/${step}`);
  }
}
