import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiTypes, wholeDocument } from '../../scripts/api-types.ts';

it('the dashboard is checked with the types of what this commit serves: npm run openapi writes them', async () => {
  const kept = readFileSync(new URL('../../dashboard/src/api/schema.d.ts', import.meta.url), 'utf8');
  expect(kept).toBe(await apiTypes(wholeDocument()));
});

it('no two components have one name, of whatever kind they are: generators make one type of each', () => {
  const { components } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
    components: Record<string, object>;
  };
  const names = Object.values(components).flatMap((kind) => Object.keys(kind));
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
