import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
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
