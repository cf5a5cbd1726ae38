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

/** Records with a status that say nothing of its end, and why. */
const WITHOUT_CONCLUSIVE: Readonly<Record<string, string>> = {
  Merchant: 'its fields are those of the interface',
  SubaccountCredit: 'its fields are those of the interface',
  SubaccountDebit: 'the fields of a credit',
  Endpoint: 'an address of webhooks, which never ends',
  PaymentLink: 'may be activated again',
  SessionPayment: 'a line about a payment in, whose record says it',
  GroupAction: 'a step on a batch, whose record says it',
};

it('every record whose status may change says whether it is final, but for those that are named here', () => {
  const { components } = readDocument() as { components: { schemas: Record<string, { properties?: object }> } };
  const shown = Object.entries(components.schemas).filter(([, { properties }]) => {
    const { status } = (properties ?? {}) as { status?: { enum?: unknown[]; $ref?: string } };
    return typeof status?.enum?.[0] === 'string' || status?.$ref !== undefined;
  });
  expect(shown.length).toBeGreaterThan(20);
  const without = shown.filter(([, { properties }]) => !('conclusive' in (properties ?? {})));
  expect(without.map(([name]) => name).toSorted()).toEqual(Object.keys(WITHOUT_CONCLUSIVE).toSorted());
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
