import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A process for each file: a test may end connections, listen for signals and change the environment.
    pool: 'forks',
    // Two cores are the smallest machine that this has to run on, and one of them is PostgreSQL's.
    maxWorkers: 2,
    // For a machine ten times as busy as one of its own: what hangs is found a little later.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    // A page shows what the service said a moment after it was said.
    expect: { poll: { timeout: 30_000 } },
  },
});
