import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

describe('openapi.json', () => {
  it('is the document that this commit serves: npm run openapi writes it', async () => {
    const kept = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
    const served = (await t.call('GET', '/openapi.json')).body;
    expect(Object.keys(kept.paths)).toEqual(Object.keys(served.paths));
    expect(kept).toEqual(served);
  });
});
