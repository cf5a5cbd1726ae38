import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearerOf, createTestApp, type TestApp, type TestMerchant } from '../support/app.ts';

let t: TestApp;
let other: TestMerchant;
beforeAll(async () => {
  t = await createTestApp();
  other = await t.addMerchant();
});
afterAll(() => t.close());

const open = async (merchant: TestMerchant, name: string) => {
  const reply = await t.call('POST', '/branch/store', { name }, bearerOf(merchant));
  expect(reply.status, reply.text).toBe(200);
};
const find = async (query: string) => {
  const reply = await t.call('GET', `/branch/store?${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};
const names = ({ records }: { records: { name: string }[] }) => records.map(({ name }) => name);

describe('a search among stores', () => {
  it('finds every store of the merchant with the text in its name, page by page, and none of anybody else', async () => {
    for (const name of ['Apapa North', 'Yaba', 'apapa south', 'Lekki_1']) await open(t.merchant, name);
    await open(other, 'Apapa of another');
    expect(names(await find('search=APAPA'))).toEqual(['apapa south', 'Apapa North']);
    const first = await find('search=apapa&size=1');
    expect(names(first)).toEqual(['apapa south']);
    expect(first.totalRecords).toBe(2);
    expect(names(await find(`search=apapa&size=1&after=${first.nextCursor}`))).toEqual(['Apapa North']);
    for (const [search, found] of [
      ['_', ['Lekki_1']],
      ['%25', []],
      ['%20', ['Lekki_1', 'apapa south', 'Yaba', 'Apapa North', 'Ikeja']],
    ] as const) {
      expect(names(await find(`search=${search}`)), search).toEqual(found);
    }
  });
});
