import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A process for each file: a test may end connections, listen for signals and change the environment.
    pool: 'forks',
    // Two cores are the smallest machine that this has to run on, and one of them is PostgreSQL's.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    // A page shows what the service said a moment after it was said.
    expect: { poll: { timeout: 10_000 } },
  },
});
