import type { TestProject } from 'vitest/node';
import { startTestCluster } from './test-cluster.ts';

/** One throwaway PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startTestCluster();
  project.provide('testServer', cluster.server);
  process.env.TEST_DATABASE_URL = cluster.server.connectionString;
  return cluster.stop;
}
