import { describe, expect, it } from 'vitest';
import { confirm, fillIn } from './payout-steps.ts';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

/** How many payouts there are to an account. */
async function paidTo(accountNumber: string): Promise<number> {
  const { data } = await askApi(walk, 'GET', `/transaction?category=PAYOUT&accountNumber=${accountNumber}`);
  return data.records.length;
}

describe('a single payout', () => {
  it('names the owner and all charges before the PIN, keeps what was typed on a wrong one, and is paid once on a double click, which leaves an empty form', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts' });
    await page.getByText('No payout yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New payout' }).first().click();
    await fillIn(page, '0123456785', '12500.50');
    await page.getByText('EFE ESTHER ABIOLA').waitFor();
    await page.getByText('₦12,577.38').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await expectAccessible(page);
    await confirm(page, '9999');
    await page.getByRole('dialog').getByText(/PIN/).last().waitFor();
    await page
      .getByRole('dialog')
      .getByText(/attempts?/)
      .waitFor();
    await confirm(page, walk.demo.pin);
    await page.getByRole('heading', { level: 1, name: 'Payout to EFE ESTHER ABIOLA' }).waitFor();
    await page.getByText('The bank has confirmed it.').waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'New payout' }).waitFor();
    expect(await page.getByLabel('Amount').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Payouts', exact: true }).click();
    await page.getByRole('link', { name: 'EFE ESTHER ABIOLA' }).waitFor();
    await expect.poll(() => page.getByRole('row').filter({ hasText: '0123456785' }).count()).toBe(1);
  });

  it('asks before the same is paid again, and pays it when that is meant', async () => {
    const first = await askApi(walk, 'POST', '/payout/single', {
      bankCode: '058',
      accountNumber: '0123456786',
      amount: 300,
      narration: 'Invoice 42',
      pin: walk.demo.pin,
    });
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    await fillIn(page, '0123456786', '300');
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await confirm(page, walk.demo.pin);
    await page.getByText('This looks like the same payout again').waitFor();
    const link = page.getByRole('link', { name: 'See the payout', exact: true });
    expect(await link.getAttribute('href')).toBe(`/dashboard/payouts/${first.data.transactionId}`);
    await expectAccessible(page);
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('300.00');
    expect(await paidTo('0123456786')).toBe(1);
    await page.getByRole('button', { name: 'Pay it again anyway' }).click();
    await confirm(page, walk.demo.pin);
    await page.getByText('The bank has confirmed it.').waitFor();
    expect(await paidTo('0123456786')).toBe(2);
  });

  it('is not sent with other charges than were shown above the PIN, and says that they have changed', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    await fillIn(page, '0123456787', '700');
    const { data: quote } = await askApi(walk, 'POST', '/payout/quote', { amount: 700 });
    const total = `₦${quote.total.toFixed(2)}`;
    await page.getByText(total).waitFor();
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    // The operator changes a fee; a wrong PIN makes the page read everything anew.
    await page.route('**/payout/quote', async (route) => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      await route.fulfill({ json: { ...rest, data: { ...data, charges: 500, total: 1_200 } } });
    });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('PIN').fill('9999');
    await page.keyboard.press('Enter');
    await dialog.getByText(/attempts?/).waitFor();
    await page.getByText('₦1,200.00').waitFor();
    expect(await dialog.getByText(total).count()).toBe(1);
    await confirm(page, walk.demo.pin);
    await dialog.getByText('The charges have changed since this was opened. Nothing was sent.').waitFor();
    expect(await paidTo('0123456787')).toBe(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await dialog.getByText('₦1,200.00').waitFor();
    await confirm(page, walk.demo.pin);
    await page.getByText('The bank has confirmed it.').waitFor();
  });

  it('says next to the field what is wrong, and an unlikely number is no reason to stop', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    for (const complaint of [
      'Choose a bank.',
      'Enter the account number.',
      'Enter an amount.',
      'Write what the money is for.',
    ]) {
      await page.getByText(complaint).waitFor();
    }
    await expectAccessible(page);
    await fillIn(page, '0009999904', '9999990');
    await page.getByText('The wallet does not have this much available.').waitFor();
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await confirm(page, walk.demo.pin);
    // The bank knows no such account: said next to the number, everything else stays.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Account number').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => page.getByLabel('Amount').inputValue()).toBe('9,999,990.00');
    // A number whose check digit does not fit the bank is only remarked upon.
    await page.getByLabel('Account number').fill('0123456788');
    await page.getByText(/does not look like one of/).waitFor();
    await page.getByLabel('Amount').fill('150');
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await confirm(page, walk.demo.pin);
    await page.getByText('The bank has confirmed it.').waitFor();
  });
});

describe('a payout without an answer', () => {
  it('stays as it was asked for who looks something up and comes back, and is paid once', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/payouts/new' });
    await fillIn(page, '0123456782', '410');
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await page.route('**/payout/single', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await confirm(page, walk.demo.pin);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The connection was lost before a response arrived.').waitFor();
    await page.unroute('**/payout/single');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'See the payouts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await page.goBack();
    await page.getByText('No answer came yet').waitFor();
    expect(await page.getByLabel('Amount').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Continue to the PIN' }).click();
    await confirm(page, walk.demo.pin);
    await page.getByRole('heading', { level: 1, name: /^Payout to/ }).waitFor();
    expect(await paidTo('0123456782')).toBe(1);
  });
});
