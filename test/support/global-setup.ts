import type { TestProject } from 'vitest/node';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

interface Shared {
  cluster: Promise<TestCluster>;
  users: number;
}

/** Each project loads this file anew, all in one process. */
const holder = globalThis as { manillaTestCluster?: Shared };

/** One throwaway PostgreSQL for the whole run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder.manillaTestCluster ??= { cluster: startTestCluster(), users: 0 };
  const shared = holder.manillaTestCluster;
  shared.users += 1;
  const cluster = await shared.cluster;
  project.provide('testServer', cluster.server);
  process.env.TEST_DATABASE_URL = cluster.server.connectionString;
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete holder.manillaTestCluster;
    await cluster.stop();
  };
}
