import { describe, expect, it } from 'vitest';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

describe('the frame', () => {
  it('goes by keyboard: skip link first, and the heading has the focus after going somewhere', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Stores', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Stores' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
    expect(await page.title()).toBe('Stores · Manilla');
  });

  it('says in words that a page does not exist', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/no/such/page' });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectAccessible(page);
  });
});
