import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from './child.ts';

export const ROOT = join(import.meta.dirname, '..');
const START_TIMEOUT_MS = 60_000;

/** What the service is given in place of the secrets that an operator would keep. */
export const SECRETS = {
  PIN_PEPPER: randomBytes(32).toString('hex'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};

export interface Service {
  baseUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/** The service in a process of its own, as `npm start` runs it: API, workers and all, on a database of ours. */
export async function startService(databaseUrl: string, dataDir: string): Promise<Service> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [, ...args] = scripts.start.split(' ');
  const child = await startChild(process.execPath, args, {
    cwd: ROOT,
    env: {
      ...SECRETS,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO_DATA: 'false',
    },
    ready: /is up at (http:\S+)/,
    timeoutMs: START_TIMEOUT_MS,
  });
  return { baseUrl: child.ready[1] ?? '', pid: child.pid, stop: child.stop };
}

/** The competitor: the same request with a row lock instead of groups. */
export async function startRowLockServer(databaseUrl: string, poolSize: number): Promise<Service> {
  const child = await startChild(process.execPath, ['bench/row-lock-server.ts'], {
    cwd: ROOT,
    env: { ...SECRETS, DATABASE_URL: databaseUrl, POOL_SIZE: String(poolSize) },
    ready: /is up at (http:\S+)/,
    timeoutMs: START_TIMEOUT_MS,
  });
  return { baseUrl: child.ready[1] ?? '', pid: child.pid, stop: child.stop };
}
