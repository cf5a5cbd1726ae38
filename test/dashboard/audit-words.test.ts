import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionWords } from '../../dashboard/src/audit/audit-words.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { allOperationsOf } from '../support/operations.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

it('says in the audit log of everything that can be done that it was done, and not what an operation is for', () => {
  const writing = allOperationsOf(t.app).filter(({ method }) => method !== 'GET');
  expect(writing.length).toBeGreaterThan(100);
  const actions = writing.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
  actions.push('sign-in', 'sign-up', 'join', 'password-reset', 'revoke-key');
  expect(actions.filter((action) => actionWords({ action, summary: '' }) === '')).toEqual([]);
});
