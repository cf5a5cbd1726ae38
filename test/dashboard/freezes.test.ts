import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { signInOverHttp } from './support/session.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** An account that the sandbox bank knows. */
const ACCOUNT = '0123456785';

const dialog = (page: Page) => page.getByRole('dialog');

async function statusOfPaying(): Promise<number> {
  const payment = { bankCode: '058', accountNumber: ACCOUNT, amount: 1_200, narration: 'Invoice', pin: walk.demo.pin };
  return (await askApi(walk, 'POST', '/payout/single', { ...payment, allowDuplicate: true })).status;
}

const fitsAcross = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

describe('freezes of the operator', () => {
  it('are made by one person, refuse what is paid to the account, and are lifted by two', async () => {
    const first = await walk.openAs(walk.demo.operator);
    await first.getByRole('link', { name: 'Freezes' }).click();
    await first.getByText('Nothing is frozen').waitFor();
    await expectAccessible(first);
    await first.getByRole('button', { name: 'Freeze' }).first().click();
    await dialog(first).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(first).getByLabel('Bank').fill('Guaranty');
    await first.getByRole('option', { name: /Guaranty/ }).click();
    await dialog(first).getByLabel('Account number').fill(ACCOUNT);
    await dialog(first).getByLabel('Why').fill('A bank reported a fraud');
    await dialog(first).getByLabel('Legal basis').fill('Order FHC/L/CS/41/2026');
    await dialog(first).getByLabel('Owner').fill('Compliance desk');
    await expectAccessible(first);
    await dialog(first).getByRole('button', { name: 'Freeze' }).click();
    await first.getByText('It is frozen. Every process knows it within seconds.').waitFor();
    await expect.poll(statusOfPaying).toBe(422);

    await first.getByRole('button', { name: new RegExp(ACCOUNT) }).click();
    await dialog(first).getByText('Order FHC/L/CS/41/2026', { exact: true }).waitFor();
    await dialog(first).getByRole('button', { name: 'Propose to lift it' }).click();
    await dialog(first).getByLabel('What was seen, and where').fill('The court lifted its order on 24 November');
    await dialog(first).getByRole('button', { name: 'Propose' }).click();
    await first.getByText('Proposed. Another person confirms it.').waitFor();

    const look = { at: '/dashboard/operator/freezes', phone: true };
    const second = await walk.openAs(walk.demo.colleagues.operator, look);
    await second.getByText('Lifting is proposed').waitFor();
    expect(await fitsAcross(second)).toBe(true);
    await second.getByRole('button', { name: new RegExp(ACCOUNT) }).click();
    await dialog(second).getByRole('button', { name: 'Lift the freeze' }).click();
    await dialog(second).getByRole('button', { name: 'Lift it' }).click();
    await second.getByText('Lifted', { exact: true }).first().waitFor();
    await expectAccessible(second);
    await expect.poll(statusOfPaying).toBe(200);
    await second.goto(`${walk.baseUrl}/dashboard/operator/cases`);
    await second.getByText('Nothing is held').waitFor();
    expect(await fitsAcross(second)).toBe(true);
  });
});

describe('a payment that a freeze holds', () => {
  it('leads to its case, the case to the freeze, and the freeze to all that it holds', async () => {
    const ada = await signInOverHttp(walk.baseUrl, walk.demo.operator);
    const freeze = { mode: 'SANDBOX', subject: 'PAYER', payerName: 'Frozen Payer', owner: 'Compliance desk' };
    const law = { reason: 'A bank reported a fraud', legalBasis: 'Order FHC/L/CS/42/2026' };
    expect((await ada.ask('POST', '/operator/freeze', { ...freeze, ...law })).status).toBe(200);
    const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
    const { accountNumber } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data.accounts[0];
    const payer = { name: 'Frozen Payer' };
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 4_100, payer });
    const held = async () =>
      (await askApi(walk, 'GET', '/collection/payment?status=SUSPENSE')).data.records[0]?.paymentId;
    await expect.poll(held, { timeout: 30_000 }).toBeDefined();
    const page = await walk.openAs(walk.demo.operator, { at: `/dashboard/operator/payments-in/${await held()}` });
    await page.getByRole('button', { name: 'Propose what becomes of it' }).waitFor();
    await page.getByRole('button', { name: 'Look at it: A freeze holds it' }).click();
    await dialog(page).getByText('Two people say on its page whether it is credited or goes back.').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('link', { name: 'The freeze' }).click();
    await dialog(page).getByText('Order FHC/L/CS/42/2026', { exact: true }).waitFor();
    await dialog(page).getByRole('link', { name: '1 now, 1 in all' }).click();
    await page.getByText('Only what one freeze holds, or held.').waitFor();
    const row = page.getByRole('button', { name: 'Frozen Payer' });
    await row.waitFor();
    await expectAccessible(page);
    await page.getByLabel('State').selectOption({ label: 'Released' });
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('State').selectOption({ label: 'Held' });
    await row.click();
    await dialog(page).getByRole('link', { name: 'The payment' }).click();
    await page.waitForURL(`**/operator/payments-in/${await held()}`);
  });
});

describe('screening and tiers of the operator', () => {
  it('screen against an imported list, which is ended, and fit a phone', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/screening' });
    await page.getByText('No list is imported').waitFor();
    await page.getByRole('button', { name: 'Import a list' }).first().click();
    await dialog(page).getByRole('button', { name: 'Import it' }).click();
    await dialog(page).getByText('Name the list.').waitFor();
    await dialog(page).getByLabel('Name of the list').fill('Sanctions of the desk');
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(page).getByLabel('Day of the list').fill('2026-11-20');
    await dialog(page).getByLabel('Source').fill('Gazette 41 of 2026');
    const choose = (csv: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await choose('name,aliases\n,Nobody A. Tall\n');
    await dialog(page).getByRole('button', { name: 'Import it' }).click();
    await dialog(page).getByText('Row 1 (line 2 of the file) has no name.', { exact: false }).waitFor();
    await choose('name,aliases\nNobody Atall,Nobody A. Tall\n');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Import it' }).click();
    await page.getByText('1 names are in force.').waitFor();
    await page.getByText('Sanctions of the desk').first().waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await fitsAcross(page)).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'End Sanctions of the desk' }).click();
    await dialog(page).getByRole('button', { name: 'End the list' }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
  });

  it('set what a tier may do and which merchant has it, and fit a phone', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/tiers' });
    await page.getByText('No tier has limits').waitFor();
    await page.getByRole('button', { name: 'Set a tier’s limits' }).first().click();
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(page).getByLabel('Most a payment in may be').fill('50000');
    await dialog(page).getByLabel('Source').fill('Circular of 20 November 2026');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Set the limits' }).click();
    await page.getByText('The limits are set.', { exact: false }).waitFor();
    await page.getByText('₦50,000.00').first().waitFor();
    await page.getByRole('button', { name: 'Set a merchant’s tier' }).click();
    await dialog(page).getByLabel('Merchant').fill('Adire');
    await page.getByRole('option', { name: /Adire/ }).click();
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(page).getByLabel('Why').fill('Verified by its BVN alone');
    await dialog(page).getByRole('button', { name: 'Set the tier' }).click();
    await page.getByText('The tier is set.', { exact: false }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await fitsAcross(page)).toBe(true);
    await expectAccessible(page);
  });
});
