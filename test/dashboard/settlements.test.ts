import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const dialog = (page: Page) => page.getByRole('dialog');

/** The demo was taken in without a review: it settles to the account that it gave. */
async function giveAccount(): Promise<void> {
  const details = {
    settlementBankCode: '058',
    settlementBankName: 'Guaranty Trust Bank',
    settlementAccountNumber: '0123456785',
    settlementAccountName: 'ADIRE AND CO',
  };
  await walk.runtime.database.pool.query(
    `insert into merchant_onboarding (merchant_id, details, changes, updated_at) values ($1, $2, '{}', now())
     on conflict (merchant_id) do update set details = excluded.details`,
    [walk.demo.merchantId, details],
  );
}

async function payDemo(amount: number): Promise<void> {
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accounts } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data;
  const { accountNumber } = accounts[0];
  const before = (await askApi(walk, 'GET', '/collection/payment')).data.records.length;
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount });
  const paid = async () => (await askApi(walk, 'GET', '/collection/payment')).data.records.length;
  await expect.poll(paid, { timeout: 30_000 }).toBeGreaterThan(before);
}

describe('settlements to the bank', () => {
  it('are set up by the owner, made by hand, and explained from gross to net', async () => {
    await giveAccount();
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/settlements' });
    await page.getByText('Nothing was settled yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Set up settlements' }).first().click();
    await dialog(page).getByLabel('Settle').selectOption('DAILY');
    await dialog(page).getByLabel('Stays in the wallet').fill('500');
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved. The owners are notified by mail.').waitFor();
    await payDemo(7_500);
    await page.getByRole('button', { name: 'Settle now' }).click();
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await dialog(page).getByRole('button', { name: 'Settle now' }).click();
    await page.getByText('The settlement is on its way.').waitFor();
    await page.getByRole('link', { name: 'No. 1' }).click();
    await page.getByRole('heading', { name: 'Settlement no. 1' }).waitFor();
    await page.getByText('From gross to net').waitFor();
    await page.getByText('Paid', { exact: true }).first().waitFor();
    await expectAccessible(page);
  });

  it('of a store are set by the owner on its page, with the PIN', async () => {
    const { storeId } = (await askApi(walk, 'POST', '/branch/store', { name: 'Yaba market' })).data;
    const page = await walk.openAs(walk.demo.dashboard, { at: `/dashboard/stores/${storeId}` });
    const section = page.locator('section').filter({ hasText: 'Settlement to the bank' }).last();
    await section.getByText('Stays in this wallet').waitFor();
    await section.getByRole('button', { name: 'Change' }).click();
    await dialog(page).getByLabel('What is collected').selectOption('yes');
    await dialog(page).getByLabel('Stays in the wallet').fill('250');
    await dialog(page).getByRole('button', { name: 'Save settings' }).click();
    await dialog(page).getByText('Enter your PIN.').waitFor();
    await dialog(page).getByLabel('PIN').fill(walk.demo.pin);
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('Saved. The owners are notified by mail.').waitFor();
    await section.getByText('Goes to the bank').waitFor();
    await section.getByText('₦250.00').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await expectAccessible(page);
  });

  it('fit a phone, and stand with the operator who sets the terms and the bank holidays', async () => {
    const phone = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/settlements', phone: true });
    await phone.getByRole('link', { name: 'No. 1' }).waitFor();
    await expectAccessible(phone);
    const at = '/dashboard/operator/merchant-settlements?of=SANDBOX';
    const operator = await walk.openAs(walk.demo.operator, { at });
    await operator.getByText('Terms for all merchants').waitFor();
    await operator.getByText('Each working day').first().waitFor();
    await expectAccessible(operator);
    await operator.goto('/dashboard/operator/bank-holidays');
    await operator.getByText('To be confirmed').last().waitFor();
    await operator.getByRole('button', { name: 'Add a day' }).click();
    await dialog(operator).getByLabel('Day').fill('2027-06-14');
    await dialog(operator).getByLabel('Name').fill('Democracy Day, in place of Saturday');
    await dialog(operator).getByLabel('Where it is declared').fill('Ministry of Interior');
    await dialog(operator).getByRole('button', { name: 'Add the day' }).click();
    await operator.getByText('is a bank holiday.').waitFor();
    await expectAccessible(operator);
    // On a phone the button of each day is in sight, and says which day it removes.
    await operator.setViewportSize({ width: 390, height: 844 });
    const remove = operator.getByRole('button', { name: 'Remove Democracy Day, in place of Saturday, 14 Jun 2027' });
    const { x, width } = (await remove.boundingBox()) ?? { x: 390, width: 0 };
    expect(x + width).toBeLessThanOrEqual(390);
    await expectAccessible(operator);
    // It asks before it removes one, and says what that changes.
    await remove.click();
    await dialog(operator).getByText('14 Jun 2027 is no bank holiday any more', { exact: false }).waitFor();
    await expectAccessible(operator);
    await dialog(operator).getByRole('button', { name: 'Cancel' }).click();
    expect(await remove.isVisible()).toBe(true);
    await remove.click();
    await dialog(operator).getByRole('button', { name: 'Remove the day' }).click();
    await operator.getByText('counts no more. It stays on record.').waitFor();
    await remove.waitFor({ state: 'detached' });
  });
});
