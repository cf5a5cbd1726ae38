import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Makes every mutation of every money table, of which a test run makes a sample, and writes what came of it to
 * docs/mutations.md. What is set in the environment stays as it is set.
 */
const ALL = { MUTATIONS: 'Infinity', MUTATION_TABLE: 'docs/mutations.md' };

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/verify/proof.test.ts',
    '-t',
    'one thing wrong',
    ...process.argv.slice(2),
  ],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), env: { ...ALL, ...process.env }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
