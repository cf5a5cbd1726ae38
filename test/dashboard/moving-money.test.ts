import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { askApi, storeBalance } from './support/api.ts';
import { makeImpatient } from './support/impatient.ts';
import { expectAccessible, prepareWalks, signIn } from './support/walk.ts';

const walk = prepareWalks();

const MOVE = 'Move to the main wallet';
const WRONG_PIN = '7391';

const store = (at: number): string => walk.demo.storeIds[at] ?? '';
const dialogOf = (page: Page) => page.getByRole('dialog', { name: MOVE });
const pinOf = (page: Page) => dialogOf(page).getByLabel('PIN', { exact: true });
const amountOf = (page: Page) => dialogOf(page).getByLabel('Amount');

async function openStore(page: Page, storeId: string): Promise<void> {
  await page.goto(`/dashboard/stores/${storeId}`);
  await page.getByRole('button', { name: MOVE }).click();
}

/** As far as the PIN. */
async function fillMove(page: Page, amount: string): Promise<void> {
  await amountOf(page).fill(amount);
  await dialogOf(page).getByLabel('Narration').fill('Evening sweep');
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click();
}

async function givePin(page: Page, pin: string): Promise<void> {
  await pinOf(page).fill(pin);
  await dialogOf(page)
    .getByRole('button', { name: /^Move ₦/ })
    .click();
}

/** The service takes the request, and its answer reaches nobody. */
async function passOn(route: Route): Promise<void> {
  const request = route.request();
  await fetch(request.url(), {
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postData(),
  });
}

/** The same, and the line is cut. */
async function loseAnswer(route: Route): Promise<void> {
  await passOn(route);
  await route.abort('connectionreset');
}

describe('moving money from a store', () => {
  it('moves it once when the button is pressed twice', async () => {
    const before = await storeBalance(walk, store(0));
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(0));
    await expectAccessible(page);
    await fillMove(page, '1,250.50');
    await dialogOf(page).getByText('₦1,250.50').first().waitFor();
    await expectAccessible(page);
    await pinOf(page).fill(walk.demo.pin);
    await dialogOf(page).getByRole('button', { name: 'Move ₦1,250.50' }).dblclick();
    await page.getByText('₦1,250.50 moved from Ikeja to the main wallet.').waitFor();
    await dialogOf(page).waitFor({ state: 'detached' });
    expect(await storeBalance(walk, store(0))).toBe(before - 1_250.5);
    await page.getByRole('cell', { name: '−₦1,250.50' }).waitFor();
    await expectAccessible(page);
  });

  it('moves it once when the answer is lost, a wrong PIN follows, and the person presses again', async () => {
    const before = await storeBalance(walk, store(1));
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(1));
    await fillMove(page, '400');
    await page.route('**/branch/store/debit', loseAnswer);
    await givePin(page, walk.demo.pin);
    await dialogOf(page).getByText('The connection was lost before a response arrived.').waitFor();
    expect(await storeBalance(walk, store(1))).toBe(before - 400);

    await page.unroute('**/branch/store/debit');
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await dialogOf(page).getByText('No answer came yet').waitFor();
    expect(await amountOf(page).getAttribute('readonly')).not.toBeNull();
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Continue' }).click();
    await givePin(page, WRONG_PIN);
    await dialogOf(page).getByText('The PIN is wrong. You have 4 attempts left').waitFor();
    await givePin(page, walk.demo.pin);
    await page.getByText('₦400.00 moved from').waitFor();
    expect(await storeBalance(walk, store(1))).toBe(before - 400);
  });

  it('moves it once when the answer is lost and what goes again by itself is refused, or answered by a proxy', async () => {
    const before = await storeBalance(walk, store(1));
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(1));
    const busy = { status: false, code: 'RATE_LIMITED', message: 'Too many requests.' };
    const answers: ((route: Route) => Promise<void>)[] = [
      async (route) => passOn(route).then(() => route.fulfill({ status: 200, body: '' })),
      (route) => route.fulfill({ status: 429, json: busy }),
      (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>404</h1>' }),
    ];
    await page.route('**/branch/store/debit', (route) => answers.shift()?.(route) ?? route.continue());
    await fillMove(page, '35');
    for (const said of ['Too many requests.', 'The service answered with an error (404).']) {
      await givePin(page, walk.demo.pin);
      await dialogOf(page).getByText(said).waitFor();
    }
    await givePin(page, walk.demo.pin);
    await page.getByText('₦35.00 moved from').waitFor();
    expect(await storeBalance(walk, store(1))).toBe(before - 35);
  });

  it('moves it once when no answer ever comes, and says so by itself', async () => {
    const before = await storeBalance(walk, store(1));
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(1));
    await makeImpatient(page);
    await fillMove(page, '60');
    await page.route('**/branch/store/debit', passOn, { times: 1 });
    await givePin(page, walk.demo.pin);
    await page.getByText('₦60.00 moved from').waitFor();
    expect(await storeBalance(walk, store(1))).toBe(before - 60);
  });

  it('says how many attempts of the PIN are left and keeps the amount', async () => {
    const before = await storeBalance(walk, store(2));
    const page = await walk.openAs(walk.demo.dashboard, { phone: true, dark: true });
    await openStore(page, store(2));
    await fillMove(page, '75.25');
    await givePin(page, WRONG_PIN);
    await dialogOf(page)
      .getByText(/You have \w+ attempts? left before PIN operations lock/)
      .waitFor();
    await expect.poll(() => pinOf(page).inputValue()).toBe('');
    expect(await pinOf(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => amountOf(page).inputValue()).toBe('75.25');
    await expect.poll(() => dialogOf(page).getByLabel('Narration').inputValue()).toBe('Evening sweep');
    expect(await storeBalance(walk, store(2))).toBe(before);
  });

  it('says next to the field what is no amount, and what the store does not have', async () => {
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(2));
    for (const [typed, complaint] of [
      ['', 'Enter an amount.'],
      ['-5', 'An amount cannot be negative.'],
      ['1.005', 'Use at most two decimals'],
      ['0', 'Enter an amount above zero.'],
      ['ten', 'Enter an amount in naira'],
    ] as const) {
      await fillMove(page, typed);
      await dialogOf(page).getByText(complaint).waitFor();
      expect(await amountOf(page).getAttribute('aria-invalid')).toBe('true');
    }
    await fillMove(page, '99,000,000');
    await givePin(page, walk.demo.pin);
    await dialogOf(page).getByText('Insufficient funds').waitFor();
    await expect.poll(() => amountOf(page).inputValue()).toBe('99,000,000.00');
    await expectAccessible(page);
  });

  it('asks to sign in again when the session ends in the middle, keeps what was typed and goes on', async () => {
    const before = await storeBalance(walk, store(2));
    const page = await walk.openAs(walk.demo.dashboard);
    await openStore(page, store(2));
    await page.clock.install();
    await fillMove(page, '310');
    // With the debit itself: before it, whatever the page reads by itself would find out first.
    await page.route(
      '**/branch/store/debit',
      async (route) => {
        await page.context().clearCookies();
        await route.continue();
      },
      { times: 1 },
    );
    await givePin(page, walk.demo.pin);
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByText('What you typed is still here.').waitFor();
    // A click beside it leaves nothing.
    await page.clock.fastForward(1_000);
    await page.mouse.click(5, 5);
    await expectAccessible(page);
    expect(await storeBalance(walk, store(2))).toBe(before);
    await signIn(page, walk.demo.dashboard);
    await page.getByText('₦310.00 moved from').waitFor();
    expect(await storeBalance(walk, store(2))).toBe(before - 310);
  });
});

describe('two tabs', () => {
  it('never mix: what is moved in the sandbox is not seen live, and the other way round', async () => {
    const before = await storeBalance(walk, store(0));
    const sandbox = await walk.openAs(walk.demo.dashboard);
    const live = await sandbox.context().newPage();
    await live.goto('/dashboard/stores?mode=live');
    await live.getByText('No store yet').waitFor();
    await openStore(sandbox, store(0));
    await fillMove(sandbox, '20');

    await live.getByRole('button', { name: 'Open a store' }).first().click();
    await live.getByLabel('Name').fill('Balogun Market');
    await live.getByRole('button', { name: 'Open store' }).click();
    await live.getByRole('heading', { level: 1, name: 'Balogun Market' }).waitFor();
    expect(new URL(live.url()).searchParams.get('mode')).toBe('live');
    await expect.poll(() => live.getByRole('button', { name: 'Add test money' }).count()).toBe(0);
    await live.getByText('A store is funded by its customers').waitFor();
    await expectAccessible(live);

    await givePin(sandbox, walk.demo.pin);
    await sandbox.getByText('₦20.00 moved from Ikeja').waitFor();
    expect(await storeBalance(walk, store(0))).toBe(before - 20);
    await live.goto('/dashboard/wallet?mode=live');
    await live.getByText('Nothing moved in the last 30 days').waitFor();
    await sandbox.goto('/dashboard/stores');
    await sandbox.getByRole('link', { name: 'Ikeja' }).waitFor();
    await expect.poll(() => sandbox.getByText('Balogun Market').count()).toBe(0);
    await live.goto(`/dashboard/stores/${store(0)}?mode=live`);
    await live.getByText('There is no store with this id.').waitFor();
  });
});

describe('subaccounts and test money', () => {
  it('opens a subaccount, credits it at once and debits it with the PIN', async () => {
    const page = await walk.openAs(walk.demo.dashboard, { at: '/dashboard/subaccounts' });
    await page.getByRole('button', { name: 'Open a subaccount' }).click();
    await page.getByRole('button', { name: 'Open subaccount' }).click();
    await page.getByText('Enter a name.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Taxes');
    await page.getByRole('button', { name: 'Open subaccount' }).click();
    await page.getByRole('heading', { level: 1, name: 'Taxes' }).waitFor();

    await page.getByRole('button', { name: 'Credit', exact: true }).click();
    const credit = page.getByRole('dialog', { name: 'Credit Taxes' });
    await credit.getByLabel('Amount').fill('5000');
    await credit.getByRole('button', { name: 'Credit' }).click();
    await page.getByText('₦5,000.00 moved from the main wallet to Taxes.').waitFor();
    await page.getByRole('button', { name: 'Debit', exact: true }).click();
    const debit = page.getByRole('dialog', { name: 'Debit Taxes' });
    await debit.getByRole('button', { name: 'All that is available: ₦5,000.00' }).click();
    await debit.getByRole('button', { name: 'Continue' }).click();
    await debit.getByLabel('PIN', { exact: true }).fill(walk.demo.pin);
    await debit.getByRole('button', { name: 'Debit ₦5,000.00' }).click();
    await page.getByText('₦5,000.00 moved from Taxes to the main wallet.').waitFor();
    await page.getByRole('cell', { name: '−₦5,000.00' }).waitFor();
    await expectAccessible(page);
  });

  it('adds test money from home, where it stands among the movements of today', async () => {
    const { data } = await askApi(walk, 'GET', '/wallet/merchant');
    const page = await walk.openAs(walk.demo.dashboard);
    await page.getByRole('button', { name: 'Add test money' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add test money' });
    await dialog.getByLabel('Amount').fill('2,000,000,000');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('One funding takes at most ₦1,000,000,000.00.').waitFor();
    await dialog.getByLabel('Amount').fill('12345.67');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('₦12,345.67 moved from The sandbox to the main wallet.').waitFor();
    await page.getByRole('cell', { name: '+₦12,345.67' }).waitFor();
    await expectAccessible(page);
    const after = await askApi(walk, 'GET', '/wallet/merchant');
    expect(after.data.wallet.availableBalance - data.wallet.availableBalance).toBeCloseTo(12_345.67, 2);
  });
});
