import { describe, expect, it } from 'vitest';
import { askApi } from './support/api.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

describe('money in', () => {
  it('is paid to the account number on the page, arrives by itself, and is shown with who paid', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/collections' });
    await page.getByText('Nobody has paid in yet').waitFor();
    await page.getByRole('link', { name: 'See the account number' }).click();
    await page.getByRole('heading', { name: 'Add money' }).waitFor();
    await page.getByText('A sandbox number: no bank knows it.').waitFor();
    await expectAccessible(page);
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    const { accountNumber } = data.wallet;
    await page.getByText(accountNumber).first().waitFor();
    await page.getByRole('button', { name: 'Share' }).waitFor();

    const payer = { name: 'NGOZI EZE', accountNumber: '0123456789', bankName: 'Zenith Bank' };
    const body = { accountNumber, amount: 4321.09, payer, narration: 'Order 77' };
    expect((await askApi(walk, 'POST', '/sandbox/collection/pay', body)).status).toBe(200);
    await page.getByRole('link', { name: 'Money in' }).click();
    await page.getByRole('button', { name: 'NGOZI EZE' }).waitFor();
    await page.getByRole('cell', { name: 'In your wallet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'NGOZI EZE' }).click();
    const dialog = page.getByRole('dialog');
    for (const text of ['4,321.09', 'Order 77', '0123456789 · Zenith Bank', 'one answer of the bank']) {
      await dialog.getByText(text).first().waitFor();
    }
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'See the transaction' }).click();
    await page.getByText('Money received').first().waitFor();
    const after = await askApi(walk, 'GET', '/wallet/merchant');
    expect(Math.round((after.data.wallet.bookedBalance - data.wallet.bookedBalance) * 100)).toBe(432_109);
  });
});
