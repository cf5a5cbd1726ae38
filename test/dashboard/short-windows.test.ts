import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** A window of 1280 by 1024 at four times its size, and a phone on its side. */
const SHORT = [
  ['at four times the size', { width: 320, height: 256 }],
  ['of a phone on its side', { width: 844, height: 390 }],
] as const;

/** In the page: what of the element with the focus is covered, or out of sight, at its upper and at its lower edge. */
const COVERED = `(() => {
  const element = document.activeElement;
  // Past the last of a dialog the focus is in the browser's own bars.
  if (element === document.body) return '';
  const { left, top, bottom, width } = element.getBoundingClientRect();
  const isCovered = (y) => !element.contains(document.elementFromPoint(left + Math.min(width / 2, 20), y));
  const covered = isCovered(top + 3) || isCovered(bottom - 3);
  return covered ? (element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent) : '';
})()`;

/** Goes on by Tab, and names what had the focus and was not wholly in sight. */
async function coveredOnTheWay(page: Page, steps: number): Promise<string[]> {
  const covered: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(COVERED);
    if (name !== '') covered.push(name);
  }
  return covered;
}

describe('what has the focus is wholly in sight', () => {
  it.each(SHORT)('in a dialog with more fields than fit, in a window %s', async (_, size) => {
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/stores/${walk.demo.storeIds[0]}` });
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What is collected').waitFor();
    expect(await coveredOnTheWay(page, await dialog.locator('input, select, button').count())).toEqual([]);
    await expectAccessible(page);
  });

  it.each([...SHORT, ['of a small screen', { width: 1280, height: 620 }]] as const)(
    'on the page of a list with its bar, in a window %s',
    async (_, size) => {
      const row = { bankCode: '058', narration: 'Salary for November', amount: 98_000 };
      const items = ['0123456789', '12345', '0987654321'].map((accountNumber) => ({ ...row, accountNumber }));
      const { data } = await askApi(walk, 'POST', '/payout/bulk', { items });
      const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/bulk/${data.batchReference}` });
      await page.setViewportSize(size);
      await page.getByRole('button', { name: 'Leave out' }).first().waitFor();
      await page.getByRole('region', { name: 'Before you pay' }).waitFor();
      await page.locator('main h1').focus();
      expect(await coveredOnTheWay(page, 8)).toEqual([]);
    },
  );

  it('shows the note of a row and the way to the next red cell to who jumps to the rows of a list on a laptop', async () => {
    const row = { bankCode: '058', narration: 'Salary for November', accountNumber: '12345' };
    const items = Array.from({ length: 40 }, (_, at) => ({ ...row, amount: 90_000 + at }));
    const { data } = await askApi(walk, 'POST', '/payout/bulk', { items });
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/bulk/${data.batchReference}` });
    await page.setViewportSize({ width: 1280, height: 720 });
    const next = page.getByRole('button', { name: 'Next red cell' });
    const hidden = `(() => {
      const way = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Next red cell');
      return way.getBoundingClientRect().bottom > document.querySelector('[data-action-bar]').getBoundingClientRect().top;
    })()`;
    await page.getByRole('link', { name: 'Show all 40 rows' }).click();
    await next.waitFor();
    await expect.poll(() => page.evaluate(hidden)).toBe(false);

    await page.getByRole('navigation', { name: 'Which rows' }).getByRole('link', { name: /^All/ }).click();
    await page.waitForURL((url) => !url.searchParams.has('show'));
    expect(await page.evaluate('scrollY'), 'another choice of rows stays at the rows').toBeGreaterThan(200);
    await page.evaluate('scrollBy(0, -150)');
    expect(await page.evaluate(hidden)).toBe(true);
    // Without the mouse, which would scroll there by itself.
    await next.dispatchEvent('click');
    await expect.poll(() => page.evaluate(hidden)).toBe(false);
  });
});
