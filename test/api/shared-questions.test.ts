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

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

const REQUESTS: readonly [what: string, of: (app: TestApp) => Asked][] = [
  ['the balance of the wallet', () => ({ method: 'GET', path: '/wallet/merchant' })],
  ['one store', ({ merchant }) => ({ method: 'GET', path: `/branch/store/${merchant.storeIds[0]}` })],
  ['one subaccount', ({ merchant }) => ({ method: 'GET', path: `/subaccount/${merchant.subaccountIds[0]}` })],
  [
    'debits of a store',
    ({ merchant }) => ({
      method: 'POST',
      path: '/branch/store/debit',
      body: { storeId: merchant.storeIds[0], amount: 1, narration: 'Sale', pin: TEST_PIN },
    }),
  ],
];

describe('requests that come at once', () => {
  it.each(REQUESTS)('for %s share their questions to the database', async (_what, of) => {
    const { method, path, body } = of(app);
    const call = () => app.call(method, path, body, { 'idempotency-key': randomUUID() });
    expect((await call()).text).toContain('"status":true');
    const before = asked();
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, call));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked() - before).toBeLessThanOrEqual(MOST_ASKED);
  });
});
