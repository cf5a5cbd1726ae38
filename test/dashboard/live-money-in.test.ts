import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storePin } from '../../src/access/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { addRail, setDefaultRails } from '../../src/rail-accounts/index.ts';
import { setWalletProvider } from '../../src/virtual-accounts/index.ts';
import { LIVE_SECRET_KEY, type PaystackServer, startPaystackServer } from '../rails/providers/paystack-server.ts';
import { makeMerchant, type NewMerchant } from './support/new-merchant.ts';
import { signInOverHttp } from './support/session.ts';
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
}

/** As the provider does: signed, and twice. */
async function payByTransfer(accountNumber: string, amountMinor: bigint): Promise<void> {
  const credit = provider.wallets.books.deposit({ accountNumber, amountMinor });
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

describe('live money', () => {
  it('comes to the account number of a merchant that was approved, and pays its salaries', async () => {
    const kola = await makeMerchant(walk, 'Kolanut Traders');
    await approve(kola);
    const { database, secrets } = walk.runtime;
    await storePin({ database, secrets, clock: systemClock }, { merchantId: kola.merchantId, mode: 'LIVE' }, PIN);
    const page = await walk.openAs(kola, { at: '/dashboard/wallet?mode=live' });
    page.setDefaultTimeout(9_000);
    await page.getByText('Live: real money').waitFor();
    await page.getByText('Titan Paystack').or(page.getByText('Wema Bank')).first().waitFor();
    await expectAccessible(page);
    const [account] = provider.wallets.books.accounts;
    if (account === undefined) throw new Error('no account was opened');
    await page.getByText(account.accountNumber).first().waitFor();

    await payByTransfer(account.accountNumber, 500_000_00n);
    await page.getByRole('link', { name: 'Money in' }).click();
    await page.getByRole('cell', { name: 'In your wallet' }).waitFor();
    expect(await page.getByRole('cell', { name: 'In your wallet' }).count()).toBe(1);
    await expectAccessible(page);

    await page.goto('/dashboard/bulk?mode=live');
    const rows = [
      'Amount,Bank Code,Account Number,Narration',
      '150000,058,0123456785,Salary',
      '98000.50,058,0123456786,Salary',
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: 'salaries.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([...rows, ''].join('\r\n')),
    });
    await page.getByText('Ready').first().waitFor();
    await page.getByRole('main').getByRole('button', { name: /^Pay/ }).click();
    await page.getByRole('dialog').getByLabel('PIN').fill(PIN);
    await page.keyboard.press('Enter');
    await page.getByText('Completed').first().waitFor();
    await expect.poll(() => provider.transfers.size).toBe(2);
    const paid = [...provider.transfers.values()].map(({ amountMinor }) => amountMinor);
    expect(paid.sort((one, other) => (one < other ? -1 : 1))).toEqual([98_000_50n, 150_000_00n]);
  });
});
