import { describe, expect, it } from 'vitest';
import { storePin } from '../../src/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { goOnAsPayer, makeLink } from './support/links.ts';
import { approve, newestNumber, prepareLiveProvider } from './support/live-provider.ts';
import { makeMerchant, type NewMerchant } from './support/new-merchant.ts';
import { takePicture } from './support/pictures.ts';
import { chooseFile, createBatch } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const live = prepareLiveProvider(walk);
const PIN = '4826';

/** A payer opens the link, sees where to pay, and sends the money from their own bank. */
async function payByLink(address: string, { merchantId }: NewMerchant, amountMinor: bigint): Promise<void> {
  const payer = await walk.open();
  await payer.goto(address);
  await goOnAsPayer(payer);
  await payer.getByRole('button', { name: 'I have sent the money' }).waitFor();
  await expectAccessible(payer);
  const { rows } = await walk.runtime.database.pool.query(
    'select account_number from payment_session_accounts where merchant_id = $1',
    [merchantId],
  );
  const [{ account_number: accountNumber }] = rows;
  expect((await payer.locator('main').innerText()).replaceAll(' ', '')).toContain(accountNumber);
  await takePicture(payer, 'live-2-payer');
  const { wallets } = live.server;
  await live.report(wallets.chargeSuccess(wallets.payments.transfer(accountNumber, { amountMinor }).credit));
  await payer.getByRole('heading', { name: 'Thank you. We have received your payment.' }).waitFor();
  await expectAccessible(payer);
}

describe('live money', () => {
  it('comes by transfer and through the hosted page to a merchant that was approved, and pays its salaries', async () => {
    const kola = await makeMerchant(walk, 'Kolanut Traders');
    await approve(walk, kola);
    const { database, secrets } = walk.runtime;
    await storePin({ database, secrets, clock: systemClock }, { merchantId: kola.merchantId, mode: 'LIVE' }, PIN);
    const page = await walk.openAs(kola, { at: '/dashboard/wallet?mode=live' });
    await page.getByText('Live: real money').waitFor();
    const accountNumber = await newestNumber(walk, kola);
    await page.getByText(accountNumber).first().waitFor();
    await expectAccessible(page);
    await takePicture(page, 'live-1-account-number');

    const { wallets, transfers } = live.server;
    await live.report(wallets.chargeSuccess(wallets.books.deposit({ accountNumber, amountMinor: 150_000_00n })));
    await page.getByRole('link', { name: 'Money in' }).click();
    await page.getByRole('cell', { name: 'In your wallet' }).waitFor();
    expect(await page.getByRole('cell', { name: 'In your wallet' }).count()).toBe(1);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Links', exact: true }).click();
    const address = await makeLink(page, 'School fees', async (form) => {
      await form.getByLabel('Amount', { exact: true }).fill('120000');
    });
    await payByLink(address, kola, 120_000_00n);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await expect.poll(() => page.getByRole('cell', { name: 'In your wallet' }).count()).toBe(2);
    await takePicture(page, 'live-3-payments');

    await page.goto('/dashboard/bulk?mode=live');
    const rows = [
      'Amount,Bank Code,Account Number,Narration',
      '150000,058,0123456785,Salary',
      '98000,058,9876543216,Salary',
    ];
    await chooseFile(page, 'salaries.csv', [...rows, ''].join('\r\n'));
    await createBatch(page, 'salaries.csv');
    await page.getByRole('heading', { level: 1, name: 'salaries.csv' }).waitFor();
    await page.getByText('Ready', { exact: true }).and(page.locator(':not(option)')).first().waitFor();
    await takePicture(page, 'live-4-salaries');
    await page.getByRole('main').getByRole('button', { name: /^Pay/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('PIN').fill(PIN);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => transfers.size, { timeout: 30_000 }).toBe(2);
    const paid = [...transfers.values()].map(({ amountMinor }) => amountMinor);
    expect(paid.sort((one, other) => (one < other ? -1 : 1))).toEqual([98_000_00n, 150_000_00n]);
    await takePicture(page, 'live-5-paid');
  });
});
