import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiTypes, wholeDocument } from '../../scripts/api-types.ts';

it('the dashboard is checked with the types of what this commit serves: npm run openapi writes them', async () => {
  const kept = readFileSync(new URL('../../dashboard/src/api/schema.d.ts', import.meta.url), 'utf8');
  expect(kept).toBe(await apiTypes(wholeDocument()));
});
