import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The pages as they are in the sources: built where they are not, once for all that ask at the same time. */
export function buildDashboard(): void {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['scripts/build-dashboard.ts', '--if-stale'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) throw new Error(`the dashboard could not be built:\n${stdout}${stderr}`);
}

/** Before the files of walks. */
export const setup = (): void => buildDashboard();
