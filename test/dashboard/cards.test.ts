import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { insertReserveRule } from '../../src/reserves/queries.ts';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();
const DAY_MS = 24 * 60 * 60_000;
const dialog = (page: Page) => page.getByRole('dialog');

/** A rule of yesterday: one that is set now begins in two minutes. */
beforeAll(async () => {
  const begins = new Date(Date.now() - DAY_MS);
  const terms = [
    newId(),
    null,
    'SANDBOX',
    'CARD',
    1_000,
    30,
    begins,
    'Chargebacks',
    new Date(begins.getTime() - DAY_MS),
  ];
  await walk.runtime.database.query(insertReserveRule, terms);
});

async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it scrolls sideways').toBe(true);
}

describe('a card', () => {
  it('is declined and then approved on the test page of the sandbox, and part of it is seen in reserve', async () => {
    const opened = await askApi(walk, 'POST', '/collection/session', {
      ...{ amount: 5_000, customer: { name: 'Ada Obi', email: 'ada@example.com' } },
      ...{ channels: ['CARD', 'BANK_TRANSFER'], returnUrl: 'https://shop.example/paid' },
    });
    expect(opened.status).toBe(200);
    const payer = await walk.open({ phone: true });
    await payer.goto(opened.data.checkoutUrl);
    await payer.getByRole('heading', { name: 'Pay ₦5,000.00' }).waitFor();
    await expectAccessible(payer);
    await expectNarrow(payer);
    await payer.getByRole('link', { name: 'Pay with a card or in another way' }).click();
    await payer.getByText('no card number is asked for').waitFor();
    await expectAccessible(payer);
    await expectNarrow(payer);
    await payer.getByLabel('What happens').selectOption('declined');
    await payer.getByRole('button', { name: 'Pay ₦5,000.00' }).click();
    await payer.getByText('The bank declined the card.').waitFor();
    await payer.getByLabel('What happens').selectOption('approved');
    await payer.getByLabel('Your name').fill('Ngozi Eze');
    await payer.getByRole('button', { name: 'Pay ₦5,000.00' }).click();
    await payer.getByRole('link', { name: 'See the payment' }).click();
    await payer.getByRole('heading', { name: 'Thank you. We have received your payment.' }).waitFor();

    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page.getByRole('button', { name: 'Ngozi Eze' }).click();
    await dialog(page).getByText('Card', { exact: true }).waitFor();
    await dialog(page).getByText('₦500.00').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Reserve', exact: true }).click();
    await page.getByText('Of one payment in.').waitFor();
    await page.getByRole('region', { name: 'What comes back' }).getByRole('cell', { name: '₦500.00' }).waitFor();
    await expectAccessible(page);
  });
});

describe('the operator', () => {
  it('sees what is kept of each merchant, and plans a rule for cards', async () => {
    const page = await walk.openAs(walk.demo.operator, { at: '/dashboard/operator/reserves', phone: true });
    await page.getByText('10 % for 30 days').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Keep a reserve' }).click();
    await dialog(page).getByLabel('Percent of the payment').fill('7.25');
    await dialog(page).getByLabel('For so many days').fill('0');
    await dialog(page).getByLabel('Why').fill('Chargebacks of the autumn');
    await dialog(page).getByRole('button', { name: 'Set the rule' }).click();
    await dialog(page).getByText('Enter a number from 1 to 730.').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('For so many days').fill('120');
    await dialog(page).getByRole('button', { name: 'Set the rule' }).click();
    await page.getByText('7.25 % for 120 days').waitFor();
    await page.getByText('Scheduled').waitFor();
    await expectNarrow(page);
  });
});
