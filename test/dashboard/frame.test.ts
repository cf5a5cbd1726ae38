import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
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

  it('keeps the focus on the page where the button that was pressed goes with what it was about', async () => {
    const row = { bankCode: '058', narration: 'Salary for November', amount: 98_000 };
    const items = ['0123456789', '12345', '0987654321'].map((accountNumber) => ({ ...row, accountNumber }));
    const { data } = await askApi(walk, 'POST', '/payout/bulk', { items });
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/bulk/${data.batchReference}` });
    const group = page.getByRole('listitem').filter({ hasText: '1 account number with 5' });
    await group.getByRole('button', { name: 'Leave out' }).press('Enter');
    await group.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.textContent === 'Problems');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('section')?.ariaLabelledByElements?.[0]?.id)).toBe(
      'problems',
    );
  });

  it('says in words that a page does not exist', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/no/such/page' });
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    await expectAccessible(page);
  });
});
