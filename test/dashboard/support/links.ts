import type { Page } from 'playwright-core';

type Dialog = ReturnType<Page['getByRole']>;

/** Makes a payment link on the page of links. @returns its address, as the dialog copies it. */
export async function makeLink(page: Page, title: string, fill: (form: Dialog) => Promise<void>): Promise<string> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create a payment link' }).first().click();
  await dialog.getByLabel('What is paid for').fill(title);
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await dialog.getByRole('heading', { name: title }).waitFor();
  await dialog.getByRole('button', { name: 'Copy the payment link' }).click();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** A payer says who they are, on the page of a link, and goes on to the page of a session. */
export async function goOnAsPayer(payer: Page): Promise<void> {
  await payer.getByLabel('Your name').fill('Ngozi Eze');
  await payer.getByLabel('Your e-mail address').fill('ngozi@example.com');
  await payer.getByRole('button', { name: 'Continue to payment' }).click();
}
