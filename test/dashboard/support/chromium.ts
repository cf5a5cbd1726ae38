import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';

/** Debian's package that is installed where there is none: without windows, which takes a quarter less to run. */
const PACKAGE = 'chromium-headless-shell';
const PLACES = [
  `/usr/bin/${PACKAGE}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const LOCK = join(tmpdir(), 'manilla-chromium.lock');

/**
 * Opens the machine's Chromium. Where there is none, root gets Debian's; anyone else gets a sentence.
 * @param more switches beside those that every machine needs.
 */
export async function launchChromium(...more: string[]): Promise<Browser> {
  const executablePath = findChromium() ?? (await installChromium());
  // Root and containers have no user namespace for the sandbox; the pages are our own.
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--in-process-gpu', ...more],
  });
}

function findChromium(): string | undefined {
  return [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
}

async function installChromium(): Promise<string> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The walks need Chromium. Install it (Debian: apt-get install ${PACKAGE}) or name one in CHROMIUM_PATH.`,
    );
  }
  while (!isLocked()) await sleep(500);
  try {
    const found = findChromium();
    if (found !== undefined) return found;
    process.stderr.write("The walks need Chromium and there is none: installing Debian's.\n");
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', PACKAGE);
    return (
      findChromium() ?? fail(`Debian installed ${PACKAGE}, and it is in none of the places where it is looked for.`)
    );
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** Two files of walks begin at once; one of them installs. */
function isLocked(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    return false;
  }
}

function apt(...args: string[]): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) fail(`apt-get ${args[0]} failed, so there is no Chromium for the walks:\n${stderr}`);
}

function fail(sentence: string): never {
  throw new Error(sentence);
}
