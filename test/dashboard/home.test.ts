import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, giveFreshPassword, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const naira = (amount: number): string => {
  const [whole = '', kobo = ''] = amount.toFixed(2).split('.');
  return `₦${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${kobo}`;
};

const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });

describe('home', () => {
  it('has the totals of today over all wallets, beyond what any list shows', async () => {
    const { storeIds, pin } = walk.demo;
    for (let at = 0; at < 210; at += 1)
      await askApi(walk, 'POST', '/branch/store/debit', {
        pin,
        amount: 1.25,
        storeId: storeIds[at % 3],
        narration: 'Sweep',
      });
    const { data } = await askApi(walk, 'GET', '/wallet/summary');
    const today = data.days.at(-1);
    expect(today.moneyIn).toBeGreaterThan(0);
    const page = await walk.openAs(walk.demo.dashboard);
    await figure(page, 'In today').getByText(naira(today.moneyIn)).first().waitFor();
    await figure(page, 'Out today').getByText(naira(today.moneyOut)).first().waitFor();
    await figure(page, 'Balance of all wallets').getByText(naira(today.closingBalance)).first().waitFor();
    await expectAccessible(page);
  });

  it('draws balance and flows of 7, 30 and 90 days, read by keyboard and as a table', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { dark: true });
    const days = page.getByRole('slider', { name: 'Money in and out: choose a day' });
    await days.waitFor();
    await expect.poll(() => days.getAttribute('aria-valuemax')).toBe('30');
    await page.getByRole('button', { name: '7 days' }).click();
    await expect.poll(() => days.getAttribute('aria-valuemax')).toBe('7');
    await days.focus();
    const today = await days.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    expect(await days.getAttribute('aria-valuenow')).toBe('6');
    expect(await days.getAttribute('aria-valuetext')).not.toBe(today);
    await page.keyboard.press('End');
    expect(await days.getAttribute('aria-valuetext')).toBe(today);
    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByText('Show the figures as a table').click();
    await expect
      .poll(() =>
        page
          .getByRole('table', { name: /^By day/ })
          .getByRole('row')
          .count(),
      )
      .toBe(91);
    await expectAccessible(page);
  });

  it('shows money that arrives while it is open, and what it has missed when the line was cut', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await figure(page, 'In today').locator('.figures').first().waitFor();
    const { data: wallet } = await askApi(walk, 'GET', '/wallet/merchant');
    const fund = (amount: number) =>
      askApi(walk, 'POST', '/sandbox/wallet/fund', { walletId: wallet.wallet.id, amount });
    const shows = async () => {
      const { data } = await askApi(walk, 'GET', '/wallet/summary');
      await figure(page, 'In today')
        .getByText(naira(data.days.at(-1).moneyIn))
        .first()
        .waitFor({ timeout: 15_000 });
    };
    await fund(4_321.09);
    await shows();
    await page.context().setOffline(true);
    await fund(1.01);
    await page.context().setOffline(false);
    await shows();
  });

  it('fits a phone', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true });
    await page.getByRole('slider', { name: /^Balance/ }).waitFor();
    const [width, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(width).toBeLessThanOrEqual(seen);
    await expectAccessible(page);
  });

  it('shows every digit of billions, however little room there is', async () => {
    const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
    await askApi(walk, 'POST', '/sandbox/wallet/fund', { walletId: wallet.id, amount: 1_000_000_000 });
    const page = await walk.openAs(walk.demo.dashboard);
    await figure(page, 'Available')
      .getByText(/₦1,\d{3},\d{3},\d{3}\./)
      .waitFor();
    for (const width of [1440, 1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const beyond = await page.evaluate(`Array.from(document.querySelectorAll('dd > .figures'), (amount) =>
        amount.getBoundingClientRect().right - amount.closest('.card').getBoundingClientRect().right)`);
      expect([width, Math.max(...(beyond as number[])) < 0]).toEqual([width, true]);
    }
  });
});

describe('a dialog', () => {
  const focused = (page: Page) =>
    page.evaluate(() => {
      const active = document.activeElement;
      return active?.getAttribute('aria-label') ?? active?.getAttribute('name') ?? active?.tagName.toLowerCase();
    });

  it('begins at its first field, also the password over another dialog, and Enter cancels nothing', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/developers/keys' });
    await walk.letPasswordsGrowOld();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New' });
    await dialog.getByRole('textbox').first().waitFor();
    expect(
      await dialog
        .getByRole('textbox')
        .first()
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await page.keyboard.type('Till of the shop');
    await page.keyboard.press('Enter');
    const password = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await password.waitFor();
    await expect.poll(() => focused(page)).toBe('password');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await password
      .getByText(/wrong|not right|does not/i)
      .first()
      .waitFor();
    await giveFreshPassword(page, walk.demo.dashboard);
  });

  it('that only asks begins at its title, where Enter does nothing', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/settings/approval-rules' });
    await page.getByRole('switch').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await focused(page)).toBe('h2');
    await page.keyboard.press('Enter');
    expect(await dialog.isVisible()).toBe(true);
  });
});

describe('the form of a payout', () => {
  it('shows the field that a refusal goes to below the bars that stay at the top', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, at: '/dashboard/payouts/new' });
    const send = page.getByRole('button', { name: /^(Continue|Review|Pay)/ }).last();
    await send.scrollIntoViewIfNeeded();
    await send.click();
    await expect
      .poll(() =>
        page.evaluate(() => {
          const bar = document.querySelector('.sticky')?.getBoundingClientRect().bottom ?? 0;
          const field = document.activeElement?.getBoundingClientRect();
          return (
            field !== undefined &&
            document.activeElement?.matches('main input, main select') === true &&
            field.top >= bar
          );
        }),
      )
      .toBe(true);
  });
});
