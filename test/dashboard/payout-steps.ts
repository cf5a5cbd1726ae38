import type { Page } from 'playwright-core';

/** Fills in a payout on its form, which is open. */
export async function fillIn(page: Page, account: string, amount: string): Promise<void> {
  await page.getByLabel('Bank', { exact: true }).fill('guaranty');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Tab');
  await page.getByLabel('Account number').fill(account);
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Narration').fill('Invoice 42');
}

/** Gives the PIN, and is as impatient as people are. */
export async function confirm(page: Page, pin: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('PIN').fill(pin);
  await dialog.getByRole('button', { name: /^(Pay|Schedule) ₦/ }).dblclick();
}
