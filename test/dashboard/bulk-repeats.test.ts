import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askWith } from './approval-steps.ts';
import { uploadList } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const HEADER = 'Amount,Bank Code,Account Number,Account Name,Narration';

async function upload(page: Page, name: string, rows: readonly string[]): Promise<void> {
  await uploadList(page, name, [HEADER, ...rows, ''].join('\r\n'));
  await page.getByText('Ready').first().waitFor();
}

/** Beside the page, with the merchant's key: a list of one, which counts for a day. */
async function payByKey(amount: number): Promise<string> {
  const { baseUrl, demo } = walk;
  const ask = (method: string, path: string, body?: object) => askWith(baseUrl, demo.secretKey, method, path, body);
  const items = [{ amount, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' }];
  const batchReference = String((await ask('POST', '/payout/bulk', { items })).body.data?.['batchReference']);
  const statusOf = async () => (await ask('GET', `/payout/bulk/${batchReference}`)).body.data?.['status'];
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('READY');
  const meant = { pin: demo.pin, batchReference, allowDuplicate: true };
  expect((await ask('POST', '/payout/bulk/dispatch', meant)).status).toBe(200);
  return batchReference;
}

const pay = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Pay/ }).click();

describe('a list that repeats other payments', () => {
  it('says so at each row with a link, and is paid only when as many as were shown are meant twice', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    const reference = await payByKey(700);
    const result = async () => {
      const { body } = await askWith(walk.baseUrl, walk.demo.secretKey, 'GET', `/payout/bulk/${reference}`);
      return body.data?.['status'];
    };
    await expect.poll(result, { timeout: 60_000 }).toBe('COMPLETED');
    await upload(page, 'repeats.csv', [
      '700,058,0123456785,,Rent',
      '800,058,0123456785,,Power',
      '900,058,0123456785,,Water',
      '900,000013,0123456785,,Water',
    ]);
    await page.getByText('Repeat others').waitFor();
    await page.getByText('₦1,600.00', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: /^Repeats/ }).click();
    await expect.poll(() => page.locator('[role=row]').count()).toBe(3);
    await page.getByText(`Repeats row 1 of bulk payout ${reference}`).first().waitFor();
    await page.getByText('Repeats row 4: the same bank, account and amount.').first().waitFor();
    await expectAccessible(page);
    await page.locator('#item-0-1').click();
    const link = page.getByRole('link', { name: 'Open that payout' });
    expect(await link.getAttribute('href')).toMatch(/\/payouts\/[0-9a-f-]{36}$/);

    await pay(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await dialog.getByText('Tick that they are meant twice').waitFor();
    await expectAccessible(page);
    // While the dialog is open, a colleague pays the second row.
    await payByKey(800);
    await dialog.getByLabel('Pay 2 rows again, ₦1,600.00 in all').check();
    await dialog.getByLabel('PIN').press('Enter');
    await page.getByText('More rows repeat other payments than you saw. Nothing was paid.').waitFor();
    await page.getByText('₦2,400.00', { exact: true }).first().waitFor();

    await pay(page);
    await dialog.getByLabel('Pay 3 rows again, ₦2,400.00 in all').check();
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByText('All 4 rows were paid.').waitFor();
    await page.getByText('₦2,400.00', { exact: true }).first().waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Results' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(lines.filter((line) => line.includes('Repeats'))).toHaveLength(3);
  });

  it('stands beside the list that it repeats, and is free once that is cancelled', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await upload(page, 'first.csv', ['5100,058,1111111111,,Salary']);
    const first = page.url();
    await upload(page, 'second.csv', ['5100,058,1111111111,,Salary']);
    const second = page.url();
    await page.getByText('₦5,100.00', { exact: true }).first().waitFor();
    await page.locator('#item-0-1').click();
    await page.getByText('which waits to be dispatched').first().waitFor();
    await page.getByRole('link', { name: 'Open that list' }).click();
    await page.getByRole('heading', { level: 1, name: 'first.csv' }).waitFor();
    expect(page.url()).toContain(new URL(first).pathname);
    await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
    await page.getByText('It was cancelled.').waitFor();
    await page.goto(second);
    await page.getByText('1 row can be paid.').waitFor();
    await expect.poll(() => page.getByText('Repeat others').count()).toBe(0);
    await pay(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('PIN').fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByText('1 row was paid.').waitFor();
  });
});

/** A list to three people, sent and paid beside the page. */
async function payThree(): Promise<string> {
  const { baseUrl, demo } = walk;
  const ask = (method: string, path: string, body?: object) => askWith(baseUrl, demo.secretKey, method, path, body);
  const items = ['Ada Obi', 'Musa Bello', 'Ngozi Udoh'].map((accountName, at) => ({
    ...{
      amount: 50_000 + at,
      bankCode: '058',
      accountNumber: `010000200${at}`,
      narration: 'October salary',
      accountName,
    },
  }));
  const batchReference = String((await ask('POST', '/payout/bulk', { items })).body.data?.['batchReference']);
  const statusOf = async () => (await ask('GET', `/payout/bulk/${batchReference}`)).body.data?.['status'];
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('READY');
  expect((await ask('POST', '/payout/bulk/dispatch', { pin: demo.pin, batchReference })).status).toBe(200);
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('COMPLETED');
  return batchReference;
}

describe('the same list as last month', () => {
  it('is made of a paid one, edited, and says loudest whose account is another one than last time', async () => {
    const reference = await payThree();
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/bulk' });
    const last = page.getByRole('region', { name: 'The list that was paid last' });
    await last.getByText('3 rows').waitFor();
    await expectAccessible(page);
    await last.getByRole('button', { name: 'Same as last month' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay the same people again' });
    const narration = dialog.getByLabel('Narration for all rows');
    await expect.poll(() => narration.inputValue()).toMatch(/^\S+ salary$/);
    await narration.fill('December salary');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create the list' }).click();
    await page.getByText('the same people as another list').waitFor();
    const panel = page.getByRole('region', { name: /^Compared with/ });
    await panel.getByRole('button', { name: '3 the same' }).waitFor();
    await panel.getByText('The total is the same.').waitFor();
    const made = String(new URL(page.url()).pathname.split('/').at(-1));
    expect(made).not.toBe(reference);
    const ask = (method: string, path: string, body?: object) =>
      askWith(walk.baseUrl, walk.demo.secretKey, method, path, body);
    const { body } = await ask('GET', `/payout/bulk/${made}/item`);
    const items = body.data?.['records'] as { id: string; narration: string }[];
    expect(items.map((item) => item.narration)).toEqual(Array(3).fill('December salary'));
    // A colleague exchanges an account, and gives somebody a rise.
    await ask('PATCH', '/payout/bulk/item', { bulkPayoutItemId: items[0]?.id, accountNumber: '0100002999' });
    await ask('PATCH', '/payout/bulk/item', { bulkPayoutItemId: items[1]?.id, amount: 70_000 });
    await panel.getByText('One person is paid to another account than last time.').waitFor();
    const table = panel.getByRole('table', { name: 'People whose account has changed' });
    await table.getByText('0100002000').waitFor();
    await table.getByText('0100002999').waitFor();
    const bar = page.getByRole('region', { name: 'Before you pay' });
    await bar.getByText('1 paid to another account than last time').waitFor();
    await panel.getByRole('button', { name: '1 changed amount' }).click();
    await panel.getByRole('table', { name: 'People whose amount has changed' }).getByText('Musa Bello').waitFor();
    await panel.getByText('₦19,999.00 more').waitFor();
    await expectAccessible(page);
    for (const look of [{ phone: true }, { dark: true }]) {
      const other = await walk.openAs(walk.demo.dashboard, { ...look, at: `/dashboard/bulk/${made}` });
      await other.getByText('One person is paid to another account than last time.').waitFor();
      await other.getByRole('table', { name: 'People whose account has changed' }).getByText('0100002999').waitFor();
      expect(await other.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await expectAccessible(other);
    }
  });
});
