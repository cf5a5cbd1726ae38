import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** `PICTURES=docs/images npx vitest run test/dashboard/live-money-in.test.ts` keeps what a walk sees on its way. */
const FOLDER = process.env['PICTURES'];

export async function takePicture(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
}
