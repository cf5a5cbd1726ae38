import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import type { DemoFile } from '../src/demo/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const START_MS = 120_000;

/** Runs a service with demo data of its own while the work is done, and removes both. */
export async function withDemoService<T>(work: (baseUrl: string, demo: DemoFile) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'manilla-demo-'));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const service = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'error', WEBHOOK_ALLOW_LOOPBACK: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const closed = new Promise((resolve) => service.once('close', resolve));
  try {
    await untilReady(baseUrl);
    return await work(baseUrl, JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile);
  } finally {
    service.kill('SIGTERM');
    await closed;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Fills the sign-in and waits for the page behind it. */
export async function signInOn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

async function untilReady(baseUrl: string): Promise<void> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await sleep(200)) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
  }
  throw new Error('The service did not start; what it said stands above.');
}

function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  return new Promise((resolve) => {
    probe.once('listening', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
