import { readConfig } from '../../../src/config.ts';
import type { DemoFile } from '../../../src/demo/index.ts';
import { openRuntime, type Runtime } from '../../../src/runtime.ts';
import { createService } from '../../../src/service.ts';
import { type TestClock, testClock } from '../../support/app.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeDataDir, removeDataDir } from '../../support/service.ts';
import { WITHOUT_LIMITS } from '../../support/without-limits.ts';

/** The whole service as `npm start` runs it, on a port of this process. */
export interface RunningService {
  readonly baseUrl: string;
  readonly demo: DemoFile;
  readonly runtime: Runtime;
  readonly clock: TestClock;
  stop(): Promise<void>;
}

/** On a database of its own with the demo's data, with the workers under way. */
export async function startServiceHere(env: Record<string, string> = {}): Promise<RunningService> {
  const dataDir = makeDataDir();
  const { connectionString, drop } = await createTestDatabase();
  const config = readConfig({
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    DEMO_DATA: 'true',
    LOG_LEVEL: 'warn',
    PORT: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...WITHOUT_LIMITS,
    ...env,
  });
  const clock = testClock();
  const runtime = { ...(await openRuntime(config)), clock };
  const service = createService(config, runtime, { api: true, workers: true, prepares: true });
  const stop = async () => {
    await service.close();
    await runtime.close();
    await drop();
    await removeDataDir(dataDir);
  };
  try {
    const { baseUrl, demo } = await service.start();
    if (baseUrl === undefined || demo === undefined) throw new Error('the service started without its API or its demo');
    return { baseUrl, demo, runtime, clock, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
