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

/** What is measured is how fast it is, not how fast it lets one caller be. */
const WITHOUT_LIMITS = { RATE_LIMIT_PER_SECOND: '0', ADDRESS_RATE_LIMIT_PER_SECOND: '0' };

export interface Service {
  baseUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/** The service in a process of its own, as `npm start` runs it: API, workers and all, on a database of ours. */
export function startService(databaseUrl: string, dataDir: string, env: Record<string, string> = {}): Promise<Service> {
  return startScript('start', /is up at (http:\S+)/, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env });
}

/** The API alone, on a migrated database. */
export function startApi(databaseUrl: string, env: Record<string, string>): Promise<Service> {
  return startScript('serve', /"baseUrl":"(http:[^"]+)"/, { DATABASE_URL: databaseUrl, ...env });
}

/** The workers alone; they listen nowhere. */
export function startWorker(databaseUrl: string, env: Record<string, string>): Promise<Service> {
  return startScript('work', /workers started/, { DATABASE_URL: databaseUrl, ...env });
}

async function startScript(script: 'start' | 'serve' | 'work', ready: RegExp, env: Record<string, string>) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<typeof script, string>;
  };
  const [, ...args] = scripts[script].split(' ');
  const child = await startChild(process.execPath, args, {
    cwd: ROOT,
    env: { ...SECRETS, ...WITHOUT_LIMITS, PORT: '0', PROCESSES: '1', DEMO_DATA: 'false', ...env },
    ready,
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
