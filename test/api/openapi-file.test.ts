import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiTypes } from '../../scripts/api-types.ts';
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

describe('dashboard/openapi.json', () => {
  const keptText = () => readFileSync(new URL('../../dashboard/openapi.json', import.meta.url), 'utf8');

  it('is the whole document of this commit: npm run openapi writes it', () => {
    expect(JSON.parse(keptText())).toEqual(JSON.parse(JSON.stringify(t.app.server.swagger())));
  });

  it('has what only signed-in people use, and openapi.json has none of it', async () => {
    const whole = JSON.parse(keptText()) as { paths: Record<string, Record<string, { tags?: string[] }>> };
    const open = (await t.call('GET', '/openapi.json')).body as typeof whole;
    const tagsOf = ({ paths }: typeof whole) =>
      Object.values(paths).flatMap((operations) => Object.values(operations).flatMap(({ tags = [] }) => tags));
    expect(tagsOf(whole).some((tag) => tag.startsWith('Dashboard'))).toBe(true);
    expect(tagsOf(open).filter((tag) => /^(Dashboard|Operator)/.test(tag))).toEqual([]);
  });

  it('gave the dashboard the types that it is checked with', async () => {
    const kept = readFileSync(new URL('../../dashboard/src/api/schema.d.ts', import.meta.url), 'utf8');
    expect(kept).toBe(await apiTypes(JSON.parse(keptText())));
  });
});
