import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstLoads } from '../../scripts/first-load.ts';
import { buildDashboard } from './support/build.ts';

/** On a slow line of 1.6 Mbit/s this takes a second; what a page does not need at once is loaded when it is used. */
const BUDGET_BYTES = 200_000;
const DIST = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));

describe('the first load', () => {
  beforeAll(buildDashboard, 120_000);

  it('of every page fits in 200 kB of compressed scripts and styles', () => {
    const pages = firstLoads(DIST);
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter(({ bytes }) => bytes > BUDGET_BYTES)).toEqual([]);
  });
});
