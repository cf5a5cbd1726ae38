import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { waitForSettlements } from '../support/availability.ts';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const AMOUNT = 1_200;
const FEE = 12.5;
/** Where pictures of the pages go, for whoever wants to look at them. */
const PICTURES = process.env['WALK_PICTURES'];

const dialog = (page: Page) => page.getByRole('dialog');
const picture = async (page: Page, name: string) => {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

/** Somebody pays the demo. @returns the provider's id of the transfer. */
async function payDemo(): Promise<string> {
  const { wallet } = (await askApi(walk, 'GET', '/wallet/merchant')).data;
  const { accounts } = (await askApi(walk, 'GET', `/wallet/${wallet.id}/account`)).data;
  const { accountNumber } = accounts[0];
  await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: AMOUNT });
  const pending = async () => (await askApi(walk, 'GET', '/collection/pending')).data.payments;
  await expect.poll(pending, { timeout: 30_000 }).toBe(1);
  const { rows } = await walk.runtime.database.pool.query<{ id: string }>(
    `select provider_transaction_id as id from inbound_payments where status = 'PENDING_SETTLEMENT'`,
  );
  return rows[0]?.id ?? '';
}

describe('what a provider settled', () => {
  it('is recorded by one person, applied by another, and then what waited for it is in the wallet', async () => {
    const { merchantId } = walk.demo;
    await waitForSettlements(walk.runtime.database, { merchantId, mode: 'SANDBOX' });
    const transactionId = await payDemo();
    for (const phone of [false, true]) {
      const merchant = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/wallet', phone });
      await merchant.getByText('One payment in, yours once its provider has settled it.').waitFor();
      await expectAccessible(merchant);
      await picture(merchant, `wallet-${phone ? 'phone' : 'desk'}`);
    }

    const first = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/provider-settlements' });
    await first.getByText('No settlement was recorded yet').waitFor();
    await expectAccessible(first);
    await first.getByRole('button', { name: 'Record a settlement' }).first().click();
    await expectAccessible(first);
    await dialog(first).getByLabel('Provider account').selectOption('sandbox');
    await dialog(first).getByLabel('Reference').fill('SETTLED-1');
    await dialog(first)
      .getByLabel('Settled', { exact: true })
      .fill(String(AMOUNT - FEE));
    await dialog(first).getByLabel('On', { exact: true }).fill('2026-11-20');
    const lines = [`${transactionId},${AMOUNT},${FEE},${AMOUNT - FEE}`, 'nobody-knows-it,0.00,0,0', ''];
    const buffer = Buffer.from(['transaction_id,gross,fee,net', ...lines].join('\n'));
    const file = { name: 'settled.csv', mimeType: 'text/csv', buffer };
    await first.locator('input[type=file]').setInputFiles(file);
    await dialog(first).getByRole('button', { name: 'Record' }).click();
    await first.getByText('To be applied', { exact: true }).waitFor();
    await first.getByText('Posted when it is applied').waitFor();
    await expectAccessible(first);
    await picture(first, 'settlement-desk');
    await first.getByLabel('State').selectOption('OPEN');
    await first.getByText('its amount is zero').waitFor();
    await first.getByRole('button', { name: 'Apply' }).click();
    await dialog(first).getByRole('button', { name: 'Apply' }).click();
    await dialog(first).getByText('another person has to apply').waitFor();

    const second = await walk.openAs(walk.demo.colleagues.operator, {
      at: '/dashboard/operator/provider-settlements',
      phone: true,
    });
    await second.getByRole('link', { name: 'SETTLED-1' }).waitFor();
    await expectAccessible(second);
    await picture(second, 'settlements-phone');
    await second.getByRole('link', { name: 'SETTLED-1' }).click();
    await second.getByRole('button', { name: 'Apply' }).click();
    await expectAccessible(second);
    await dialog(second).getByRole('button', { name: 'Apply' }).click();
    await second.getByText('The settlement is applied.').waitFor();
    await second.getByText('Posted').first().waitFor();
    await second.getByRole('button', { name: 'Note what you found out about line 3' }).click();
    await dialog(second).getByLabel('What you found out').fill('A line of theirs without an amount');
    await dialog(second).getByRole('button', { name: 'Note it' }).click();
    await second.getByText('The difference is noted.').waitFor();
    await expectAccessible(second);
    await picture(second, 'settlement-phone');
    expect((await askApi(walk, 'GET', '/collection/pending')).data).toEqual({
      amount: 0,
      payments: 0,
      currency: 'NGN',
    });
    const [payment] = (await askApi(walk, 'GET', '/collection/payment?size=1')).data.records;
    expect(payment).toMatchObject({ status: 'CREDITED', amount: AMOUNT });
  });

  it('is what a merchant waits for by a rule of the operator', async () => {
    const at = `/dashboard/operator/merchants/${walk.demo.merchantId}?tab=money`;
    const page = await walk.openAs(walk.demo.operator, { at });
    await page.getByText('Once the provider has settled it').waitFor();
    await page.getByRole('button', { name: 'Set the rule' }).click();
    await expectAccessible(page);
    await dialog(page).getByLabel('Mode').selectOption('SANDBOX');
    await dialog(page).getByLabel('Available').selectOption('ON_CONFIRMATION');
    await dialog(page).getByLabel('Why').fill('They have been here for a year');
    await dialog(page).getByRole('button', { name: 'Set the rule' }).click();
    await page.getByText('The rule is set. It begins in two minutes.').waitFor();
    await page.getByText('once it is confirmed', { exact: false }).last().waitFor();
    await expectAccessible(page);
    await picture(page, 'merchant-desk');
  });
});
