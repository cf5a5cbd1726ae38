import type { Page } from 'playwright-core';

/**
 * As a customer does at their bank, on the sandbox's. Who goes back before the bank has answered may have sent nothing:
 * the way back stands under the form, too.
 */
export async function payAtTheBank(
  page: Pick<Page, 'getByRole' | 'getByLabel'>,
  { name = 'Ada Obi', amount }: { name?: string; amount?: string } = {},
): Promise<void> {
  await page.getByRole('heading', { name: 'Send money' }).waitFor();
  if (amount !== undefined) await page.getByLabel('Amount in naira').fill(amount);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Send money' }).click();
  await page.getByRole('heading', { name: 'Transfer sent' }).waitFor();
}

/** The same, and back to the page of the payment. */
export async function payAndGoBack(...how: Parameters<typeof payAtTheBank>): Promise<void> {
  await payAtTheBank(...how);
  await how[0].getByRole('link', { name: 'Back to the payment page' }).click();
}
