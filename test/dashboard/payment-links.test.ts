import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { goOnAsPayer, makeLink } from './support/links.ts';
import { payAndGoBack } from './support/test-bank.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const LINKS = '/dashboard/collections/links';
const dialog = (page: Page) => page.getByRole('dialog');

async function expectNarrow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'it scrolls sideways').toBe(true);
}

/** A payer with a link and a small phone, on the page of a session and at the test bank. */
async function payAs(address: string, { amount, dark }: { amount?: string; dark?: boolean } = {}): Promise<Page> {
  const payer = await walk.open({ dark: dark === true });
  await payer.setViewportSize({ width: 320, height: 700 });
  await payer.goto(address);
  await payer.getByRole('button', { name: 'Continue to payment' }).waitFor();
  await expectAccessible(payer);
  await expectNarrow(payer);
  if (amount !== undefined) await payer.getByLabel('Amount in naira').fill(amount);
  await goOnAsPayer(payer);
  await payer.getByRole('link', { name: 'Pay at the test bank' }).click();
  await payAndGoBack(payer, { name: 'Ngozi Eze' });
  await payer.getByRole('heading', { name: 'Thank you. We have received your payment.' }).waitFor();
  return payer;
}

describe('a payment link', () => {
  it('is made in the dashboard, paid by anyone who has it, and seen as a payment', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: LINKS });
    await page.getByText('No payment links yet').waitFor();
    await expectAccessible(page);
    const address = await makeLink(page, 'School fees', async (form) => {
      await form.getByRole('button', { name: 'Create the link' }).click();
      await form.getByText('Enter an amount.').waitFor();
      await expectAccessible(page);
      await form.getByLabel('Amount', { exact: true }).fill('12500.50');
      await form.getByLabel('Once').check();
    });
    await expectAccessible(page);
    await payAs(address);

    // The dialog follows the link of the list.
    await dialog(page).getByText('1 of 1').waitFor();
    await dialog(page).getByRole('link', { name: 'See its sessions' }).click();
    await page.getByText('Only those of one payment link.').waitFor();
    await page.getByRole('button', { name: 'School fees' }).click();
    await dialog(page).getByText('Payments received').waitFor();
    await dialog(page).getByText('ngozi@example.com').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Payments' }).click();
    await page.getByRole('cell', { name: '+₦12,500.50' }).waitFor();
    await expectAccessible(page);

    // Switched on again, it takes payments no more than before.
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('button', { name: 'Switch off School fees' }).click();
    await page.getByText('School fees takes no new payments.').waitFor();
    await page.getByRole('button', { name: 'Switch on School fees' }).click();
    await page.getByText('School fees is switched on, and is still fully paid.').waitFor();

    const late = await walk.open();
    const answer = await late.goto(address).catch(() => null);
    expect(answer?.status()).toBe(410);
    await late.getByText('This payment link has already been paid.').waitFor();
    await expectAccessible(late);
  });

  it('takes the amount that the payer names, until it is switched off', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: LINKS, phone: true });
    const address = await makeLink(page, 'A donation', async (form) => {
      await form.getByLabel('The payer, within limits').check();
      await form.getByLabel('At least').fill('100');
      await form.getByLabel('At most').fill('50');
      await form.getByRole('button', { name: 'Create the link' }).click();
      await form.getByText('must not be less than minAmount').waitFor();
      await form.getByLabel('At most').fill('5000');
    });
    await payAs(address, { amount: '250', dark: true });
    await dialog(page).getByRole('button', { name: 'Switch off A donation' }).click();
    await dialog(page).getByText('Switched off').waitFor();
    await page.keyboard.press('Escape');
    await expectNarrow(page);
    await expectAccessible(page);
  });
});

describe('a payer who goes back', () => {
  it('finds the form of a payment link, also where a mistake was corrected, and is not asked to send it again', async () => {
    const link = { title: 'A donation', minAmount: 100, maxAmount: 5_000 };
    const { url } = (await askApi(walk, 'POST', '/collection/link', link)).data;
    const payer = await walk.open();
    await payer.goto(url);
    await payer.getByLabel('Amount in naira').fill('ten');
    await goOnAsPayer(payer);
    await payer.getByText('The amount must be a number such as 1500, 1,500 or 1500.50.').waitFor();
    await payer.getByLabel('Amount in naira').fill('1,500');
    await goOnAsPayer(payer);
    await payer.getByRole('heading', { name: 'Pay ₦1,500.00' }).waitFor();
    await payer.goBack();
    await payer.getByLabel('Amount in naira').waitFor();
    await payer.reload();
    await payer.getByLabel('Amount in naira').waitFor();
  });
});

describe('the switch of a payment link', () => {
  it('switches off what was switched on again after a first answer was lost', async () => {
    const { linkId } = (await askApi(walk, 'POST', '/collection/link', { title: 'A choir', amount: 500 })).data;
    const page = await walk.openAs(walk.demo.dashboard, { at: LINKS });
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    // The page asks once more by itself.
    await page.route('**/deactivate', lose, { times: 2 });
    await page.getByRole('button', { name: 'Switch off A choir' }).click();
    await page.getByRole('button', { name: 'Switch on A choir' }).click();
    await page.getByRole('button', { name: 'Switch off A choir' }).click();
    await page.getByText('A choir takes no new payments.').waitFor();
    await page.getByRole('button', { name: 'Switch on A choir' }).waitFor();
    expect((await askApi(walk, 'GET', `/collection/link/${linkId}`)).data.status).toBe('INACTIVE');
  });
});

describe('a payment session', () => {
  it('is looked at, paid while one looks, or cancelled', async () => {
    const customer = { name: 'Ada Obi', email: 'ada@example.com' };
    const open = async (description: string) =>
      (await askApi(walk, 'POST', '/collection/session', { amount: 900, customer, description })).data;
    const [paid] = [await open('Two pairs of shoes'), await open('A sofa')];
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/sessions' });
    await page.getByRole('button', { name: 'Two pairs of shoes' }).click();
    await dialog(page).getByRole('button', { name: 'Copy the link of the payment page' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(paid.checkoutUrl);
    await expectAccessible(page);
    const { accountNumber } = paid.accounts[0];
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 900 });
    await dialog(page).getByText('Payments received').waitFor();
    await dialog(page).getByText('Ended').waitFor();
    const foot = dialog(page).locator('footer');
    expect(await foot.isVisible(), 'where nothing can be done there is no bar for it').toBe(false);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'A sofa' }).click();
    await dialog(page).getByRole('button', { name: 'Cancel the session' }).click();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Cancel the session' }).click();
    await page.getByText('The session is cancelled.').waitFor();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByLabel('Status').selectOption('CANCELLED');
    await page.getByRole('button', { name: 'Two pairs of shoes' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'A sofa' }).click();
    await dialog(page).getByText('Asked for').waitFor();
    // Its end would be the one that it was opened with, which is still ahead.
    expect(await dialog(page).getByText('Ended').count()).toBe(0);
    await page.keyboard.press('Escape');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^payment-sessions-sandbox-\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe('a customer', () => {
  it('has a form that a double click opens, and that forgets nothing by a click beside it', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/customers' });
    const add = page.getByRole('button', { name: 'Add a customer' }).first();
    const isClosed = async () => {
      await page.mouse.click(10, 450);
      return (await dialog(page).count()) === 0;
    };
    // Its second click meets the page behind the form.
    await add.dblclick();
    expect(await dialog(page).count()).toBe(1);
    await expect.poll(isClosed).toBe(true);
    await add.click();
    await dialog(page).getByLabel('Name').fill('Half a n');
    await page.mouse.click(10, 450);
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('Half a n');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
  });

  it('is added, found and changed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/customers' });
    await page.getByRole('button', { name: 'Add a customer' }).first().click();
    await dialog(page).getByLabel('Name').fill('Bola Ige');
    await dialog(page).getByLabel('E-mail').fill('bola@');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page).getByText('must be an e-mail address').waitFor();
    await expectAccessible(page);
    await dialog(page).getByLabel('E-mail').fill('bola@example.com');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Bola Ige is added.').waitFor();
    await page.getByLabel('Search').fill('BOLA@');
    await page.getByRole('button', { name: 'Bola Ige' }).click();
    await dialog(page).getByRole('button', { name: 'Change' }).click();
    await dialog(page).getByLabel('Phone').fill('+234 801 234 5678');
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page).getByText('+2348012345678').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('cell', { name: '+2348012345678' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^customers-sandbox-\d{4}-\d\d-\d\d\.csv$/);
  });

  it('gets an account number, pays to it, is seen with what it paid, until the number is closed', async () => {
    const { customerId } = (await askApi(walk, 'POST', '/customer', { name: 'Kemi Ojo', email: 'kemi@example.com' }))
      .data;
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections/accounts' });
    await page.getByRole('button', { name: 'Open for a customer' }).first().click();
    await dialog(page).getByLabel('Find a customer').fill('KEMI@');
    await dialog(page).getByLabel('Kemi Ojo, kemi@example.com').check();
    await dialog(page).getByLabel('BVN of the customer').fill('123');
    await dialog(page).getByRole('button', { name: 'Open it' }).click();
    await dialog(page).getByText('Enter 11 digits.').waitFor();
    await expectAccessible(page);
    // Copied with the spaces that it has on paper.
    await page.evaluate("navigator.clipboard.writeText('222 1234 5901')");
    await dialog(page).getByLabel('BVN of the customer').selectText();
    await page.keyboard.press('ControlOrMeta+v');
    await dialog(page).getByRole('button', { name: 'Open it' }).click();
    await page.getByText('The account number is being opened.').waitFor();
    await page.getByRole('button', { name: 'Close the number of Kemi Ojo' }).waitFor();
    await expectAccessible(page);
    const { records } = (await askApi(walk, 'GET', `/collection/account?customerId=${customerId}`)).data;
    const { accountNumber } = records[0].accounts[0];
    await page
      .getByRole('button', { name: /^Copy the account number of/ })
      .first()
      .click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(accountNumber);
    await askApi(walk, 'POST', '/sandbox/collection/pay', { accountNumber, amount: 7_500 });

    await page.getByRole('link', { name: 'Customers' }).click();
    // Her account number has buttons with her name on the page before.
    await page.getByRole('button', { name: 'Add a customer' }).waitFor();
    await page.getByRole('button', { name: 'Kemi Ojo' }).click();
    await dialog(page).getByText('+₦7,500.00').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('link', { name: 'See all its payments' }).click();
    await page.getByText('Only what one customer paid.').waitFor();
    await page.getByRole('cell', { name: '+₦7,500.00' }).waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${walk.baseUrl}/dashboard/collections/accounts`);
    await page.getByRole('button', { name: 'Close the number of Kemi Ojo' }).click();
    await dialog(page).getByText('It cannot be opened again').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await dialog(page).getByRole('button', { name: 'Close it' }).click();
    await page.getByText('The account number of Kemi Ojo is closed.').waitFor();
    await page.getByLabel('Status').selectOption('CLOSED');
    await page.getByText(accountNumber).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
  });

  it('is read and not changed by who may only look', async () => {
    const page = await walk.openAs(walk.demo.colleagues.approver, { at: '/dashboard/collections/customers' });
    await page.getByText('Only the id says who is who').waitFor();
    expect(await page.getByRole('button', { name: /Add a customer|Change/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Links' }).click();
    await page.getByText('give somebody the link').waitFor();
    expect(await page.getByRole('button', { name: 'Create a payment link' }).count()).toBe(0);
  });
});
