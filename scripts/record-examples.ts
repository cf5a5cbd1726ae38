import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Writes the examples of the API document anew, from the answers of a service that the tests drive. */
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/api/examples.test.ts', '-t', 'every operation answers with success'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, RECORD_EXAMPLES: '1' },
    stdio: 'inherit',
  },
);
process.exitCode = status ?? 1;
