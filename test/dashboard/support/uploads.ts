import type { Page } from 'playwright-core';

/** Chooses a file where lists are dropped. */
export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const mimeType = name.endsWith('.csv') ? 'text/csv' : 'application/octet-stream';
  await page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content as string) });
}

/** Makes a batch of the file that was chosen, as it is understood. */
export async function createBatch(page: Page, name: string): Promise<void> {
  const preview = page.getByRole('region', { name: `How ${name} is read` });
  await preview.getByRole('button', { name: /^Create a batch/ }).click();
}

/** Both, on the page of bulk payouts, and on to the list. */
export async function uploadList(page: Page, name: string, content: string | Buffer): Promise<void> {
  await page.goto('/dashboard/bulk');
  await chooseFile(page, name, content);
  await createBatch(page, name);
  await page.getByRole('heading', { level: 1, name }).waitFor();
}
