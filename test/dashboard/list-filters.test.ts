import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** At bank 058 of the sandbox: the first is paid, the second fails. */
const PAYS = '0000999901';
const FAILS = '0009999911';

const searchOf = (page: Page) => new URL(page.url()).searchParams;

async function pay(accountNumber: string, amount: number): Promise<void> {
  const body = { pin: walk.demo.pin, amount, bankCode: '058', accountNumber, narration: `Rent ${amount}` };
  const { data } = await askApi(walk, 'POST', '/payout/single', body);
  await expect
    .poll(async () => (await askApi(walk, 'GET', `/transaction/${data.transactionId}`)).data.conclusive)
    .toBe(true);
}

/** The file of the list as it is shown. */
async function download(page: Page): Promise<string[][]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  return parse(readFileSync(await file.path(), 'utf8'), { bom: true });
}

async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('menuitem', { name: item }).click();
}

describe('the filters of a list', () => {
  it('stand in the address, say what they come to and what leaves nothing, and are kept as a view', async () => {
    await pay(PAYS, 1_000.5);
    await pay(PAYS, 2_500);
    await pay(FAILS, 700);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts' });
    const totals = page.getByRole('region', { name: 'Totals of the filter' });
    await totals.getByText('3 payouts, ₦4,200.50').waitFor();
    await expectAccessible(page);

    // By keyboard alone: a status, and an amount.
    await page.getByRole('button', { name: 'Status: All statuses' }).press('Enter');
    await page.getByLabel('Failed').press('Space');
    await page.getByLabel('Returned').press('Space');
    await page.keyboard.press('Escape');
    await totals.getByText('1 payout, ₦700.00').waitFor();
    expect(searchOf(page).get('status')).toBe('FAILED,REVERSED');
    await page.getByRole('button', { name: 'More filters' }).press('Enter');
    await page.getByLabel('Amount from').fill('1,000.50');
    await page.getByLabel('Amount from').press('Enter');
    await page.getByText('Nothing has all of: “Status: Failed, Returned”, “Amount from: ₦1,000.50”.').waitFor();
    await page.getByText('Of the last 90 days.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Without “Status: Failed, Returned”: 2' }).click();
    await totals.getByText('2 payouts, ₦3,500.50').waitFor();
    expect(searchOf(page).get('amountFrom')).toMatch(/^"?1000\.5"?$/);

    // Columns, and a file of just these rows and columns.
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    const columns = page.getByRole('dialog', { name: 'Columns' });
    await columns.getByRole('checkbox', { name: 'Charges' }).press('Space');
    await columns.getByRole('checkbox', { name: 'Narration' }).press('Space');
    await columns.getByRole('button', { name: 'Move Charges up' }).press('Enter');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => page.locator('thead th').allInnerTexts())
      .toEqual(['To', 'Amount', 'Status', 'List', 'Charges', 'Created']);
    const [header, ...lines] = await download(page);
    expect(header?.slice(3)).toEqual(['Amount', 'Status', 'Reason', 'Batch Reference', 'Charges', 'Created At (UTC)']);
    expect(lines.map((line) => line[3])).toEqual(['2500.00', '1000.50']);

    // A view of it, which a name that is taken does not replace.
    await page.getByRole('button', { name: 'Views' }).click();
    await expectAccessible(page);
    await choose(page, 'Save as a new view');
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.getByLabel('Name').fill('<b>Rents & more</b>');
    await dialog.getByLabel('Open this list with it').check();
    await dialog.getByLabel('Share it').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save the view' }).click();
    await page.getByRole('button', { name: '<b>Rents & more</b>' }).waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await totals.getByText('3 payouts, ₦4,200.50').waitFor();
    await page.getByRole('button', { name: 'Views' }).click();
    await choose(page, 'Save as a new view');
    await dialog.getByLabel('Name').fill('<B>rents & more</B>');
    await dialog.getByRole('button', { name: 'Save the view' }).click();
    await dialog.getByText('It is the name of another view').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // The list opens with it; a link opens what the link says.
    await page.goto('/dashboard/payouts');
    await totals.getByText('2 payouts, ₦3,500.50').waitFor();
    await page.goto('/dashboard/payouts?status=FAILED');
    await totals.getByText('1 payout, ₦700.00').waitFor();
    const colleague = await signInOverHttp(walk.baseUrl, walk.demo.colleagues.approver);
    const { data } = await colleague.ask('GET', '/saved-view?list=PAYOUTS');
    expect(data.views).toMatchObject([{ name: '<b>Rents & more</b>', isOwn: false, isDefault: false, isShared: true }]);
  });

  it('take a day that is typed digit by digit, and ask for no other', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/transactions' });
    const asked = new Set<string>();
    page.on('request', (request) => {
      const from = new URL(request.url()).searchParams.get('from');
      if (from !== null) asked.add(from);
    });
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('From', { exact: true }).focus();
    // The eleventh of November, in whichever order the browser has day and month.
    await page.keyboard.type('11112026');
    await expect.poll(() => searchOf(page).get('from')).toBe('2026-11-11');
    await expect.poll(() => asked.has('2026-11-11')).toBe(true);
    expect([...asked]).toEqual(['2026-11-11']);
    expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-11-11');
  });

  it('say that no amount is from the one to the other, and ask for none', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts?amountFrom=500&amountTo=100' });
    const asked: string[] = [];
    page.on('request', (request) => {
      const { searchParams } = new URL(request.url());
      if (searchParams.has('amountTo')) asked.push(`${searchParams.get('amountFrom')} ${searchParams.get('amountTo')}`);
    });
    await page.getByRole('button', { name: 'Remove the filter Amount from: ₦500.00' }).waitFor();
    await page.getByLabel('Amount to').fill('100');
    await page.getByLabel('Amount to').press('Enter');
    await page.getByText('Amount to is less than Amount from.').waitFor();
    expect(searchOf(page).get('amountTo')).toBe(null);
    await page.getByLabel('Amount from').fill('50');
    await page.getByLabel('Amount from').press('Enter');
    await expect.poll(() => asked).toContain('50 100');
    expect(asked).not.toContain('500 100');
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('fit a phone, of transactions and payments in too', async () => {
    for (const at of [
      'payouts?amountFrom=1&period=x',
      'transactions?category=PAYOUT&counterparty=zz',
      'collections?payer=zz&channel=PAGE',
    ]) {
      const page = await walk.openAs(walk.demo.colleagues.approver, {
        phone: true,
        dark: true,
        at: `/dashboard/${at}`,
      });
      await page.getByRole('button', { name: 'Clear the filters' }).first().waitFor();
      await page.getByRole('button', { name: /^More filters/ }).waitFor();
      await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      await expectAccessible(page);
    }
  });
});
