import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePin } from '../../src/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { addRail, setDefaultRails } from '../../src/rail-accounts/index.ts';
import { setWalletProvider } from '../../src/virtual-accounts/index.ts';
import { LIVE_SECRET_KEY, type PaystackServer, startPaystackServer } from '../rails/providers/paystack-server.ts';
import type { CreditRow } from '../rails/providers/wallet-books.ts';
import { goOnAsPayer, makeLink } from './support/links.ts';
import { makeMerchant, type NewMerchant } from './support/new-merchant.ts';
import { takePicture } from './support/pictures.ts';
import { signInOverHttp } from './support/session.ts';
import { chooseFile, createBatch } from './support/uploads.ts';
import { expectAccessible, prepareWalks } from './support/walk.ts';

const walk = prepareWalks();

const RAIL = 'paystack-live';
const PIN = '4826';
let provider: PaystackServer;

/** What the operator does at the terminal: an account at a provider in both of its roles. */
beforeAll(async () => {
  provider = await startPaystackServer({ isLive: true });
  const deps = { database: walk.runtime.database, secrets: walk.runtime.secrets, clock: systemClock };
  await addRail(deps, {
    name: RAIL,
    provider: 'paystack',
    mode: 'LIVE',
    credentials: JSON.stringify({ secretKey: LIVE_SECRET_KEY }),
    baseUrl: provider.baseUrl,
    openToMerchants: false,
    replace: false,
    check: true,
  });
  await setDefaultRails(deps, { mode: 'LIVE', first: RAIL, second: null });
  await setWalletProvider(deps, { mode: 'LIVE', name: RAIL, preferredBank: null });
});
afterAll(() => provider.close());

async function approve({ merchantId, session }: NewMerchant): Promise<void> {
  expect((await session.ask('POST', '/onboarding/submit', {})).status).toBe(200);
  const operator = await signInOverHttp(walk.baseUrl, walk.demo.operator);
  expect((await operator.ask('POST', `/operator/merchant/${merchantId}/approve`)).status).toBe(200);
  const collection = { key: 'COLLECTION', enabled: true };
  expect((await operator.ask('POST', `/operator/merchant/${merchantId}/service`, collection)).status).toBe(200);
}

/** The account number that the worker has asked the provider for. */
async function numberOf({ merchantId }: NewMerchant): Promise<string> {
  const find = () =>
    walk.runtime.database.pool.query('select account_number from receiving_numbers where merchant_id = $1', [
      merchantId,
    ]);
  await expect.poll(async () => (await find()).rows.length, { timeout: 15_000 }).toBe(1);
  return (await find()).rows[0].account_number;
}

/** As the provider does: signed, and twice. */
async function report(credit: CreditRow): Promise<void> {
  const body = provider.wallets.chargeSuccess(credit);
  const signature = createHmac('sha512', LIVE_SECRET_KEY).update(body).digest('hex');
  for (let copy = 0; copy < 2; copy += 1) {
    const answer = await fetch(`${walk.baseUrl}/rail/live/${RAIL}/webhook`, {
      method: 'POST',
      headers: { 'x-paystack-signature': signature },
      body: new Uint8Array(body),
    });
    expect(answer.status).toBe(200);
  }
}

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
  await report(provider.wallets.payments.transfer(accountNumber, { amountMinor }).credit);
  await payer.getByRole('heading', { name: 'Thank you. We have received your payment.' }).waitFor();
  await expectAccessible(payer);
}

describe('live money', () => {
  it('comes by transfer and through the hosted page to a merchant that was approved, and pays its salaries', async () => {
    const kola = await makeMerchant(walk, 'Kolanut Traders');
    await approve(kola);
    const { database, secrets } = walk.runtime;
    await storePin({ database, secrets, clock: systemClock }, { merchantId: kola.merchantId, mode: 'LIVE' }, PIN);
    const page = await walk.openAs(kola, { at: '/dashboard/wallet?mode=live' });
    await page.getByText('Live: real money').waitFor();
    const accountNumber = await numberOf(kola);
    await page.getByText(accountNumber).first().waitFor();
    await expectAccessible(page);
    await takePicture(page, 'live-1-account-number');

    await report(provider.wallets.books.deposit({ accountNumber, amountMinor: 150_000_00n }));
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
    await expect.poll(() => provider.transfers.size, { timeout: 30_000 }).toBe(2);
    const paid = [...provider.transfers.values()].map(({ amountMinor }) => amountMinor);
    expect(paid.sort((one, other) => (one < other ? -1 : 1))).toEqual([98_000_00n, 150_000_00n]);
    await takePicture(page, 'live-5-paid');
  });
});
