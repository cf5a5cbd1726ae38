import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { makeLink } from './support/links.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** More than a page reads at once, all of them newer than those of the demo. */
const STORES = 201;

beforeAll(async () => {
  for (let at = 0; at < STORES; at += 1) {
    const { status } = await askApi(walk, 'POST', '/branch/store', { name: `Kiosk ${at}` });
    expect(status).toBe(200);
  }
});

const isInSight = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

describe('a business with more stores than are read at once', () => {
  it('lets any of them be chosen for what is paid, by a part of its name, and the main wallet again', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/links' });
    await makeLink(page, 'For Ikeja', async (form) => {
      await form.getByLabel('Amount', { exact: true }).fill('500');
      const wallet = form.getByRole('combobox', { name: 'Wallet' });
      expect(await wallet.inputValue()).toBe('Main wallet');
      // The field is at the foot of the dialog, and its choices are in sight as soon as it has the focus.
      await wallet.click();
      await expect.poll(() => isInSight(form.getByRole('option', { name: 'Main wallet' }))).toBe(true);
      await wallet.fill('keja');
      await form.getByRole('option', { name: /^Ikeja/ }).waitFor();
      await expectAccessible(page);
      await wallet.press('Enter');
      expect(await wallet.inputValue()).toBe('Ikeja');
      await wallet.fill('');
      await form.getByRole('option', { name: 'Main wallet' }).click();
      expect(await wallet.inputValue()).toBe('Main wallet');
      await wallet.fill('Ikeja');
      await form.getByRole('option', { name: /^Ikeja/ }).click();
      await wallet.blur();
      expect(await wallet.inputValue()).toBe('Ikeja');
    });
    const store = (await askApi(walk, 'GET', `/branch/store/${walk.demo.storeIds[0]}`)).data;
    const [link] = (await askApi(walk, 'GET', '/collection/link')).data.records;
    expect(link).toMatchObject({ title: 'For Ikeja', walletId: store.walletId });
  });

  it('sees the wallets of all of them by their names in the list of account numbers', async () => {
    const store = (await askApi(walk, 'GET', `/branch/store/${walk.demo.storeIds[0]}`)).data;
    const customer = (await askApi(walk, 'POST', '/customer', { name: 'Ngozi Eze', email: 'ngozi@example.com' })).data;
    const body = { customerId: customer.customerId, walletId: store.walletId };
    expect((await askApi(walk, 'POST', '/collection/account', body)).status).toBe(200);
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/accounts' });
    await page.getByText('To Ikeja', { exact: true }).waitFor();
  });
});
