import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { madeDocument, publicDocument } from '../../src/documentation/index.ts';
import { compileValidator } from '../../src/platform/http/validation.ts';
import { verifyBooks } from '../../src/verify/index.ts';
import { createTestApp } from '../support/app.ts';
import { requestsOf } from '../support/arbitraries.ts';
import { collectedOf } from '../support/collected.ts';
import { answerChecker, type Operation, operationsOf } from '../support/operations.ts';
import { signedInMember } from '../support/people.ts';
import { knownOf } from '../support/world.ts';

/**
 * The document is what the service does: requests made from its schemas, right and wrong ones, are never a defect, and
 * every answer fits the schema that it documents. `FUZZ_RUNS` says how many for each operation, `FUZZ_SEED` repeats one.
 */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 4);
const SEED = process.env['FUZZ_SEED'] === undefined ? {} : { seed: Number(process.env['FUZZ_SEED']) };
/** The slowest draws a report of 300 lines: a third of a second on a busy machine. */
const MS_PER_RUN = 1_000;

const routes: RouteOptions[] = [];
const noteRoutes = (made: unknown) => {
  (made as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route));
};
subscribe('fastify.initialization', noteRoutes);
const t = await createTestApp();
unsubscribe('fastify.initialization', noteRoutes);
const operations = operationsOf(t.app);
const owner = await signedInMember(t, t.merchant.merchantId, 'OWNER');
const known = { ...(await knownOf(t, t.merchant)), ...(await collectedOf(t, t.merchant, owner)) };
const faults = answerChecker();
afterAll(() => t.close());

describe('the document', () => {
  it('is served as it stands, in OpenAPI 3.1', async () => {
    const reply = await t.app.server.inject({ method: 'GET', url: '/openapi.json' });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual(JSON.parse(JSON.stringify(publicDocument(madeDocument(t.app.server)))));
    expect(reply.json().openapi).toBe('3.1.0');
  });

  it('has every operation of the interface', () => {
    expect(operations.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'PATCH /payout/bulk/item',
        'POST /payout/bulk/dispatch',
        'POST /transaction/requery',
        'POST /payout/single/schedule/cancel',
        'GET /merchant/info',
        'GET /wallet/merchant',
        'POST /branch/store/debit',
        'POST /subaccount/credit',
      ]),
    );
  });

  it('has schemas that can be compiled, which each is when it is first needed', () => {
    const parts = routes.flatMap(({ method, url, schema = {} }) =>
      (['params', 'querystring', 'headers', 'body'] as const).flatMap((httpPart) => {
        const part = schema[httpPart] as object | undefined;
        return part === undefined ? [] : [{ method: String(method), url, httpPart, schema: part }];
      }),
    );
    expect(parts.length).toBeGreaterThan(operations.length);
    for (const part of parts) expect(() => compileValidator(part)({}), `${part.method} ${part.url}`).not.toThrow();
  });

  it('takes no field in a body that it does not list', () => {
    const open = operations.filter(({ body }) => body !== undefined && body.additionalProperties !== false);
    expect(open.map(({ name }) => name)).toEqual([]);
  });
});

const outcomes = new Map<string, Record<number, number>>();

describe.each(operations)('$name', (operation) => {
  it(
    `answers ${RUNS} made-up requests as documented, and none of them is a defect`,
    async () => {
      const counts: Record<number, number> = {};
      const key = fc.option(fc.oneof(fc.uuid(), fc.string({ maxLength: 300 })), { freq: 3, nil: undefined });
      const property = fc.asyncProperty(requestsOf(operation, known), key, async (request, idempotencyKey) => {
        const headers =
          idempotencyKey === undefined || !isHeader(idempotencyKey) ? {} : { 'idempotency-key': idempotencyKey };
        const reply = await t.call(request.method, request.url, request.body, headers);
        counts[reply.status] = (counts[reply.status] ?? 0) + 1;
        expect(isDefect(operation, reply.status), reply.text).toBe(false);
        expect(faults(operation, reply), reply.text).toEqual([]);
      });
      await fc.assert(property, { numRuns: RUNS, ...SEED });
      outcomes.set(operation.name, counts);
    },
    60_000 + RUNS * MS_PER_RUN,
  );
});

/** A bank that does not say who owns an account is a refusal with a Retry-After, also in the sandbox. */
function isDefect({ path }: Operation, status: number): boolean {
  return status >= 500 && !(status === 503 && /^\/(bank\/resolve|payout\/single)/.test(path));
}

function isHeader(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

describe('after all of this', () => {
  it('most operations were also met with success, so that their answers were looked at', () => {
    const never = operations.map(({ name }) => name).filter((name) => (outcomes.get(name)?.[200] ?? 0) === 0);
    if (process.env['FUZZ_RUNS'] !== undefined)
      process.stdout.write(`${JSON.stringify(Object.fromEntries(outcomes), null, 1)}\n`);
    // One thing each can be done once only, and a made-up request seldom hits the moment: about a quarter, more or less by chance.
    expect(never.length, `never 200: ${never.join(', ')}`).toBeLessThan(operations.length / 2);
  });

  it('the books are right', async () => {
    const report = await verifyBooks(t.database);
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
