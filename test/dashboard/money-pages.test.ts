import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { makeImpatient } from './support/impatient.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';
import { settled } from './support/watch.ts';

const walk = prepareWalks();

const hasFocus = (field: Locator) =>
  expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);

async function fillPayout(page: Page, amount: string, reference: string): Promise<void> {
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Narration').fill('Thread');
  await page.getByLabel('Your reference').fill(reference);
  await page.getByRole('button', { name: 'Continue to the PIN' }).click();
}

describe('lists of money', () => {
  it('keep each amount in sight, however long a word or a name is', async () => {
    const word = 'W'.repeat(80);
    await askApi(walk, 'POST', '/branch/store', { name: word });
    const subaccountId = walk.demo.subaccountIds[0];
    await askApi(walk, 'POST', '/subaccount/credit', { amount: 20, subaccountId, narration: word });
    const page = await walk.openAs(walk.demo.dashboard);
    for (const width of [360, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ['/', '/wallet', '/stores', '/transactions']) {
        await page.goto(`/dashboard${path}`);
        await settled(page);
        const regions = page.locator('section:has(> table)');
        expect(await regions.count(), path).toBeGreaterThan(0);
        const hidden = await regions.evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.getAttribute('aria-label')),
        );
        expect(hidden, `${path} at ${width}`).toEqual([]);
      }
    }
  });

  it('say in words what the line of the balance shows, and what it ends with', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet' });
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    const ends = `₦${data.wallet.bookedBalance.toLocaleString('en-GB', { minimumFractionDigits: 2 })}`;
    await page.getByRole('img', { name: `${ends} on ` }).waitFor();
    await page.locator('.u-legend').getByText(ends).waitFor();
  });
});

describe('a page whose scripts do not come', () => {
  it('is there by itself once the connection is back', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await settled(page);
    // What goes through a route is not taken from the browser's cache, in which a walk before may have put it.
    await page.route('**/assets/**', (route) => route.continue());
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Approvals', exact: true }).click();
    await page.getByText('A part of the dashboard could not be fetched.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  });

  it('says so inside its frame, and is there when it is loaded again', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await settled(page);
    await page.route('**/assets/**', (route) => route.abort('internetdisconnected'));
    await page.getByRole('link', { name: 'Beneficiaries', exact: true }).click();
    await page.getByText('A part of the dashboard could not be fetched.').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Beneficiaries' }).waitFor();
  });
});

describe('a page whose answer never comes', () => {
  it('asks again, and shows what it has', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await settled(page);
    await makeImpatient(page);
    const lost = Promise.withResolvers<void>();
    await page.route('**/branch/store?**', () => lost.resolve(), { times: 1 });
    await page.getByRole('link', { name: 'Stores', exact: true }).click();
    await lost.promise;
    await page.getByRole('link', { name: 'Ikeja' }).waitFor();
  });
});

describe('the focus', () => {
  it('goes to the field of a dialog, on to the PIN, and back to the button that began it', async () => {
    const at = `/dashboard/stores/${walk.demo.storeIds[0]}`;
    const page = await walk.openAs(walk.demo.dashboard, { at });
    const button = page.getByRole('button', { name: 'Move to the main wallet' });
    await button.click();
    await hasFocus(page.getByLabel('Amount'));
    await page.keyboard.press('Escape');
    await hasFocus(button);
    await page.keyboard.press('Enter');
    await hasFocus(page.getByLabel('Amount'));
    await page.keyboard.type('12.50');
    await page.getByLabel('Narration').fill('Evening');
    await page.getByRole('button', { name: 'Continue' }).click();
    await hasFocus(page.getByLabel('PIN', { exact: true }));
    await page.keyboard.type(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('₦12.50 moved from').waitFor();
    await hasFocus(button);
  });
});

describe('a payout', () => {
  it('that is refused takes the focus to what was refused', async () => {
    const at = '/dashboard/payouts/new?bankCode=058&accountNumber=0000999901';
    const page = await walk.openAs(walk.demo.dashboard, { at });
    const used = { pin: walk.demo.pin, bankCode: '058', accountNumber: '0000999901', amount: 45, narration: 'Thread' };
    await askApi(walk, 'POST', '/payout/single', { ...used, reference: 'BILL-1' });
    await fillPayout(page, '46', 'BILL-1');
    await page.getByLabel('PIN', { exact: true }).fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByText('You have used this reference before.').waitFor();
    await hasFocus(page.getByLabel('Your reference'));
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('46.00');
  });

  it('without an answer stays as it was typed, and is paid once when it is asked about again', async () => {
    const at = '/dashboard/payouts/new?bankCode=058&accountNumber=0000999901';
    const page = await walk.openAs(walk.demo.dashboard, { at });
    await page.route('**/payout/single', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await fillPayout(page, '77', 'BILL-2');
    await page.getByLabel('PIN', { exact: true }).fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByText('The connection was lost before a response arrived.').waitFor();
    await page.unroute('**/payout/single');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No answer came yet').waitFor();
    for (const label of ['Account number', 'Amount', 'Narration', 'Your reference']) {
      expect(await page.getByLabel(label).isDisabled(), label).toBe(true);
    }
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await page.getByLabel('PIN', { exact: true }).fill(walk.demo.pin);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Payout to/ }).waitFor();
    const { data } = await askApi(walk, 'GET', '/transaction?reference=BILL-2');
    expect(data.totalRecords).toBe(1);
  });
});
