import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Makes every mutation of every money table, of which a test run makes a sample, and writes what came of it to
 * docs/mutations.md. Tables that are named behind it, as in `npm run mutations -- payout_directory event_cursors`, are made
 * alone, and the page keeps what it says of the others. What is set in the environment stays as it is set.
 */
const ALL = { MUTATIONS: 'Infinity', MUTATION_TABLE: 'docs/mutations.md' };

const tables = process.argv.slice(2).filter((word) => /^\w+$/.test(word));
const others = process.argv.slice(2).filter((word) => !tables.includes(word));
const some = tables.length === 0 ? {} : { MUTATION_TABLES: tables.join(',') };

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/verify/proof.test.ts', '-t', 'one thing wrong', ...others],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...ALL, ...some, ...process.env }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
