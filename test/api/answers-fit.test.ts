import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { resolve } from '../support/operations.ts';

let t: TestApp;
let ajv: Ajv;
let document: { paths: Record<string, Record<string, { responses: Record<string, { content: Content }> }>> };
type Content = Record<string, { schema: object }>;

beforeAll(async () => {
  t = await createTestApp();
  ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const served = (await t.call('GET', '/openapi.json')).body;
  document = { paths: resolve(served.paths, served) } as typeof document;
});
afterAll(() => t.close());

/** What the answer breaks of the schema that the reference shows for it. */
function breaches(method: string, path: string, status: number, body: unknown): unknown[] {
  const { responses } = document.paths[path]![method.toLowerCase()]!;
  const documented = responses[status] ?? responses[`${String(status)[0]}XX`];
  const validate = ajv.compile(documented!.content['application/json']!.schema);
  validate(body);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

describe('answers', () => {
  it('fit the schemas that the reference shows, refusals included', async () => {
    const { pin, walletId, storeIds, subaccountIds, publicKey } = t.merchant;
    const [storeId, subaccountId] = [storeIds[0], subaccountIds[0]];
    const debit = { pin, amount: 1.5, storeId, narration: 'x' };
    const transactionId = (await t.call('POST', '/branch/store/debit', debit)).body.data.transactionId;
    const pending = await t.addMerchant({ approved: false, mode: 'LIVE' });
    const asPending = { authorization: `Bearer ${pending.secretKey}` };
    const asPublic = { authorization: `Bearer ${publicKey}` };
    const calls: [method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown, headers?: Record<string, string>][] =
      [
        ['GET', '/merchant/info'],
        ['PATCH', '/merchant/info', { city: 'Lagos' }],
        ['PATCH', '/merchant/info', { city: 1 }],
        ['GET', '/wallet/merchant'],
        ['GET', '/wallet/merchant', undefined, asPending],
        ['GET', '/wallet/merchant', undefined, asPublic],
        ['GET', '/wallet/merchant/statement'],
        ['GET', '/branch/store'],
        ['GET', '/branch/store/{storeId}'],
        ['POST', '/branch/store', { name: 'Yaba' }],
        ['POST', '/branch/store/debit', debit],
        ['POST', '/branch/store/debit', { ...debit, amount: 1e9 }],
        ['GET', '/subaccount'],
        ['GET', '/subaccount/{subaccountId}'],
        ['POST', '/subaccount', { name: 'Ada' }],
        ['POST', '/subaccount/credit', { amount: 2, subaccountId, metadata: { a: 1 } }],
        ['POST', '/subaccount/debit', { pin, amount: 1, subaccountId }],
        ['GET', '/transaction'],
        ['GET', '/transaction/{transactionId}'],
        ['GET', '/transaction/{transactionId}/evidence'],
        ['POST', '/sandbox/wallet/fund', { walletId, amount: 1 }],
        ['POST', '/sandbox/clock/advance', { seconds: 1 }],
        ['GET', '/bank', undefined, asPublic],
        ['POST', '/bank/resolve', { bankCode: '058', accountNumber: '0000999901' }],
        ['POST', '/bank/resolve', { bankCode: '058', accountNumber: '0009999904' }],
        ['POST', '/auth/token', {}],
        ['POST', '/auth/token', {}, asPublic],
      ];
    const ids: Record<string, string | undefined> = { storeId, subaccountId, transactionId };
    for (const [method, path, body, headers] of calls) {
      const address = path.replace(/\{(\w+)\}/, (_, name: string) => ids[name] ?? name);
      const answer = await t.call(method, address, body, headers);
      expect([method, path, answer.status, ...breaches(method, path, answer.status, answer.body)]).toEqual([
        method,
        path,
        answer.status,
      ]);
      expect(answer.status).toBeLessThan(500);
    }
  });
});
