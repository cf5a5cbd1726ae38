import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** So many on a page. */
const SIZE = 25;

async function move(times: number): Promise<void> {
  const subaccountId = walk.demo.subaccountIds[0];
  for (let at = 0; at < times; at += 1) {
    await askApi(walk, 'POST', '/subaccount/credit', { amount: 1, subaccountId, narration: 'Allowance' });
  }
}

/** The links of a table's rows, which name what the rows are. */
async function rowsOn(page: Page, caption: string): Promise<string[]> {
  const links = page.getByRole('region', { name: caption }).locator('tbody tr td:first-child a');
  return links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname));
}

/** Goes a page on, while rows are written, and waits until others are shown. */
async function go(page: Page, button: 'Next page' | 'Previous page', caption: string): Promise<string[]> {
  const before = await rowsOn(page, caption);
  await move(3);
  await page.getByRole('button', { name: button }).last().click();
  await expect.poll(async () => (await rowsOn(page, caption))[0]).not.toBe(before[0]);
  await page.locator('table[aria-busy=true]').waitFor({ state: 'detached' });
  return rowsOn(page, caption);
}

describe('the pages of a list', () => {
  it.each([
    ['Transactions', '/dashboard/transactions'],
    ['Statement of wallet', '/dashboard/wallet'],
  ])('%s: miss no row and repeat none while rows are written, forwards and back', async (caption, at) => {
    await move(2 * SIZE + 5);
    const page = await walk.openAs(walk.demo.dashboard, { at });
    await expect.poll(async () => (await rowsOn(page, caption)).length).toBe(SIZE);
    await page.getByText(/^[\d,]+ records$/).waitFor();
    const first = await rowsOn(page, caption);
    const second = await go(page, 'Next page', caption);
    const third = await go(page, 'Next page', caption);
    expect(new Set([...first, ...second]).size).toBe(2 * SIZE);
    expect(third.some((row) => first.includes(row) || second.includes(row))).toBe(false);
    await expectAccessible(page);
    expect(await go(page, 'Previous page', caption)).toEqual(second);
    expect(await go(page, 'Previous page', caption)).toEqual(first);
    await page.getByRole('button', { name: 'To the first page' }).click();
    await expect.poll(async () => first.includes((await rowsOn(page, caption))[0] ?? '')).toBe(false);
  });

  it('keep the focus on the way that has been gone to its end by keyboard', async () => {
    await move(SIZE + 5);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/transactions' });
    await page.getByText(/^[\d,]+ records$/).waitFor();
    const first = await rowsOn(page, 'Transactions');
    await page.getByRole('button', { name: 'Next page' }).press('Enter');
    await expect.poll(async () => (await rowsOn(page, 'Transactions'))[0]).not.toBe(first[0]);
    await page.locator('table[aria-busy=true]').waitFor({ state: 'detached' });
    const back = page.getByRole('button', { name: 'Previous page' });
    await back.press('Enter');
    await expect.poll(() => rowsOn(page, 'Transactions')).toEqual(first);
    await expect.poll(() => back.isEnabled()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Previous page');
  });

  it.each([
    ['Transactions', '/dashboard/transactions', 'Transactions'],
    ['Statement of wallet', '/dashboard/wallet', 'Statement'],
  ])(
    '%s: leave the focus at the head of the list who goes to its first page by keyboard',
    async (caption, at, head) => {
      await move(2 * SIZE + 5);
      const page = await walk.openAs(walk.demo.dashboard, { at });
      await page.getByText(/^[\d,]+ records$/).waitFor();
      await go(page, 'Next page', caption);
      await page.getByRole('button', { name: 'To the first page' }).press('Enter');
      await page.getByText(/^[\d,]+ records$/).waitFor();
      await page.waitForFunction((text) => document.activeElement?.textContent === text, head);
    },
  );

  it('begin where they do when a link has a place of another list in it', async () => {
    const { data } = await askApi(walk, 'GET', '/transaction?size=1');
    const page = await walk.openAs(walk.demo.dashboard, {
      at: `/dashboard/transactions?status=SUCCESS&page=after.${data.nextCursor}`,
    });
    await page.getByText(/^[\d,]+ records$/).waitFor();
    await page.goto('/dashboard/transactions?page=after.nonsense');
    await page.getByText(/^[\d,]+ records$/).waitFor();
  });
});
