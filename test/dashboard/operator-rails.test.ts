import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addRail } from '../../src/rail-accounts/index.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** Live accounts, as the terminal adds them, of a provider that takes no connection: jobs ask each account that there is. */
async function addLiveRails(...names: string[]): Promise<void> {
  for (const name of names) {
    const credentials = JSON.stringify({ secretKey: `sk_live_${randomBytes(16).toString('hex')}` });
    const account = { name, provider: 'paystack', mode: 'LIVE' as const, credentials, baseUrl: 'http://127.0.0.1:9' };
    await addRail(walk.runtime, { ...account, openToMerchants: false, replace: false, check: false });
  }
}

const dialog = (page: Page) => page.getByRole('dialog');

describe('the rails of live payouts', () => {
  it('are put in order for all, chosen for one merchant, and switched off with everybody shown what follows', async () => {
    await addLiveRails('north-bank', 'south-bank');
    const page = await walk.openAs(walk.demo.operator);
    await page.getByRole('link', { name: 'Rails', exact: true }).click();
    await page.getByText('No rail is set: live payouts cannot be sent.').waitFor();
    await page.getByRole('heading', { name: /north-bank/ }).waitFor();
    await page.getByRole('button', { name: 'Change the order of live' }).click();
    await dialog(page).getByLabel('Pays').selectOption('north-bank');
    await dialog(page).getByRole('button', { name: 'Set the order' }).click();
    await page.getByText('Pays by north-bank').waitFor();
    await expectAccessible(page);

    await page.goto(`/dashboard/operator/merchants/${walk.demo.merchantId}?tab=money`);
    await page.getByText('Pays by north-bank. The default of all merchants.').waitFor();
    await page.getByRole('button', { name: 'Choose its rails, live' }).click();
    // Play money has no place among them.
    await expect.poll(() => dialog(page).getByLabel('Pays').locator('option[value="sandbox"]').count()).toBe(0);
    await dialog(page).getByLabel('Pays').selectOption('south-bank');
    await dialog(page).getByLabel('Fails over to').selectOption('north-bank');
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Set the rails' }).click();
    await page.getByText('Pays by south-bank; fails over to north-bank. The operator chose them.').waitFor();

    await page.getByRole('link', { name: 'Rails', exact: true }).click();
    await page.getByRole('button', { name: 'Switch off south-bank' }).click();
    await dialog(page).getByText('Merchants that use no other rail cannot pay out.', { exact: false }).waitFor();
    await dialog(page).getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('It gets no new payouts; the rail is still asked about those that it has.').waitFor();
    await page.goto(`/dashboard/operator/merchants/${walk.demo.merchantId}?tab=money`);
    await page.getByText('Pays by south-bank (switched off); fails over to north-bank.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Choose its rails, live' }).click();
    await dialog(page).getByLabel('Pays').selectOption('');
    await dialog(page).getByRole('button', { name: 'Set the rails' }).click();
    await page.getByText('Pays by north-bank. The default of all merchants.').waitFor();
    await expectAccessible(page);
  });
});
