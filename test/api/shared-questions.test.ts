import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, TEST_PIN, type TestApp } from '../support/app.ts';
import { observed } from '../support/observed.ts';

const AT_ONCE = 60;
/** A question that each asks for itself is asked sixty times; what they share takes a few. */
const MOST_ASKED = 12;

let app: TestApp;
let asked: () => number;

beforeAll(async () => {
  app = await createTestApp({}, (database) => {
    const counted = observed(database);
    ({ asked } = counted);
    return counted.database;
  });
});
afterAll(() => app.close());

const store = () => app.merchant.storeIds[0];
const debit = () => ({ storeId: store(), amount: 1, narration: 'Sale', pin: TEST_PIN });

describe('requests that come at once', () => {
  it.each([
    ['the balance of the wallet', 'GET', () => '/wallet/merchant', () => undefined],
    ['one store', 'GET', () => `/branch/store/${store()}`, () => undefined],
    ['one subaccount', 'GET', () => `/subaccount/${app.merchant.subaccountIds[0]}`, () => undefined],
    ['debits of a store', 'POST', () => '/branch/store/debit', debit],
  ] as const)('for %s share their questions to the database', async (_what, method, path, body) => {
    const call = () => app.call(method, path(), body(), { 'idempotency-key': randomUUID() });
    expect((await call()).text).toContain('"status":true');
    const before = asked();
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, call));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked() - before).toBeLessThanOrEqual(MOST_ASKED);
  });
});
