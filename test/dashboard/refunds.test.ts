import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
const dialog = (page: Page) => page.getByRole('dialog').last();

describe('a payment in', () => {
  it('is refunded in part from its own page, with the PIN, and shows what went back', async () => {
    const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
    const { accounts } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data;
    const payer = { name: 'Ngozi Eze' };
    const { accountNumber } = accounts[0];
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 8_000, payer });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page
      .getByRole('button', { name: /Ngozi Eze/ })
      .first()
      .click();
    await dialog(page).getByRole('button', { name: 'Refund' }).click();
    await dialog(page).getByText('goes back to the payer alone').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('Amount').fill('3000');
    await dialog(page).getByLabel('Reason').fill('One chair was broken');
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Refund' }).click();
    await page.getByText('One chair was broken').waitFor();
    await page.getByText('Refunded', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const { records } = (await askApi(walk, 'GET', '/collection/refund')).data;
    expect(records[0]).toMatchObject({ amount: 3_000, status: 'SUCCESS', note: 'One chair was broken' });
  });
});
