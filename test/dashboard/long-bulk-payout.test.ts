import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../support/files.ts';
import { chooseFile, createBatch } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

/** Minutes of work, so only on demand: `LONG_WALKS=1 npx vitest run test/dashboard/long-bulk-payout.test.ts`. */
const isWanted = process.env['LONG_WALKS'] !== undefined;
const ROWS = 100_000;
/** Near the end, from 0. */
const BAD_AT = 99_989;

describe.runIf(isWanted)('a bulk payout of a hundred thousand rows', () => {
  const walk = prepareWalks();

  it('is uploaded, scrolled to its end by keyboard and corrected there, while the page stays quick', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    const lines = csvOf(ROWS).split('\r\n');
    lines[BAD_AT + 1] = '1000,058,123,,Salary';
    await page.goto('/dashboard/bulk');
    const seconds = stopwatch();
    await chooseFile(page, 'everyone.csv', lines.join('\r\n'));
    await createBatch(page, 'everyone.csv');
    await page.getByRole('heading', { level: 1, name: 'everyone.csv' }).waitFor({ timeout: 120_000 });
    report('upload and intake', seconds());
    const checked = page.getByText('1 row cannot be paid yet');
    await checked.waitFor({ timeout: 900_000 });
    report('until all rows are checked', seconds());

    await page.locator('#item-0-1').focus();
    await watchFrames(page);
    for (let at = 0; at < 60; at += 1) await page.keyboard.press('PageDown');
    expect(await page.evaluate(() => document.activeElement?.id)).toMatch(/^item-\d{3,}-1$/);
    report('60 pages down', await framesSeen(page));
    await watchFrames(page);
    await page.keyboard.press('Control+End');
    await page.locator(`#item-${ROWS - 1}-8`).waitFor();
    await page.getByText('Salary 99999').waitFor();
    report('to the end', await framesSeen(page));

    await page.keyboard.press('Home');
    for (let at = ROWS - 1; at > BAD_AT; at -= 1) await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Account number, row/).fill('0123456785');
    await page.keyboard.press('Enter');
    await page.getByText(/All 100,000 rows can be paid/).waitFor({ timeout: 60_000 });
    report('after correcting', seconds());
    await expectAccessible(page);
    await expect.poll(() => page.locator('[role=row]').count()).toBeLessThan(80);
  }, 1_500_000);
});

const stopwatch = () => {
  const begun = performance.now();
  return () => `${((performance.now() - begun) / 1000).toFixed(1)} s`;
};

const report = (what: string, said: string) => process.stdout.write(`${what}: ${said}\n`);

/** Notes how long each frame took from now on. */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(globalThis, { frames });
    let last = performance.now();
    const note = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
}

async function framesSeen(page: Page): Promise<string> {
  const frames = await page.evaluate(() =>
    [...(globalThis as unknown as { frames: number[] }).frames].sort((a, b) => a - b),
  );
  const at = (share: number) => `${Math.round(frames[Math.floor(frames.length * share)] ?? 0)} ms`;
  return `${frames.length} frames, median ${at(0.5)}, 95 of 100 within ${at(0.95)}, longest ${at(0.999)}`;
}
